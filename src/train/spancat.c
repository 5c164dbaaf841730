// Training of the spancat head: binary cross entropy of every label of every n-gram of Docs that have the group.
// Nearly all n-grams are no spans. So their bias starts low, and the recipe's config may say "negatives", the share
// of n-grams without a label that a step looks at (1), and "positiveWeight", how many times a span counts (1).
#include "head/spancat.h"

#include <string.h>

#include "base/alloc.h"
#include "nn/fastmath.h"
#include "train/classifier.h"
#include "train/spancat.h"

typedef struct state {
  on_map *labels;
  float *positive;  // [labels]
  float negatives;
  uint8_t size_index[ON_MAX_SPAN_SIZE + 1];  // of a size, from 1; 0: not listed
} state;

// ---- what the data says -----------------------------------------------------------------------------

// The group to learn: what the recipe says, else the only one that there is.
static bool find_key(const on_json *given, const on_doc *docs, size_t count, on_str *key, on_error *error) {
  if (given && !on_json_text(given, "config", "spans_key", false, ON_MAX_SPANS_KEY_UNITS, key, error)) return false;
  if (key->p) return true;
  for (size_t d = 0; d < count; d++) {
    for (size_t i = 0; i < docs[d].group_count; i++) {
      on_str name = docs[d].groups[i].name;
      if (!key->p) *key = name;
      if (on_str_eq(*key, name)) continue;
      return on_fail(error, ON_INVALID_DATA, -1,
                     "recipe: the data has the span groups \"%.*s\" and \"%.*s\": say which in config.spans_key",
                     ON_SHOW(*key), ON_SHOW(name));
    }
  }
  return key->p || on_fail(error, ON_INVALID_DATA, -1, "recipe: no span group in the training data");
}

// Appends the commonest sizes until 99.5 % of the spans have one of them, at most ON_MAX_SPAN_SIZES, rising.
static void write_sizes(on_buf *out, on_str key, const on_doc *docs, size_t count) {
  uint64_t seen[ON_MAX_SPAN_SIZE + 1] = {0}, all = 0, covered = 0;
  bool listed[ON_MAX_SPAN_SIZE + 1] = {0};
  for (size_t d = 0; d < count; d++) {
    const on_span_group *group = on_doc_group(&docs[d], key);
    for (size_t i = 0; group && i < group->count; i++) {
      uint32_t size = group->spans[i].end - group->spans[i].first;
      all++;
      if (size <= ON_MAX_SPAN_SIZE) seen[size]++;
    }
  }
  for (int sizes = 0; sizes < ON_MAX_SPAN_SIZES && (sizes == 0 || covered * 1000 < all * 995); sizes++) {
    int best = 0;
    for (int size = 1; size <= ON_MAX_SPAN_SIZE; size++) {
      if (!listed[size] && (best == 0 || seen[size] > seen[best])) best = size;
    }
    if (sizes > 0 && seen[best] == 0) break;
    listed[best] = true;
    covered += seen[best];
  }
  on_buf_str(out, ON_STR("\"sizes\": ["));
  bool first = true;
  for (int size = 1; size <= ON_MAX_SPAN_SIZE; size++) {
    if (!listed[size]) continue;
    if (!first) on_buf_str(out, ON_STR(", "));
    first = false;
    on_buf_u64(out, (uint64_t)size);
  }
  on_buf_str(out, ON_STR("], "));
}

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_str key = ON_STR_NONE;
  if (!find_key(given, docs, count, &key, error)) return false;
  on_label_counts counts = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    const on_span_group *group = on_doc_group(&docs[d], key);
    for (size_t i = 0; ok && group && i < group->count; i++) ok = on_label_count(&counts, group->spans[i].label);
  }
  on_config_begin(out, given);
  if (!given || !on_json_get(given, "spans_key")) {
    on_buf_str(out, ON_STR("\"spans_key\": "));
    on_json_write_string(out, key);
    on_buf_str(out, ON_STR(", "));
  }
  if (!given || !on_json_get(given, "sizes")) write_sizes(out, key, docs, count);
  if (!given || !on_json_get(given, "threshold")) on_buf_str(out, ON_STR("\"threshold\": 0.5, "));
  ok = ok && on_label_counts_write(&counts, 1, out);
  on_buf_char(out, '}');
  on_label_counts_free(&counts);
  return ok || on_fail_memory(error);
}

// ---- set-up -----------------------------------------------------------------------------------------

static void init(const on_head *head, on_random *random) {
  const on_spancat *s = head->state;
  if (s->hidden) {
    on_init_glorot(s->weight, random);
    on_init_constant(s->bias, 0);
  }
  on_classifier_init(&s->output, random);
  on_init_constant(s->output.bias[0], -4);
}

static void *start(const on_head *head, on_arena *arena) {
  const on_spancat *spancat = head->state;
  state *s = ON_NEW0(arena, state, 1);
  if (!s) return NULL;
  s->positive = ON_NEW(arena, float, spancat->labels.n);
  if (!s->positive) return NULL;
  s->negatives = 1;
  for (uint32_t i = 0; i < spancat->labels.n; i++) s->positive[i] = 1;
  for (uint32_t i = 0; i < spancat->size_count; i++) s->size_index[spancat->sorted[i]] = (uint8_t)(i + 1);
  s->labels = on_label_map_start(&spancat->labels, arena);
  return s->labels ? s : NULL;
}

