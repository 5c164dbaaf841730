// A pipeline with an arbitrary config whose weights are always there, so that what lies behind the shape check
// is reached: every kind's settings, preparing and running. The first byte chooses the weights.
#include <stdlib.h>

#include "base/random.h"
#include "onenlp.h"
#include "pipeline/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_VALUES = 1 << 18 };  // of all parameters together: larger pipelines are only declared

typedef struct weights {
  on_arena *arena;
  on_random random;
  uint8_t mode;      // bits 0-1: type of matrices; bit 2: any bits at all, also infinities and what is no number
  uint64_t values;
} weights;

static bool count(void *context, const char *name, on_param *param) {
  (void)name;
  weights *w = context;
  w->values += on_param_count(param);
  return w->values <= MAX_VALUES;
}

static bool fill(void *context, const char *name, on_param *param) {
  (void)name;
  weights *w = context;
  size_t n = on_param_count(param);
  uint8_t *bytes = ON_NEW(w->arena, uint8_t, n * 4);
  float *scale = ON_NEW(w->arena, float, param->shape[0]);
  if (!bytes || !scale) abort();
  static const on_dtype types[] = {ON_F32, ON_F16, ON_I8, ON_F32};
  param->type = param->rank == 2 ? types[w->mode & 3] : ON_F32;
  for (size_t i = 0; i < n; i++) {
    uint32_t bits = (uint32_t)on_random_u64(&w->random);
    float value = on_random_unit(&w->random) - 0.5f;
    if (!(w->mode & 4)) memcpy(&bits, &value, 4);
    memcpy(bytes + 4 * i, &bits, 4);
  }
  for (size_t i = 0; i < param->shape[0]; i++) scale[i] = 0.01f;
  param->data = bytes;
  param->scale = param->type == ON_I8 ? (const uint8_t *)scale : NULL;
  return true;
}

static void run(on_str file) {
  static const char text[] = "Ada doesn't know where. Yes? No.";
  static const char gold[] =
      "1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n3\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  onenlp_error error;
  onenlp_pipeline *pipeline = onenlp_load(file.p, file.n, ONENLP_BORROW, &error);
  onenlp_annotator *annotator = pipeline ? onenlp_annotator_new(pipeline, NULL) : NULL;
  if (!annotator) abort();
  size_t n = sizeof text - 1, m = sizeof gold - 1;
  if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, text, n, ONENLP_TO_CONLLU, NULL, NULL, &error)) abort();
  if (!onenlp_annotate(annotator, ONENLP_FROM_CONLLU, gold, m, ONENLP_TO_JSON, NULL, NULL, &error)) abort();
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  on_pipeline pipeline;
  on_error error = {0};
  if (!on_pipeline_from_config(&pipeline, (on_str){(const char *)data + 1, size - 1}, &error)) {
    if (error.code == ON_OK || !error.text[0]) abort();
    return 0;
  }
  weights w = {.arena = &pipeline.arena, .mode = data[0]};
  on_random_seed(&w.random, data[0]);
  on_buf file = {0};
  if (on_pipeline_each_param(&pipeline, count, &w)) {
    if (!on_pipeline_each_param(&pipeline, fill, &w)) abort();
    if (!on_pipeline_save(&pipeline, NULL, 0, &file, &error)) abort();
    run(on_buf_view(&file));
  }
  on_buf_free(&file);
  on_pipeline_free(&pipeline);
  return 0;
}
