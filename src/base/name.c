#include "base/name.h"

typedef struct writer {
  char *out;
  size_t room, n;
} writer;

static void put(writer *w, char c) {
  if (w->n + 1 < w->room) w->out[w->n] = c;
  w->n++;
}

static void put_number(writer *w, size_t value) {
  char digits[20];  // of 64 bits
  size_t n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (n > 0) put(w, digits[--n]);
}

size_t on_name_list(char *out, size_t room, const char *format, va_list args) {
  writer w = {out, room, 0};
  for (const char *at = format; *at; at++) {
    if (*at != '%') {
      put(&w, *at);
      continue;
    }
    at++;
    if (*at == 's') {
      for (const char *s = va_arg(args, const char *); *s; s++) put(&w, *s);
    } else if (*at == 'u') {
      put_number(&w, va_arg(args, unsigned));
    } else {
      at++;  // %zu
      put_number(&w, va_arg(args, size_t));
    }
  }
  out[w.n < room ? w.n : room - 1] = 0;
  return w.n;
}

size_t on_name(char *out, size_t room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t n = on_name_list(out, room, format, args);
  va_end(args);
  return n;
}
