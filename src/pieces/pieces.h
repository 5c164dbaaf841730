// Tokenizers of transformers: from text to the ids that a model's token table is read by, with the place of each piece
// in the text. A tokenizer comes as a tokenizer.json (the format of Rust's `tokenizers`), and gives the ids and
// offsets that that library gives. What a file asks for and is not known here is an error that names its JSON path.
#ifndef ON_PIECES_PIECES_H
#define ON_PIECES_PIECES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

typedef struct on_piece_model on_piece_model;  // immutable; threads may share it

// Reads a tokenizer.json, of which nothing is needed afterwards: everything is copied into the arena. The text is not
// trusted. Left out of account: truncation and padding (windows are this project's own, see on_piece_windows_make) and
// the decoder.
bool on_piece_model_load(on_piece_model **out, on_arena *arena, on_str tokenizer_json, on_error *error);
// All ids are below this.
uint32_t on_piece_model_size(const on_piece_model *model);
// Special tokens that stand before and after a single text.
const uint32_t *on_piece_before(const on_piece_model *model, size_t *count);
const uint32_t *on_piece_after(const on_piece_model *model, size_t *count);

// The pieces of a text without special tokens. Offsets are UTF-16 units, [start, end). They rise but for what
// normalizers reorder; pieces may share a character (bytes of one), and a piece may have no extent.
typedef struct on_piece_list {
  uint32_t *ids, *start, *end;
  size_t n;
} on_piece_list;

// *out lives in `scratch`. Time is linear in the text (n log n in the longest word of a BPE model).
bool on_piece_encode(const on_piece_model *model, on_str16 text, on_arena *scratch, on_piece_list *out,
                     on_error *error);

// Words [start[i], end[i]) of the same text, ascending by start: word i gets the pieces [first[i], last[i]) that share
// a character with it; first == last when there is none (a word of nothing but characters that the normalizer takes
// out). Words may share pieces: a tokenizer cuts elsewhere than at words.
void on_piece_words(const on_piece_list *list, const uint32_t *start, const uint32_t *end, size_t words,
                    uint32_t *first, uint32_t *last);

// A text's pieces in windows that a model takes at a time, each with its special tokens.
typedef struct on_piece_windows {
  uint32_t *ids;     // of all windows, one after another
  size_t id_count;
  uint32_t *window;  // [count + 1]: where each begins in ids
  size_t count;      // at least 1, also for an empty text
  uint32_t *first;   // [words]: row of the word's first piece in ids
  uint32_t *pieces;  // [words]: how many rows from there are the word's; 0 for a word without pieces
} on_piece_windows;

// Windows of at most max_length ids, special tokens included; a window ends between two words where it can. A word with
// more pieces than fit into one window keeps those in its first window. False: out of memory, or max_length does not
// leave room for one piece.
bool on_piece_windows_make(const on_piece_model *model, const on_piece_list *list, const uint32_t *first,
                           const uint32_t *last, size_t words, size_t max_length, on_arena *scratch,
                           on_piece_windows *out, on_error *error);

#endif
