// The character n-grams of a word and their rows in one hashed table (Bojanowski et al. 2017): what a word is made of,
// where the word itself was never seen. docs/format.md, "n-grams"; this project's own.
#ifndef ON_ENCODE_NGRAMS_H
#define ON_ENCODE_NGRAMS_H

#include <stdint.h>

#include "base/slice.h"

enum {
  ON_NGRAM_LENGTH = 8,  // the longest, in characters
  ON_NGRAM_CHARS = 64,  // characters of a word that are looked at
  ON_NGRAM_MOST = (ON_NGRAM_CHARS + 2) * ON_NGRAM_LENGTH
};

typedef struct on_ngrams {
  uint32_t min, max;  // lengths in characters, marks included
  uint32_t rows;
  uint64_t start;     // hash state before the first unit
} on_ngrams;

// rows[ON_NGRAM_MOST]: the rows of the n-grams of a mark, the word's first characters (code points) and, if these are
// all, another mark; from left to right, shorter ones first. Returns how many there are, 0 for a word too short.
size_t on_ngram_rows(const on_ngrams *ngrams, on_str16 word, uint32_t *rows);
// What the sum of so many rows is multiplied by.
float on_ngram_scale(size_t count);

#endif
