// The core against the reference reader of tests/js/reference, which was written from docs/format.md: the
// same rows, the same vectors bit for bit, the same columns, for pipelines with arbitrary weights.
#include "test.h"

#include "base/alloc.h"
#include "pipeline/pipeline.h"
#include "text/utf.h"

typedef struct sample {
  char *file, *json;
  size_t file_size;
  on_json *expected;
  on_pipeline pipeline;
  on_doc doc;
} sample;

static const on_json *member(const on_json *object, const char *key) {
  const on_json *value = on_json_get(object, key);
  if (!value) fail_msg("no \"%s\" in the expected values", key);
  return value;
}

// A Doc of one sentence, the tokens joined by blanks.
static void make_doc(on_doc *doc, const on_json *tokens) {
  on_doc_init(doc);
  on_buf text = {0};
  for (const on_json *t = on_json_first(tokens); t; t = on_json_next(t)) {
    on_buf_str(&text, on_json_string(t));
    on_buf_char(&text, ' ');
  }
  assert_true(on_utf16_from_utf8(&doc->arena, on_buf_view(&text), &doc->text, NULL));
  on_buf_free(&text);
  assert_true(on_doc_set_tokens(doc, on_json_count(tokens)));
  doc->source = doc->text;
  doc->unit_end = (uint32_t)doc->text.n;
  uint32_t at = 0, i = 0;
  for (const on_json *t = on_json_first(tokens); t; t = on_json_next(t), i++) {
    doc->start[i] = doc->source_start[i] = at;
    at += (uint32_t)on_utf16_length(on_json_string(t));
    doc->end[i] = doc->source_end[i] = at++;
  }
}

static void open_sample(sample *s, const char *name) {
  char relative[128], path[1024];
  on_error error = {0};
  snprintf(relative, sizeof relative, "tests/fixtures/format/%s.onenlp", name);
  s->file = test_read_file(test_source_path(path, sizeof path, relative), &s->file_size);
  snprintf(relative, sizeof relative, "tests/fixtures/format/%s.json", name);
  s->json = test_read_file(test_source_path(path, sizeof path, relative), NULL);
  s->expected = on_json_parse(on_str_c(s->json), 8, &error);
  if (!s->expected) fail_msg("%s: %s", relative, error.text);
  if (!on_pipeline_load(&s->pipeline, (on_str){s->file, s->file_size}, &error)) fail_msg("%s: %s", name, error.text);
  make_doc(&s->doc, member(s->expected, "tokens"));
}

static void close_sample(sample *s) {
  on_doc_free(&s->doc);
  on_pipeline_free(&s->pipeline);
  on_json_free(s->expected);
  free(s->file);
  free(s->json);
  assert_int_equal(on_alloc_used(), 0);
}

static void compare_vectors(const on_encoder *encoder, const on_kernels *kernels, const on_doc *doc, size_t encoders,
                            const on_json *expected) {
  on_workspace workspace;
  void *cache = NULL;
  size_t count = doc->n * encoder->width, i = 0;
  float *vectors = malloc(count * sizeof *vectors);
  assert_true(on_workspace_init(&workspace, encoders, kernels));
  assert_true(encoder->kind->run(encoder, &workspace, &cache, doc, vectors, NULL));
  assert_int_equal(on_json_count(member(expected, "vectors")), count);
  for (const on_json *v = on_json_first(member(expected, "vectors")); v; v = on_json_next(v), i++) {
    uint32_t bits;
    memcpy(&bits, &vectors[i], sizeof bits);
    if ((double)bits != on_json_number(v)) {
      fail_msg("%s, %s: value %zu of token %zu is 0x%08X, want 0x%08X", encoder->kind->name, kernels->name,
               i % encoder->width, i / encoder->width, bits, (unsigned)on_json_number(v));
    }
  }
  on_workspace_free(&workspace);
  free(vectors);
}

static void compare_strings(const on_json *columns, const char *key, const on_str *column) {
  const on_json *values = on_json_get(columns, key);
  if (!values) return;
  assert_non_null(column);
  size_t i = 0;
  for (const on_json *v = on_json_first(values); v; v = on_json_next(v), i++) {
    on_str want = on_json_type(v) == ON_JSON_STRING ? on_json_string(v) : ON_STR_NONE;
    if (!want.p != !column[i].p || !on_str_eq(want, column[i])) {
      fail_msg("%s of token %zu is \"%.*s\", want \"%.*s\"", key, i, ON_SHOW(column[i]), ON_SHOW(want));
    }
  }
}

static void compare_columns(const on_doc *doc, const on_json *columns) {
  compare_strings(columns, "tag", doc->tag);
  compare_strings(columns, "pos", doc->pos);
  compare_strings(columns, "morph", doc->morph);
  compare_strings(columns, "lemma", doc->lemma);
  compare_strings(columns, "label", doc->dep);
  size_t i = 0;
  for (const on_json *v = on_json_first(member(columns, "head")); v; v = on_json_next(v), i++) {
    assert_int_equal(doc->head[i], (int)on_json_number(v));
  }
  const on_json *starts = on_json_get(columns, "sentStart");
  if (!starts) return;
  i = 0;
  for (const on_json *v = on_json_first(starts); v; v = on_json_next(v), i++) {
    assert_int_equal(doc->sent_start[i], (int)on_json_number(v));
  }
}

static void compare_sample(const char *name) {
  sample s = {0};
  open_sample(&s, name);
  const on_json *expected = on_json_first(member(s.expected, "encoders"));
  for (size_t e = 0; e < s.pipeline.encoder_count; e++, expected = on_json_next(expected)) {
    for (size_t k = 0; on_kernels_at(k); k++) {
      compare_vectors(&s.pipeline.encoders[e], on_kernels_at(k), &s.doc, s.pipeline.encoder_count, expected);
    }
  }
  on_workspace workspace;
  on_error error = {0};
  assert_true(on_workspace_init(&workspace, s.pipeline.encoder_count, NULL));
  if (!on_pipeline_run(&s.pipeline, &workspace, NULL, &s.doc, &error)) fail_msg("%s", error.text);
  compare_columns(&s.doc, member(s.expected, "columns"));
  on_workspace_free(&workspace);
  close_sample(&s);
}

static void every_setting(void **state) {
  (void)state;
  compare_sample("full");
}

static void plain_settings(void **state) {
  (void)state;
  compare_sample("plain");
}

static void labels_by_a_sum(void **state) {
  (void)state;
  compare_sample("sum");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_setting),
      cmocka_unit_test(plain_settings),
      cmocka_unit_test(labels_by_a_sum),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