static void stop(void *data) { on_label_map_stop(((state *)data)->labels); }

static bool read_number(const on_json *config, const char *key, double max, float *out, on_error *error) {
  const on_json *value = on_json_get(config, key);
  if (!value) return true;
  double number = on_json_type(value) == ON_JSON_NUMBER ? on_json_number(value) : 0;
  *out = (float)number;
  return (number > 0 && number <= max) ||
         on_fail(error, ON_INVALID_DATA, -1, "config.%s: want a number above 0, at most %g", key, max);
}

static bool configure(const on_head *head, void *data, const on_json *config, on_error *error) {
  state *s = data;
  float weight = 1;
  if (!read_number(config, "negatives", 1, &s->negatives, error) ||
      !read_number(config, "positiveWeight", 1000, &weight, error)) {
    return false;
  }
  for (uint32_t i = 0; i < ((const on_spancat *)head->state)->labels.n; i++) s->positive[i] = weight;
  return true;
}

static bool learns(const on_head *head, const on_doc *doc) {
  return on_doc_group(doc, ((const on_spancat *)head->state)->key) != NULL;
}

// ---- a step -----------------------------------------------------------------------------------------

// An n-gram of the Doc at hand; UINT32_MAX in `number` where it is left out.
typedef struct ngrams {
  uint32_t *number;  // [tokens][sizes]: its number among those that are looked at
  size_t count;
  float *target;     // [count][labels]
} ngrams;

static bool list_ngrams(const on_spancat *s, const state *data, on_train_step *step, const on_doc *doc, ngrams *out) {
  size_t sizes = s->size_count, labels = s->labels.n;
  uint32_t *number = out->number = ON_NEW0(&step->arena, uint32_t, doc->n * sizes);
  if (!number) return false;
  const on_span_group *group = on_doc_group(doc, s->key);
  for (size_t i = 0; i < group->count; i++) {
    uint32_t size = group->spans[i].end - group->spans[i].first;
    uint8_t index = size <= ON_MAX_SPAN_SIZE ? data->size_index[size] : 0;
    if (index) number[group->spans[i].first * sizes + index - 1] = 1;  // always looked at
  }
  out->count = 0;
  for (size_t i = 0; i < doc->n; i++) {
    for (size_t k = 0; k < sizes; k++) {
      uint32_t *at = &number[i * sizes + k];
      bool there = s->sorted[k] <= doc->n - i;
      bool wanted = there && (*at || data->negatives >= 1 || on_random_unit(&step->random) < data->negatives);
      *at = wanted ? (uint32_t)out->count++ : UINT32_MAX;
    }
  }
  out->target = ON_NEW0(&step->arena, float, out->count * labels);
  if (!out->target) return false;
  for (size_t i = 0; i < group->count; i++) {
    uint32_t size = group->spans[i].end - group->spans[i].first;
    uint8_t index = size <= ON_MAX_SPAN_SIZE ? data->size_index[size] : 0;
    int32_t label = on_label_target(data->labels, group->spans[i].label);
    if (!index || label < 0) continue;
    out->target[number[group->spans[i].first * sizes + index - 1] * labels + (size_t)label] = 1;
  }
  return true;
}

// The three products of one layer with the vectors of all tokens, and their gradients: [m][rows].
typedef struct parts {
  float *y[3], *dy[3];
} parts;

static bool make_parts(const on_spancat *s, on_train_step *step, const float *x, size_t width, parts *p) {
  size_t rows = s->rows, m = step->m;
  for (size_t i = 0; i < 3; i++) {
    p->y[i] = ON_NEW(&step->arena, float, m * rows);
    p->dy[i] = ON_NEW0(&step->arena, float, m * rows);
    if (!p->y[i] || !p->dy[i]) return false;
    on_gemm_nt(p->y[i], rows, x, width, on_value(s->weight) + i * width, 3 * width, m, rows, width, 0);
  }
  return true;
}

static void parts_backward(const on_spancat *s, const on_train_step *step, const float *x, float *dx, size_t width,
                           const parts *p) {
  size_t rows = s->rows, m = step->m;
  for (size_t i = 0; i < 3; i++) {
    on_gemm_tn(on_grad(step, s->weight) + i * width, 3 * width, p->dy[i], rows, x, width, rows, width, m, 1);
    on_gemm_nn(dx, width, p->dy[i], rows, on_value(s->weight) + i * width, 3 * width, m, width, rows, 1);
  }
  on_train_add_rows(on_grad(step, s->bias), p->dy[1], rows, m, rows);
}

