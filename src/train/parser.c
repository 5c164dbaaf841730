// Training of the parser head: softmax over the heads of each word within its sentence, and over the labels
// of the gold arcs.
#include "head/parser.h"

#include <string.h>

#include "train/classifier.h"
#include "train/parser.h"

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_label_counts counts = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    for (size_t i = 0; ok && docs[d].dep && i < docs[d].n; i++) {
      if (docs[d].dep[i].p) ok = on_label_count(&counts, docs[d].dep[i]);
    }
  }
  on_config_begin(out, given);
  ok = ok && on_label_counts_write(&counts, 1, out);
  on_buf_char(out, '}');
  on_label_counts_free(&counts);
  return ok || on_fail_memory(error);
}

static void init_layer(const on_parser_layer *layer, on_random *random) {
  on_init_glorot(layer->weight, random);
  on_init_constant(layer->bias, 0);
}

static void init(const on_head *head, on_random *random) {
  const on_parser *p = head->state;
  init_layer(&p->arc_dep, random);
  init_layer(&p->arc_head, random);
  init_layer(&p->arc, random);
  init_layer(&p->label_dep, random);
  init_layer(&p->label_head, random);
  init_layer(&p->label_linear, random);
  on_init_normal(p->arc_root, 0.1f, random);
  on_init_normal(p->label_root, 0.1f, random);
  if (p->bilinear) on_init_normal(p->bilinear, 0.02f, random);
}

static void *start(const on_head *head, on_arena *arena) {
  return on_label_map_start(&((const on_parser *)head->state)->labels, arena);
}

// relu(layer x) with dropout, or layer x alone, and its way back.
typedef struct projection {
  const on_parser_layer *layer;
  size_t width;
  bool plain;            // without relu and dropout
  float *y, *dy, *mask;  // [m][width]
} projection;

static bool project(projection *p, const on_parser_layer *layer, bool plain, on_train_step *step, const float *x) {
  *p = (projection){.layer = layer, .width = layer->weight->shape[0], .plain = plain};
  size_t n = step->m * p->width;
  bool ok = true;
  p->y = ON_NEW(&step->arena, float, n);
  p->dy = ON_NEW0(&step->arena, float, n);
  if (!p->y || !p->dy) return false;
  on_step_linear_forward(p->y, x, layer->weight, layer->bias, step->m);
  if (plain) return true;
  on_train_relu_forward(p->y, p->y, n);
  p->mask = on_step_dropout(step, p->y, n, step->rates->projection, &ok);
  return ok;
}

static void project_backward(projection *p, on_train_step *step, const float *x, float *dx) {
  size_t n = step->m * p->width;
  if (p->mask) on_train_apply_mask(p->dy, p->mask, n);
  if (!p->plain) on_train_relu_backward(p->dy, p->dy, p->y, n);  // a masked unit has y == 0 and dy == 0
  on_step_linear_backward(step, dx, p->dy, x, p->layer->weight, p->layer->bias, step->m);
}

// One sentence: rows [from, from + n) of the projections. In the score matrix column i of row i, a word as
// its own head, holds the score of the root.
static bool arc_step(const on_parser *p, on_train_step *step, projection *dep, projection *head, size_t from, size_t n,
                     const int32_t *target, float scale, on_train_loss *loss) {
  size_t k = p->arc_width;
  float *score = ON_NEW(&step->arena, float, n * n);
  float *mapped = ON_NEW(&step->arena, float, n * k);
  float *dmapped = ON_NEW0(&step->arena, float, n * k);
  if (!score || !mapped || !dmapped) return false;
  const float *root = on_value(p->arc_root), *heads = head->y + from * k;
  float *droot = on_grad(step, p->arc_root), *dheads = head->dy + from * k;
  on_step_linear_forward(mapped, dep->y + from * k, p->arc.weight, p->arc.bias, n);
  on_train_linear_forward(score, n, mapped, k, heads, NULL, n, n, k);
  for (size_t i = 0; i < n; i++) {
    float sum = 0;
    for (size_t a = 0; a < k; a++) sum += mapped[i * k + a] * root[a];
    score[i * n + i] = sum;
  }
  *loss = on_train_cross_entropy(score, score, n, target, n, n, 0, scale);
  for (size_t i = 0; i < n; i++) {
    float g = score[i * n + i];
    for (size_t a = 0; a < k; a++) {
      dmapped[i * k + a] += g * root[a];
      droot[a] += g * mapped[i * k + a];
    }
    score[i * n + i] = 0;
  }
  on_train_linear_backward(dmapped, k, dheads, NULL, score, n, mapped, k, heads, n, n, k);
  on_step_linear_backward(step, dep->dy + from * k, dmapped, dep->y + from * k, p->arc.weight, p->arc.bias, n);
  return true;
}

