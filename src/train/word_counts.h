// How often the training data has a word of the lists as a word, and how often it divides the same text: known while an
// encoder with word lists is trained, so that no word helps to find itself.
#ifndef ON_TRAIN_WORD_COUNTS_H
#define ON_TRAIN_WORD_COUNTS_H

#include "encode/words.h"

// What a word is in training data, beside the files that have it. The number of its list is that of the set of files,
// a bit each, times this, plus one of these.
typedef enum on_word_use {
  ON_WORD_UNSEEN,   // neither a word nor divided
  ON_WORD_DIVIDED,  // always divided
  ON_WORD_SELDOM,   // a word in less than half of the cases
  ON_WORD_MOSTLY,
  ON_WORD_ONCE,     // never divided, once a word
  ON_WORD_ALWAYS,
  ON_WORD_USES
} on_word_use;

on_word_use on_word_use_of(uint32_t whole, uint32_t divided);

typedef struct on_word_counts {
  uint32_t *whole, *divided;  // [words]
} on_word_counts;

// Adds what a Doc with gold words has; arrays of words->n.
void on_word_counts_add(const on_word_counts *counts, const on_words *words, const on_doc *gold);

// The list that a match counts for in training, where its own occurrence is not known: UINT32_MAX if it would be in
// none. `characters`: the Doc's tokens are characters, and doc->tag tells its words.
uint32_t on_word_list_without(const on_word_counts *counts, const on_words *words, const on_doc *doc, bool characters,
                              const on_word_match *match);

#endif
