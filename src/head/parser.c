#include "head/parser.h"

#include <string.h>

#include "head/arborescence.h"
#include "head/output.h"
#include "nn/vectors.h"

static bool declare_layer(on_head *head, on_arena *arena, const char *name, uint32_t rows, uint32_t cols,
                          on_parser_layer *layer) {
  layer->weight = on_params_add(&head->params, arena, false, rows, cols, "%s.weight", name);
  layer->bias = on_params_add(&head->params, arena, false, rows, 0, "%s.bias", name);
  return layer->weight && layer->bias;
}

static bool declare(on_head *head, on_parser *p, on_arena *arena, const char *path, on_error *error) {
  uint32_t width = head->width, arc = p->arc_width, label = p->label_width, labels = p->labels.n;
  if (p->label_bilinear && (uint64_t)labels * label * label > ON_MAX_OUTPUT_WEIGHTS) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: %u labels times labelWidth %u squared is more than %u weights", path,
                   labels, label, ON_MAX_OUTPUT_WEIGHTS);
  }
  bool ok = declare_layer(head, arena, "arc_dep", arc, width, &p->arc_dep) &&
            declare_layer(head, arena, "arc_head", arc, width, &p->arc_head) &&
            declare_layer(head, arena, "arc", arc, arc, &p->arc);
  p->arc_root = ok ? on_params_add(&head->params, arena, false, arc, 0, "arc_root") : NULL;
  ok = p->arc_root && declare_layer(head, arena, "label_dep", label, width, &p->label_dep) &&
       declare_layer(head, arena, "label_head", label, width, &p->label_head);
  p->label_root = ok ? on_params_add(&head->params, arena, false, label, 0, "label_root") : NULL;
  ok = p->label_root != NULL;
  if (ok && p->label_bilinear) {
    p->bilinear = on_params_add(&head->params, arena, false, labels * label, label, "label_bilinear.weight");
    ok = p->bilinear != NULL;
  }
  ok = ok && declare_layer(head, arena, "label_linear", labels, p->label_sum ? label : 2 * label, &p->label_linear);
  return ok || on_fail_memory(error);
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_parser *p = ON_NEW0(arena, on_parser, 1);
  if (!p) return on_fail_memory(error);
  head->state = p;
  head->width = width;
  int64_t arc, label, bilinear, sum;
  if (!on_labels_read(&p->labels, arena, config, path, 1, ON_PARSER_MAX_LABELS, true, error) ||
      !on_json_int(config, path, "arcWidth", true, 1, ON_PARSER_MAX_WIDTH, 0, &arc, error) ||
      !on_json_int(config, path, "labelWidth", true, 1, ON_PARSER_MAX_WIDTH, 0, &label, error) ||
      !on_json_int(config, path, "labelBilinear", false, 0, 1, 1, &bilinear, error) ||
      !on_json_int(config, path, "labelSum", false, 0, 1, 0, &sum, error)) {
    return false;
  }
  p->arc_width = (uint32_t)arc;
  p->label_width = (uint32_t)label;
  p->label_sum = sum != 0;
  p->label_bilinear = bilinear != 0 && !p->label_sum;
  p->root_label = -1;
  for (uint32_t i = 0; i < p->labels.n; i++) {
    if (on_str_eq(p->labels.list[i], ON_STR("root"))) p->root_label = (int32_t)i;
  }
  return declare(head, p, arena, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_parser *p = head->state;
  on_buf_format(out, "{\"arcWidth\": %u, \"labelWidth\": %u, ", p->arc_width, p->label_width);
  if (p->label_sum) on_buf_str(out, ON_STR("\"labelSum\": 1, "));
  else if (!p->label_bilinear) on_buf_str(out, ON_STR("\"labelBilinear\": 0, "));
  on_buf_str(out, ON_STR("\"labels\": "));
  on_labels_write(&p->labels, out);
  on_buf_char(out, '}');
}

static void prepare_layer(on_parser_layer *layer, on_arena *arena) {
  layer->packed = on_param_pack(layer->weight, arena, 0, layer->weight->shape[1]);
  layer->b = on_param_vector(layer->bias, arena);
}