// What label_step and sum_step have in common: whose label is learned, by which head.
typedef struct gold {
  int32_t *target;    // label, or -1
  int64_t *head_row;  // -1: the artificial root
  float *q, *dq;      // [m][k]: the projections of the heads
} gold;

static bool gold_arcs(const on_parser *p, const on_map *map, on_train_step *step, const projection *head, gold *out) {
  size_t k = p->label_width, m = step->m;
  *out = (gold){ON_NEW(&step->arena, int32_t, m), ON_NEW(&step->arena, int64_t, m), ON_NEW(&step->arena, float, m * k),
                ON_NEW0(&step->arena, float, m * k)};
  if (!out->target || !out->head_row || !out->q || !out->dq) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_doc *doc = &step->docs[d];
    for (size_t i = 0; i < doc->n; i++) {
      size_t row = step->starts[d] + i;
      bool root = doc->head[i] == i;
      int64_t of = root ? -1 : (int64_t)(step->starts[d] + doc->head[i]);
      out->head_row[row] = of;
      out->target[row] = doc->dep && !(root && p->root_label >= 0) ? on_label_target(map, doc->dep[i]) : -1;
      memcpy(out->q + row * k, root ? on_value(p->label_root) : head->y + (size_t)of * k, k * sizeof *out->q);
    }
  }
  return true;
}

// The gradients of the heads' projections go where those came from.
static void arcs_backward(const on_parser *p, on_train_step *step, projection *head, const gold *arcs) {
  size_t k = p->label_width;
  for (size_t i = 0; i < step->m; i++) {
    float *into = arcs->head_row[i] < 0 ? on_grad(step, p->label_root) : head->dy + (size_t)arcs->head_row[i] * k;
    for (size_t a = 0; a < k; a++) into[a] += arcs->dq[i * k + a];
  }
}

// Labels of the gold arcs of all words whose gold head and label are known; a root's label is given.
static bool label_step(const on_parser *p, const on_map *map, on_train_step *step, projection *dep, projection *head,
                       float scale, on_train_loss *loss) {
  size_t k = p->label_width, labels = p->labels.n, m = step->m;
  gold arcs;
  float *w_dep = ON_NEW(&step->arena, float, labels * k), *w_head = ON_NEW(&step->arena, float, labels * k);
  float *dw_dep = ON_NEW0(&step->arena, float, labels * k), *dw_head = ON_NEW0(&step->arena, float, labels * k);
  float *scores = ON_NEW(&step->arena, float, m * labels);
  float *scratch = ON_NEW(&step->arena, float, on_train_label_scratch(m, labels, k));
  if (!w_dep || !w_head || !dw_dep || !dw_head || !scores || !scratch || !gold_arcs(p, map, step, head, &arcs)) {
    return false;
  }
  // label_linear reads [dependent; head]: its two halves as matrices of their own
  const float *linear = on_value(p->label_linear.weight);
  for (size_t l = 0; l < labels; l++) {
    memcpy(w_dep + l * k, linear + l * 2 * k, k * sizeof *w_dep);
    memcpy(w_head + l * k, linear + l * 2 * k + k, k * sizeof *w_head);
  }
  const float *u = p->bilinear ? on_value(p->bilinear) : NULL;
  // the parameter holds B_l^T (rows of the head's dimension), so the roles of the two sides are swapped
  on_train_label_forward(scores, arcs.q, dep->y, u, w_head, w_dep, on_value(p->label_linear.bias), m, labels, k,
                         scratch);
  *loss = on_train_cross_entropy(scores, scores, labels, arcs.target, m, labels, step->rates->smoothing, scale);
  on_train_label_backward(arcs.dq, dep->dy, p->bilinear ? on_grad(step, p->bilinear) : NULL, dw_head, dw_dep,
                          on_grad(step, p->label_linear.bias), scores, arcs.q, dep->y, u, w_head, w_dep, m, labels, k,
                          scratch);
  float *dlinear = on_grad(step, p->label_linear.weight);
  for (size_t l = 0; l < labels; l++) {
    for (size_t a = 0; a < k; a++) {
      dlinear[l * 2 * k + a] += dw_dep[l * k + a];
      dlinear[l * 2 * k + k + a] += dw_head[l * k + a];
    }
  }
  arcs_backward(p, step, head, &arcs);
  return true;
}

