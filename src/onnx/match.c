#include "onnx/match.h"

#include "nn/math.h"

enum { MAX_STEPS = 64, MAX_ANCESTORS = 512 };

const on_onnx_node *on_match_node(const on_match *m, uint32_t value) {
  if (value == ON_ONNX_NONE) return NULL;
  uint32_t node = m->onnx->values[value].node;
  return node == ON_ONNX_NONE ? NULL : &m->onnx->nodes[node];
}

uint32_t on_match_input(const on_onnx_node *node, uint32_t i) {
  return node && i < node->input_count ? node->inputs[i] : ON_ONNX_NONE;
}

static bool is_one_of(const on_onnx_node *node, const char *const *ops) {
  for (; *ops; ops++) {
    if (on_onnx_is(node, *ops)) return true;
  }
  return false;
}

static uint32_t skip(const on_match *m, uint32_t value, const char *const *ops) {
  for (int step = 0; step < MAX_STEPS; step++) {
    const on_onnx_node *node = on_match_node(m, value);
    // Only the first output of a Dropout is its value.
    if (!is_one_of(node, ops) || m->onnx->values[value].output != 0) return value;
    value = on_match_input(node, 0);
  }
  return value;
}

uint32_t on_match_skip(const on_match *m, uint32_t value) {
  static const char *const OPS[] = {"Identity", "Cast", "Dropout", NULL};
  return skip(m, value, OPS);
}

uint32_t on_match_skip_shapes(const on_match *m, uint32_t value) {
  static const char *const OPS[] = {"Identity", "Cast", "Dropout", "Reshape", "Squeeze", "Unsqueeze", "Flatten", NULL};
  return skip(m, value, OPS);
}

// ---- constants ----------------------------------------------------------------------------------------

static const on_onnx_tensor *tensor_of(const on_match *m, uint32_t index) {
  return index == ON_ONNX_NONE ? NULL : &m->onnx->tensors[index];
}

static bool reverses_two(const on_onnx_node *node) {
  const on_onnx_attribute *perm = on_onnx_attribute_of(node, "perm");
  return !perm || (perm->int_count == 2 && perm->ints[0] == 1 && perm->ints[1] == 0);
}

// Scales and zero points stand in the graph as they are.
static bool plain_constant(const on_match *m, uint32_t value, uint32_t *tensor) {
  value = on_match_skip(m, value);
  *tensor = value == ON_ONNX_NONE ? ON_ONNX_NONE : m->onnx->values[value].tensor;
  return *tensor != ON_ONNX_NONE;
}

static bool quantized(const on_match *m, const on_onnx_node *node, uint32_t scale_at, uint32_t zero_at,
                      on_onnx_constant *out) {
  if (!plain_constant(m, on_match_input(node, scale_at), &out->scale)) return false;
  return on_match_input(node, zero_at) == ON_ONNX_NONE || plain_constant(m, node->inputs[zero_at], &out->zero);
}

bool on_match_constant(const on_match *m, uint32_t value, bool shapes, on_onnx_constant *out) {
  *out = (on_onnx_constant){.tensor = ON_ONNX_NONE, .scale = ON_ONNX_NONE, .zero = ON_ONNX_NONE};
  static const char *const SHAPES[] = {"Reshape", "Squeeze", "Unsqueeze", "Expand", "Flatten", NULL};
  for (int step = 0; step < MAX_STEPS && value != ON_ONNX_NONE; step++) {
    out->tensor = m->onnx->values[value].tensor;
    if (out->tensor != ON_ONNX_NONE) return true;
    const on_onnx_node *node = on_match_node(m, value);
    if (on_onnx_is(node, "Transpose") && reverses_two(node)) {
      out->transposed = !out->transposed;
    } else if (on_onnx_is(node, "DequantizeLinear") && out->scale == ON_ONNX_NONE) {
      if (!quantized(m, node, 1, 2, out)) return false;
    } else if (!on_onnx_is(node, "Identity") && !on_onnx_is(node, "Cast") && !(shapes && is_one_of(node, SHAPES))) {
      return false;
    }
    value = on_match_input(node, 0);
  }
  return false;
}

