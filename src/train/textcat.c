// Training of the textcat head. One category: softmax cross entropy against the category with the highest gold
// value. Several: binary cross entropy of each, where a category that the example does not name is absent (0).
//
// Rare categories: in the recipe's config "classWeights" is "none", "balanced" or "sqrt" (the default), the square
// root of balanced. Balanced weights an example of a category by what its frequency falls short of the mean; with
// several categories, its presence by how much rarer that is than its absence. At most 10 times.
#include "head/textcat.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "train/classifier.h"
#include "train/textcat.h"

typedef struct state {
  on_map *labels;
  float *weights;  // [labels]: of an example (one category) or of its presence (several)
} state;

static bool is_given(const on_cat *cat) { return cat->score >= ON_CATEGORY_THRESHOLD; }

// The category of an example that has one; NULL: none.
static const on_cat *gold_category(const on_doc *doc) {
  const on_cat *best = NULL;
  for (size_t i = 0; i < doc->cat_count; i++) {
    if (doc->cats[i].score > (best ? best->score : 0)) best = &doc->cats[i];
  }
  return best;
}

static bool looks_multi_label(const on_doc *docs, size_t count) {
  for (size_t d = 0; d < count; d++) {
    size_t given = 0;
    for (size_t i = 0; i < docs[d].cat_count; i++) given += is_given(&docs[d].cats[i]);
    if (docs[d].cats && given != 1) return true;
  }
  return false;
}

static bool count_labels(on_label_counts *counts, const on_doc *docs, size_t count) {
  for (size_t d = 0; d < count; d++) {
    for (size_t i = 0; i < docs[d].cat_count; i++) {
      if (!on_label_count(counts, docs[d].cats[i].label)) return false;
    }
  }
  return true;
}

static float weight_of(double ratio, bool square_root) {
  if (square_root) ratio = sqrt(ratio);
  return (float)(ratio < 0.1 ? 0.1 : ratio > 10 ? 10 : ratio);
}

// Appends "weights": an object of label to weight.
static bool write_weights(on_buf *out, const on_doc *docs, size_t count, bool multi, bool square_root) {
  on_label_counts given = {0};
  uint64_t examples = 0;
  bool ok = true, first = true;
  for (size_t d = 0; ok && d < count; d++) {
    if (!docs[d].cats) continue;
    examples++;
    if (!multi) {
      const on_cat *gold = gold_category(&docs[d]);
      if (gold) ok = on_label_count(&given, gold->label);
    }
    for (size_t i = 0; ok && multi && i < docs[d].cat_count; i++) {
      if (is_given(&docs[d].cats[i])) ok = on_label_count(&given, docs[d].cats[i].label);
    }
  }
  double mean = given.n ? (double)examples / (double)given.n : 1;
  on_buf_str(out, ON_STR(", \"weights\": {"));
  for (size_t i = 0; ok && i < given.n; i++) {
    double there = (double)given.counts[i], ratio = multi ? ((double)examples - there) / there : mean / there;
    if (!first) on_buf_str(out, ON_STR(", "));
    first = false;
    on_json_write_string(out, given.keys[i]);
    on_buf_str(out, ON_STR(": "));
    on_buf_f32(out, weight_of(multi && ratio < 1 ? 1 : ratio, square_root));
  }
  on_buf_char(out, '}');
  on_label_counts_free(&given);
  return ok;
}

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_str weights = ON_STR_NONE;
  if (given && !on_json_text(given, "config", "classWeights", false, 16, &weights, error)) return false;
  if (!weights.p) weights = ON_STR("sqrt");
  bool none = on_str_eq(weights, ON_STR("none")), square_root = on_str_eq(weights, ON_STR("sqrt"));
  if (!none && !square_root && !on_str_eq(weights, ON_STR("balanced"))) {
    return on_fail(error, ON_INVALID_DATA, -1, "config.classWeights: want \"none\", \"sqrt\" or \"balanced\"");
  }
  const on_json *multi_label = given ? on_json_get(given, "multi_label") : NULL;
  bool multi = multi_label && on_json_type(multi_label) == ON_JSON_BOOL ? on_json_bool(multi_label)
                                                                        : looks_multi_label(docs, count);
  on_label_counts counts = {0};
  bool ok = count_labels(&counts, docs, count);
  on_config_begin(out, given);
  if (!multi_label) on_buf_format(out, "\"multi_label\": %s, ", multi ? "true" : "false");
  ok = ok && on_label_counts_write(&counts, 1, out) && (none || write_weights(out, docs, count, multi, square_root));
  on_buf_char(out, '}');
  on_label_counts_free(&counts);
  return ok || on_fail_memory(error);
}

static void init(const on_head *head, on_random *random) {
  const on_textcat *textcat = head->state;
  if (textcat->hidden) {
    on_init_glorot(textcat->hidden_weight, random);
    on_init_constant(textcat->hidden_bias, 0);
  }
  on_classifier_init(&textcat->output, random);
}

