// Heads over a frozen transformer: its vectors are computed once where the same units come again.
#include <math.h>

#include "test.h"
#include "../transformer/folder.h"
#include "pipeline/pipeline.h"
#include "toy.h"
#include "train/transformer.h"
#include "transformer/frozen.h"

typedef struct model {
  folder folder;
  on_files files;
  on_pipeline pipeline;
  on_corpus corpus;
  on_doc docs[2];
  uint32_t starts[3];
} model;

static void open_model(model *m) {
  on_error error;
  *m = (model){0};
  add_file(&m->folder, "m.onnx", "bert", ".onnx", false);
  add_file(&m->folder, "t.json", "bert", ".tokenizer.json", false);
  m->files = (on_files){.context = &m->folder, .open = open_file};
  if (!on_pipeline_from_config_with(&m->pipeline,
                                    ON_STR("{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": "
                                           "{\"kind\": \"rule\"}, \"encoders\": [{\"kind\": \"transformer\", "
                                           "\"settings\": {\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", "
                                           "\"maxLength\": 34}}], \"components\": []}"),
                                    &m->files, &error)) {
    fail_msg("%s", error.text);
  }
  assert_true(on_corpus_add(&m->corpus, on_str_c(toy_conllu), &error));
  for (uint32_t d = 0; d < 2; d++) {
    on_doc_init(&m->docs[d]);
    assert_true(on_corpus_doc(&m->corpus, 2 * d, 2 * d + 2, &m->docs[d], &error));
    m->starts[d + 1] = m->starts[d] + (uint32_t)m->docs[d].n;
  }
}

static void close_model(model *m) {
  for (int d = 0; d < 2; d++) on_doc_free(&m->docs[d]);
  on_pipeline_free(&m->pipeline);
  on_corpus_free(&m->corpus);
  close_folder(&m->folder);
}

// The vectors of both documents, or NULL where the encoder failed, with *error (may be NULL). Free them.
static float *vectors(model *m, on_vector_cache *cache, on_error *error) {
  static const on_regularization none = {0};
  const on_encoder *encoder = &m->pipeline.encoders[0];
  on_train_step step = {.rates = &none, .docs = m->docs, .doc_count = 2, .starts = m->starts, .m = m->starts[2],
                        .cache = cache};
  float *h, *copy = NULL;
  void *kept;
  if (on_transformer_trainer.forward(encoder, &step, &h, &kept)) {
    copy = malloc(step.m * encoder->width * sizeof *copy);
    memcpy(copy, h, step.m * encoder->width * sizeof *copy);
  }
  if (error) *error = step.error;
  on_arena_free(&step.arena);
  return copy;
}

static int fails(void *context, uint64_t offset, void *out, size_t size) {
  (void)context;
  (void)offset;
  (void)out;
  (void)size;
  return 0;
}

static void computed_once(void **state) {
  (void)state;
  model m;
  open_model(&m);
  on_vector_cache *cache = on_vector_cache_new(1 << 20);
  const size_t n = m.starts[2] * (size_t)m.pipeline.encoders[0].width;
  float *exact = vectors(&m, NULL, NULL), *first = vectors(&m, cache, NULL);
  assert_true(exact && first);
  for (size_t i = 0; i < n; i++) assert_true(fabsf(exact[i] - first[i]) <= 1e-3f * fabsf(exact[i]) + 1e-6f);
  // Nothing can be computed from now on.
  on_frozen *frozen = m.pipeline.encoders[0].state;
  frozen->source.read = fails;
  on_error error;
  assert_null(vectors(&m, NULL, &error));
  assert_int_equal(error.code, ON_IO);
  float *again = vectors(&m, cache, NULL);
  assert_non_null(again);
  assert_memory_equal(first, again, n * sizeof *first);
  // Another place of a word is another document.
  m.docs[0].end[0]--;
  assert_null(vectors(&m, cache, NULL));
  free(exact);
  free(first);
  free(again);
  on_vector_cache_free(cache);
  close_model(&m);
}

// Two threads that come with the same document get the same vectors, whoever is first.
static void put_twice(void **state) {
  (void)state;
  model m;
  open_model(&m);
  const size_t width = m.pipeline.encoders[0].width, n = m.docs[0].n * width;
  on_vector_cache *cache = on_vector_cache_new(1 << 20);
  float *first = vectors(&m, NULL, NULL), *second = vectors(&m, NULL, NULL), *exact = vectors(&m, NULL, NULL);
  on_vector_cache_put(cache, &m, &m.docs[0], width, first);
  on_vector_cache_put(cache, &m, &m.docs[0], width, second);
  assert_memory_not_equal(first, exact, n * sizeof *first);
  assert_memory_equal(first, second, n * sizeof *first);
  free(first);
  free(second);
  free(exact);
  on_vector_cache_free(cache);
  close_model(&m);
}

// Beyond its room nothing is kept; what comes is rounded as if it were.
static void full(void **state) {
  (void)state;
  model m;
  open_model(&m);
  const size_t width = m.pipeline.encoders[0].width, n = m.starts[2] * width;
  on_vector_cache *room = on_vector_cache_new(1 << 20), *cache = on_vector_cache_new(2 * m.docs[0].n * width);
  float *expected = vectors(&m, room, NULL), *first = vectors(&m, cache, NULL), *again = vectors(&m, cache, NULL);
  assert_true(expected && first && again);
  assert_memory_equal(expected, first, n * sizeof *first);
  assert_memory_equal(expected, again, n * sizeof *first);
  float kept[64 * 64];
  assert_true(m.docs[1].n * width <= sizeof kept / sizeof *kept);
  assert_false(on_vector_cache_get(cache, &m.pipeline.encoders[0], &m.docs[1], width, kept));
  free(expected);
  free(first);
  free(again);
  on_vector_cache_free(room);
  on_vector_cache_free(cache);
  close_model(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(computed_once), cmocka_unit_test(put_twice),
                                     cmocka_unit_test(full)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
