// Scores of text categories: accuracy, F1 by category and their mean, area under the ROC curve.
#ifndef ON_SCORE_TEXTCAT_H
#define ON_SCORE_TEXTCAT_H

#include "score/score.h"

#define ON_TEXTCAT_OTHER UINT32_MAX  // a gold category that is none of the labels: always a mistake

typedef struct on_category_score {
  on_score score;  // documents that have it in gold, predicted (`system`), both (`correct`)
  double roc_auc;  // < 0: not defined (one category per document, or gold is the same everywhere)
} on_category_score;

typedef struct on_textcat_scores {
  uint64_t documents;
  uint64_t correct;  // documents of which every category is right
  on_score all;      // decisions of all categories together: micro-averaged precision, recall, F1
  double accuracy;   // correct / documents
  double macro_f1;   // mean over the categories that gold or the prediction has at all
  double roc_auc;    // mean over the categories that have one; < 0: none has
} on_textcat_scores;

// One category per document: indices below `labels`; gold may also be ON_TEXTCAT_OTHER. `categories` has
// room for `labels` elements.
bool on_textcat_single(const uint32_t *gold, const uint32_t *predicted, size_t documents, size_t labels,
                       on_category_score *categories, on_textcat_scores *out, on_error *error);

// Any number of categories per document: gold and scores are [documents, labels]; a category is predicted
// when its score is at least `threshold`. Time documents * log(documents) per label.
bool on_textcat_multi(const uint8_t *gold, const float *scores, size_t documents, size_t labels, float threshold,
                      on_category_score *categories, on_textcat_scores *out, on_error *error);

// The area under the ROC curve of `count` pairs at a distance of `stride` elements: how often a positive
// (gold not 0) scores above a negative, ties counting half. -1 where one of the two is missing. False: a
// score is not a number, or out of memory.
bool on_roc_auc(const uint8_t *gold, const float *scores, size_t count, size_t stride, double *auc, on_error *error);

// Rows for the averages, then one per category; the AUC column only where some category has one.
void on_textcat_table(on_buf *out, const on_textcat_scores *scores, const on_str *labels,
                      const on_category_score *categories, size_t count);
// {"precision", "recall", "f1" (of all decisions), "accuracy", "macroF1", "rocAuc" (or null), "documents",
//  "correct", "categories": {label: {"precision", "recall", "f1", "rocAuc", "gold", "predicted", "correct"}}}
void on_textcat_json(on_buf *out, const on_textcat_scores *scores, const on_str *labels,
                     const on_category_score *categories, size_t count);

#endif
