// Span scores: precision, recall and F1 of scored candidates at a threshold, and the best threshold.
#ifndef ON_SCORE_SPANS_H
#define ON_SCORE_SPANS_H

#include "doc/doc.h"
#include "score/labelled.h"

// Appends the spans of one group of the Doc (none where it has no such group) with their offsets in
// doc->source. Labels are borrowed from the Doc. False: out of memory.
bool on_spans_of_doc(on_labelled_list *list, uint32_t document, const on_doc *doc, on_str group, on_error *error);

// As on_labelled_score: a candidate is predicted when its score is at least `threshold`.
bool on_spans_evaluate(const on_labelled *gold, size_t gold_count, const on_labelled *candidates,
                       size_t candidate_count, float threshold, on_label_scores *out, on_error *error);

typedef struct on_best_threshold {
  float threshold;  // above 0, at most 1
  on_score score;   // with it, over all labels
} on_best_threshold;

// The threshold with the highest F1 over all labels; the highest one among equals. It lies half-way between
// the last candidate that it lets in and the first that it keeps out. 1 when nothing above 0 is reached.
// Candidates' scores must be probabilities.
bool on_spans_best_threshold(const on_labelled *gold, size_t gold_count, const on_labelled *candidates,
                             size_t candidate_count, on_best_threshold *out, on_error *error);

#endif
