#include "random_pipeline.h"

#include <stdlib.h>

#include "base/random.h"

const char english_config[] =
    "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"language\": \"en\", "
    "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"english\"}, "
    "\"encoders\": [{\"kind\": \"fast\", \"settings\": {\"width\": 8, \"depth\": 1, \"normRows\": 64, "
    "\"prefixRows\": 16, \"suffixRows\": 16, \"shapeRows\": 8, \"casedRows\": 16, \"ngramRows\": 32, "
    "\"recurrentLayers\": 1, \"seed\": 7}}], "
    "\"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\", \"settings\": {\"data\": \"english\"}}, "
    "{\"name\": \"m\", \"type\": \"head\", \"kind\": \"morphologizer\", \"encoder\": 0, \"config\": {\"labels\": "
    "[\"POS=NOUN|Number=Sing\", \"POS=VERB\", \"POS=X\"]}}, "
    "{\"name\": \"l\", \"type\": \"head\", \"kind\": \"lemmatizer\", \"encoder\": 0, \"config\": {\"labels\": "
    "[\"lM0,0()()\", \"rM0,1()(S1:s0:)\", \"lS1:a2:bc\"], \"lexicon\": {\"is\\tVERB\": \"be\", \"a\\tX\": \"an\"}}}, "
    "{\"name\": \"p\", \"type\": \"head\", \"kind\": \"parser\", \"encoder\": 0, \"config\": {"
    "\"labels\": [\"root\", \"dep\"], \"arcWidth\": 6, \"labelWidth\": 4}}, "
    "{\"name\": \"n\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 0, "
    "\"config\": {\"labels\": [\"PER\", \"LOC\"]}}, "
    "{\"name\": \"c\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0, "
    "\"config\": {\"multi_label\": true, \"hidden\": 0, \"labels\": [\"good\", \"bad\"]}}, "
    "{\"name\": \"s\", \"type\": \"head\", \"kind\": \"spancat\", \"encoder\": 0, \"config\": {\"spans_key\": \"sc\", "
    "\"sizes\": [1, 2], \"threshold\": 0.7, \"hidden\": 0, \"labels\": [\"A\", \"B\"]}}]}";

typedef struct weights {
  on_arena *arena;
  on_random random;
} weights;

static bool fill(void *context, const char *name, on_param *param) {
  (void)name;
  weights *w = context;
  size_t n = on_param_count(param);
  float *values = ON_NEW(w->arena, float, n);
  if (!values) abort();
  for (size_t i = 0; i < n; i++) values[i] = on_random_unit(&w->random) * 2 - 1;
  param->type = ON_F32;
  param->data = (const uint8_t *)values;
  return true;
}

void random_weights(on_pipeline *pipeline, uint64_t seed) {
  weights w = {.arena = &pipeline->arena};
  on_random_seed(&w.random, seed);
  if (!on_pipeline_each_param(pipeline, fill, &w)) abort();
}

void random_pipeline(const char *config, uint64_t seed, on_buf *file) {
  on_pipeline pipeline;
  if (!on_pipeline_from_config(&pipeline, on_str_c(config), NULL)) abort();
  random_weights(&pipeline, seed);
  if (!on_pipeline_save(&pipeline, NULL, 0, file, NULL)) abort();
  on_pipeline_free(&pipeline);
}

const onenlp_pipeline *random_pipeline_loaded(const char *config, uint64_t seed) {
  on_buf file = {0};
  random_pipeline(config, seed, &file);
  void *bytes = onenlp_alloc(file.n);
  if (!bytes) abort();
  memcpy(bytes, file.p, file.n);
  const onenlp_pipeline *pipeline = onenlp_load(bytes, file.n, ONENLP_TAKE, NULL);
  if (!pipeline) abort();
  on_buf_free(&file);
  return pipeline;
}

onenlp_annotator *new_annotator(const onenlp_pipeline *pipeline) {
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, NULL);
  if (!annotator) abort();
  return annotator;
}

on_str output_of(onenlp_annotator *annotator) {
  on_str out;
  out.p = onenlp_buffer_data(onenlp_output(annotator), &out.n);
  return out;
}
