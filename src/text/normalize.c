#include "text/normalize.h"

#include <utf8proc.h>

enum { CODE_POINTS = 0x110000, HANGUL_T_BASE = 0x11A7 };

size_t on_decompose(uint32_t c, bool compatibility, uint32_t *out) {
  utf8proc_int32_t parts[ON_DECOMPOSE_MOST];
  int boundclass = 0;
  utf8proc_ssize_t n = -1;
  if (c < CODE_POINTS) {
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
  return c < 0x300 || c >= CODE_POINTS ? 0 : (uint32_t)utf8proc_get_property((utf8proc_int32_t)c)->combining_class;
}

uint32_t on_compose(uint32_t first, uint32_t second) {
  // utf8proc takes U+11A7, one before the first final consonant, for a final consonant, and loses it.
  if (first >= CODE_POINTS || second >= CODE_POINTS || second == HANGUL_T_BASE) return 0;
  utf8proc_int32_t pair[2] = {(utf8proc_int32_t)first, (utf8proc_int32_t)second};
  utf8proc_ssize_t n = utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  return n == 1 ? (uint32_t)pair[0] : 0;
}
