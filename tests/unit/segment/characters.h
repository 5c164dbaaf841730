// Pipelines that are nothing but a trained tokenizer, with weights of the test's choice.
#ifndef ONENLP_TESTS_UNIT_SEGMENT_CHARACTERS_H
#define ONENLP_TESTS_UNIT_SEGMENT_CHARACTERS_H

#include "../pipeline/tiny.h"
#include "pipeline/tokenizer.h"

#define CHARACTER_ENCODER                                                                                        \
  "{\"kind\": \"fast\", \"settings\": {\"width\": 12, \"depth\": 1, \"normRows\": 64, \"prefixRows\": 1, "        \
  "\"suffixRows\": 1, \"shapeRows\": 8, \"bigramRows\": 64, \"recurrentLayers\": 1, \"seed\": 3}}"
#define BI_HEAD "{\"column\": \"Tag\", \"labels\": [\"B\", \"I\"]}"
#define TOKENIZER_ONLY(tokenizer, encoders) \
  TINY_HEAD "\"tokenizer\": " tokenizer ", \"encoders\": [" encoders "], \"components\": []}"
#define SEGMENTER "{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": " BI_HEAD "}"
#define SEGMENTER_CONFIG TOKENIZER_ONLY(SEGMENTER, CHARACTER_ENCODER)
#define MWT(inner, more) \
  "{\"kind\": \"mwt\", \"inner\": " inner ", \"encoder\": 0, \"head\": " BI_HEAD more "}"
#define MWT_CONFIG(more) TOKENIZER_ONLY(MWT("{\"kind\": \"uax\", \"data\": \"portuguese\"}", more), CHARACTER_ENCODER)

typedef struct fixed_weights {
  on_arena *arena;
  float begin;  // the bias of B; every other value is 0
} fixed_weights;

static inline bool fixed_fill(void *context, const char *name, on_param *param) {
  fixed_weights *w = context;
  float *values = ON_NEW0(w->arena, float, on_param_count(param));
  assert_non_null(values);
  if (strcmp(name, "head0.output.bias") == 0) values[0] = w->begin;
  param->type = ON_F32;
  param->data = (const uint8_t *)values;
  return true;
}

// A pipeline whose every character is B with log odds `begin`.
static inline void fixed_pipeline(on_pipeline *pipeline, const char *config, float begin) {
  on_error error;
  if (!on_pipeline_from_config(pipeline, on_str_c(config), &error)) tiny_fail("from_config", &error);
  fixed_weights w = {&pipeline->arena, begin};
  assert_true(on_pipeline_each_param(pipeline, fixed_fill, &w));
  if (!on_pipeline_prepare(pipeline, &error)) tiny_fail("prepare", &error);
}

#endif
