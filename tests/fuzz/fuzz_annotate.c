// Arbitrary text through a whole pipeline: the output is CoNLL-U that our reader takes, every sentence is a tree
// with one root, the text rebuilt from it is the input, and its own tokens give the same output again.
#include <stdlib.h>

#include "base/random.h"
#include "format/conllu.h"
#include "onenlp.h"
#include "pipeline/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char config[] =
    "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"language\": \"en\", "
    "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"english\"}, "
    "\"encoders\": [{\"kind\": \"fast\", \"settings\": {\"width\": 8, \"depth\": 1, \"normRows\": 64, "
    "\"prefixRows\": 16, \"suffixRows\": 16, \"shapeRows\": 8, \"casedRows\": 16, "
    "\"recurrentLayers\": 1, \"seed\": 7}}], "
    "\"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\", \"settings\": {\"data\": \"english\"}}, "
    "{\"name\": \"m\", \"type\": \"head\", \"kind\": \"morphologizer\", \"encoder\": 0, \"config\": {\"labels\": "
    "[\"POS=NOUN|Number=Sing\", \"POS=VERB\", \"POS=X\"]}}, "
    "{\"name\": \"l\", \"type\": \"head\", \"kind\": \"lemmatizer\", \"encoder\": 0, \"config\": {\"labels\": "
    "[\"lM0,0()()\", \"rM0,1()(S1:s0:)\", \"lS1:a2:bc\"]}}, "
    "{\"name\": \"p\", \"type\": \"head\", \"kind\": \"parser\", \"encoder\": 0, \"config\": {"
    "\"labels\": [\"root\", \"dep\"], \"arcWidth\": 6, \"labelWidth\": 4}}, "
    "{\"name\": \"n\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 0, "
    "\"config\": {\"labels\": [\"PER\", \"LOC\"]}}]}";

static bool fill(void *context, const char *name, on_param *param) {
  (void)name;
  on_pipeline *pipeline = context;
  static on_random random;
  if (!random.s[0]) on_random_seed(&random, 3);
  size_t n = on_param_count(param);
  float *values = ON_NEW(&pipeline->arena, float, n);
  if (!values) abort();
  for (size_t i = 0; i < n; i++) values[i] = on_random_unit(&random) * 2 - 1;
  param->data = (const uint8_t *)values;
  return true;
}

// Made once; a fuzz target may keep it.
static onenlp_annotator *the_annotator(void) {
  static onenlp_annotator *annotator;
  if (annotator) return annotator;
  on_pipeline pipeline;
  static on_buf file;
  if (!on_pipeline_from_config(&pipeline, on_str_c(config), NULL)) abort();
  on_pipeline_each_param(&pipeline, fill, &pipeline);
  if (!on_pipeline_save(&pipeline, NULL, 0, &file, NULL)) abort();
  on_pipeline_free(&pipeline);
  static onenlp_pipeline *loaded;
  loaded = onenlp_load(file.p, file.n, ONENLP_BORROW, NULL);
  annotator = loaded ? onenlp_annotator_new(loaded, NULL) : NULL;
  if (!annotator) abort();
  return annotator;
}

static on_str output(onenlp_annotator *annotator) {
  on_str out;
  out.p = onenlp_buffer_data(onenlp_output(annotator), &out.n);
  return out;
}

// One root, and every word leads to it.
static void check_tree(const on_conllu_sentence *sentence) {
  size_t roots = 0;
  for (size_t i = 0; i < sentence->word_count; i++) {
    roots += sentence->words[i].head == 0;
    size_t at = i, steps = 0;
    while (sentence->words[at].head > 0 && steps++ <= sentence->word_count) at = (size_t)sentence->words[at].head - 1;
    if (sentence->words[at].head != 0 || !sentence->words[i].deprel.p || !sentence->words[i].upos.p) abort();
  }
  if (roots != 1) abort();
}

static void check_output(on_str conllu, on_str text) {
  on_buf rebuilt = {0};
  on_conllu_sentence sentence = {0};
  on_conllu_reader *reader = on_conllu_open(conllu, NULL);
  int got;
  while ((got = on_conllu_next(reader, &sentence, NULL)) == 1) {
    check_tree(&sentence);
    on_conllu_rebuild_text(&rebuilt, &sentence);
  }
  if (got != 0 || (conllu.n && !on_str_eq(on_buf_view(&rebuilt), text))) abort();
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  on_buf_free(&rebuilt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  onenlp_annotator *annotator = the_annotator();
  onenlp_error error;
  if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, data, size, ONENLP_TO_CONLLU, NULL, NULL, &error)) {
    if (error.code != ONENLP_INVALID_UTF8) abort();
    return 0;
  }
  on_buf first = {0};
  on_buf_str(&first, output(annotator));
  check_output(on_buf_view(&first), (on_str){(const char *)data, size});
  if (!onenlp_annotate(annotator, ONENLP_FROM_CONLLU, first.p, first.n, ONENLP_TO_CONLLU, NULL, NULL, &error)) abort();
  // Units start where they started, and forms are what they were, unless a form had to be written otherwise.
  check_output(output(annotator), (on_str){(const char *)data, size});
  on_buf_free(&first);
  return 0;
}
