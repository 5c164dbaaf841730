/* A pipeline of every plain component with pseudo-random weights: made from a config, given data, saved. */
#ifndef ONENLP_TESTS_UNIT_PIPELINE_TINY_H
#define ONENLP_TESTS_UNIT_PIPELINE_TINY_H

#include "base/random.h"
#include "pipeline/pipeline.h"
#include "test.h"

#define TINY_TOKENIZER "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"english\"}"
#define TINY_ENCODERS                                                                                             \
  "\"encoders\": [{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 8, \"buckets\": 64, \"seed\": 1}}, "   \
  "{\"kind\": \"fast\", \"settings\": {\"width\": 12, \"depth\": 1, \"normRows\": 32, \"prefixRows\": 16, "       \
  "\"suffixRows\": 16, \"shapeRows\": 8, \"recurrentLayers\": 1, \"seed\": 7}}]"
#define TINY_COMPONENTS                                                                                           \
  "\"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\", \"settings\": {\"data\": \"english\"}}, "   \
  "{\"name\": \"tagger\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": 0, "                              \
  "\"config\": {\"column\": \"Tag\", \"labels\": [\"NN\", \"VB\", \"DT\"]}}, "                                     \
  "{\"name\": \"morphologizer\", \"type\": \"head\", \"kind\": \"morphologizer\", \"encoder\": 1, "                \
  "\"config\": {\"labels\": [\"POS=NOUN|Number=Sing\", \"POS=VERB\", \"POS=DET|Definite=Def\"]}}]"
#define TINY_HEAD "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"language\": \"en\", "
#define TINY_CONFIG TINY_HEAD TINY_TOKENIZER ", " TINY_ENCODERS ", " TINY_COMPONENTS "}"

typedef struct tiny_weights {
  on_arena *arena;
  on_random random;
  on_dtype matrices;  /* how matrices are stored */
} tiny_weights;

static inline bool tiny_fill(void *context, const char *name, on_param *param) {
  (void)name;
  tiny_weights *w = context;
  size_t n = on_param_count(param);
  uint8_t *bytes = ON_NEW(w->arena, uint8_t, n * 4);
  assert_non_null(bytes);
  param->type = param->rank == 2 ? w->matrices : ON_F32;
  param->data = bytes;
  param->scale = NULL;
  for (size_t i = 0; i < n; i++) {
    float value = on_random_unit(&w->random) - 0.5f;
    uint16_t half = (uint16_t)(0x3000 + on_random_below(&w->random, 0x800)); /* 0.125 to 0.5 */
    if (param->type == ON_F32) memcpy(bytes + 4 * i, &value, 4);
    if (param->type == ON_F16) memcpy(bytes + 2 * i, &half, 2);
    if (param->type == ON_I8) bytes[i] = (uint8_t)on_random_below(&w->random, 256);
  }
  if (param->type == ON_I8) {
    float *scale = ON_NEW(w->arena, float, param->shape[0]);
    assert_non_null(scale);
    for (size_t i = 0; i < param->shape[0]; i++) scale[i] = 0.004f;
    param->scale = (const uint8_t *)scale;
  }
  return true;
}

static inline void tiny_fail(const char *what, const on_error *error) {
  fail_msg("%s: %s: %s", what, on_code_name(error->code), error->text);
}

/* The bytes of a file with this config; freed with on_buf_free. */
static inline on_buf tiny_file(const char *config, on_dtype matrices) {
  on_pipeline pipeline;
  on_error error;
  on_buf out = {0};
  on_meta meta[] = {{ON_STR("name"), ON_STR("tiny")}, {ON_STR("licence"), ON_STR("none \"needed\"")}};
  if (!on_pipeline_from_config(&pipeline, on_str_c(config), &error)) tiny_fail("from_config", &error);
  tiny_weights w = {.arena = &pipeline.arena, .matrices = matrices};
  on_random_seed(&w.random, 5);
  assert_true(on_pipeline_each_param(&pipeline, tiny_fill, &w));
  if (!on_pipeline_save(&pipeline, meta, 2, &out, &error)) tiny_fail("save", &error);
  on_pipeline_free(&pipeline);
  return out;
}

#endif
