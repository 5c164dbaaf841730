#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *on_code_name(on_code code) {
  switch (code) {
    case ON_OK: return "OK";
    case ON_OUT_OF_MEMORY: return "OUT_OF_MEMORY";
    case ON_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case ON_INVALID_UTF8: return "INVALID_UTF8";
    case ON_DATA_FORMAT: return "DATA_FORMAT";
    case ON_INVALID_DATA: return "INVALID_DATA";
    case ON_UNSUPPORTED: return "UNSUPPORTED";
    case ON_LIMIT: return "LIMIT";
    case ON_IO: return "IO";
    case ON_CANCELLED: return "CANCELLED";
    case ON_CLOSED: return "CLOSED";
    case ON_INTERNAL: return "INTERNAL";
    case ON_NO_WORKERS: return "NO_WORKERS";
  }
  return "UNKNOWN";
}

// Largest n' <= n at which the UTF-8 text does not end inside a character.
static size_t cut_at_character(const char *text, size_t n) {
  size_t start = n;
  while (start > 0 && n - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) start--;
  if (start == 0) return n;
  unsigned char lead = (unsigned char)text[start - 1];
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return start - 1 + length > n ? start - 1 : n;
}

static void set_text(on_error *error, const char *format, va_list args) {
  int n = vsnprintf(error->text, sizeof error->text, format, args);
  if (n < 0) error->text[0] = 0;
  if (n >= (int)sizeof error->text) error->text[cut_at_character(error->text, sizeof error->text - 1)] = 0;
}

bool on_fail(on_error *error, on_code code, int64_t position, const char *format, ...) {
  if (!error) return false;
  error->code = code;
  error->position = position;
  va_list args;
  va_start(args, format);
  set_text(error, format, args);
  va_end(args);
  return false;
}

bool on_fail_memory(on_error *error) { return on_fail(error, ON_OUT_OF_MEMORY, -1, "out of memory"); }

bool on_fail_context(on_error *error, const char *format, ...) {
  if (!error) return false;
  on_error inner = *error;
  va_list args;
  va_start(args, format);
  set_text(error, format, args);
  va_end(args);
  size_t n = strlen(error->text);
  if (n + 3 < sizeof error->text) {
    size_t room = sizeof error->text - 1 - n - 2;
    size_t take = strlen(inner.text);
    if (take > room) take = cut_at_character(inner.text, room);
    memcpy(error->text + n, ": ", 2);
    memcpy(error->text + n + 2, inner.text, take);
    error->text[n + 2 + take] = 0;
  }
  return false;
}

on_str on_shorten(on_str s, size_t most) {
  return s.n <= most ? s : on_str_sub(s, 0, cut_at_character(s.p, most));
}

int on_show_length(on_str s) { return (int)on_shorten(s, 80).n; }
