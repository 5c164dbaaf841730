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

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_parser *p = head->state;
  on_parser_layer *layers[] = {&p->arc_dep, &p->arc_head, &p->arc, &p->label_dep, &p->label_head, &p->label_linear};
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) prepare_layer(layers[i], arena);
  p->arc_root_b = on_param_vector(p->arc_root, arena);
  p->label_root_b = on_param_vector(p->label_root, arena);
  if (p->bilinear) p->bilinear_packed = on_param_pack(p->bilinear, arena, 0, p->label_width);
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

enum { ARCS = 32, MOST_MAPPED = 1 << 17 };  // arcs whose labels are scored together, while so many floats hold them

// The best labels of `count` arcs: pair[count][2 * width] are the projections of dependent and head, or with labelSum
// pair[count][width] their sum.
static void label_pairs(const on_parser *parser, const on_kernels *k, float *pair, size_t count, float *score,
                        float *mapped, uint32_t *best) {
  size_t width = parser->label_width, labels = parser->labels.n, size = parser->label_linear.packed.cols;
  if (parser->label_sum) k->relu(pair, count * size);
  on_linear(k, score, labels, pair, size, count, &parser->label_linear.packed, parser->label_linear.b, false);
  if (parser->bilinear) {
    on_linear(k, mapped, labels * width, pair, size, count, &parser->bilinear_packed, NULL, false);
  }
  for (size_t i = 0; i < count; i++, score += labels, pair += size) {
    for (size_t l = 0; parser->bilinear && l < labels; l++) {
      score[l] += k->dot(mapped + (i * labels + l) * width, pair + width, width);
    }
    if (parser->root_label >= 0 && labels > 1) score[parser->root_label] = -3e38f;
    best[i] = (uint32_t)k->argmax(score, labels);
  }
}

// The best label of every arc; p[n] and q[n] are the projections of dependents and heads.
static bool label_arcs(const on_parser *parser, on_workspace *workspace, const float *p, const float *q,
                       const uint32_t *head, size_t n, uint32_t *best) {
  size_t width = parser->label_width, labels = parser->labels.n, fit = MOST_MAPPED / (labels * width);
  size_t most = fit < 1 ? 1 : fit < ARCS ? fit : ARCS, size = parser->label_linear.packed.cols;
  if (most > n) most = n;
  float *pair = ON_NEW(&workspace->scratch, float, most * size);
  float *score = ON_NEW(&workspace->scratch, float, most * labels);
  float *mapped = ON_NEW(&workspace->scratch, float, parser->bilinear ? most * labels * width : 1);
  if (!pair || !score || !mapped) return false;
  uint32_t of[ARCS], found[ARCS];
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    bool root = head[i] == i;
    if (root && parser->root_label >= 0) {
      best[i] = (uint32_t)parser->root_label;
    } else {
      const float *q_head = root ? parser->label_root_b : q + head[i] * width;
      float *to = pair + count * size;
      memcpy(to, p + i * width, width * sizeof *pair);
      if (parser->label_sum) workspace->kernels->add(to, q_head, width);
      else memcpy(to + width, q_head, width * sizeof *pair);
      of[count++] = (uint32_t)i;
    }
    if (count < most && i + 1 < n) continue;
    label_pairs(parser, workspace->kernels, pair, count, score, mapped, found);
    for (size_t c = 0; c < count; c++) best[of[c]] = found[c];
    count = 0;
  }
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
