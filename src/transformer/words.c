#include "transformer/words.h"

bool on_word_pieces_make(const on_piece_model *pieces, const on_doc *doc, size_t max_length, on_arena *scratch,
                         on_word_pieces *out, on_error *error) {
  on_piece_list list;
  uint32_t *first = ON_NEW(scratch, uint32_t, doc->n), *last = ON_NEW(scratch, uint32_t, doc->n);
  if (!first || !last) return on_fail_memory(error);
  if (!on_piece_encode(pieces, doc->text, scratch, &list, error)) return false;
  on_piece_words(&list, doc->start, doc->end, doc->n, first, last);
  if (!on_piece_windows_make(pieces, &list, first, last, doc->n, max_length, scratch, &out->windows, error)) {
    return false;
  }
  out->sequences = ON_NEW(scratch, on_sequence, out->windows.count);
  if (!out->sequences) return on_fail_memory(error);
  for (size_t i = 0; i < out->windows.count; i++) {
    uint32_t from = out->windows.window[i];
    out->sequences[i] = (on_sequence){from, out->windows.window[i + 1] - from};
  }
  return true;
}

void on_words_pool(const on_word_pieces *of, size_t words, const float *h, size_t width, bool mean, float *out) {
  for (size_t w = 0; w < words; w++, out += width) {
    const float *rows = h + of->windows.first[w] * width;
    uint32_t count = of->windows.pieces[w];
    if (count == 0) {
      memset(out, 0, width * sizeof *out);
      continue;
    }
    memcpy(out, rows, width * sizeof *out);
    if (!mean || count == 1) continue;
    for (uint32_t i = 1; i < count; i++) {
      for (size_t j = 0; j < width; j++) out[j] = out[j] + rows[i * width + j];
    }
    for (size_t j = 0; j < width; j++) out[j] = out[j] / (float)count;
  }
}
