// Rule-based tokenizers (kinds `rule` and `uax`), their data sets, and the sentencizer.
#ifndef ON_TOKENIZE_TOKENIZE_H
#define ON_TOKENIZE_TOKENIZE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

// A surface token, or a word of one. A plain token is one word.
typedef struct on_piece {
  uint32_t start, end;  // UTF-16 offsets in the text; the words of an undividable surface token
                        // (du = de + le) all have its whole extent
  uint32_t surface;     // number of the surface token, counted from 0; words of one surface token share it
  on_str form;          // the word's own form when it is not its slice; else p NULL. Borrowed from the
                        // data set's tables or in the arena
} on_piece;

typedef struct on_pieces {
  on_piece *list;
  size_t n;
  size_t surfaces;      // number of surface tokens
} on_pieces;

typedef struct on_segmentation on_segmentation;  // a data set of `uax`: compiled tables, static

// The data set by its name ("none", "neutral", "english", ...), or NULL.
const on_segmentation *on_segmentation_find(on_str name);
// The data set for a language code ("en"), else neutral.
const on_segmentation *on_segmentation_for_language(on_str language);
on_str on_segmentation_name(const on_segmentation *data);
// The i-th data set, NULL at the end: for listings.
const on_segmentation *on_segmentation_at(size_t i);

// Which words need no look-up in a data set's tables: found out once.
typedef struct on_plain_words {
  uint32_t special[64];  // a bit for the hash (plain.c) of each word that is in one of them
} on_plain_words;
void on_plain_words_find(on_plain_words *plain, const on_segmentation *data);

// Both split text[from, to) (offsets in the results are in the whole text) into words; white space
// belongs to none. Time linear in to - from. `plain` is that of `data`, or NULL: the words are the same, found more
// slowly. False: out of memory.
bool on_tokenize_rule(on_arena *arena, on_str16 text, size_t from, size_t to, on_pieces *out, on_error *error);
bool on_tokenize_uax(on_arena *arena, const on_segmentation *data, const on_plain_words *plain, on_str16 text,
                     size_t from, size_t to, on_pieces *out, on_error *error);

// Sentence starts for given words of text[from, to): UAX #29 sentence boundaries corrected by the data
// set's abbreviations and rules. sent_start[i] becomes 1 or 0 for every piece ([0] is 1). A boundary
// never falls inside a surface token.
bool on_sentencize(const on_segmentation *data, on_str16 text, size_t from, size_t to, const on_pieces *pieces,
                   uint8_t *sent_start, on_error *error);

#endif
