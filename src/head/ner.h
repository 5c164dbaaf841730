// The `ner` head: entities as BILUO tags (biluo.h), decoded to the best valid sequence. The end of a sentence
// ends an entity, so what sets sentence starts stands before this head in a pipeline.
#ifndef ON_HEAD_NER_H
#define ON_HEAD_NER_H

#include "head/biluo.h"
#include "head/head.h"
#include "head/labels.h"
#include "head/output.h"

#define ON_MAX_NER_LABELS 262143u  // 1 + 4 * labels are at most ON_MAX_LABELS tags

typedef struct on_ner {
  on_labels labels;
  on_output output;  // one row per tag, in their order
} on_ner;

// An entity's score is the geometric mean of the probabilities (softmax) of its tags.
extern const on_head_kind on_ner_kind;

#endif
