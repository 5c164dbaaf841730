// Sets of labelled stretches of text, gold against predicted: what entities and spans are scored by.
#ifndef ON_SCORE_LABELLED_H
#define ON_SCORE_LABELLED_H

#include "base/arena.h"
#include "score/score.h"

// A labelled stretch of a document. The offsets are in any unit that gold and predicted share: offsets into
// the text, so that different tokenizations compare, or tokens.
typedef struct on_labelled {
  uint32_t document;
  uint32_t start, end;
  on_str label;  // borrowed
  float score;   // probability, 0 to 1, of a predicted one; not read of a gold one
} on_labelled;

// A growing list. A zeroed one is empty.
typedef struct on_labelled_list {
  on_labelled *items;
  size_t count, room;
} on_labelled_list;

bool on_labelled_add(on_labelled_list *list, on_labelled item, on_error *error);  // false: out of memory
void on_labelled_free(on_labelled_list *list);

// `system` counts the predicted ones.
typedef struct on_label_score {
  on_str label;
  on_score score;
} on_label_score;

typedef struct on_label_scores {
  on_arena arena;          // owns everything below, the labels' text included
  on_score all;
  on_label_score *labels;  // every label of either side, in byte order
  size_t label_count;
} on_label_scores;

// A predicted item is correct when gold has one of the same document, offsets and label. What is listed
// twice on one side counts once. Predicted items with a score below `threshold` are left out, but their
// labels are listed. Fills a zeroed *out, which on_label_scores_free empties (after a failure too). Time n
// log n. Fails for a score that is not a number.
bool on_labelled_score(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                       size_t predicted_count, float threshold, on_label_scores *out, on_error *error);
void on_label_scores_free(on_label_scores *scores);

// One row for everything, then one per label; precision, recall, F1 and the three counts.
void on_label_table(on_buf *out, const on_label_scores *scores);
// {"precision", "recall", "f1", "gold", "predicted", "correct", "labels": {label: {the same six}}}
void on_label_json(on_buf *out, const on_label_scores *scores);

// For src/score: the distinct items of each side in order, and which predicted ones are correct.
typedef struct on_matched {
  on_str *labels;  // in byte order
  size_t label_count;
  struct on_match *gold, *predicted;
  size_t gold_count, predicted_count;
} on_matched;

typedef struct on_match {
  uint32_t document, start, end;
  uint32_t label;  // index in labels
  float score;     // the highest of the same item
  bool correct;
} on_match;

bool on_labelled_match(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                       size_t predicted_count, on_arena *arena, on_matched *out, on_error *error);

#endif