// layer[count][rows], before the activation, of the n-grams of the Doc whose tokens begin at row `base`.
static void forward(const on_spancat *s, const parts *p, const ngrams *list, size_t base, size_t n, float *sum,
                    float *layer) {
  size_t rows = s->rows, sizes = s->size_count;
  const float *bias = on_value(s->bias);
  for (size_t i = 0; i < n; i++) {
    size_t done = 0;
    memset(sum, 0, rows * sizeof *sum);
    for (size_t k = 0; k < sizes && s->sorted[k] <= n - i; k++) {
      size_t size = s->sorted[k];
      for (; done < size; done++) on_axpy(sum, 1, p->y[0] + (base + i + done) * rows, rows);
      uint32_t g = list->number[i * sizes + k];
      if (g == UINT32_MAX) continue;
      const float *first = p->y[1] + (base + i) * rows, *last = p->y[2] + (base + i + size - 1) * rows;
      float *out = layer + g * rows, share = 1 / (float)size;
      for (size_t r = 0; r < rows; r++) out[r] = sum[r] * share + first[r] + last[r] + bias[r];
    }
  }
}

static void backward(const on_spancat *s, const parts *p, const ngrams *list, size_t base, size_t n, float *sum,
                     const float *dlayer) {
  size_t rows = s->rows, sizes = s->size_count;
  for (size_t i = 0; i < n; i++) {
    memset(sum, 0, rows * sizeof *sum);
    size_t k = 0;
    while (k < sizes && s->sorted[k] <= n - i) k++;
    // From the longest n-gram down: a token is in all that are longer than its distance from the first.
    for (size_t done = k ? s->sorted[k - 1] : 0; k > 0; k--) {
      size_t size = s->sorted[k - 1], shorter = k > 1 ? s->sorted[k - 2] : 0;
      uint32_t g = list->number[i * sizes + k - 1];
      if (g != UINT32_MAX) {
        const float *d = dlayer + g * rows;
        on_axpy(sum, 1 / (float)size, d, rows);
        on_axpy(p->dy[1] + (base + i) * rows, 1, d, rows);
        on_axpy(p->dy[2] + (base + i + size - 1) * rows, 1, d, rows);
      }
      for (; done > shorter; done--) on_axpy(p->dy[0] + (base + i + done - 1) * rows, 1, sum, rows);
    }
  }
}

static bool doc_step(const on_spancat *s, const state *data, on_train_step *step, size_t d, const parts *p,
                     float scale, on_train_loss *loss) {
  const on_doc *doc = &step->docs[d];
  size_t rows = s->rows, labels = s->labels.n;
  ngrams list;
  bool ok = list_ngrams(s, data, step, doc, &list);
  if (!ok || list.count == 0) return ok;
  float *sum = ON_NEW(&step->arena, float, rows);
  float *layer = ON_NEW(&step->arena, float, list.count * rows);
  float *logits = s->hidden ? ON_NEW(&step->arena, float, list.count * labels) : layer;
  float *dlayer = s->hidden ? ON_NEW0(&step->arena, float, list.count * rows) : layer;
  if (!sum || !layer || !logits || !dlayer) return false;
  forward(s, p, &list, step->starts[d], doc->n, sum, layer);
  float *mask = NULL;
  if (s->hidden) {
    on_train_relu_forward(layer, layer, list.count * rows);
    mask = on_step_dropout(step, layer, list.count * rows, step->rates->projection, &ok);
    on_step_linear_forward(logits, layer, s->output.weight[0], s->output.bias[0], list.count);
  }
  on_train_loss one = on_train_weighted_binary_cross_entropy(logits, logits, list.target, data->positive, list.count,
                                                             labels, scale);
  loss->sum += one.sum;
  loss->count += one.count;
  loss->correct += one.correct;
  if (s->hidden) {
    on_step_linear_backward(step, dlayer, logits, layer, s->output.weight[0], s->output.bias[0], list.count);
    if (mask) on_train_apply_mask(dlayer, mask, list.count * rows);
    on_train_relu_backward(dlayer, dlayer, layer, list.count * rows);
  }
  backward(s, p, &list, step->starts[d], doc->n, sum, dlayer);
  return ok;
}

static bool step_spancat(const on_head *head, void *data, on_train_step *step, const float *h, float *dh, float scale,
                         on_train_loss *loss) {
  const on_spancat *s = head->state;
  size_t n = step->m * head->width;
  bool ok = true;
  *loss = (on_train_loss){0};
  float *x = ON_NEW(&step->arena, float, n), *dx = ON_NEW0(&step->arena, float, n);
  if (!x || !dx) return false;
  memcpy(x, h, n * sizeof *x);
  float *mask = on_step_dropout(step, x, n, step->rates->head, &ok);
  parts p;
  ok = ok && make_parts(s, step, x, head->width, &p);
  for (size_t d = 0; ok && d < step->doc_count; d++) ok = doc_step(s, data, step, d, &p, scale, loss);
  if (!ok) return false;
  parts_backward(s, step, x, dx, head->width, &p);
  if (mask) on_train_apply_mask(dx, mask, n);
  for (size_t j = 0; j < n; j++) dh[j] += dx[j];
  return true;
}

const on_head_trainer on_spancat_trainer = {.name = "spancat", .infer = infer, .init = init, .start = start,
                                            .stop = stop, .step = step_spancat, .learns = learns,
                                            .configure = configure};
