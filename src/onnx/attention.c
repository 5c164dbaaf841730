// Attention as exporters write it: projections cut into heads, scaled scores, a mask, softmax, the weighted sum.
#include "nn/math.h"
#include "onnx/match.h"

enum { MAX_STEPS = 64 };

// One of query, key and value on its way back to its linear layer.
typedef struct chain {
  float scale;
  bool unknown_scale;    // computed from the shape: the usual one
  int64_t head_size, heads;
  int64_t part;          // of a joint projection (on_match_part); -1: not said
  bool rotary;
  uint32_t inv_freq;
  on_onnx_linear linear;
  uint32_t input;
} chain;

static bool is_scale(const on_match *m, uint32_t value, float *number, bool *unknown) {
  if (on_match_number(m, value, number)) return true;
  // sqrt(1 / sqrt(head size)) from the shape at run time, as scaled_dot_product_attention is exported.
  const on_onnx_node *node = on_match_node(m, on_match_skip(m, value));
  *number = 1;
  *unknown = *unknown || on_onnx_is(node, "Sqrt");
  return on_onnx_is(node, "Sqrt");
}

// The operand of a product or quotient with a scale.
static bool match_scaled(const on_match *m, const on_onnx_node *node, uint32_t *operand, float *scale, bool *unknown) {
  float number;
  bool div = on_onnx_is(node, "Div");
  if ((!div && !on_onnx_is(node, "Mul")) || node->input_count != 2) return false;
  if (is_scale(m, node->inputs[1], &number, unknown)) {
    *operand = node->inputs[0];
  } else if (!div && is_scale(m, node->inputs[0], &number, unknown)) {
    *operand = node->inputs[1];
  } else {
    return false;
  }
  *scale = div ? *scale / number : *scale * number;
  return true;
}

// ---- rotary positions ---------------------------------------------------------------------------------

// cos or sin of position times frequency: back to the constant frequencies.
static bool match_angles(const on_match *m, uint32_t value, const char *function, uint32_t *inv_freq) {
  for (int step = 0; step < MAX_STEPS; step++) {
    value = on_match_skip_shapes(m, value);
    const on_onnx_node *node = on_match_node(m, value);
    uint32_t operand;
    float scale = 1;
    bool unknown = false;
    if (on_onnx_is(node, "Concat") || on_onnx_is(node, "Transpose") || on_onnx_is(node, function)) {
      value = on_match_input(node, 0);
    } else if (match_scaled(m, node, &operand, &scale, &unknown) && scale == 1.0f && !unknown) {
      value = operand;
    } else if (on_onnx_is(node, "Mul") || on_onnx_is(node, "MatMul")) {
      on_onnx_constant constant;
      if (!on_match_with_constant(m, node, &operand, &constant)) return false;
      *inv_freq = constant.tensor;
      return true;
    } else {
      return false;
    }
  }
  return false;
}

static bool is_turned(const on_match *m, uint32_t value, uint32_t x) {
  const on_onnx_node *join = on_match_node(m, on_match_skip(m, value));
  if (!on_onnx_is(join, "Concat") || join->input_count != 2) return false;
  const on_onnx_node *neg = on_match_node(m, on_match_skip(m, join->inputs[0]));
  const on_onnx_node *first = on_match_node(m, on_match_skip(m, join->inputs[1]));
  if (!on_onnx_is(neg, "Neg")) return false;
  const on_onnx_node *second = on_match_node(m, on_match_skip(m, on_match_input(neg, 0)));
  bool cut = (on_onnx_is(first, "Slice") && on_onnx_is(second, "Slice")) ||
             (on_onnx_is(first, "Split") && first == second);
  return cut && on_match_skip(m, on_match_input(first, 0)) == x && on_match_skip(m, on_match_input(second, 0)) == x &&
         on_match_part(m, on_match_skip(m, join->inputs[1]), first) == 0;
}

// x cos + turn(x) sin, turn(x) = [-second half, first half]
static bool match_rotary(const on_match *m, const on_onnx_node *sum, uint32_t *x, uint32_t *inv_freq) {
  if (!on_onnx_is(sum, "Add")) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const on_onnx_node *a = on_match_node(m, on_match_skip(m, on_match_input(sum, i)));
    const on_onnx_node *b = on_match_node(m, on_match_skip(m, on_match_input(sum, 1 - i)));
    if (!on_onnx_is(a, "Mul") || !on_onnx_is(b, "Mul")) continue;
    for (uint32_t j = 0; j < 4; j++) {
      uint32_t at = on_match_skip(m, on_match_input(a, j & 1)), cos = on_match_input(a, 1 - (j & 1));
      uint32_t turned = on_match_input(b, j >> 1), sin = on_match_input(b, 1 - (j >> 1)), other;
      if (is_turned(m, turned, at) && match_angles(m, cos, "Cos", inv_freq) && match_angles(m, sin, "Sin", &other) &&
          *inv_freq == other) {
        *x = at;
        return true;
      }
    }
  }
  return false;
}

