// The output layer of the classifying heads: one Linear layer, or two levels (saved-pipelines.md, "Heads
// with a two-level output"): `head` with head_classes + 1 outputs, the last meaning "other", and `tail`
// with the remaining classes.
#ifndef ON_HEAD_OUTPUT_H
#define ON_HEAD_OUTPUT_H

#include "format/json.h"
#include "nn/param.h"
#include "nn/workspace.h"

// A head's output layer holds at most this many weights.
#define ON_MAX_OUTPUT_WEIGHTS 67108864u
#define ON_MAX_HEAD_CLASSES 4096u

typedef struct on_output {
  uint32_t width, labels;
  uint32_t head_classes;  // as in the config; 0: one level
  uint32_t levels;        // 1 or 2
  // one level: weight[0], bias[0] are output.*; two levels: head.* and tail.*
  const on_param *weight[2], *bias[2];
  on_packed packed[2];
  const float *b[2];
} on_output;

// With head_classes >= labels there is nothing for the tail: one level is declared.
bool on_output_declare(on_output *output, on_params *params, on_arena *arena, uint32_t width, uint32_t labels,
                       uint32_t head_classes, const char *path, on_error *error);
bool on_output_prepare(on_output *output, on_arena *arena);

// best[n]: the labels of n rows of h[][width], those that `which` numbers or, where it is NULL, the first. With two
// levels the tail is computed only for the rows whose best head output is "other". False: out of memory.
bool on_output_classify(const on_output *output, on_workspace *workspace, const float *h, const uint32_t *which,
                        size_t n, uint32_t *best);

// scores[labels] of one row h[width], comparable within the row: with two levels the tail's scores are
// moved so that its best one equals the score of "other". `scratch` as for classify.
bool on_output_scores(const on_output *output, on_workspace *workspace, const float *h, float *scores);

// config.headClasses: 0 to 4,096, absent 0.
bool on_output_read_classes(const on_json *config, const char *path, uint32_t *head_classes, on_error *error);

#endif
