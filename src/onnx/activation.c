// Which function a few elementwise nodes are: found by computing it at some points.
#include "nn/math.h"
#include "onnx/match.h"

enum { MAX_NODES = 32, POINTS = 6 };

// The values between the activation's output and the linear layer.
typedef struct piece {
  uint32_t value;
  bool known;
  float at;
} piece;

typedef struct pieces {
  const on_match *m;
  piece list[MAX_NODES];
  size_t n;
  uint32_t leaf[2];  // values that come from the linear layer: all of it, or its two halves
  int part[2];
  size_t leaves;
  bool found;        // the linear layer is known
  on_onnx_linear up;
  uint32_t input;
} pieces;

static bool is_elementwise(const on_onnx_node *node) {
  static const char *const OPS[] = {"Add",  "Sub",  "Mul",      "Div",  "Pow",     "Erf", "Tanh",
                                    "Sqrt", "Relu", "Cast", "Identity", "Gelu", "Dropout", NULL};
  if (node && on_str_eq(node->domain, ON_STR("com.microsoft")) && on_str_eq(node->op, ON_STR("Gelu"))) return true;
  for (const char *const *op = OPS; *op; op++) {
    if (on_onnx_is(node, *op)) return true;
  }
  return false;
}

// A value that is the linear layer's output or a half of it. -1: it is not; else the part (0 also for the whole).
static int leaf_part(pieces *p, uint32_t value, bool *half) {
  on_onnx_linear up;
  uint32_t input, from = value;
  const on_onnx_node *node = on_match_node(p->m, value);
  int part = 0;
  *half = on_onnx_is(node, "Split") || on_onnx_is(node, "Slice");
  if (*half) {
    part = on_match_part(p->m, value, node) > 0;
    from = on_match_input(node, 0);
  }
  if (!on_match_linear(p->m, from, &up, &input)) return -1;
  // All leaves must come from one layer.
  if (p->found && (p->up.weight.tensor != up.weight.tensor || p->input != input)) return -1;
  p->found = true;
  p->up = up;
  p->input = input;
  return part;
}

static bool add_leaf(pieces *p, uint32_t value, int part) {
  for (size_t i = 0; i < p->leaves; i++) {
    if (p->leaf[i] == value) return true;
  }
  if (p->leaves == 2) return false;
  p->leaf[p->leaves] = value;
  p->part[p->leaves++] = part;
  return true;
}

static bool collect(pieces *p, uint32_t value, bool *halves) {
  p->list[p->n++] = (piece){.value = value};
  for (size_t i = 0; i < p->n; i++) {
    uint32_t v = p->list[i].value;
    bool half;
    int part = leaf_part(p, v, &half);
    if (part >= 0) {
      *halves = half;
      if (!add_leaf(p, v, part)) return false;
      continue;
    }
    float number;
    if (on_match_number(p->m, v, &number)) {
      p->list[i].known = true;
      p->list[i].at = number;
      continue;
    }
    const on_onnx_node *node = on_match_node(p->m, v);
    if (!is_elementwise(node)) return false;
    for (uint32_t j = 0; j < node->input_count; j++) {
      uint32_t input = node->inputs[j];
      bool known = input == ON_ONNX_NONE || (on_onnx_is(node, "Dropout") && j > 0);
      for (size_t k = 0; k < p->n && !known; k++) known = p->list[k].value == input;
      if (known) continue;
      if (p->n == MAX_NODES) return false;
      p->list[p->n++] = (piece){.value = input};
    }
  }
  return p->leaves > 0;
}

static const piece *piece_of(const pieces *p, uint32_t value) {
  for (size_t i = 0; i < p->n; i++) {
    if (p->list[i].value == value) return &p->list[i];
  }
  return NULL;
}

static float tanh_gelu(float x) { return 0.5f * x * (1.0f + on_tanh(0.7978845608f * (x + 0.044715f * x * x * x))); }

