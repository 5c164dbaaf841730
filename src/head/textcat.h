// The `textcat` head: categories of a whole text from the mean of its token vectors, over all of its units.
#ifndef ON_HEAD_TEXTCAT_H
#define ON_HEAD_TEXTCAT_H

#include "head/head.h"
#include "head/labels.h"
#include "head/output.h"

#define ON_MAX_TEXTCAT_LABELS 65536u
#define ON_MAX_HIDDEN 4096u

// A category of a text with several is taken as given from this score on.
#define ON_CATEGORY_THRESHOLD 0.5f

typedef struct on_textcat {
  bool multi_label;  // any number of categories (sigmoid of each), else exactly one (softmax)
  uint32_t hidden;   // width of the hidden layer (ReLU), or 0
  on_labels labels;
  const on_param *hidden_weight, *hidden_bias;
  on_packed hidden_packed;
  const float *hidden_b;
  on_output output;
} on_textcat;

extern const on_head_kind on_textcat_kind;

// config.hidden: 0 to 4,096; absent means 0.
bool on_hidden_read(const on_json *config, const char *path, uint32_t *hidden, on_error *error);

#endif
