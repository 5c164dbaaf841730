// Training of the tagger head.
#include "head/tagger.h"

#include "train/classifier.h"
#include "train/tagger.h"

static const on_str *gold_column(on_tagger_column column, const on_doc *doc) {
  return column == ON_TAGGER_TAG ? doc->tag : column == ON_TAGGER_POS ? doc->pos : doc->morph;
}

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_str name = ON_STR("Tag");
  if (given && !on_json_text(given, "config", "column", true, 16, &name, error)) return false;
  on_tagger_column column = on_str_eq(name, ON_STR("Pos"))     ? ON_TAGGER_POS
                            : on_str_eq(name, ON_STR("Morph")) ? ON_TAGGER_MORPH
                                                               : ON_TAGGER_TAG;
  on_label_counts counts = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    const on_str *gold = gold_column(column, &docs[d]);
    for (size_t i = 0; ok && gold && i < docs[d].n; i++) {
      if (gold[i].p) ok = on_label_count(&counts, gold[i]);
      else if (column == ON_TAGGER_MORPH) ok = on_label_count(&counts, ON_STR("_"));
    }
  }
  return on_label_counts_end(&counts, ok, given, out, error);
}

static void init(const on_head *head, on_random *random) {
  on_classifier_init(&((const on_tagger *)head->state)->output, random);
}

static void *start(const on_head *head, on_arena *arena) {
  return on_label_map_start(&((const on_tagger *)head->state)->labels, arena);
}

static bool step_tagger(const on_head *head, void *state, on_train_step *step, const float *h, float *dh, float scale,
                        on_train_loss *loss) {
  const on_tagger *tagger = head->state;
  int32_t *target = ON_NEW(&step->arena, int32_t, step->m);
  if (!target) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_str *gold = gold_column(tagger->column, &step->docs[d]);
    for (size_t i = 0; i < step->docs[d].n; i++) {
      on_str label = gold ? gold[i] : ON_STR_NONE;
      if (!label.p && gold && tagger->column == ON_TAGGER_MORPH) label = ON_STR("_");
      target[step->starts[d] + i] = on_label_target(state, label);
    }
  }
  return on_classifier_step(&tagger->output, step, h, dh, target, NULL, scale, loss);
}

static bool learns(const on_head *head, const on_doc *doc) {
  return gold_column(((const on_tagger *)head->state)->column, doc) != NULL;
}

const on_head_trainer on_tagger_trainer = {.name = "tagger", .infer = infer, .init = init, .start = start,
                                           .stop = on_label_map_stop, .step = step_tagger, .learns = learns};