static bool apply(const on_onnx_node *node, float a, float b, float *out) {
  if (on_onnx_is(node, "Add")) *out = a + b;
  else if (on_onnx_is(node, "Sub")) *out = a - b;
  else if (on_onnx_is(node, "Mul")) *out = a * b;
  else if (on_onnx_is(node, "Div")) *out = a / b;
  else if (on_onnx_is(node, "Erf")) *out = on_erf(a);
  else if (on_onnx_is(node, "Tanh")) *out = on_tanh(a);
  else if (on_onnx_is(node, "Sqrt")) *out = on_sqrt(a);
  else if (on_onnx_is(node, "Relu")) *out = a > 0 ? a : 0;
  else if (on_onnx_is(node, "Pow") && (b == 2.0f || b == 3.0f)) *out = b == 2.0f ? a * a : a * a * a;
  else if (on_str_eq(node->op, ON_STR("Gelu"))) {
    const on_onnx_attribute *approximate = on_onnx_attribute_of(node, "approximate");
    bool by_tanh = approximate && on_str_eq(approximate->s, ON_STR("tanh"));
    *out = by_tanh ? tanh_gelu(a) : on_gelu(a);
  } else if (on_onnx_is(node, "Cast") || on_onnx_is(node, "Identity") || on_onnx_is(node, "Dropout")) *out = a;
  else return false;
  return true;
}

// The value of the whole with the leaves at the given places. Each round computes at least one more piece.
static bool evaluate(const pieces *of, const float *leaves, float *out) {
  pieces p = *of;
  for (size_t i = 0; i < p.n; i++) {
    for (size_t l = 0; l < p.leaves; l++) {
      if (p.list[i].value != p.leaf[l]) continue;
      p.list[i].known = true;
      p.list[i].at = leaves[l];
    }
  }
  for (size_t round = 0; round < p.n && !p.list[0].known; round++) {
    for (size_t i = 0; i < p.n; i++) {
      if (p.list[i].known) continue;
      const on_onnx_node *node = on_match_node(p.m, p.list[i].value);
      const piece *a = piece_of(&p, on_match_input(node, 0)), *b = piece_of(&p, on_match_input(node, 1));
      bool one = node->input_count < 2 || on_onnx_is(node, "Dropout");
      if (!a || !a->known || (!one && (!b || !b->known))) continue;
      if (!apply(node, a->at, one ? 0 : b->at, &p.list[i].at)) return false;
      p.list[i].known = true;
    }
  }
  *out = p.list[0].at;
  return p.list[0].known;
}

static float activate(on_activation activation, float x) {
  if (activation == ON_RELU) return x > 0 ? x : 0;
  return activation == ON_GELU_ERF ? on_gelu(x) : tanh_gelu(x);
}

static bool equals(const pieces *p, bool gated, on_activation activation) {
  static const float AT[POINTS] = {-4, -1.5f, -0.7f, 0.4f, 1, 2.5f};
  for (size_t i = 0; i < POINTS; i++) {
    float leaves[2], got;
    // The gate is another number than the argument, so that the two cannot be taken for each other.
    for (size_t l = 0; l < p->leaves; l++) leaves[l] = gated && p->part[l] == 1 ? 3.0f : AT[i];
    if (!evaluate(p, leaves, &got)) return false;
    float want = activate(activation, AT[i]) * (gated ? 3.0f : 1.0f), off = got - want;
    // The two forms of GELU differ by up to 5e-4, at 1 by 1.5e-4; casts to half precision by less here.
    if (!(off < 6e-5f * (gated ? 3.0f : 1.0f) && off > -6e-5f * (gated ? 3.0f : 1.0f))) return false;
  }
  return true;
}

bool on_match_activation(const on_match *m, uint32_t value, on_onnx_linear *up, uint32_t *input, bool *gated,
                         on_activation *activation) {
  pieces p = {.m = m};
  bool halves = false;
  if (!collect(&p, on_match_skip_shapes(m, value), &halves)) return false;
  *gated = p.leaves == 2;
  if (*gated && (!halves || p.part[0] + p.part[1] != 1)) return false;
  if (!*gated && halves) return false;
  *up = p.up;
  *input = p.input;
  for (int i = ON_GELU_ERF; i <= ON_RELU; i++) {
    *activation = (on_activation)i;
    if (equals(&p, *gated, *activation)) return true;
  }
  return false;
}
