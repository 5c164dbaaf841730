// From the words of a Doc to vectors: its text as pieces, in windows, through the transformer, and pooled by word.
#ifndef ON_TRANSFORMER_WORDS_H
#define ON_TRANSFORMER_WORDS_H

#include "doc/doc.h"
#include "pieces/pieces.h"
#include "transformer/model.h"

typedef struct on_word_pieces {
  on_piece_windows windows;
  on_sequence *sequences;  // [windows.count]
} on_word_pieces;

// The Doc's text as pieces in windows of at most max_length; all of it in `scratch`.
bool on_word_pieces_make(const on_piece_model *pieces, const on_doc *doc, size_t max_length, on_arena *scratch,
                         on_word_pieces *out, on_error *error);

// out[doc->n][width] from the vectors of pieces [id_count][width]: a word's first piece, or the mean of its pieces. A
// word without pieces (nothing but characters that the tokenizer takes out) gets zeros.
void on_words_pool(const on_word_pieces *of, size_t words, const float *h, size_t width, bool mean, float *out);

#endif
