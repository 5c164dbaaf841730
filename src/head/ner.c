#include "head/ner.h"

#include "nn/math.h"
#include "nn/vectors.h"

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_ner *ner = ON_NEW0(arena, on_ner, 1);
  if (!ner) return on_fail_memory(error);
  head->state = ner;
  return on_labels_read(&ner->labels, arena, config, path, 1, ON_MAX_NER_LABELS, false, error) &&
         on_output_declare(&ner->output, &head->params, arena, width, on_biluo_tags(ner->labels.n), 0, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_ner *ner = head->state;
  on_buf_str(out, ON_STR("{\"labels\": "));
  on_labels_write(&ner->labels, out);
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_ner *ner = head->state;
  return on_output_prepare(&ner->output, arena) || on_fail_memory(error);
}

// Makes the scores of a row comparable between rows and small: 0 for the best tag.
static void shift(const on_kernels *k, float *scores, size_t n) {
  float top = scores[k->argmax(scores, n)];
  for (size_t i = 0; i < n; i++) scores[i] -= top;
}

// ln of the tag's probability.
static float log_probability(const on_kernels *k, const float *scores, size_t n, uint32_t tag, float *scratch) {
  memcpy(scratch, scores, n * sizeof *scratch);
  k->exp(scratch, n);
  float total = 0;
  for (size_t i = 0; i < n; i++) total += scratch[i];
  return scores[tag] - on_log(total);
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_ner *ner = head->state;
  const on_kernels *k = workspace->kernels;
  size_t width = on_biluo_tags(ner->labels.n), n = doc->n;
  float *scores = n > SIZE_MAX / width ? NULL : ON_NEW(&workspace->scratch, float, n * width);
  float *row = ON_NEW(&workspace->scratch, float, width);
  uint32_t *tags = ON_NEW(&workspace->scratch, uint32_t, n);
  if (!scores || !row || !tags) return on_fail_memory(error);
  on_vectors_linear(workspace, scores, h, NULL, n, &ner->output.packed[0], ner->output.b[0]);
  for (size_t i = 0; i < n; i++) shift(k, scores + i * width, width);
  if (!on_biluo_decode(scores, n, ner->labels.n, doc->sent_start, &workspace->scratch, tags)) {
    return on_fail_memory(error);
  }
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t which = on_biluo_which(tags[i]);
    count += which == ON_BILUO_L || which == ON_BILUO_U;
  }
  doc->ents = ON_NEW(&doc->arena, on_span, count);
  if (!doc->ents) return on_fail_memory(error);
  doc->has_ents = true;
  doc->ent_count = 0;
  size_t first = 0;
  float sum = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t which = on_biluo_which(tags[i]);
    if (which == ON_BILUO_O) continue;
    if (which == ON_BILUO_B || which == ON_BILUO_U) {
      first = i;
      sum = 0;
    }
    sum += log_probability(k, scores + i * width, width, tags[i], row);
    if (which != ON_BILUO_L && which != ON_BILUO_U) continue;
    float score = on_exp(sum / (float)(i + 1 - first));
    doc->ents[doc->ent_count++] = (on_span){(uint32_t)first, (uint32_t)i + 1,
                                            ner->labels.list[on_biluo_label(tags[i])], score < 1 ? score : 1};
  }
  return true;
}

const on_head_kind on_ner_kind = {.name = "ner", .create = create, .write_config = write_config, .prepare = prepare,
                                  .run = run};
