// A pipeline, or another file, against gold JSON Lines.
#ifndef ON_SCORE_EVALUATE_H
#define ON_SCORE_EVALUATE_H

#include "pipeline/pipeline.h"
#include "score/examples.h"

typedef struct on_evaluation {
  // All components run, over the raw text, or over the gold tokens where the file gives some.
  const on_pipeline *pipeline;
  bool gold_tokens;
  // Called after each example; another result than 0 cancels. May be NULL.
  int (*progress)(void *context, uint64_t done, uint64_t total, uint64_t words);
  void *context;
} on_evaluation;

// Fills a zeroed *scores, which is to be freed also after a failure. Errors are the reader's, or ON_CANCELLED.
bool on_evaluate_jsonl(const on_evaluation *evaluation, on_str gold, on_example_scores *scores, on_error *error);

// The same for a file of predictions, line by line on the same texts.
bool on_compare_jsonl(on_str gold, on_str system, on_example_scores *scores, on_error *error);

#endif
