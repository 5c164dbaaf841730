// Heads of entities, categories and spans in a pipeline: the file comes back as it was, categories are those of
// the whole text however it is cut, and all of it reaches JSON, columns, CoNLL-U and the evaluation.
#include <math.h>

#include "onenlp.h"
#include "pipeline/text_sums.h"
#include "score/evaluate.h"
#include "text/utf.h"
#include "tiny.h"

#define LABELS                                                                                                   \
  "\"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\", \"settings\": {\"data\": \"english\"}}, "   \
  "{\"name\": \"ner\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 1, "                                    \
  "\"config\": {\"labels\": [\"PER\", \"A|B\"]}}, "                                                              \
  "{\"name\": \"topic\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0, "                              \
  "\"config\": {\"multi_label\": false, \"hidden\": 5, \"labels\": [\"law\", \"travel\", \"food\"]}}, "             \
  "{\"name\": \"tone\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 1, "                               \
  "\"config\": {\"multi_label\": true, \"hidden\": 0, \"labels\": [\"calm\", \"loud\"]}}, "                         \
  "{\"name\": \"spans\", \"type\": \"head\", \"kind\": \"spancat\", \"encoder\": 1, \"config\": "                   \
  "{\"spans_key\": \"sc\", \"sizes\": [2, 1], \"threshold\": 0.55, \"hidden\": 4, \"labels\": [\"S\", \"T\"]}}]"
#define CONFIG TINY_HEAD TINY_TOKENIZER ", " TINY_ENCODERS ", " LABELS "}"

static const char TEXT[] =
    "Ada met Bob in Paris. It rained all day long, and nobody cared.\n\nThe judge left at noon.\n\nA third one, then; "
    "it is the last.\n\n  \n\n";

static void comes_back(void **state) {
  (void)state;
  static const on_dtype types[] = {ON_F32, ON_F16, ON_I8};
  for (int t = 0; t < 3; t++) {
    on_buf file = tiny_file(CONFIG, types[t]), again = {0};
    on_pipeline pipeline;
    on_error error;
    if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
    assert_true(on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &again, &error));
    assert_true(on_str_eq(on_buf_view(&file), on_buf_view(&again)));
    assert_int_equal(pipeline.sum_count, 8 + 1 + 12 + 1);
    on_pipeline_free(&pipeline);
    on_buf_free(&file);
    on_buf_free(&again);
  }
}

// The categories of the text are those of the sums over all its tokens.
static void categories_of_all_units(void **state) {
  (void)state;
  on_buf file = tiny_file(CONFIG, ON_F32);
  on_pipeline pipeline;
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&file), NULL));
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, pipeline.encoder_count, NULL));
  on_arena arena = {0};
  on_str16 text;
  assert_true(on_utf16_from_utf8(&arena, on_str_c(TEXT), &text, NULL));
  on_text_run run;
  on_doc doc;
  on_doc_init(&doc);
  double *sums = ON_NEW0(&arena, double, pipeline.sum_count);
  float last[5] = {0}, first[5];
  size_t units = 0, tokens = 0;
  on_text_begin(&run, &pipeline, &workspace, NULL, text);
  while (on_text_next(&run, &doc, NULL) == 1) {
    if (doc.n == 0) continue;
    assert_int_equal(doc.cat_count, 5);
    for (size_t i = 0; i < pipeline.sum_count; i++) sums[i] += doc.text_sums[i];
    for (size_t i = 0; i < 5; i++) last[i] = doc.cats[i].score;
    if (units == 0) memcpy(first, last, sizeof first);
    units++;
    tokens += doc.n;
  }
  on_text_end(&run);
  assert_int_equal(units, 3);
  assert_true(sums[8] == (double)tokens && sums[8 + 1 + 12] == (double)tokens);
  on_doc_reset(&doc);
  for (size_t i = 0; i < pipeline.component_count; i++) {
    const on_component *component = &pipeline.components[i];
    if (component->type != ON_COMPONENT_HEAD || !component->head.kind->conclude) continue;
    assert_true(component->head.kind->conclude(&component->head, &workspace, sums + component->sums_at, &doc, NULL));
  }
  bool moved = false;
  for (size_t i = 0; i < 5; i++) {
    assert_memory_equal(&doc.cats[i].score, &last[i], sizeof last[i]);
    moved = moved || last[i] != first[i];
  }
  assert_true(moved);
  assert_true(fabs((double)(last[0] + last[1] + last[2]) - 1) < 1e-6);
  on_doc_free(&doc);
  on_arena_free(&arena);
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
}

// A copy with a NUL behind it, to be freed with on_buf_free.
static on_buf annotate(onenlp_annotator *annotator, const char *text, onenlp_output_format format) {
  onenlp_error error;
  size_t size;
  if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, text, strlen(text), format, NULL, NULL, &error)) {
    fail_msg("%s", error.text);
  }
  const char *data = onenlp_buffer_data(onenlp_output(annotator), &size);
  on_buf out = {0};
  on_buf_add(&out, data, size);
  on_buf_char(&out, 0);
  out.n--;
  return out;
}

