#include "encode/attributes.h"

#include "text/chars.h"
#include "text/utf.h"

enum { SHAPE_RUN = 4 };

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
