// Tokenizers and the sentencizer. The first byte chooses the data set (or kind rule), the rest are
// UTF-16 units, so that lone surrogates come, too.
#include <stdlib.h>

#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/tokenize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
  if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  size_t n = (size - 1) / 2, sets = 0;
  while (on_segmentation_at(sets)) sets++;
  size_t chosen = data[0] % (sets + 1);
  uint16_t *units = malloc((n + 1) * sizeof *units);
  require(units != NULL);
  memcpy(units, data + 1, n * sizeof *units);
  on_str16 text = {units, n};
  on_arena arena = {0};
  on_pieces pieces;
  const on_segmentation *set = on_segmentation_at(chosen);
  if (set) {
    on_plain_words plain;
    on_pieces slowly;
    on_plain_words_find(&plain, set);
    require(on_tokenize_uax(&arena, set, &plain, text, 0, n, &pieces, NULL));
    require(on_tokenize_uax(&arena, set, NULL, text, 0, n, &slowly, NULL));
    require(pieces.n == slowly.n && pieces.surfaces == slowly.surfaces);
    for (size_t i = 0; i < pieces.n; i++) {
      const on_piece *a = &pieces.list[i], *b = &slowly.list[i];
      require(a->start == b->start && a->end == b->end && a->surface == b->surface && on_str_eq(a->form, b->form));
    }
  } else {
    require(on_tokenize_rule(&arena, text, 0, n, &pieces, NULL));
  }
  // White space is in no token, everything else in one, in order.
  size_t at = 0;
  for (size_t i = 0; i < pieces.n; i++) {
    const on_piece *piece = &pieces.list[i];
    bool again = i > 0 && piece->surface == pieces.list[i - 1].surface && piece->start == pieces.list[i - 1].start;
    require(piece->start < piece->end && piece->end <= n);
    if (again) continue;
    while (at < piece->start) require(on_is_space(on_utf16_next(text, &at)));
    require(at == piece->start);
    while (at < piece->end) require(!on_is_space(on_utf16_next(text, &at)));
    require(at == piece->end);
  }
  while (at < n) require(on_is_space(on_utf16_next(text, &at)));
  if (set) {
    uint8_t *starts = malloc(pieces.n + 1);
    require(starts != NULL);
    require(on_sentencize(set, text, 0, n, &pieces, starts, NULL));
    for (size_t i = 0; i < pieces.n; i++) {
      if (i == 0) require(starts[i] == 1);
      else require(!(starts[i] && pieces.list[i].surface == pieces.list[i - 1].surface));
    }
    free(starts);
  }
  on_arena_free(&arena);
  free(units);
  return 0;
}
