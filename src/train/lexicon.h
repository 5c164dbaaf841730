// Learns the lemmatizer's lexicon of exceptions (head/lexicon.h) from gold lemmas.
#ifndef ON_TRAIN_LEXICON_H
#define ON_TRAIN_LEXICON_H

#include "train/classifier.h"

// Appends `"lexicon": {...}`: for every (form, tag) its most frequent lemma (the first seen of equals), unless
// the class that gives it occurs at least `below` times, since the classifier knows frequent classes best.
// classes: how often each class occurs. False: out of memory.
bool on_lexicon_infer(const on_doc *docs, size_t count, const on_label_counts *classes, uint64_t below, bool turkic,
                      on_buf *out);

#endif