// The same with labelSum: scores = label_linear relu(dep + head).
static bool sum_step(const on_parser *p, const on_map *map, on_train_step *step, projection *dep, projection *head,
                     float scale, on_train_loss *loss) {
  size_t k = p->label_width, labels = p->labels.n, m = step->m;
  bool ok = true;
  gold arcs;
  float *z = ON_NEW(&step->arena, float, m * k), *dz = ON_NEW0(&step->arena, float, m * k);
  float *scores = ON_NEW(&step->arena, float, m * labels);
  if (!z || !dz || !scores || !gold_arcs(p, map, step, head, &arcs)) return false;
  for (size_t j = 0; j < m * k; j++) z[j] = dep->y[j] + arcs.q[j];
  on_train_relu_forward(z, z, m * k);
  float *mask = on_step_dropout(step, z, m * k, step->rates->projection, &ok);
  if (!ok) return false;
  on_step_linear_forward(scores, z, p->label_linear.weight, p->label_linear.bias, m);
  *loss = on_train_cross_entropy(scores, scores, labels, arcs.target, m, labels, step->rates->smoothing, scale);
  on_step_linear_backward(step, dz, scores, z, p->label_linear.weight, p->label_linear.bias, m);
  if (mask) on_train_apply_mask(dz, mask, m * k);
  on_train_relu_backward(dz, dz, z, m * k);
  for (size_t j = 0; j < m * k; j++) {
    dep->dy[j] += dz[j];
    arcs.dq[j] = dz[j];
  }
  arcs_backward(p, step, head, &arcs);
  return true;
}

static bool all_arcs(const on_parser *p, on_train_step *step, projection *dep, projection *head, float scale,
                     on_train_loss *loss) {
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_doc *doc = &step->docs[d];
    for (size_t first = 0; first < doc->n;) {
      size_t end = on_doc_sentence_end(doc, first), n = end - first;
      int32_t *target = ON_NEW(&step->arena, int32_t, n);
      if (!target) return false;
      for (size_t i = 0; i < n; i++) target[i] = (int32_t)(doc->head[first + i] - first);
      on_train_loss one = {0};
      if (n <= ON_PARSER_SENTENCE && !arc_step(p, step, dep, head, step->starts[d] + first, n, target, scale, &one)) {
        return false;
      }
      loss->sum += one.sum;
      loss->count += one.count;
      loss->correct += one.correct;
      first = end;
    }
  }
  return true;
}

static bool step_parser(const on_head *head, void *state, on_train_step *step, const float *h, float *dh, float scale,
                        on_train_loss *loss) {
  const on_parser *p = head->state;
  size_t n = step->m * head->width;
  bool ok = true;
  for (size_t d = 0; d < step->doc_count; d++) {
    if (!step->docs[d].head) return true;  // a shard without trees teaches nothing here
  }
  float *x = ON_NEW(&step->arena, float, n);
  float *dx = ON_NEW0(&step->arena, float, n);
  if (!x || !dx) return false;
  memcpy(x, h, n * sizeof *x);
  float *mask = on_step_dropout(step, x, n, step->rates->head, &ok);
  projection arc_dep, arc_head, label_dep, label_head;
  on_train_loss labels = {0};
  *loss = (on_train_loss){0};
  ok = ok && project(&arc_dep, &p->arc_dep, false, step, x) && project(&arc_head, &p->arc_head, false, step, x) &&
       project(&label_dep, &p->label_dep, p->label_sum, step, x) &&
       project(&label_head, &p->label_head, p->label_sum, step, x) &&
       all_arcs(p, step, &arc_dep, &arc_head, scale, loss) &&
       (p->label_sum ? sum_step : label_step)(p, state, step, &label_dep, &label_head, scale, &labels);
  if (!ok) return false;
  projection *all[] = {&arc_dep, &arc_head, &label_dep, &label_head};
  for (int i = 0; i < 4; i++) project_backward(all[i], step, x, dx);
  loss->sum += labels.sum;
  if (mask) on_train_apply_mask(dx, mask, n);
  for (size_t j = 0; j < n; j++) dh[j] += dx[j];
  return true;
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->head != NULL;
}

const on_head_trainer on_parser_trainer = {.name = "parser", .infer = infer, .init = init, .start = start,
                                           .stop = on_label_map_stop, .step = step_parser, .learns = learns};
