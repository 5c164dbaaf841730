// A dev set for treebanks and examples that have none.
#ifndef ON_TRAIN_HOLD_OUT_H
#define ON_TRAIN_HOLD_OUT_H

#include "train/corpus.h"

enum { ON_HOLD_OUT_SHARE = 10 };  // one sentence of so many

// Moves a tenth of the corpus's sentences and a tenth of the texts of its examples, drawn by the seed, to the empty
// corpus *held; both keep their order. The same seed draws the same ones. To be called before entities are joined.
// *held must not outlive the corpus, which goes on owning the texts that examples share. False: out of memory, or
// there are fewer than two sentences and fewer than two texts.
bool on_corpus_hold_out(on_corpus *corpus, on_corpus *held, uint64_t seed, on_error *error);

#endif