// Seen as [labels, labelWidth * labelWidth], `bilinear` has what belongs to a number of q in a stretch of columns; only
// the scales stand apart.
static const on_packed *pack_by_head(const on_parser *p, on_arena *arena) {
  const uint32_t width = p->label_width, labels = p->labels.n;
  const on_param scales = {.shape = {labels * width, 1}, .data = p->bilinear->scale};
  on_param whole = *p->bilinear;
  whole.shape[0] = labels;
  whole.shape[1] = width * width;
  on_packed *packed = ON_NEW(arena, on_packed, width);
  const float *scale = scales.data ? on_param_vector(&scales, arena) : NULL;
  for (uint32_t k = 0; packed && k < width; k++) {
    packed[k] = on_param_pack(&whole, arena, k * width, (k + 1) * width);
    if (!packed[k].q) continue;
    float *own = ON_NEW0(arena, float, on_packed_floats(labels, 1));
    for (size_t l = 0; own && scale && l < labels; l++) own[l] = scale[l * width + k];
    packed[k].scale = own;
  }
  return packed;
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_parser *p = head->state;
  on_parser_layer *layers[] = {&p->arc_dep, &p->arc_head, &p->arc, &p->label_dep, &p->label_head, &p->label_linear};
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) prepare_layer(layers[i], arena);
  p->arc_root_b = on_param_vector(p->arc_root, arena);
  p->label_root_b = on_param_vector(p->label_root, arena);
  if (p->bilinear) p->by_head = pack_by_head(p, arena);
  return !arena->failed || on_fail_memory(error);
}

// layer h for n rows of h.
static float *map(const on_parser_layer *layer, on_workspace *workspace, const float *h, size_t n) {
  float *y = ON_NEW(&workspace->scratch, float, n * layer->packed.rows);
  if (y) on_vectors_linear(workspace, y, h, NULL, n, &layer->packed, layer->b);
  return y;
}

// relu(layer h) for n rows of h.
static float *project(const on_parser_layer *layer, on_workspace *workspace, const float *h, size_t n) {
  float *y = map(layer, workspace, h, n);
  if (y) workspace->kernels->relu(y, n * layer->packed.rows);
  return y;
}

// head[n] (in the sentence) of one sentence or piece of one.
static bool decode(const on_parser *p, on_workspace *workspace, const float *h, size_t n, uint32_t *head) {
  const on_kernels *k = workspace->kernels;
  size_t width = p->arc_width;
  float *dependents = project(&p->arc_dep, workspace, h, n);
  float *heads = project(&p->arc_head, workspace, h, n);
  float *mapped = ON_NEW(&workspace->scratch, float, n * width);
  float *score = ON_NEW(&workspace->scratch, float, n * n);
  float *packed = ON_NEW0(&workspace->scratch, float, on_packed_floats(n, width));
  if (!dependents || !heads || !mapped || !score || !packed) return false;
  on_linear(k, mapped, width, dependents, width, n, &p->arc.packed, p->arc.b, false);
  for (size_t j = 0; j < n; j++) on_pack_row(packed, width, j, heads + j * width);
  const on_packed as_weights = {.data = packed, .rows = (uint32_t)n, .cols = (uint32_t)width};
  on_linear(k, score, n, mapped, width, n, &as_weights, NULL, false);
  for (size_t i = 0; i < n; i++) score[i * n + i] = k->dot(mapped + i * width, p->arc_root_b, width);
  return on_arborescence(score, n, &workspace->scratch, head);
}

// Heads of tokens [first, end) of the Doc, as indices in the Doc.
static bool parse_sentence(const on_parser *p, on_workspace *workspace, const float *h, size_t width, size_t first,
                           size_t end, uint32_t *head) {
  size_t root = first;
  for (size_t from = first; from < end; from += ON_PARSER_SENTENCE) {
    size_t n = end - from < ON_PARSER_SENTENCE ? end - from : ON_PARSER_SENTENCE;
    if (!decode(p, workspace, h + from * width, n, head + from)) return false;
    for (size_t i = from; i < from + n; i++) {
      head[i] += (uint32_t)from;
      if (head[i] != i) continue;
      if (from == first) root = i;
      else head[i] = (uint32_t)root;
    }
  }
  return true;
}

enum { ARCS = 32 };  // whose labels are scored together

// Some arcs of a Doc whose labels are scored. label_linear reads `input`: p and q one behind the other or, with
// labelSum, their sum.
typedef struct arcs {
  size_t count;
  uint32_t of[ARCS];     // the dependents
  const float *q[ARCS];  // the projections of their heads
  float *input;          // [ARCS][label_linear's columns]
  float *score;          // [ARCS][labels]
  float *mapped;         // [ARCS][labels]
  float *sums;           // [ARCS][4][labels]
} arcs;