// ---- projections --------------------------------------------------------------------------------------

// A shape that cuts the width into heads: [.., heads, head size]. The first one seen on the way back counts.
static void see_reshape(const on_match *m, const on_onnx_node *node, chain *c) {
  int64_t last, before;
  uint32_t shape = on_match_input(node, 1);
  if (c->head_size || c->heads || !on_match_int_from_end(m, shape, 0, &last)) return;
  if (last > 0) c->head_size = last;
  else if (on_match_int_from_end(m, shape, 1, &before) && before > 0) c->heads = before;
}

static bool match_chain(const on_match *m, uint32_t value, bool may_rotate, chain *c) {
  *c = (chain){.scale = 1, .part = -1, .inv_freq = ON_ONNX_NONE};
  for (int step = 0; step < MAX_STEPS; step++) {
    value = on_match_skip(m, value);
    if (on_match_linear(m, value, &c->linear, &c->input)) {
      // Shapes that on_match_linear walked over say something too.
      for (int i = 0; i < MAX_STEPS; i++) {
        const on_onnx_node *node = on_match_node(m, value);
        if (on_onnx_is(node, "Reshape")) see_reshape(m, node, c);
        else if (!on_onnx_is(node, "Cast") && !on_onnx_is(node, "Squeeze") && !on_onnx_is(node, "Unsqueeze")) break;
        value = on_match_input(node, 0);
      }
      return true;
    }
    const on_onnx_node *node = on_match_node(m, value);
    uint32_t operand;
    if (on_onnx_is(node, "Reshape")) {
      see_reshape(m, node, c);
      value = on_match_input(node, 0);
    } else if (on_onnx_is(node, "Transpose") || on_onnx_is(node, "Squeeze") || on_onnx_is(node, "Unsqueeze")) {
      value = on_match_input(node, 0);
    } else if (on_onnx_is(node, "Split") || on_onnx_is(node, "Gather") || on_onnx_is(node, "Slice")) {
      if (c->part >= 0) return false;
      c->part = on_match_part(m, value, node);
      value = on_match_input(node, 0);
    } else if (match_scaled(m, node, &operand, &c->scale, &c->unknown_scale)) {
      value = operand;
    } else if (may_rotate && !c->rotary && match_rotary(m, node, &operand, &c->inv_freq)) {
      c->rotary = true;
      value = operand;
    } else {
      return false;
    }
  }
  return false;
}

// ---- the mask -----------------------------------------------------------------------------------------

typedef struct distance {
  uint32_t window;
} distance;

// A comparison of |i - j| with a number: |i - j| <= window, or its like.
static bool is_distance(const on_match *m, const on_onnx_node *node, void *context) {
  distance *d = context;
  bool negated = on_onnx_is(node, "Not");
  if (negated) node = on_match_node(m, on_match_skip(m, on_match_input(node, 0)));
  bool with = on_onnx_is(node, negated ? "Greater" : "LessOrEqual");
  bool without = on_onnx_is(node, negated ? "GreaterOrEqual" : "Less");
  float limit;
  if ((!with && !without) || !on_onnx_is(on_match_node(m, on_match_skip(m, on_match_input(node, 0))), "Abs") ||
      !on_match_number(m, on_match_input(node, 1), &limit) || !(limit >= 1 && limit <= 65536)) {
    return false;
  }
  d->window = (uint32_t)limit - without;
  return true;
}

// False: the mask looks at distances in a way that is not known.
static bool match_window(const on_match *m, uint32_t mask, uint32_t *window) {
  distance d = {0};
  *window = 0;
  if (mask == ON_ONNX_NONE || !on_match_ancestor_is(m, mask, "Abs")) return true;
  if (!on_match_ancestor(m, mask, is_distance, &d) || d.window == 0) return false;
  *window = d.window;
  return true;
}

// ---- the whole ----------------------------------------------------------------------------------------

// The product of queries and keys behind scales.
static const on_onnx_node *match_scores(const on_match *m, uint32_t value, float *scale, bool *unknown) {
  for (int step = 0; step < MAX_STEPS; step++) {
    const on_onnx_node *node = on_match_node(m, on_match_skip(m, value));
    on_onnx_constant constant;
    if (on_onnx_is(node, "MatMul")) {
      bool weights = on_match_constant(m, on_match_input(node, 1), true, &constant);
      return weights ? NULL : node;
    }
    if (!match_scaled(m, node, &value, scale, unknown)) return NULL;
  }
  return NULL;
}