// The values of a Constant node that has them as an attribute other than a tensor.
static const on_onnx_attribute *constant_attribute(const on_match *m, uint32_t value, const char *name) {
  const on_onnx_node *node = on_match_node(m, value);
  return on_onnx_is(node, "Constant") ? on_onnx_attribute_of(node, name) : NULL;
}

bool on_match_number(const on_match *m, uint32_t value, float *out) {
  value = on_match_skip_shapes(m, value);
  const on_onnx_attribute *f = constant_attribute(m, value, "value_float");
  const on_onnx_attribute *i = constant_attribute(m, value, "value_int");
  if (f) return *out = f->f, true;
  if (i) return *out = (float)i->i, true;
  on_onnx_constant constant;
  if (!on_match_constant(m, value, true, &constant) || constant.scale != ON_ONNX_NONE) return false;
  const on_onnx_tensor *tensor = tensor_of(m, constant.tensor);
  if (tensor->count != 1) return false;
  const float *values = on_onnx_floats(m->onnx, tensor, m->arena, NULL);
  if (!values) return false;
  *out = values[0];
  return true;
}

bool on_match_int_from_end(const on_match *m, uint32_t value, uint32_t i, int64_t *out) {
  for (int step = 0; step < MAX_STEPS; step++) {
    value = on_match_skip_shapes(m, value);
    const on_onnx_attribute *ints = constant_attribute(m, value, "value_ints");
    const on_onnx_attribute *one = constant_attribute(m, value, "value_int");
    if (ints) return i < ints->int_count ? *out = ints->ints[ints->int_count - 1 - i], true : false;
    if (one) return i == 0 ? *out = one->i, true : false;
    on_onnx_constant constant;
    if (on_match_constant(m, value, true, &constant)) {
      const on_onnx_tensor *tensor = tensor_of(m, constant.tensor);
      if (tensor->count > 64 || i >= tensor->count) return false;
      const int64_t *values = on_onnx_ints(m->onnx, tensor, m->arena, NULL);
      if (!values) return false;
      *out = values[tensor->count - 1 - i];
      return true;
    }
    const on_onnx_node *node = on_match_node(m, value);
    if (!on_onnx_is(node, "Concat") || i >= node->input_count) return false;
    // Every input is one number, as exporters write shapes.
    value = node->inputs[node->input_count - 1 - i];
    i = 0;
  }
  return false;
}

bool on_match_with_constant(const on_match *m, const on_onnx_node *node, uint32_t *operand,
                            on_onnx_constant *constant) {
  if (!node || node->input_count != 2) return false;
  for (uint32_t i = 0; i < 2; i++) {
    if (on_match_constant(m, node->inputs[i], true, constant)) {
      *operand = node->inputs[1 - i];
      return *operand != ON_ONNX_NONE;
    }
  }
  return false;
}

// ---- linear layers ------------------------------------------------------------------------------------

static bool is_vector(const on_match *m, uint32_t tensor, uint64_t size) {
  const on_onnx_tensor *t = tensor_of(m, tensor);
  return t && t->count == size && t->rank >= 1 && t->dims[t->rank - 1] == size;
}

// W[in][out] of a linear layer.
static bool set_weight(const on_match *m, on_onnx_linear *out, on_onnx_constant weight) {
  const on_onnx_tensor *tensor = tensor_of(m, weight.tensor);
  if (tensor->rank != 2 || tensor->count == 0) return false;
  out->weight = weight;
  out->in = (uint32_t)tensor->dims[weight.transposed];
  out->out = (uint32_t)tensor->dims[!weight.transposed];
  return true;
}

