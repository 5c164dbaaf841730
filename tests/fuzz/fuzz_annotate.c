// Arbitrary text through a whole pipeline: the output is CoNLL-U that our reader takes, every sentence is a tree
// with one root, the text rebuilt from it is the input, its own tokens give the same output again, and so does the
// JSON of the text when it is converted.
#include <stdlib.h>

#include "format/conllu.h"
#include "random_pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const onenlp_pipeline *the_pipeline(void) {
  static const onenlp_pipeline *pipeline;
  if (!pipeline) pipeline = random_pipeline_loaded(english_config, 3);
  return pipeline;
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

// What was annotated before leaves no trace: a new annotator writes the same.
static void check_fresh(const void *text, size_t size, on_str before) {
  onenlp_annotator *fresh = new_annotator(the_pipeline());
  if (!onenlp_annotate(fresh, ONENLP_FROM_TEXT, text, size, ONENLP_TO_CONLLU, NULL, NULL, NULL)) abort();
  if (!on_str_eq(output_of(fresh), before)) abort();
  onenlp_annotator_free(fresh);
}

// The same by way of JSON.
static void check_json(onenlp_annotator *annotator, const void *text, size_t size, on_str conllu) {
  const on_str newdoc = ON_STR("# newdoc\n");
  onenlp_buffer *converted = onenlp_buffer_new();
  if (!converted || !onenlp_annotate(annotator, ONENLP_FROM_TEXT, text, size, ONENLP_TO_JSON, NULL, NULL, NULL)) abort();
  on_str json = output_of(annotator), got;
  if (!onenlp_convert(json.p, json.n, ONENLP_JSONL, ONENLP_CONLLU, converted, NULL)) abort();
  got.p = onenlp_buffer_data(converted, &got.n);
  if (got.n && !on_str_starts(got, newdoc)) abort();
  if (!on_str_eq(on_str_sub(got, got.n ? newdoc.n : 0, got.n), conllu)) abort();
  onenlp_buffer_free(converted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static onenlp_annotator *annotator;  // made once: what it keeps between texts is part of what is tested
  if (!annotator) annotator = new_annotator(the_pipeline());
  onenlp_error error;
  if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, data, size, ONENLP_TO_CONLLU, NULL, NULL, &error)) {
    if (error.code != ONENLP_INVALID_UTF8) abort();
    return 0;
  }
  on_buf first = {0};
  on_buf_str(&first, output_of(annotator));
  check_output(on_buf_view(&first), (on_str){(const char *)data, size});
  check_fresh(data, size, on_buf_view(&first));
  check_json(annotator, data, size, on_buf_view(&first));
  if (!onenlp_annotate(annotator, ONENLP_FROM_CONLLU, first.p, first.n, ONENLP_TO_CONLLU, NULL, NULL, &error)) abort();
  // Units start where they started, and forms are what they were, unless a form had to be written otherwise.
  check_output(output_of(annotator), (on_str){(const char *)data, size});
  on_buf_free(&first);
  return 0;
}
