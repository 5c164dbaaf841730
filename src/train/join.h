// Entities from JSON Lines for the sentences of a treebank.
#ifndef ON_TRAIN_JOIN_H
#define ON_TRAIN_JOIN_H

#include "train/corpus.h"

// Gives the entities of each example to the sentences whose surface text is the same but for white space, so that
// one document teaches trees and entities alike; examples that found a sentence and say nothing else are taken
// out. An entity whose edges are not those of words is counted in corpus->misaligned. Sets corpus->entities.
// Returns false without memory; *joined is the number of sentences that got entities.
bool on_corpus_join(on_corpus *corpus, size_t *joined, on_error *error);

#endif
