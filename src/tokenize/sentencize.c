// Sentence starts: the boundaries of UAX #29, corrected.
#include "base/alloc.h"
#include "text/breaks.h"
#include "tokenize/scan.h"

bool on_sentencize(const on_segmentation *data, on_str16 text, size_t from, size_t to, const on_pieces *pieces,
                   uint8_t *sent_start, on_error *error) {
  if (from > to || to > text.n) return on_fail(error, ON_INVALID_ARGUMENT, -1, "no range of the text");
  (void)data;
  on_str16 range = {text.p + from, to - from};
  size_t next = 0;
  for (size_t i = 0; i < pieces->n; i++) {
    const on_piece *piece = &pieces->list[i];
    size_t start = piece->start - from;
    bool crossed = false;
    while (next < range.n && next <= start) {
      if (i == 0 || next > pieces->list[i - 1].start - from) crossed = crossed || next > 0;
      next = on_next_sentence_break(range, next);
    }
    bool inside = i > 0 && piece->surface == pieces->list[i - 1].surface;
    sent_start[i] = i == 0 || (crossed && !inside);
  }
  return true;
}