// Scores with a mask added or put in by Where; `mask` is ON_ONNX_NONE where there is none.
static const on_onnx_node *match_masked(const on_match *m, uint32_t value, float *scale, bool *unknown,
                                        uint32_t *mask) {
  *mask = ON_ONNX_NONE;
  const on_onnx_node *node = on_match_node(m, on_match_skip(m, value));
  bool add = on_onnx_is(node, "Add"), where = on_onnx_is(node, "Where");
  if (!add && !where) return match_scores(m, value, scale, unknown);
  uint32_t first = where ? 1 : 0;
  for (uint32_t i = 0; i < 2; i++) {
    *scale = 1;
    *unknown = false;
    const on_onnx_node *scores = match_scores(m, on_match_input(node, first + i), scale, unknown);
    if (!scores) continue;
    *mask = where ? node->inputs[0] : on_match_input(node, 1 - i);
    return scores;
  }
  return NULL;
}

// Softmax over the last axis, perhaps behind a guard against rows without any key.
static const on_onnx_node *match_softmax(const on_match *m, uint32_t value) {
  const on_onnx_node *node = on_match_node(m, on_match_skip(m, value));
  if (on_onnx_is(node, "Where")) {
    const on_onnx_node *test = on_match_node(m, on_match_input(node, 0));
    if (!on_onnx_is(test, "IsNaN")) return NULL;
    node = on_match_node(m, on_match_skip(m, on_match_input(node, 2)));
  }
  const on_onnx_attribute *axis = on_onnx_is(node, "Softmax") ? on_onnx_attribute_of(node, "axis") : NULL;
  bool last = axis ? axis->i == -1 || axis->i == 3 : m->onnx->opset >= 13;
  return on_onnx_is(node, "Softmax") && last ? node : NULL;
}

static bool same_linear(const chain *a, const chain *b) { return a->linear.weight.tensor == b->linear.weight.tensor; }

static bool check_scale(float scale, int64_t head_size) {
  float want = 1.0f / on_sqrt((float)head_size);
  return scale > want * 0.998f && scale < want * 1.002f;
}

bool on_match_attention(const on_match *m, uint32_t value, on_attention *out) {
  *out = (on_attention){.inv_freq = ON_ONNX_NONE};
  const on_onnx_node *sum = NULL;
  for (int step = 0; step < MAX_STEPS; step++) {
    value = on_match_skip_shapes(m, value);
    sum = on_match_node(m, value);
    if (!on_onnx_is(sum, "Transpose")) break;
    value = on_match_input(sum, 0);
  }
  chain q, k, v;
  if (!on_onnx_is(sum, "MatMul")) return false;
  const on_onnx_node *softmax = match_softmax(m, on_match_input(sum, 0));
  if (!softmax || !match_chain(m, on_match_input(sum, 1), false, &v) || v.scale != 1.0f || v.unknown_scale) return false;
  float scale = 1;
  bool unknown = false;
  uint32_t mask;
  const on_onnx_node *scores = match_masked(m, on_match_input(softmax, 0), &scale, &unknown, &mask);
  if (!scores || !match_chain(m, on_match_input(scores, 0), true, &q) ||
      !match_chain(m, on_match_input(scores, 1), true, &k) || q.input != k.input || q.input != v.input) {
    return false;
  }
  out->joint = same_linear(&q, &k) && same_linear(&q, &v);
  bool ordered = q.part == 0 && k.part > 0 && v.part == 2 * k.part;
  bool whole = q.part < 0 && k.part < 0 && v.part < 0;
  if (out->joint ? !ordered : !whole) return false;
  if (q.rotary != k.rotary || (q.rotary && q.inv_freq != k.inv_freq)) return false;
  out->q = q.linear;
  out->k = k.linear;
  out->v = v.linear;
  out->input = q.input;
  out->rotary = q.rotary;
  out->inv_freq = q.inv_freq;
  int64_t width = out->joint ? q.linear.out / 3 : q.linear.out;
  if (q.heads > 0 && q.head_size == 0 && width % q.heads == 0) q.head_size = width / q.heads;
  if (q.head_size <= 0 || q.head_size > width || width % q.head_size != 0) return false;
  out->head_size = (uint32_t)q.head_size;
  out->heads = (uint32_t)(width / q.head_size);
  unknown = unknown || q.unknown_scale || k.unknown_scale;
  if (!unknown && !check_scale(scale * q.scale * k.scale, q.head_size)) return false;
  return match_window(m, mask, &out->window);
}