static void reaches_the_outputs(void **state) {
  (void)state;
  on_buf file = tiny_file(CONFIG, ON_F32);
  onenlp_pipeline *pipeline = onenlp_load(file.p, file.n, ONENLP_BORROW, NULL);
  assert_non_null(pipeline);
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, NULL);
  on_buf json = annotate(annotator, TEXT, ONENLP_TO_JSON);
  on_json *root = on_json_parse(on_buf_view(&json), 16, NULL);
  assert_non_null(root);
  size_t ents = on_json_count(on_json_get(root, "entities"));
  assert_true(ents > 2);
  assert_int_equal(on_json_count(on_json_get(root, "entity_scores")), ents);
  size_t spans = on_json_count(on_json_get(on_json_get(root, "spans"), "sc"));
  assert_true(spans > 2);
  assert_int_equal(on_json_count(on_json_get(on_json_get(root, "span_scores"), "sc")), spans);
  assert_int_equal(on_json_count(on_json_get(root, "cats")), 5);
  on_json_free(root);
  // columns: the entities of all units
  assert_true(onenlp_begin(annotator, ONENLP_FROM_TEXT, TEXT, strlen(TEXT), ONENLP_TO_COLUMNS, NULL));
  size_t rows = 0, span_rows = 0, count;
  while (onenlp_next(annotator, NULL) == 1) {
    size_t words;
    onenlp_column(annotator, ONENLP_START, &words);
    onenlp_column(annotator, ONENLP_ENTITIES, &count);
    rows += count / ONENLP_ENTITY_ROW;
    onenlp_column(annotator, ONENLP_SPANS, &count);
    span_rows += count / ONENLP_SPAN_ROW;
    onenlp_column(annotator, ONENLP_CATS, &count);
    assert_int_equal(count, words ? 5 * ONENLP_CAT_ROW : 0);
  }
  assert_int_equal(rows, ents);
  assert_int_equal(span_rows, spans);
  // CoNLL-U: as many B- as entities, the bar of the label escaped, and read back
  on_buf conllu = annotate(annotator, TEXT, ONENLP_TO_CONLLU);
  size_t begins = 0;
  for (const char *at = conllu.p; (at = strstr(at, "NER=B-")) != NULL; at++) begins++;
  assert_int_equal(begins, ents);
  onenlp_buffer *lines = onenlp_buffer_new();
  assert_true(onenlp_convert(conllu.p, conllu.n, ONENLP_CONLLU, ONENLP_JSONL, lines, NULL));
  size_t size, labels = 0;
  const char *jsonl = onenlp_buffer_data(lines, &size);
  on_buf all = {0};
  on_buf_add(&all, jsonl, size);
  on_buf_char(&all, 0);
  for (const char *at = all.p; (at = strstr(at, "\"entities\": [")) != NULL;) {
    at += 13;
    for (; *at != '}' && strncmp(at, "]], ", 4) && strncmp(at, "], \"f", 5); at++) {
      labels += !strncmp(at, "\"PER\"", 5) || !strncmp(at, "\"A|B\"", 5);
    }
  }
  assert_int_equal(labels, ents);
  on_buf_free(&all);
  on_buf_free(&conllu);
  on_buf_free(&json);
  onenlp_buffer_free(lines);
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
  on_buf_free(&file);
}

// Against its own output everything is right, with the tokens and without; and the categories of a text in several
// units are the same from its gold tokens.
static void scores_its_own_output(void **state) {
  (void)state;
  on_buf file = tiny_file(CONFIG, ON_F32), gold = {0};
  onenlp_pipeline *pipeline = onenlp_load(file.p, file.n, ONENLP_BORROW, NULL);
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, NULL);
  static const char *const texts[] = {TEXT, "Nobody came to the court.", "So it goes."};
  for (int i = 0; i < 3; i++) {
    on_buf line = annotate(annotator, texts[i], ONENLP_TO_JSONL);
    on_buf_str(&gold, on_buf_view(&line));
    on_buf_free(&line);
  }
  onenlp_buffer *out = onenlp_buffer_new();
  for (int tokens = 0; tokens < 2; tokens++) {
    onenlp_error error;
    onenlp_buffer_clear(out);
    if (!onenlp_evaluate_jsonl(pipeline, gold.p, gold.n, tokens, ONENLP_JSON, out, NULL, NULL, &error)) {
      fail_msg("%s", error.text);
    }
    on_str json;
    json.p = onenlp_buffer_data(out, &json.n);
    on_json *root = on_json_parse(json, 16, NULL);
    assert_non_null(root);
    assert_true(on_json_number(on_json_get(root, "documents")) == 3);
    assert_true(on_json_number(on_json_get(on_json_get(root, "entities"), "f1")) == 1);
    assert_true(on_json_number(on_json_get(on_json_get(root, "entities"), "gold")) > 3);
    assert_true(on_json_number(on_json_get(on_json_get(root, "cats"), "accuracy")) == 1);
    const on_json *sc = on_json_get(on_json_get(root, "spans"), "sc");
    assert_true(fabs(on_json_number(on_json_get(sc, "threshold")) - 0.55) < 1e-6);
    assert_true(on_json_number(on_json_get(on_json_get(sc, "scores"), "f1")) == 1);
    assert_true(on_json_number(on_json_get(on_json_get(sc, "best"), "f1")) == 1);
    on_json_free(root);
  }
  onenlp_buffer_clear(out);
  assert_true(onenlp_compare_jsonl(gold.p, gold.n, gold.p, gold.n, ONENLP_TABLE, out, NULL));
  onenlp_buffer_free(out);
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
  on_buf_free(&gold);
  on_buf_free(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_back),
      cmocka_unit_test(categories_of_all_units),
      cmocka_unit_test(reaches_the_outputs),
      cmocka_unit_test(scores_its_own_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
