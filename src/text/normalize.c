#include "text/normalize.h"

#include <utf8proc.h>

size_t on_decompose(uint32_t c, bool compatibility, uint32_t *out) {
  utf8proc_int32_t parts[ON_DECOMPOSE_MOST];
  int boundclass = 0;
  utf8proc_ssize_t n = -1;
  if (c < 0x110000) {
    n = utf8proc_decompose_char((utf8proc_int32_t)c, parts, ON_DECOMPOSE_MOST,
                                compatibility ? UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT : UTF8PROC_DECOMPOSE, &boundclass);
  }
  if (n < 1 || n > ON_DECOMPOSE_MOST) {
    out[0] = c;
    return 1;
  }
  for (utf8proc_ssize_t i = 0; i < n; i++) out[i] = (uint32_t)parts[i];
  return (size_t)n;
}

uint32_t on_combining_class(uint32_t c) {
  return c < 0x300 || c >= 0x110000 ? 0 : (uint32_t)utf8proc_get_property((utf8proc_int32_t)c)->combining_class;
}

uint32_t on_compose(uint32_t first, uint32_t second) {
  if (first >= 0x110000 || second >= 0x110000) return 0;
  utf8proc_int32_t pair[2] = {(utf8proc_int32_t)first, (utf8proc_int32_t)second};
  utf8proc_ssize_t n = utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  return n == 1 ? (uint32_t)pair[0] : 0;
}
