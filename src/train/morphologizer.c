// Training of the morphologizer head.
#include "head/morphologizer.h"

#include "train/classifier.h"
#include "train/morphologizer.h"

// The joint label of a token, or p NULL when its UPOS is not set; memory from `buf`.
static on_str gold_label(const on_doc *doc, size_t i, on_buf *buf) {
  if (!doc->pos || !doc->pos[i].p) return ON_STR_NONE;
  on_buf_clear(buf);
  on_buf_str(buf, ON_STR("POS="));
  on_buf_str(buf, doc->pos[i]);
  if (doc->morph && doc->morph[i].p) {
    on_buf_char(buf, '|');
    on_buf_str(buf, doc->morph[i]);
  }
  return on_buf_view(buf);
}

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_label_counts counts = {0};
  on_buf buf = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    for (size_t i = 0; ok && i < docs[d].n; i++) {
      on_str label = gold_label(&docs[d], i, &buf);
      if (label.p) ok = !buf.failed && on_label_count(&counts, label);
    }
  }
  on_buf_free(&buf);
  return on_label_counts_end(&counts, ok, given, out, error);
}

static void init(const on_head *head, on_random *random) {
  on_classifier_init(&((const on_morphologizer *)head->state)->output, random);
}

static void *start(const on_head *head, on_arena *arena) {
  return on_label_map_start(&((const on_morphologizer *)head->state)->labels, arena);
}

static bool step_morphologizer(const on_head *head, void *state, on_train_step *step, const float *h, float *dh,
                               float scale, on_train_loss *loss) {
  const on_morphologizer *m = head->state;
  int32_t *target = ON_NEW(&step->arena, int32_t, step->m);
  on_buf buf = {0};
  bool ok = target != NULL;
  for (size_t d = 0; ok && d < step->doc_count; d++) {
    for (size_t i = 0; i < step->docs[d].n; i++) {
      target[step->starts[d] + i] = on_label_target(state, gold_label(&step->docs[d], i, &buf));
    }
  }
  ok = ok && !buf.failed;
  on_buf_free(&buf);
  return ok && on_classifier_step(&m->output, step, h, dh, target, NULL, scale, loss);
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->pos != NULL;
}

const on_head_trainer on_morphologizer_trainer = {.name = "morphologizer", .infer = infer, .init = init,
                                                  .start = start, .stop = on_label_map_stop,
                                                  .step = step_morphologizer, .learns = learns};
