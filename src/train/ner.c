// Training of the ner head: softmax over the tags of each token of Docs that are annotated with entities.
#include "head/ner.h"

#include "train/classifier.h"
#include "train/ner.h"

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_label_counts counts = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    for (size_t i = 0; ok && i < docs[d].ent_count; i++) ok = on_label_count(&counts, docs[d].ents[i].label);
  }
  on_config_begin(out, given);
  ok = ok && on_label_counts_write(&counts, 1, out);
  on_buf_char(out, '}');
  on_label_counts_free(&counts);
  return ok || on_fail_memory(error);
}

static void init(const on_head *head, on_random *random) {
  on_classifier_init(&((const on_ner *)head->state)->output, random);
}

static void *start(const on_head *head, on_arena *arena) {
  return on_label_map_start(&((const on_ner *)head->state)->labels, arena);
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

static bool step_ner(const on_head *head, void *state, on_train_step *step, const float *h, float *dh, float scale,
                     on_train_loss *loss) {
  int32_t *target = ON_NEW(&step->arena, int32_t, step->m);
  if (!target) return false;
  for (size_t d = 0; d < step->doc_count; d++) gold_tags(state, &step->docs[d], target + step->starts[d]);
  return on_classifier_step(&((const on_ner *)head->state)->output, step, h, dh, target, scale, loss);
}

const on_head_trainer on_ner_trainer = {.name = "ner", .infer = infer, .init = init, .start = start,
                                        .stop = on_label_map_stop, .step = step_ner, .learns = learns};
