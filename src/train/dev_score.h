// Quick scores of a pipeline on a treebank with gold tokens, for choosing the best epoch. The reported
// figures come from `onenlp evaluate`, which knows the shared task's rules.
#ifndef ON_TRAIN_DEV_SCORE_H
#define ON_TRAIN_DEV_SCORE_H

#include "train/corpus.h"

typedef enum on_dev_metric {
  ON_DEV_UPOS, ON_DEV_XPOS, ON_DEV_FEATS, ON_DEV_LEMMA, ON_DEV_UAS, ON_DEV_LAS, ON_DEV_SENTENCES, ON_DEV_WORDS,
  ON_DEV_ENTITIES, ON_DEV_CATS, ON_DEV_SPANS, ON_DEV_METRICS
} on_dev_metric;

extern const char *const on_dev_metric_names[ON_DEV_METRICS];

typedef struct on_dev_scores {
  double value[ON_DEV_METRICS];  // percent; accuracy over words, F1 for sentences, words, entities and spans,
                                 // accuracy of categories (F1 where a text has several); -1: not predicted
  double mean;                   // of those that are predicted (UAS left out)
} on_dev_scores;

// Runs the pipeline file over the corpus in annotation units on `threads` threads. Tags and trees get gold
// sentences; the senter head and a trained tokenizer are scored for themselves, the tokenizer on the raw text.
bool on_dev_score(on_str file, const on_files *files, const on_corpus *corpus, uint32_t threads, on_dev_scores *out,
                  on_error *error);

#endif
