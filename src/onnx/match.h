// Patterns in a graph, matched from a value backwards to what it is made of. Every walk is bounded, so a graph with
// cycles or of any size costs no more.
#ifndef ON_ONNX_MATCH_H
#define ON_ONNX_MATCH_H

#include "onnx/encoder.h"

typedef struct on_match {
  const on_onnx *onnx;
  on_arena *arena;
  on_error *error;
} on_match;

// The node that makes a value, or NULL.
const on_onnx_node *on_match_node(const on_match *m, uint32_t value);
uint32_t on_match_input(const on_onnx_node *node, uint32_t i);  // ON_ONNX_NONE where there is none

// Walks back over nodes that change neither values nor shape, or (shapes) only the shape.
uint32_t on_match_skip(const on_match *m, uint32_t value);
uint32_t on_match_skip_shapes(const on_match *m, uint32_t value);

// A constant; `shapes`: also seen through nodes that only change its shape. Never fails with an error.
bool on_match_constant(const on_match *m, uint32_t value, bool shapes, on_onnx_constant *out);
// A constant of one number.
bool on_match_number(const on_match *m, uint32_t value, float *out);
// A constant whose element i counted from the end (0: the last) is an integer; a Concat of constants counts as one.
bool on_match_int_from_end(const on_match *m, uint32_t value, uint32_t i, int64_t *out);
// The operand of a node of two that is no constant where the other is one.
bool on_match_with_constant(const on_match *m, const on_onnx_node *node, uint32_t *operand, on_onnx_constant *constant);

bool on_match_linear(const on_match *m, uint32_t value, on_onnx_linear *out, uint32_t *input);
bool on_match_norm(const on_match *m, uint32_t value, on_onnx_norm *out, uint32_t *input);
// A row lookup in a constant table.
bool on_match_gather(const on_match *m, uint32_t value, on_onnx_constant *table, uint32_t *index);
// The feed-forward's activation, from its output back to the linear layer before it. `gated`: the first half of
// the linear layer's outputs is activated and multiplied by the second.
bool on_match_activation(const on_match *m, uint32_t value, on_onnx_linear *up, uint32_t *input, bool *gated,
                         on_activation *activation);

typedef struct on_attention {
  bool joint;
  on_onnx_linear q, k, v;
  uint32_t input;     // what all three read
  uint32_t head_size; // 0: not said
  uint32_t heads;     // 0: not said
  bool rotary;
  uint32_t inv_freq;
  uint32_t window;
} on_attention;
bool on_match_attention(const on_match *m, uint32_t value, on_attention *out);

// Where the part of its input that a Split, Slice or Gather gives begins, in whatever unit: 0 for the first part, more
// for later ones (1 for a slice that begins at a computed place); -1: not known.
int64_t on_match_part(const on_match *m, uint32_t value, const on_onnx_node *node);

// Whether an ancestor of the value (at most some hundreds are looked at) satisfies `test`.
bool on_match_ancestor(const on_match *m, uint32_t value,
                       bool (*test)(const on_match *m, const on_onnx_node *node, void *context), void *context);
// Whether an ancestor is an operator of that name.
bool on_match_ancestor_is(const on_match *m, uint32_t value, const char *op);

#endif
