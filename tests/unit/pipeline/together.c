// Units that the `fast` encoder takes together: the same columns as one by one, and no more memory for a longer text.
#include "together.h"

#include "tiny.h"

#define CONFIG(settings)                                                                                               \
  TINY_HEAD TINY_TOKENIZER ", \"encoders\": [{\"kind\": \"fast\", \"settings\": {\"width\": 12, \"normRows\": 32, "      \
  "\"prefixRows\": 16, \"suffixRows\": 16, \"shapeRows\": 8, \"seed\": 7, " settings "}}], \"components\": ["              \
  "{\"name\": \"morphologizer\", \"type\": \"head\", \"kind\": \"morphologizer\", \"encoder\": 0, "                      \
  "\"config\": {\"labels\": [\"POS=NOUN|Number=Sing\", \"POS=VERB\", \"POS=DET|Definite=Def\"]}}]}"

static const char *const configs[] = {
    CONFIG("\"depth\": 0, \"recurrentLayers\": 1, \"recurrentSize\": 5"),  // gates from the forms
    CONFIG("\"depth\": 2, \"recurrentLayers\": 2, \"plain\": 1"),
    CONFIG("\"depth\": 1, \"recurrentLayers\": 1, \"neighbourRows\": 16, \"bigramRows\": 16"),
};

// A pipeline of the config with random weights; `bytes` are its file's.
static void open_tiny(on_pipeline *pipeline, on_buf *bytes, const char *config, on_dtype matrices) {
  on_error error;
  *bytes = tiny_file(config, matrices);
  if (!on_pipeline_load(pipeline, on_buf_view(bytes), &error)) tiny_fail("load", &error);
}

static void same_vectors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    for (size_t k = 0; on_kernels_at(k); k++) {
      on_pipeline pipeline;
      on_workspace workspace;
      on_buf bytes;
      open_tiny(&pipeline, &bytes, configs[i], k % 2 ? ON_I8 : ON_F32);
      assert_true(on_workspace_init(&workspace, 1, on_kernels_at(k)));
      assert_true(together_same_vectors(&pipeline, &workspace, 90, true) > 1024);  // words: several batches
      on_workspace_free(&workspace);
      on_pipeline_free(&pipeline);
      on_buf_free(&bytes);
    }
  }
}

static void same_columns(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    for (int whole = 0; whole < 2; whole++) {
      on_pipeline pipeline;
      on_buf bytes;
      open_tiny(&pipeline, &bytes, configs[i], whole ? ON_I8 : ON_F32);
      together_same_columns(&pipeline, 40);
      on_pipeline_free(&pipeline);
      on_buf_free(&bytes);
    }
  }
}

// Without a recurrent layer there is nothing to gain.
static void only_with_recurrence(void **state) {
  (void)state;
  on_pipeline pipeline;
  on_buf bytes;
  open_tiny(&pipeline, &bytes, CONFIG("\"depth\": 1"), ON_F32);
  assert_false(on_pipeline_encodes_together(&pipeline, NULL));
  on_pipeline_free(&pipeline);
  on_buf_free(&bytes);
}

// The most memory there is while a text of as many paragraphs is annotated.
static size_t most_memory(const on_pipeline *pipeline, size_t paragraphs) {
  on_arena arena = {0};
  on_str16 text;
  on_workspace workspace;
  on_text_run run;
  on_doc doc;
  on_buf bytes = together_text(paragraphs);
  assert_true(on_utf16_from_utf8(&arena, on_buf_view(&bytes), &text, NULL));
  assert_true(on_workspace_init(&workspace, pipeline->encoder_count, NULL));
  on_doc_init(&doc);
  const size_t before = on_alloc_used();
  size_t most = 0, ahead = 0;
  on_text_begin(&run, pipeline, &workspace, NULL, text);
  while (on_text_next(&run, &doc, NULL) == 1) {
    const size_t used = on_alloc_used() - before;
    most = most < used ? used : most;
    ahead = ahead < run.ahead_count ? run.ahead_count : ahead;
  }
  assert_int_equal(run.done, text.n);
  assert_true(ahead > 1);
  on_text_end(&run);
  on_doc_free(&doc);
  on_workspace_free(&workspace);
  on_arena_free(&arena);
  on_buf_free(&bytes);
  return most;
}

static void memory_has_a_bound(void **state) {
  (void)state;
  on_pipeline pipeline;
  on_buf bytes;
  open_tiny(&pipeline, &bytes, configs[0], ON_F32);
  const size_t some = most_memory(&pipeline, 200);
  assert_true(most_memory(&pipeline, 4000) <= some + some / 4);
  on_pipeline_free(&pipeline);
  on_buf_free(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_vectors),
      cmocka_unit_test(same_columns),
      cmocka_unit_test(only_with_recurrence),
      cmocka_unit_test(memory_has_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
