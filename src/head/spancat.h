// The `spancat` head: a span group out of all n-grams of certain sizes, scored by [mean; first; last] of their
// token vectors. Spans may overlap; one n-gram may have several labels.
#ifndef ON_HEAD_SPANCAT_H
#define ON_HEAD_SPANCAT_H

#include "head/head.h"
#include "head/labels.h"
#include "head/output.h"

#define ON_MAX_SPANCAT_LABELS 16384u
enum { ON_MAX_SPAN_SIZES = 32, ON_MAX_SPAN_SIZE = 256, ON_MAX_SPANS_KEY_UNITS = 256 };

typedef struct on_spancat {
  on_str key;
  uint32_t sizes[ON_MAX_SPAN_SIZES];   // as the config lists them
  uint32_t sorted[ON_MAX_SPAN_SIZES];  // rising
  uint32_t size_count;
  float threshold;  // a span is kept when its score (sigmoid) is at least this
  uint32_t hidden;  // width of the hidden layer (ReLU), or 0
  on_labels labels;
  // The layer that reads [mean; first; last]: hidden.*, or output.* without a hidden layer; rows is its height.
  const on_param *weight, *bias;
  uint32_t rows;
  on_packed part[3];  // its columns for the mean, the first and the last vector
  const float *b;
  on_output output;
} on_spancat;

// The group's spans come by first token, then size, then label in the config's order.
extern const on_head_kind on_spancat_kind;

#endif
