// Borrowed views of text. A slice never owns its memory; a buffer (buffer.h) does.
#ifndef ON_BASE_SLICE_H
#define ON_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// UTF-8 bytes, not terminated. p == NULL means "not set", which differs from the empty string.
typedef struct on_str {
  const char *p;
  size_t n;
} on_str;

// UTF-16 code units, not terminated.
typedef struct on_str16 {
  const uint16_t *p;
  size_t n;
} on_str16;

#define ON_STR(literal) ((on_str){(literal), sizeof(literal) - 1})
#define ON_STR_NONE ((on_str){NULL, 0})

static inline on_str on_str_c(const char *terminated) {
  return (on_str){terminated, terminated ? strlen(terminated) : 0};
}

static inline bool on_str_eq(on_str a, on_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool on_str16_eq(on_str16 a, on_str16 b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n * sizeof *a.p) == 0);
}

static inline on_str on_str_sub(on_str s, size_t from, size_t to) {
  return (on_str){s.p + from, to - from};
}

static inline on_str16 on_str16_sub(on_str16 s, size_t from, size_t to) {
  return (on_str16){s.p + from, to - from};
}

bool on_str_starts(on_str s, on_str prefix);
bool on_str_ends(on_str s, on_str suffix);

// The line at *at, without its end (LF or CR LF); *at is then where the next one begins, or beyond the text.
on_str on_str_line(on_str text, size_t *at);

// Byte order, shorter first among equal prefixes; for qsort-like use.
int on_str_cmp(on_str a, on_str b);

// The whole of s as a decimal number without sign or leading zeros (except "0" itself), at most max.
// Returns false when s is anything else.
bool on_str_to_u32(on_str s, uint32_t max, uint32_t *out);

#endif
