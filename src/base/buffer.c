#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool on_buf_reserve(on_buf *buf, size_t more) {
  if (buf->failed) return false;
  if (more > SIZE_MAX / 4 || !on_grow((void **)&buf->p, &buf->cap, buf->n + more, 1)) buf->failed = true;
  return !buf->failed;
}

void on_buf_add(on_buf *buf, const void *bytes, size_t n) {
  if (n == 0 || (buf->cap - buf->n < n && !on_buf_reserve(buf, n)) || buf->failed) return;
  memcpy(buf->p + buf->n, bytes, n);
  buf->n += n;
}

void on_buf_str(on_buf *buf, on_str s) { on_buf_add(buf, s.p, s.n); }

void on_buf_u64(on_buf *buf, uint64_t value) {
  if (value < 10) {
    on_buf_char(buf, (char)('0' + value));
    return;
  }
  char digits[20];
  size_t at = sizeof digits;
  // 32-bit divisions are cheaper, and most numbers are small.
  for (; value > UINT32_MAX; value /= 10) digits[--at] = (char)('0' + value % 10);
  for (uint32_t rest = (uint32_t)value; rest; rest /= 10) digits[--at] = (char)('0' + rest % 10);
  on_buf_add(buf, digits + at, sizeof digits - at);
}

void on_buf_i64(on_buf *buf, int64_t value) {
  if (value < 0) on_buf_char(buf, '-');
  on_buf_u64(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

// A number as printf wrote it, with a decimal point whatever the process's locale has in its place.
static void add_number(on_buf *buf, const char *text) {
  bool after_point = false;
  for (; *text; text++) {
    bool part_of_number = strchr("0123456789+-einfa", *text) != NULL;
    if (part_of_number) on_buf_char(buf, *text);
    else if (!after_point) on_buf_char(buf, '.');
    after_point = !part_of_number;
  }
}

void on_buf_f32(on_buf *buf, float value) {
  char text[32];
  for (int digits = 6; digits <= 9; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if (strtof(text, NULL) == value) break;
  }
  add_number(buf, text);
}

void on_buf_f64(on_buf *buf, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  add_number(buf, text);
}

void on_buf_u32le(on_buf *buf, uint32_t value) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
  on_buf_add(buf, bytes, sizeof bytes);
}

void on_buf_u64le(on_buf *buf, uint64_t value) {
  on_buf_u32le(buf, (uint32_t)value);
  on_buf_u32le(buf, (uint32_t)(value >> 32));
}

void on_buf_codepoint(on_buf *buf, uint32_t c) {
  char bytes[4];
  size_t n;
  if (c >= 0x110000 || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  if (c < 0x80) {
    bytes[0] = (char)c;
    n = 1;
  } else if (c < 0x800) {
    bytes[0] = (char)(0xC0 | c >> 6);
    bytes[1] = (char)(0x80 | (c & 63));
    n = 2;
  } else if (c < 0x10000) {
    bytes[0] = (char)(0xE0 | c >> 12);
    bytes[1] = (char)(0x80 | (c >> 6 & 63));
    bytes[2] = (char)(0x80 | (c & 63));
    n = 3;
  } else {
    bytes[0] = (char)(0xF0 | c >> 18);
    bytes[1] = (char)(0x80 | (c >> 12 & 63));
    bytes[2] = (char)(0x80 | (c >> 6 & 63));
    bytes[3] = (char)(0x80 | (c & 63));
    n = 4;
  }
  on_buf_add(buf, bytes, n);
}

void on_buf_format(on_buf *buf, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n > 0) on_buf_add(buf, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

on_str on_buf_view(const on_buf *buf) { return (on_str){buf->p ? buf->p : "", buf->n}; }

void on_buf_clear(on_buf *buf) {
  buf->n = 0;
  buf->failed = false;
}

void on_buf_free(on_buf *buf) {
  on_free(buf->p);
  *buf = (on_buf){0};
}
