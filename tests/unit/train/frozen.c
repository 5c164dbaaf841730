// Heads over a frozen transformer: its vectors are computed once where the same units come again.
#include <math.h>

#include "test.h"
#include "../transformer/folder.h"
#include "pipeline/pipeline.h"
#include "toy.h"
#include "train/optimizer.h"
#include "train/transformer.h"
#include "transformer/frozen.h"

typedef struct model {
  folder folder;
  on_files files;
  on_pipeline pipeline;
  on_corpus corpus;
  on_doc docs[2];
  uint32_t starts[3];
  on_recipe recipe;
  on_optimizer optimizer;  // of the layers over it
} model;

// `over`: settings of the layers over the encoder.
static void open_model(model *m, const char *over) {
  char config[600];
  on_error error;
  *m = (model){0};
  add_file(&m->folder, "m.onnx", "bert", ".onnx", false);
  add_file(&m->folder, "t.json", "bert", ".tokenizer.json", false);
  m->files = (on_files){.context = &m->folder, .open = open_file};
  snprintf(config, sizeof config,
           "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": "
           "[{\"kind\": \"transformer\", \"settings\": {\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", "
           "\"maxLength\": 34%s}}], \"components\": []}",
           over);
  if (!on_pipeline_from_config_with(&m->pipeline, on_str_c(config), &m->files, &error)) fail_msg("%s", error.text);
  if (!on_recipe_parse(&m->recipe,
                       ON_STR("{\"pipeline\": {}, \"data\": {\"train\": [\"x\"]}, \"training\": {\"shards\": 1}}"),
                       &error) ||
      !on_optimizer_init(&m->optimizer, &m->pipeline, &m->recipe.hyper, 10, &error)) {
    fail_msg("%s", error.text);
  }
  on_random random;
  on_random_seed(&random, 5);
  on_transformer_trainer.init(&m->pipeline.encoders[0], &random);
  assert_true(on_corpus_add(&m->corpus, on_str_c(toy_conllu), &error));
  for (uint32_t d = 0; d < 2; d++) {
    on_doc_init(&m->docs[d]);
    assert_true(on_corpus_doc(&m->corpus, 2 * d, 2 * d + 2, &m->docs[d], &error));
    m->starts[d + 1] = m->starts[d] + (uint32_t)m->docs[d].n;
  }
}

static void close_model(model *m) {
  on_optimizer_free(&m->optimizer);
  on_recipe_free(&m->recipe);
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
                        .cache = cache, .values = m->optimizer.values, .grads = m->optimizer.grads[0]};
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
  open_model(&m, "");
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
  open_model(&m, "");
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
  open_model(&m, "");
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

#define OVER ", \"shapeRows\": 5, \"recurrentLayers\": "

// What is kept are the vectors under the layers, which go on learning.
static void layers_go_on(void **state) {
  (void)state;
  model m;
  open_model(&m, OVER "1");
  on_vector_cache *cache = on_vector_cache_new(1 << 20);
  const size_t n = m.starts[2] * (size_t)m.pipeline.encoders[0].width;
  float *first = vectors(&m, cache, NULL);
  const on_frozen *frozen = m.pipeline.encoders[0].state;
  ((on_frozen *)(uintptr_t)frozen)->source.read = fails;
  float *again = vectors(&m, cache, NULL);
  assert_true(first && again);
  assert_memory_equal(first, again, n * sizeof *first);
  // One shape's rows change what is given of the words that have it, and by how much.
  float *table = on_value_mutable(frozen->over.shapes);
  const on_param *out[] = {frozen->over.recurrent.lstm.bias[0][0], frozen->over.recurrent.lstm.bias[0][1]};
  for (size_t d = 0; d < 2; d++) {  // output gates shut: the layers add nothing to the numbers
    for (size_t i = 3 * out[d]->shape[0] / 4; i < out[d]->shape[0]; i++) on_value_mutable(out[d])[i] = -1e4f;
  }
  float *before = vectors(&m, cache, NULL);
  for (size_t i = 0; i < on_param_count(frozen->over.shapes); i++) table[i] += 0.5f;
  float *after = vectors(&m, cache, NULL);
  assert_true(before && after);
  assert_memory_not_equal(first, before, n * sizeof *first);
  for (size_t i = 0; i < n; i++) assert_true(fabsf(after[i] - before[i] - 1) < 1e-4f);  // two rows each
  free(first);
  free(again);
  free(before);
  free(after);
  on_vector_cache_free(cache);
  close_model(&m);
}

// The sum of weights[i] * h[i] with the same random numbers at every call; gradients are added when `backward`.
static double loss_of(model *m, const on_regularization *rates, bool backward) {
  on_train_step step = {.rates = rates,
                        .docs = m->docs,
                        .doc_count = 2,
                        .starts = m->starts,
                        .m = m->starts[2],
                        .values = m->optimizer.values,
                        .grads = m->optimizer.grads[0]};
  const on_encoder *encoder = &m->pipeline.encoders[0];
  const size_t n = step.m * encoder->width;
  float *h, *dh = ON_NEW(&step.arena, float, n);
  void *kept;
  double loss = 0;
  on_random weights;
  on_random_seed(&step.random, 11);
  on_random_seed(&weights, 3);
  assert_true(on_transformer_trainer.forward(encoder, &step, &h, &kept));
  for (size_t i = 0; i < n; i++) {
    dh[i] = on_random_normal(&weights);
    loss += (double)dh[i] * (double)h[i];
  }
  if (backward) assert_true(on_transformer_trainer.backward(encoder, &step, kept, dh));
  on_arena_free(&step.arena);
  return loss;
}

static void gradients(void **state) {
  (void)state;
  static const char *const OVERS[] = {OVER "1", OVER "2, \"recurrentSize\": 3"};
  for (size_t o = 0; o < 2; o++) {
    const on_regularization rates = {.encoder = o ? 0.2f : 0, .recurrent = o ? 0.2f : 0};
    model m;
    open_model(&m, OVERS[o]);
    loss_of(&m, &rates, true);
    size_t moved = 0, checked = 0;
    const size_t n = m.optimizer.n, most = n < 400 ? n : 400;
    for (size_t k = 0; k < most; k++) {
      const size_t i = n * k / most;
      float *w = &m.optimizer.values[i];
      const float kept = *w, e = 2e-3f;
      *w = kept + e;
      const double up = loss_of(&m, &rates, false);
      *w = kept - e;
      const double down = loss_of(&m, &rates, false);
      *w = kept;
      const double want = (up - down) / (2 * (double)e), got = (double)m.optimizer.grads[0][i];
      if (fabs(want - got) > 0.01 + 0.01 * fabs(want)) fail_msg("%zu: gradient %g, finite difference %g", i, got, want);
      moved += fabs(want) > 0.05;
      checked++;
    }
    assert_true(moved * 2 > checked);
    close_model(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(computed_once), cmocka_unit_test(put_twice),
                                     cmocka_unit_test(full),          cmocka_unit_test(layers_go_on),
                                     cmocka_unit_test(gradients)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
