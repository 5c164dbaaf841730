#include "text/fold.h"

#include "text/chars.h"
#include "text/fold_tables.h"

size_t on_fold(uint32_t c, uint32_t *out) {
  size_t low = 0, high = c < 0x80 ? 0 : ON_FOLD_ROWS;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const uint16_t *row = on_fold_rows + 4 * middle;
    if (c < row[0]) high = middle;
    else if (c > row[0]) low = middle + 1;
    else {
      size_t n = 0;
      while (n < ON_FOLD_MOST && row[1 + n]) out[n] = row[1 + n], n++;
      return n;
    }
  }
  out[0] = on_lower(c);
  return 1;
}
