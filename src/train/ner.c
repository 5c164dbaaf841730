// Training of the ner head: softmax over the tags of each token of Docs that are annotated with entities.
//
// Data in which entities were forgotten: in the recipe's config "doubt" says from which probability of O on (0, the
// default, to 1) a token outside of all entities is believed to be there. Below it the token teaches nothing.
// "positiveWeight" (1): how many times a token of an entity counts.
#include "head/ner.h"

#include <string.h>

#include "nn/math.h"
#include "train/classifier.h"
#include "train/ner.h"

typedef struct state {
  on_map *labels;
  float doubt, positive;
} state;

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_label_counts counts = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    for (size_t i = 0; ok && i < docs[d].ent_count; i++) {
      ok = !docs[d].ents[i].label.p || on_label_count(&counts, docs[d].ents[i].label);
    }
  }
  return on_label_counts_end(&counts, ok, given, out, error);
}

// O first: before anything is learned, a token is outside, and not in doubt.
static void init(const on_head *head, on_random *random) {
  const on_ner *ner = head->state;
  on_classifier_init(&ner->output, random);
  on_value_mutable(ner->output.bias[0])[0] = 4;
}

static void *start(const on_head *head, on_arena *arena) {
  state *s = ON_NEW0(arena, state, 1);
  if (!s) return NULL;
  s->labels = on_label_map_start(&((const on_ner *)head->state)->labels, arena);
  return s->labels ? s : NULL;
}

static void stop(void *data) { on_label_map_stop(((state *)data)->labels); }

static bool read_number(const on_json *config, const char *key, double min, double max, float absent, float *out,
                        on_error *error) {
  const on_json *value = on_json_get(config, key);
  double number = !value ? (double)absent : on_json_type(value) == ON_JSON_NUMBER ? on_json_number(value) : min - 1;
  *out = (float)number;
  return (number >= min && number <= max) ||
         on_fail(error, ON_INVALID_DATA, -1, "config.%s: want a number from %g to %g", key, min, max);
}

static bool configure(const on_head *head, void *data, const on_json *config, on_error *error) {
  (void)head;
  state *s = data;
  return read_number(config, "doubt", 0, 1, 0, &s->doubt, error) &&
         read_number(config, "positiveWeight", 0.01, 100, 1, &s->positive, error);
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->has_ents;
}

// The tags of a Doc; tokens of an entity whose label the head does not have teach nothing.
static void gold_tags(const on_map *map, const on_doc *doc, int32_t *target) {
  for (size_t i = 0; i < doc->n; i++) target[i] = ON_BILUO_O;
  for (size_t e = 0; e < doc->ent_count; e++) {
    const on_span *ent = &doc->ents[e];
    int32_t label = on_label_target(map, ent->label);
    for (uint32_t i = ent->first; i < ent->end; i++) {
      bool first = i == ent->first, last = i + 1 == ent->end;
      uint32_t which = first ? (last ? ON_BILUO_U : ON_BILUO_B) : (last ? ON_BILUO_L : ON_BILUO_I);
      target[i] = label < 0 ? -1 : (int32_t)on_biluo_tag((uint32_t)label, which);
    }
  }
}

// Tokens that are said to be outside and look otherwise.
static void leave_out_doubtful(float doubt, const float *scores, size_t tags, int32_t *target, size_t m) {
  for (size_t i = 0; i < m; i++) {
    const float *x = scores + i * tags;
    if (target[i] != ON_BILUO_O) continue;
    float total = 0;  // of exp(x - x[O]), at least 1
    for (size_t t = 0; t < tags && total < 1e6f; t++) total += on_exp(x[t] - x[ON_BILUO_O]);
    if (1 / total < doubt) target[i] = -1;
  }
}

// How many times each row counts; NULL: out of memory.
static float *row_weights(const state *s, on_train_step *step, const int32_t *target) {
  float *rows = ON_NEW(&step->arena, float, step->m);
  for (size_t i = 0; rows && i < step->m; i++) rows[i] = target[i] == ON_BILUO_O ? 1 : s->positive;
  return rows;
}

static bool step_ner(const on_head *head, void *data, on_train_step *step, const float *h, float *dh, float scale,
                     on_train_loss *loss) {
  const on_ner *ner = head->state;
  const state *s = data;
  size_t tags = on_biluo_tags(ner->labels.n);
  int32_t *target = ON_NEW(&step->arena, int32_t, step->m);
  if (!target) return false;
  for (size_t d = 0; d < step->doc_count; d++) gold_tags(s->labels, &step->docs[d], target + step->starts[d]);
  if (s->doubt > 0) {
    float *scores = ON_NEW(&step->arena, float, step->m * tags);
    if (!scores) return false;
    on_step_linear_forward(scores, h, ner->output.weight[0], ner->output.bias[0], step->m);
    leave_out_doubtful(s->doubt, scores, tags, target, step->m);
  }
  float *rows = NULL;
  if (s->positive != 1 && !(rows = row_weights(s, step, target))) return false;
  return on_classifier_step(&ner->output, step, h, dh, target, rows, scale, loss);
}

const on_head_trainer on_ner_trainer = {.name = "ner", .infer = infer, .init = init, .start = start, .stop = stop,
                                        .step = step_ner, .learns = learns, .configure = configure};
