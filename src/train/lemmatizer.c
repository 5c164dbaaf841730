// Training of the lemmatizer head: its classes are the edit trees that the training data needs.
#include "head/lemmatizer.h"

#include "text/utf.h"
#include "train/classifier.h"
#include "train/lemmatizer.h"
#include "train/lexicon.h"

// The class of a token, or p NULL when it has no lemma or no tree within the limits; memory from `buf`.
static on_str gold_class(const on_doc *doc, size_t i, bool turkic, on_buf *buf, on_arena *scratch) {
  on_str16 lemma;
  if (!doc->lemma || !doc->lemma[i].p || !on_utf16_from_utf8(scratch, doc->lemma[i], &lemma, NULL)) return ON_STR_NONE;
  on_buf_clear(buf);
  if (!on_lemma_class_build(buf, on_doc_token(doc, i), lemma, turkic)) return ON_STR_NONE;
  return on_buf_view(buf);
}

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  on_label_counts counts = {0};
  on_buf buf = {0};
  on_arena scratch = {0};
  int64_t min_count = 1, lexicon_below = 0, turkic = 0;
  bool ok = !given || (on_json_int(given, "config", "minCount", false, 1, 1000000, 1, &min_count, error) &&
                       on_json_int(given, "config", "lexiconBelow", false, 0, 1000000, 0, &lexicon_below, error) &&
                       on_json_int(given, "config", "turkicCase", false, 0, 1, 0, &turkic, error));
  if (!ok) return false;
  for (size_t d = 0; ok && d < count; d++, on_arena_reset(&scratch)) {
    for (size_t i = 0; ok && i < docs[d].n; i++) {
      on_str label = gold_class(&docs[d], i, turkic != 0, &buf, &scratch);
      ok = !buf.failed && !scratch.failed && (!label.p || on_label_count(&counts, label));
    }
  }
  on_config_begin(out, given);
  ok = ok && on_label_counts_write(&counts, (uint64_t)min_count, out);
  if (ok && lexicon_below) {
    on_buf_str(out, ON_STR(", "));
    ok = on_lexicon_infer(docs, count, &counts, (uint64_t)lexicon_below, turkic != 0, out);
  }
  on_buf_char(out, '}');
  on_buf_free(&buf);
  on_arena_free(&scratch);
  on_label_counts_free(&counts);
  return ok || on_fail_memory(error);
}

static void init(const on_head *head, on_random *random) {
  on_classifier_init(&((const on_lemmatizer *)head->state)->output, random);
}

static void *start(const on_head *head, on_arena *arena) {
  return on_label_map_start(&((const on_lemmatizer *)head->state)->labels, arena);
}

static bool step_lemmatizer(const on_head *head, void *state, on_train_step *step, const float *h, float *dh,
                            float scale, on_train_loss *loss) {
  const on_lemmatizer *lemmatizer = head->state;
  int32_t *target = ON_NEW(&step->arena, int32_t, step->m);
  on_buf buf = {0};
  bool ok = target != NULL;
  for (size_t d = 0; ok && d < step->doc_count; d++) {
    for (size_t i = 0; i < step->docs[d].n; i++) {
      on_str label = gold_class(&step->docs[d], i, lemmatizer->turkic_case, &buf, &step->arena);
      target[step->starts[d] + i] = on_label_target(state, label);
    }
  }
  ok = ok && !buf.failed;
  on_buf_free(&buf);
  return ok && on_classifier_step(&lemmatizer->output, step, h, dh, target, NULL, scale, loss);
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->lemma != NULL;
}

const on_head_trainer on_lemmatizer_trainer = {.name = "lemmatizer", .infer = infer, .init = init, .start = start,
                                               .stop = on_label_map_stop, .step = step_lemmatizer, .learns = learns};