static float attribute_number(const on_onnx_node *node, const char *name, float absent) {
  const on_onnx_attribute *attribute = on_onnx_attribute_of(node, name);
  return attribute ? attribute->f : absent;
}

static int64_t attribute_int(const on_onnx_node *node, const char *name, int64_t absent) {
  const on_onnx_attribute *attribute = on_onnx_attribute_of(node, name);
  return attribute ? attribute->i : absent;
}

static bool match_gemm(const on_match *m, const on_onnx_node *node, on_onnx_linear *out, uint32_t *input) {
  on_onnx_constant weight, bias;
  if (attribute_number(node, "alpha", 1) != 1.0f || attribute_number(node, "beta", 1) != 1.0f ||
      attribute_int(node, "transA", 0) != 0 || !on_match_constant(m, on_match_input(node, 1), false, &weight)) {
    return false;
  }
  if (attribute_int(node, "transB", 0) != 0) weight.transposed = !weight.transposed;
  if (!set_weight(m, out, weight)) return false;
  if (on_match_input(node, 2) != ON_ONNX_NONE) {
    if (!on_match_constant(m, node->inputs[2], false, &bias) || !is_vector(m, bias.tensor, out->out)) return false;
    out->bias = bias.tensor;
  }
  *input = on_match_input(node, 0);
  return true;
}

// Dynamic quantization: Mul(Cast(MatMulInteger(x quantized, W, x zero, W zero)), Mul(x scale, W scale)). Only the
// weights are taken from it; x is multiplied as it is.
static bool match_integer(const on_match *m, const on_onnx_node *mul, on_onnx_linear *out, uint32_t *input) {
  for (uint32_t i = 0; i < 2; i++) {
    const on_onnx_node *product = on_match_node(m, on_match_skip(m, on_match_input(mul, i)));
    const on_onnx_node *scales = on_match_node(m, on_match_skip(m, on_match_input(mul, 1 - i)));
    if (!on_onnx_is(product, "MatMulInteger") || !on_onnx_is(scales, "Mul")) continue;
    on_onnx_constant weight, scale;
    uint32_t other, zero = ON_ONNX_NONE;
    const on_onnx_node *quantize = on_match_node(m, on_match_input(product, 0));
    if (!on_onnx_is(quantize, "DynamicQuantizeLinear") ||
        !on_match_constant(m, on_match_input(product, 1), false, &weight) ||
        !on_match_with_constant(m, scales, &other, &scale)) {
      continue;
    }
    if (on_match_input(product, 3) != ON_ONNX_NONE && !plain_constant(m, product->inputs[3], &zero)) continue;
    weight.scale = scale.tensor;
    weight.zero = zero;
    if (!set_weight(m, out, weight)) continue;
    *input = on_match_input(quantize, 0);
    return true;
  }
  return false;
}

static bool match_product(const on_match *m, uint32_t value, on_onnx_linear *out, uint32_t *input) {
  const on_onnx_node *node = on_match_node(m, value);
  on_onnx_constant weight;
  if (on_onnx_is(node, "Mul")) return match_integer(m, node, out, input);
  if (!on_onnx_is(node, "MatMul") || !on_match_constant(m, on_match_input(node, 1), false, &weight)) return false;
  *input = on_match_input(node, 0);
  return set_weight(m, out, weight);
}

bool on_match_linear(const on_match *m, uint32_t value, on_onnx_linear *out, uint32_t *input) {
  *out = (on_onnx_linear){.bias = ON_ONNX_NONE};
  value = on_match_skip_shapes(m, value);
  const on_onnx_node *node = on_match_node(m, value);
  bool ok;
  if (on_onnx_is(node, "Gemm")) {
    ok = match_gemm(m, node, out, input);
  } else {
    on_onnx_constant bias;
    uint32_t operand;
    bool has_bias = on_onnx_is(node, "Add") && on_match_with_constant(m, node, &operand, &bias);
    ok = match_product(m, has_bias ? on_match_skip_shapes(m, operand) : value, out, input);
    if (ok && has_bias) {
      ok = is_vector(m, bias.tensor, out->out) && bias.scale == ON_ONNX_NONE;
      out->bias = bias.tensor;
    }
  }
  if (!ok || *input == ON_ONNX_NONE) return false;
  *input = on_match_skip_shapes(m, *input);
  return true;
}