// score += q B_l p, p[n][labelWidth] being the projections of dependents. Most numbers of a q are zero, as a ReLU makes
// them, so rows of B_l are multiplied for those arcs alone where the number is not. Summed as on_kernels.dot does.
static void add_bilinear(const on_parser *parser, on_workspace *workspace, const float *p, arcs *a) {
  const size_t width = parser->label_width, labels = parser->labels.n;
  memset(a->sums, 0, a->count * 4 * labels * sizeof *a->sums);
  for (size_t k = 0; k < width; k++) {
    uint32_t arc[ARCS], dependent[ARCS];
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++) {
      if (a->q[i][k] == 0.0f) continue;
      dependent[n] = a->of[i];
      arc[n++] = (uint32_t)i;
    }
    if (n == 0) continue;
    on_vectors_linear(workspace, a->mapped, p, dependent, n, &parser->by_head[k], NULL);
    for (size_t i = 0; i < n; i++) {
      const float *const mapped = a->mapped + i * labels;
      float *const sum = a->sums + ((size_t)arc[i] * 4 + k % 4) * labels;
      const float factor = a->q[arc[i]][k];
      for (size_t l = 0; l < labels; l++) sum[l] = sum[l] + mapped[l] * factor;
    }
  }
  for (size_t i = 0; i < a->count; i++) {
    const float *const s = a->sums + i * 4 * labels;
    float *const score = a->score + i * labels;
    for (size_t l = 0; l < labels; l++) {
      score[l] += (s[l] + s[labels + l]) + (s[2 * labels + l] + s[3 * labels + l]);
    }
  }
}

// The best labels of the arcs, into best[n].
static void label_some(const on_parser *parser, on_workspace *workspace, const float *p, arcs *a, uint32_t *best) {
  const on_kernels *k = workspace->kernels;
  size_t labels = parser->labels.n, size = parser->label_linear.packed.cols;
  if (parser->label_sum) k->relu(a->input, a->count * size);
  on_linear(k, a->score, labels, a->input, size, a->count, &parser->label_linear.packed, parser->label_linear.b, false);
  if (parser->bilinear) add_bilinear(parser, workspace, p, a);
  for (size_t i = 0; i < a->count; i++) {
    float *score = a->score + i * labels;
    if (parser->root_label >= 0 && labels > 1) score[parser->root_label] = -3e38f;
    best[a->of[i]] = (uint32_t)k->argmax(score, labels);
  }
  a->count = 0;
}

// The best label of every arc; p[n] and q[n] are the projections of dependents and heads.
static bool label_arcs(const on_parser *parser, on_workspace *workspace, const float *p, const float *q,
                       const uint32_t *head, size_t n, uint32_t *best) {
  size_t width = parser->label_width, labels = parser->labels.n, size = parser->label_linear.packed.cols;
  size_t most = n < ARCS ? n : ARCS;
  arcs a = {.input = ON_NEW(&workspace->scratch, float, most * size),
            .score = ON_NEW(&workspace->scratch, float, most * labels),
            .mapped = ON_NEW(&workspace->scratch, float, most * labels),
            .sums = ON_NEW(&workspace->scratch, float, most * 4 * labels)};
  if (!a.input || !a.score || !a.mapped || !a.sums) return false;
  on_vectors dependents = {.h = p, .n = n, .width = width}, *before = workspace->vectors;
  workspace->vectors = &dependents;
  for (size_t i = 0; i < n; i++) {
    bool root = head[i] == i;
    if (root && parser->root_label >= 0) {
      best[i] = (uint32_t)parser->root_label;
    } else {
      const float *q_head = root ? parser->label_root_b : q + head[i] * width;
      float *to = a.input + a.count * size;
      memcpy(to, p + i * width, width * sizeof *to);
      if (parser->label_sum) workspace->kernels->add(to, q_head, width);
      else memcpy(to + width, q_head, width * sizeof *to);
      a.q[a.count] = q_head;
      a.of[a.count++] = (uint32_t)i;
    }
    if (a.count == most || i + 1 == n) label_some(parser, workspace, p, &a, best);
  }
  workspace->vectors = before;
  return true;
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_parser *parser = head->state;
  size_t n = doc->n;
  doc->head = ON_NEW(&doc->arena, uint32_t, n);
  uint32_t *best = ON_NEW(&workspace->scratch, uint32_t, n);
  if (!doc->head || !best || !on_doc_column(doc, &doc->dep)) return on_fail_memory(error);
  for (size_t first = 0; first < n;) {
    size_t end = on_doc_sentence_end(doc, first);
    if (!parse_sentence(parser, workspace, h, head->width, first, end, doc->head)) return on_fail_memory(error);
    first = end;
  }
  float *p = map(&parser->label_dep, workspace, h, n);
  float *q = map(&parser->label_head, workspace, h, n);
  if (p && q && !parser->label_sum) {
    workspace->kernels->relu(p, n * parser->label_width);
    workspace->kernels->relu(q, n * parser->label_width);
  }
  if (!p || !q || !label_arcs(parser, workspace, p, q, doc->head, n, best)) return on_fail_memory(error);
  for (size_t i = 0; i < n; i++) doc->dep[i] = parser->labels.list[best[i]];
  return true;
}

const on_head_kind on_parser_kind = {.name = "parser", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};
