// A growing byte buffer that owns its memory. Failure is sticky: append freely, check `failed` once.
#ifndef ON_BASE_BUFFER_H
#define ON_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

typedef struct on_buf {
  char *p;
  size_t n;
  size_t cap;
  bool failed;
} on_buf;  // a zeroed on_buf is an empty one

// Room for `more` further bytes; false on failure.
bool on_buf_reserve(on_buf *buf, size_t more);
void on_buf_add(on_buf *buf, const void *bytes, size_t n);
void on_buf_str(on_buf *buf, on_str s);
static inline void on_buf_char(on_buf *buf, char c) {
  if (buf->n < buf->cap && !buf->failed) buf->p[buf->n++] = c;
  else on_buf_add(buf, &c, 1);
}
void on_buf_u64(on_buf *buf, uint64_t value);  // decimal
void on_buf_i64(on_buf *buf, int64_t value);   // decimal
// Shortest decimal that reads back as the same float (tries 6 to 9 significant digits) or double (15 to
// 17). With a decimal point in every locale, which on_buf_format does not promise.
void on_buf_f32(on_buf *buf, float value);
void on_buf_f64(on_buf *buf, double value);
void on_buf_u32le(on_buf *buf, uint32_t value);
void on_buf_u64le(on_buf *buf, uint64_t value);
// A code point as UTF-8; lone surrogates become U+FFFD.
void on_buf_codepoint(on_buf *buf, uint32_t codepoint);
// printf-like, for messages; at most 1,023 bytes of output.
void on_buf_format(on_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

on_str on_buf_view(const on_buf *buf);  // valid until the next append
void on_buf_clear(on_buf *buf);         // keeps the memory, clears `failed`
void on_buf_free(on_buf *buf);

#endif
