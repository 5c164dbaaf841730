// The output layer of the classifying heads: one Linear layer, or two levels (saved-pipelines.md, "Heads
// with a two-level output"): `head` with head_classes + 1 outputs, the last meaning "other", and `tail`
// with the remaining classes.
#ifndef ON_HEAD_OUTPUT_H
#define ON_HEAD_OUTPUT_H

#include "nn/param.h"
#include "nn/workspace.h"

typedef struct on_output {
  uint32_t width, labels;
  uint32_t head_classes;  // 0: one level
  // one level: weight[0]/bias[0] are output.weight/output.bias; two levels: head.* and tail.*
  const on_param *weight[2], *bias[2];
  on_packed packed[2];
  const float *b[2];
} on_output;

// head_classes must be below labels; otherwise (all labels are head classes) one level is declared.
bool on_output_declare(on_output *output, on_params *params, on_arena *arena, uint32_t width, uint32_t labels,
                       uint32_t head_classes, const char *path, on_error *error);
bool on_output_prepare(on_output *output, on_arena *arena);
// best[n]: the label of each row of h[n][width]. With two levels the tail is computed only for the rows
// whose best head output is "other". Scratch from the workspace.
bool on_output_classify(const on_output *output, on_workspace *workspace, const float *h, size_t n, uint32_t *best);
// Reads config.headClasses (0 to 4,096, absent 0).
bool on_output_read_classes(const on_json *config, const char *path, uint32_t *head_classes, on_error *error);

#endif
