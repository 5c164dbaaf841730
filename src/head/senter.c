#include "head/senter.h"

#include "nn/vectors.h"

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  (void)config;
  on_senter *senter = ON_NEW0(arena, on_senter, 1);
  if (!senter) return on_fail_memory(error);
  head->state = senter;
  return on_output_declare(&senter->output, &head->params, arena, width, 1, 0, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  (void)head;
  on_buf_str(out, ON_STR("{}"));
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_senter *senter = head->state;
  return on_output_prepare(&senter->output, arena) || on_fail_memory(error);
}

// Words of one surface token stay in one sentence.
static void keep_mwts_whole(on_doc *doc) {
  for (size_t m = 0; m < doc->mwt_count; m++) {
    for (uint32_t i = 1; i < doc->mwts[m].count; i++) doc->sent_start[doc->mwts[m].first + i] = 0;
  }
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_senter *senter = head->state;
  float *scores = ON_NEW(&workspace->scratch, float, doc->n);
  if (!scores) return on_fail_memory(error);
  on_vectors_linear(workspace, scores, h, NULL, doc->n, &senter->output.packed[0], senter->output.b[0]);
  for (size_t i = 0; i < doc->n; i++) doc->sent_start[i] = i == 0 || scores[i] > 0;
  keep_mwts_whole(doc);
  doc->has_sents = true;
  return true;
}

const on_head_kind on_senter_kind = {.name = "senter", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};