// ---- layer normalization ------------------------------------------------------------------------------

static bool match_whole_norm(const on_match *m, const on_onnx_node *node, on_onnx_norm *out, uint32_t *input) {
  on_onnx_constant gain, bias;
  if (!on_match_constant(m, on_match_input(node, 1), false, &gain)) return false;
  out->gain = gain.tensor;
  out->epsilon = attribute_number(node, "epsilon", 1e-5f);
  if (on_match_input(node, 2) != ON_ONNX_NONE) {
    if (!on_match_constant(m, node->inputs[2], false, &bias)) return false;
    out->bias = bias.tensor;
  }
  const on_onnx_tensor *tensor = tensor_of(m, out->gain);
  *input = on_match_input(node, 0);
  return tensor->rank == 1 && (out->bias == ON_ONNX_NONE || is_vector(m, out->bias, tensor->count));
}

// mean((x - mean)^2) of the same difference
static bool is_variance(const on_match *m, uint32_t value, uint32_t difference) {
  const on_onnx_node *mean = on_match_node(m, on_match_skip(m, value));
  if (!on_onnx_is(mean, "ReduceMean")) return false;
  const on_onnx_node *square = on_match_node(m, on_match_skip(m, on_match_input(mean, 0)));
  float two;
  if (on_onnx_is(square, "Pow")) {
    if (!on_match_number(m, on_match_input(square, 1), &two) || two != 2.0f) return false;
  } else if (!on_onnx_is(square, "Mul") || on_match_input(square, 0) != on_match_input(square, 1)) {
    return false;
  }
  return on_match_skip(m, on_match_input(square, 0)) == difference;
}

// sqrt(variance + epsilon)
static bool match_deviation(const on_match *m, uint32_t value, uint32_t difference, float *epsilon) {
  const on_onnx_node *root = on_match_node(m, on_match_skip(m, value));
  if (!on_onnx_is(root, "Sqrt")) return false;
  const on_onnx_node *sum = on_match_node(m, on_match_skip(m, on_match_input(root, 0)));
  if (!on_onnx_is(sum, "Add")) return false;
  for (uint32_t i = 0; i < 2; i++) {
    if (on_match_number(m, on_match_input(sum, i), epsilon)) {
      return is_variance(m, on_match_input(sum, 1 - i), difference);
    }
  }
  return false;
}

// (x - mean(x)) / sqrt(variance + epsilon)
static bool match_standardized(const on_match *m, uint32_t value, float *epsilon, uint32_t *input) {
  const on_onnx_node *node = on_match_node(m, on_match_skip(m, value));
  if (!on_onnx_is(node, "Div")) return false;
  uint32_t difference = on_match_skip(m, on_match_input(node, 0));
  const on_onnx_node *sub = on_match_node(m, difference);
  if (!on_onnx_is(sub, "Sub") || !match_deviation(m, on_match_input(node, 1), difference, epsilon)) return false;
  const on_onnx_node *mean = on_match_node(m, on_match_skip(m, on_match_input(sub, 1)));
  *input = on_match_input(sub, 0);
  return on_onnx_is(mean, "ReduceMean") &&
         on_match_skip(m, on_match_input(mean, 0)) == on_match_skip(m, *input);
}

