// Treebank sentences in memory, and the training units that are drawn from them.
#ifndef ON_TRAIN_CORPUS_H
#define ON_TRAIN_CORPUS_H

#include "base/random.h"
#include "format/conllu.h"
#include "train/recipe.h"

typedef struct on_corpus {
  on_conllu_sentence *sentences;
  const on_conllu_sentence **pointers;  // to the same, as other functions want them
  bool *paragraph;                      // a paragraph (or file) starts here
  size_t count, cap, pointer_cap, paragraph_cap;
  uint64_t words;
} on_corpus;  // a zeroed on_corpus is an empty one

// Adds a file's sentences. The bytes must stay as long as the corpus. Errors are the reader's.
bool on_corpus_add(on_corpus *corpus, on_str conllu, on_error *error);
void on_corpus_free(on_corpus *corpus);

typedef struct on_sample {
  uint32_t first, end;  // sentences
  uint32_t words;
} on_sample;

// Cuts the corpus into units at random (on_hyper: unit_*), each sentence once, and shuffles them.
// units has room for corpus->count; returns their number.
size_t on_corpus_sample(const on_corpus *corpus, const on_hyper *hyper, on_random *random, on_sample *units);

// A Doc with gold columns out of sentences [first, end).
bool on_corpus_doc(const on_corpus *corpus, size_t first, size_t end, on_doc *doc, on_error *error);

#endif
