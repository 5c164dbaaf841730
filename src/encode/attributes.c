#include "encode/attributes.h"

#include "text/chars.h"
#include "text/utf.h"

enum { SHAPE_RUN = 4 };

on_str16 on_attr_prefix(on_str16 token, size_t length) {
  if (length >= token.n) return token;
  if (length > 0 && on_is_high_surrogate(token.p[length - 1]) && on_is_low_surrogate(token.p[length])) length++;
  return on_str16_sub(token, 0, length);
}

on_str16 on_attr_suffix(on_str16 token, size_t length) {
  if (length >= token.n) return token;
  size_t from = token.n - length;
  if (from > 0 && on_is_high_surrogate(token.p[from - 1]) && on_is_low_surrogate(token.p[from])) from--;
  return on_str16_sub(token, from, token.n);
}

static uint32_t shape_of(uint32_t c) {
  if (on_is_lower(c)) return 'x';
  if (on_is_upper(c)) return 'X';
  if (on_is_decimal(c)) return 'd';
  return c;
}

size_t on_attr_shape(uint16_t *out, on_str16 token) {
  size_t n = 0;
  uint32_t last = UINT32_MAX;
  unsigned run = 0;
  for (size_t i = 0; i < token.n;) {
    uint32_t shape = shape_of(on_utf16_next(token, &i));
    run = shape == last ? run + 1 : 1;
    last = shape;
    if (run <= SHAPE_RUN) n += on_utf16_put(out + n, shape);
  }
  return n;
}