bool on_match_norm(const on_match *m, uint32_t value, on_onnx_norm *out, uint32_t *input) {
  *out = (on_onnx_norm){.gain = ON_ONNX_NONE, .bias = ON_ONNX_NONE};
  value = on_match_skip(m, value);
  const on_onnx_node *node = on_match_node(m, value);
  bool ok;
  if (on_onnx_is(node, "LayerNormalization")) {
    ok = m->onnx->values[value].output == 0 && match_whole_norm(m, node, out, input);
  } else {
    on_onnx_constant gain, bias;
    uint32_t operand;
    bool has_bias = on_onnx_is(node, "Add") && on_match_with_constant(m, node, &operand, &bias);
    if (has_bias) node = on_match_node(m, on_match_skip(m, operand));
    ok = on_onnx_is(node, "Mul") && on_match_with_constant(m, node, &operand, &gain) &&
         match_standardized(m, operand, &out->epsilon, input);
    if (ok) {
      uint64_t width = tensor_of(m, gain.tensor)->count;
      out->gain = gain.tensor;
      out->bias = has_bias ? bias.tensor : ON_ONNX_NONE;
      ok = is_vector(m, gain.tensor, width) && (!has_bias || is_vector(m, bias.tensor, width));
    }
  }
  if (!ok || *input == ON_ONNX_NONE) return false;
  *input = on_match_skip(m, *input);
  return true;
}

// ---- tables -------------------------------------------------------------------------------------------

bool on_match_gather(const on_match *m, uint32_t value, on_onnx_constant *table, uint32_t *index) {
  value = on_match_skip_shapes(m, value);
  const on_onnx_node *node = on_match_node(m, value);
  on_onnx_constant widened = {.scale = ON_ONNX_NONE, .zero = ON_ONNX_NONE};
  if (on_onnx_is(node, "DequantizeLinear")) {  // rows are taken first and then widened
    if (!quantized(m, node, 1, 2, &widened)) return false;
    node = on_match_node(m, on_match_skip(m, on_match_input(node, 0)));
  }
  if (!on_onnx_is(node, "Gather") || attribute_int(node, "axis", 0) != 0 ||
      !on_match_constant(m, on_match_input(node, 0), false, table)) {
    return false;
  }
  if (widened.scale != ON_ONNX_NONE) {
    table->scale = widened.scale;
    table->zero = widened.zero;
  }
  *index = on_match_input(node, 1);
  const on_onnx_tensor *tensor = tensor_of(m, table->tensor);
  return tensor->rank == 2 && tensor->count > 0 && !table->transposed;
}

int64_t on_match_part(const on_match *m, uint32_t value, const on_onnx_node *node) {
  float number;
  if (on_onnx_is(node, "Split")) return m->onnx->values[value].output;
  if (!on_onnx_is(node, "Gather") && !on_onnx_is(node, "Slice")) return -1;
  if (on_match_number(m, on_match_input(node, 1), &number)) return number >= 0 && number < 1e6f ? (int64_t)number : -1;
  return on_onnx_is(node, "Slice") ? 1 : -1;
}

bool on_match_ancestor(const on_match *m, uint32_t value,
                       bool (*test)(const on_match *m, const on_onnx_node *node, void *context), void *context) {
  uint32_t seen[MAX_ANCESTORS];
  size_t n = 0;
  seen[n++] = value;
  for (size_t i = 0; i < n; i++) {
    const on_onnx_node *node = on_match_node(m, seen[i]);
    // What is computed from a shape does not depend on values.
    if (!node || on_onnx_is(node, "Shape")) continue;
    if (test(m, node, context)) return true;
    for (uint32_t j = 0; j < node->input_count; j++) {
      bool known = node->inputs[j] == ON_ONNX_NONE;
      for (size_t k = 0; k < n && !known; k++) known = seen[k] == node->inputs[j];
      if (!known && n < MAX_ANCESTORS) seen[n++] = node->inputs[j];
    }
  }
  return false;
}

static bool is_operator(const on_match *m, const on_onnx_node *node, void *op) {
  (void)m;
  return on_onnx_is(node, op);
}

bool on_match_ancestor_is(const on_match *m, uint32_t value, const char *op) {
  return on_match_ancestor(m, value, is_operator, (void *)(uintptr_t)op);
}