static void *start(const on_head *head, on_arena *arena) {
  const on_textcat *textcat = head->state;
  state *s = ON_NEW0(arena, state, 1);
  if (!s) return NULL;
  s->weights = ON_NEW(arena, float, textcat->labels.n);
  if (!s->weights) return NULL;
  for (uint32_t i = 0; i < textcat->labels.n; i++) s->weights[i] = 1;
  s->labels = on_label_map_start(&textcat->labels, arena);
  return s->labels ? s : NULL;
}

static void stop(void *data) { on_label_map_stop(((state *)data)->labels); }

static bool configure(const on_head *head, void *data, const on_json *config, on_error *error) {
  (void)head, (void)error;
  state *s = data;
  const on_json *weights = on_json_get(config, "weights");
  if (!weights || on_json_type(weights) != ON_JSON_OBJECT) return true;
  for (const on_json *member = on_json_first(weights); member; member = on_json_next(member)) {
    int32_t label = on_label_target(s->labels, on_json_key(member));
    if (label >= 0 && on_json_type(member) == ON_JSON_NUMBER) s->weights[label] = (float)on_json_number(member);
  }
  return true;
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->cats != NULL && doc->n > 0;
}

// logits[docs][labels] become their gradient.
static bool loss_of_docs(const on_textcat *textcat, const state *s, on_train_step *step, float *logits, float scale,
                         on_train_loss *loss) {
  size_t n = textcat->labels.n;
  float *target = textcat->multi_label ? ON_NEW0(&step->arena, float, step->doc_count * n) : NULL;
  if (textcat->multi_label && !target) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_doc *doc = &step->docs[d];
    for (size_t i = 0; target && i < doc->cat_count; i++) {
      int32_t label = on_label_target(s->labels, doc->cats[i].label);
      if (label >= 0) target[d * n + (size_t)label] = doc->cats[i].score;
    }
    if (target) continue;
    const on_cat *gold = gold_category(doc);
    int32_t label = gold ? on_label_target(s->labels, gold->label) : -1;
    float weight = label < 0 ? 1 : s->weights[label];
    on_train_loss one = on_train_cross_entropy(logits + d * n, logits + d * n, n, &label, 1, n,
                                               step->rates->smoothing, scale * weight);
    loss->sum += one.sum * (double)weight;
    loss->count += one.count;
    loss->correct += one.correct;
  }
  if (target) {
    *loss = on_train_weighted_binary_cross_entropy(logits, logits, target, s->weights, step->doc_count, n, scale);
  }
  return true;
}

static bool step_textcat(const on_head *head, void *data, on_train_step *step, const float *h, float *dh, float scale,
                         on_train_loss *loss) {
  const on_textcat *textcat = head->state;
  size_t width = head->width, docs = step->doc_count, labels = textcat->labels.n, hidden = textcat->hidden;
  float *mean = ON_NEW0(&step->arena, float, docs * width), *dmean = ON_NEW0(&step->arena, float, docs * width);
  float *inner = hidden ? ON_NEW(&step->arena, float, docs * hidden) : mean;
  float *dinner = hidden ? ON_NEW0(&step->arena, float, docs * hidden) : dmean;
  float *logits = ON_NEW(&step->arena, float, docs * labels);
  bool ok = true;
  *loss = (on_train_loss){0};
  if (!mean || !dmean || !inner || !dinner || !logits) return false;
  for (size_t d = 0; d < docs; d++) {
    size_t n = step->docs[d].n;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < width; j++) mean[d * width + j] += h[(step->starts[d] + i) * width + j];
    }
    for (size_t j = 0; j < width; j++) mean[d * width + j] /= (float)n;
  }
  float *mask = on_step_dropout(step, mean, docs * width, step->rates->head, &ok), *inner_mask = NULL;
  if (hidden) {
    on_step_linear_forward(inner, mean, textcat->hidden_weight, textcat->hidden_bias, docs);
    on_train_relu_forward(inner, inner, docs * hidden);
    inner_mask = on_step_dropout(step, inner, docs * hidden, step->rates->projection, &ok);
  }
  on_step_linear_forward(logits, inner, textcat->output.weight[0], textcat->output.bias[0], docs);
  if (!ok || !loss_of_docs(textcat, data, step, logits, scale, loss)) return false;
  on_step_linear_backward(step, dinner, logits, inner, textcat->output.weight[0], textcat->output.bias[0], docs);
  if (hidden) {
    if (inner_mask) on_train_apply_mask(dinner, inner_mask, docs * hidden);
    on_train_relu_backward(dinner, dinner, inner, docs * hidden);
    on_step_linear_backward(step, dmean, dinner, mean, textcat->hidden_weight, textcat->hidden_bias, docs);
  }
  if (mask) on_train_apply_mask(dmean, mask, docs * width);
  for (size_t d = 0; d < docs; d++) {
    size_t n = step->docs[d].n;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < width; j++) dh[(step->starts[d] + i) * width + j] += dmean[d * width + j] / (float)n;
    }
  }
  return true;
}

const on_head_trainer on_textcat_trainer = {.name = "textcat", .infer = infer, .init = init, .start = start,
                                            .stop = stop, .step = step_textcat, .learns = learns,
                                            .configure = configure};
