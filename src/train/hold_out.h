// A dev set for treebanks that have none.
#ifndef ON_TRAIN_HOLD_OUT_H
#define ON_TRAIN_HOLD_OUT_H

#include "train/corpus.h"

enum { ON_HOLD_OUT_SHARE = 10 };  // one sentence of so many

// Moves a tenth of the corpus's sentences, drawn by the seed, to the empty corpus *held; both keep their order. The
// same seed draws the same sentences. To be called before entities are joined. False: out of memory, or there are
// fewer than two sentences.
bool on_corpus_hold_out(on_corpus *corpus, on_corpus *held, uint64_t seed, on_error *error);

#endif
