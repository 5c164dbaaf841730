#include "text/fold.h"

#include <utf8proc.h>

size_t on_fold(uint32_t c, uint32_t *out) {
  if (c < 0x80) {
    out[0] = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    return 1;
  }
  utf8proc_int32_t folded[ON_FOLD_MOST];
  int boundclass = 0;
  const utf8proc_ssize_t n =
      utf8proc_decompose_char((utf8proc_int32_t)c, folded, ON_FOLD_MOST, UTF8PROC_CASEFOLD, &boundclass);
  if (n < 1 || n > ON_FOLD_MOST) {
    out[0] = c;
    return 1;
  }
  for (utf8proc_ssize_t i = 0; i < n; i++) out[i] = (uint32_t)folded[i];
  return (size_t)n;
}
