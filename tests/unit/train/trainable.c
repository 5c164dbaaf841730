// The `transformer-trainable` encoder in training: what it starts from, its gradients, its rates.
#include <math.h>

#include "base/alloc.h"
#include "test.h"
#include "../transformer/folder.h"
#include "nn/fastmath.h"
#include "pipeline/pipeline.h"
#include "toy.h"
#include "train/kinds.h"
#include "train/optimizer.h"
#include "train/start_from.h"
#include "train/trainable.h"
#include "transformer/trainable.h"

typedef struct model {
  folder folder;
  on_files files;
  on_recipe recipe;
  on_pipeline pipeline;
  on_optimizer optimizer;
  on_corpus corpus;
  on_doc docs[2];
  uint32_t starts[3];
  on_regularization rates;
  on_random random;
  float *weights;  // of the loss: the sum of weights[i] * h[i]
  float *h;        // of the last forward pass
} model;

// What is compared closely, or by small differences, cannot be told from the rounding of factors to bfloat16.
static void needs_exact_products(void) {
  if (on_gemm_is_exact()) return;
  fprintf(stderr, "skipped: this build rounds the factors of training's products (ONENLP_BF16_TRAINING)\n");
  skip();
}

static void open_pipeline(on_pipeline *pipeline, const on_files *files, const char *kind, const char *settings) {
  char config[2000];
  on_error error;
  snprintf(config, sizeof config,
           "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": "
           "[{\"kind\": \"%s\", \"settings\": {\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", %s}}], "
           "\"components\": []}",
           kind, settings);
  if (!on_pipeline_from_config_with(pipeline, on_str_c(config), files, &error)) fail_msg("%s", error.text);
}

static const on_encoder *encoder_of(const model *m) { return &m->pipeline.encoders[0]; }

static void open_model(model *m, const char *of, const char *settings, const char *training) {
  char recipe[500];
  on_error error;
  *m = (model){0};
  add_file(&m->folder, "m.onnx", of, ".onnx", false);
  add_file(&m->folder, "t.json", "bert", ".tokenizer.json", false);
  m->files = (on_files){.context = &m->folder, .open = open_file};
  snprintf(recipe, sizeof recipe, "{\"pipeline\": {}, \"data\": {\"train\": [\"x\"]}, \"training\": {%s}}", training);
  if (!on_recipe_parse(&m->recipe, on_str_c(recipe), &error)) fail_msg("%s", error.text);
  open_pipeline(&m->pipeline, &m->files, "transformer-trainable", settings);
  assert_true(on_optimizer_init(&m->optimizer, &m->pipeline, &m->recipe.hyper, 10, &error));
  on_random_seed(&m->random, 5);
  on_trainable_trainer.init(encoder_of(m), &m->random);
  if (!on_trainable_trainer.load(encoder_of(m), &error)) fail_msg("%s", error.text);
  assert_true(on_corpus_add(&m->corpus, on_str_c(toy_conllu), &error));
  for (uint32_t d = 0; d < 2; d++) {
    on_doc_init(&m->docs[d]);
    assert_true(on_corpus_doc(&m->corpus, 2 * d, 2 * d + 2, &m->docs[d], &error));
    m->starts[d + 1] = m->starts[d] + (uint32_t)m->docs[d].n;
  }
  const size_t n = m->starts[2] * (size_t)encoder_of(m)->width;
  m->weights = malloc(n * sizeof *m->weights);
  m->h = malloc(n * sizeof *m->h);
  on_random_seed(&m->random, 3);
  for (size_t i = 0; i < n; i++) m->weights[i] = on_random_normal(&m->random);
}

static void close_model(model *m) {
  free(m->weights);
  free(m->h);
  for (int d = 0; d < 2; d++) on_doc_free(&m->docs[d]);
  on_optimizer_free(&m->optimizer);
  on_pipeline_free(&m->pipeline);
  on_corpus_free(&m->corpus);
  on_recipe_free(&m->recipe);
  close_folder(&m->folder);
}

// The loss, with the same random numbers at every call; its gradients are added to grads[0] when `backward`.
static double loss_of(model *m, bool backward) {
  on_train_step step = {.rates = &m->rates,
                        .values = m->optimizer.values,
                        .grads = m->optimizer.grads[0],
                        .docs = m->docs,
                        .doc_count = 2,
                        .starts = m->starts,
                        .m = m->starts[2],
                        .random = m->random};
  const size_t n = step.m * encoder_of(m)->width;
  float *h, *dh = ON_NEW(&step.arena, float, n);
  void *kept;
  double loss = 0;
  assert_true(on_trainable_trainer.forward(encoder_of(m), &step, &h, &kept));
  for (size_t i = 0; i < n; i++) loss += (double)m->weights[i] * (double)h[i];
  memcpy(m->h, h, n * sizeof *h);
  memcpy(dh, m->weights, n * sizeof *dh);
  const on_random after = step.random;
  if (backward) assert_true(on_trainable_trainer.backward(encoder_of(m), &step, kept, dh));
  // What is drawn for other encoders and heads does not depend on what was computed again.
  assert_memory_equal(&after, &step.random, sizeof after);
  on_arena_free(&step.arena);
  return loss;
}

typedef struct probe {
  model *m;
  const float *grads;
  on_random random;
  size_t moved, checked;
} probe;

static bool check_param(void *context, const char *name, on_param *param) {
  probe *p = context;
  float *w = on_value_mutable(param);
  const size_t offset = (size_t)(w - p->m->optimizer.values), n = on_param_count(param);
  size_t from = 0;
  for (int k = 0; k < 5; k++) {
    size_t i = on_random_below(&p->random, (uint32_t)n);
    if (param->table) {  // positions that no sequence reaches have no gradient
      for (i = from; p->grads[offset + i] == 0; i++) assert_true(i + 1 < n);
      from = i + 29;
    }
    const float kept = w[i], e = 2e-3f;
    w[i] = kept + e;
    const double up = loss_of(p->m, false);
    w[i] = kept - e;
    const double down = loss_of(p->m, false);
    w[i] = kept;
    const double expected = (up - down) / (2 * (double)e), got = (double)p->grads[offset + i];
    if (fabs(expected - got) > 0.02 + 0.02 * fabs(expected)) {
      fail_msg("%s[%zu]: gradient %g, finite difference %g", name, i, got, expected);
    }
    p->checked++;
    p->moved += fabs(expected) > 0.1;
  }
  return true;
}

static void check_gradients(const char *of, const char *settings, float dropout) {
  model m;
  open_model(&m, of, settings, "\"shards\": 1");
  m.rates.encoder = dropout;
  loss_of(&m, true);
  float *grads = malloc(m.optimizer.n * sizeof *grads);
  memcpy(grads, m.optimizer.grads[0], m.optimizer.n * sizeof *grads);
  probe p = {.m = &m, .grads = grads};
  on_random_seed(&p.random, 7);
  assert_true(on_pipeline_each_param(&m.pipeline, check_param, &p));
  assert_true(p.moved * 2 > p.checked);
  free(grads);
  close_model(&m);
}

#define MEAN "\"pooling\": \"mean\", \"maxLength\": 34"
// Layers over the vectors; how many stands behind it.
#define OVER ", \"shapeRows\": 5, \"recurrentLayers\": "
// Windows of at most 9 pieces, so that a document has several.
#define SHORT "\"pooling\": \"first\", \"maxLength\": 9"

static void gradients_postnorm(void **state) {
  (void)state;
  needs_exact_products();
  check_gradients("bert", MEAN, 0);
  check_gradients("roberta", SHORT, 0);
  check_gradients("bert", SHORT ", \"maxBatchPieces\": 20", 0.2f);
}

static void gradients_modernbert(void **state) {
  (void)state;
  needs_exact_products();
  check_gradients("modernbert", MEAN, 0);
  check_gradients("modernbert", SHORT ", \"maxBatchPieces\": 20", 0.2f);
}

// Of the table of shapes and the recurrent layers over the vectors, too, and of the model through them.
static void gradients_over(void **state) {
  (void)state;
  needs_exact_products();
  check_gradients("bert", MEAN OVER "1", 0);
  check_gradients("bert", SHORT OVER "2, \"recurrentSize\": 5, \"maxBatchPieces\": 20", 0.2f);
}

// What does not fit into maxBatchPieces is computed again, with the same masks.
static void groups(void **state) {
  (void)state;
  needs_exact_products();
  static const char *const sizes[] = {"1", "12", "1024"};
  model m[3];
  double loss[3];
  for (int i = 0; i < 3; i++) {
    char settings[200];
    snprintf(settings, sizeof settings, SHORT ", \"maxBatchPieces\": %s", sizes[i]);
    open_model(&m[i], "bert", settings, "\"shards\": 1");
    loss[i] = loss_of(&m[i], true);
  }
  assert_true(m[0].optimizer.n == m[2].optimizer.n && loss[2] != 0);
  for (int i = 0; i < 2; i++) {
    assert_true(fabs(loss[i] - loss[2]) < 1e-4 * fabs(loss[2]));
    for (size_t k = 0; k < m[2].optimizer.n; k++) {
      const float want = m[2].optimizer.grads[0][k], got = m[i].optimizer.grads[0][k];
      if (fabsf(want - got) > 1e-4f + 1e-4f * fabsf(want)) {
        fail_msg("%s pieces at a time: gradient %zu is %g, want %g", sizes[i], k, (double)got, (double)want);
      }
    }
  }
  for (int i = 0; i < 3; i++) close_model(&m[i]);
}

// Before the first step the encoder is the model that it comes from: the same bits as frozen, and training computes the
// same but for rounding.
static void starts_as_the_model(void **state) {
  (void)state;
  needs_exact_products();
  static const char *const of[] = {"bert", "roberta", "xlmr", "modernbert", "bert-half"};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    model m;
    on_pipeline frozen;
    on_error error;
    on_workspace workspace;
    open_model(&m, of[i], MEAN, "\"shards\": 1");
    open_pipeline(&frozen, &m.files, "transformer", MEAN);
    assert_true(on_pipeline_prepare(&m.pipeline, &error) && on_pipeline_prepare(&frozen, &error));
    loss_of(&m, false);
    assert_true(on_workspace_init(&workspace, 1, NULL));
    for (int d = 0; d < 2; d++) {
      const size_t n = m.docs[d].n * (size_t)encoder_of(&m)->width;
      float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
      void *cache = NULL;
      assert_true(on_trainable_kind.run(encoder_of(&m), &workspace, &cache, &m.docs[d], a, &error));
      assert_true(on_transformer_kind.run(&frozen.encoders[0], &workspace, &cache, &m.docs[d], b, &error));
      assert_memory_equal(a, b, n * sizeof *a);
      const float *h = m.h + m.starts[d] * (size_t)encoder_of(&m)->width;
      for (size_t k = 0; k < n; k++) {
        if (fabsf(a[k] - h[k]) > 2e-5f) fail_msg("%s: %g in training, %g after", of[i], (double)h[k], (double)a[k]);
      }
      free(a);
      free(b);
    }
    on_workspace_free(&workspace);
    on_pipeline_free(&frozen);
    close_model(&m);
  }
}

// With layers over it, too, training computes what the encoder then gives.
static void computes_the_same_over_it(void **state) {
  (void)state;
  needs_exact_products();
  model m;
  on_error error;
  on_workspace workspace;
  open_model(&m, "bert", MEAN OVER "2, \"recurrentSize\": 5", "\"shards\": 1");
  assert_true(on_pipeline_prepare(&m.pipeline, &error) && on_workspace_init(&workspace, 1, NULL));
  loss_of(&m, false);
  for (int d = 0; d < 2; d++) {
    const size_t n = m.docs[d].n * (size_t)encoder_of(&m)->width;
    float *a = malloc(n * sizeof *a);
    void *cache = NULL;
    assert_true(on_trainable_kind.run(encoder_of(&m), &workspace, &cache, &m.docs[d], a, &error));
    const float *h = m.h + m.starts[d] * (size_t)encoder_of(&m)->width;
    for (size_t k = 0; k < n; k++) {
      if (fabsf(a[k] - h[k]) > 5e-5f) fail_msg("%g in training, %g after", (double)h[k], (double)a[k]);
    }
    free(a);
  }
  on_workspace_free(&workspace);
  close_model(&m);
}

// Where a document is shown in lower case, its shapes are those of what is shown.
static void shapes_of_what_is_shown(void **state) {
  (void)state;
  static const char *const OF[] = {MEAN, MEAN ", \"shapeRows\": 997"};
  for (int shapes = 0; shapes < 2; shapes++) {
    model m;
    open_model(&m, "bert", OF[shapes], "\"shards\": 1");
    const size_t width = encoder_of(&m)->width, n = m.starts[2] * width;
    float *as_it_is = malloc(n * sizeof *as_it_is);
    loss_of(&m, false);
    memcpy(as_it_is, m.h, n * sizeof *as_it_is);
    m.rates.lower = 1;
    loss_of(&m, false);
    for (int d = 0; d < 2; d++) {
      for (size_t w = 0; w < m.docs[d].n; w++) {
        const uint16_t first = m.docs[d].text.p[m.docs[d].start[w]];
        const size_t at = (m.starts[d] + w) * width;
        const bool same = memcmp(m.h + at, as_it_is + at, width * sizeof(float)) == 0;
        assert_true(same == (!shapes || first < 'A' || first > 'Z'));  // the model itself sees no capitals
      }
    }
    free(as_it_is);
    close_model(&m);
  }
}

// A training goes on from a pipeline whose fine-tuned encoder was saved as a model in a file of its own.
static void starts_from_a_saved_model(void **state) {
  (void)state;
  model m, tuned, other;
  on_pipeline frozen, strange;
  on_error error;
  open_model(&m, "bert", MEAN, "\"shards\": 1");
  open_model(&tuned, "bert-tuned", MEAN, "\"shards\": 1");
  open_model(&other, "modernbert", MEAN, "\"shards\": 1");
  open_pipeline(&frozen, &tuned.files, "transformer", MEAN);
  open_pipeline(&strange, &other.files, "transformer", MEAN);
  const size_t n = m.optimizer.n;
  assert_int_equal(n, tuned.optimizer.n);
  assert_memory_not_equal(m.optimizer.values, tuned.optimizer.values, n * sizeof(float));
  if (!on_train_start_from(&m.pipeline, &frozen, true, &error)) fail_msg("%s", error.text);
  assert_memory_equal(m.optimizer.values, tuned.optimizer.values, n * sizeof(float));
  assert_false(on_train_start_from(&m.pipeline, &strange, true, &error));
  assert_non_null(strstr(error.text, "encoders[0]: "));
  on_pipeline_free(&frozen);
  on_pipeline_free(&strange);
  close_model(&m);
  close_model(&tuned);
  close_model(&other);
}

// And what lies over it, if it is of the same shape; where nothing does, it starts anew if it may.
static void starts_from_layers_over_it(void **state) {
  (void)state;
  model m, tuned;
  on_pipeline bare, frozen, strange;
  on_error error;
  open_model(&m, "bert", MEAN OVER "1", "\"shards\": 1");
  open_model(&tuned, "bert-tuned", MEAN OVER "1", "\"shards\": 1");
  open_pipeline(&bare, &tuned.files, "transformer", MEAN);
  open_pipeline(&frozen, &tuned.files, "transformer", MEAN OVER "1");
  open_pipeline(&strange, &tuned.files, "transformer", MEAN OVER "1, \"recurrentSize\": 5");
  const on_params own = on_word_layers_params(&((const on_trainable *)encoder_of(&m)->state)->model.over,
                                              &encoder_of(&m)->params);
  const size_t n = m.optimizer.n, below = (size_t)(on_value(own.list[0]) - m.optimizer.values);
  float *before = malloc(n * sizeof *before);
  memcpy(before, m.optimizer.values, n * sizeof *before);
  assert_false(on_train_start_from(&m.pipeline, &bare, true, &error));
  if (!on_train_start_from(&m.pipeline, &bare, false, &error)) fail_msg("%s", error.text);
  assert_memory_equal(m.optimizer.values, tuned.optimizer.values, below * sizeof(float));
  assert_memory_equal(m.optimizer.values + below, before + below, (n - below) * sizeof(float));
  assert_false(on_train_start_from(&m.pipeline, &strange, false, &error));
  // The frozen encoder's own values: other ones.
  for (size_t i = 0; i < frozen.encoders[0].params.n; i++) {
    on_param *param = frozen.encoders[0].params.list[i];
    float *values = malloc(on_param_count(param) * sizeof *values);
    for (size_t k = 0; k < on_param_count(param); k++) values[k] = (float)(i + 1) + (float)k / 1000;
    param->data = (const uint8_t *)values;
  }
  if (!on_train_start_from(&m.pipeline, &frozen, true, &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < own.n; i++) {
    assert_memory_equal(own.list[i]->data, frozen.encoders[0].params.list[i]->data,
                        on_param_count(own.list[i]) * sizeof(float));
    free((void *)(uintptr_t)frozen.encoders[0].params.list[i]->data);
  }
  free(before);
  on_pipeline_free(&bare);
  on_pipeline_free(&frozen);
  on_pipeline_free(&strange);
  close_model(&m);
  close_model(&tuned);
}

static void other_activations(void **state) {
  (void)state;
  model m;
  on_error error;
  open_model(&m, "bert", MEAN, "\"shards\": 1");
  on_trainable *trainable = encoder_of(&m)->state;
  trainable->model.transformer.layers[1].activation = ON_RELU;
  assert_false(on_trainable_trainer.load(encoder_of(&m), &error));
  assert_int_equal(error.code, ON_UNSUPPORTED);
  close_model(&m);
}

// Without memory at any place a step fails and leaves nothing behind.
static void memory_failures(void **state) {
  (void)state;
  model m;
  open_model(&m, "bert", SHORT OVER "1, \"recurrentSize\": 5, \"maxBatchPieces\": 20", "\"shards\": 1");
  m.rates.encoder = 0.1f;
  bool done = false;
  for (size_t n = 1; !done; n++) {
    on_train_step step = {.rates = &m.rates, .values = m.optimizer.values, .grads = m.optimizer.grads[0],
                          .docs = m.docs, .doc_count = 2, .starts = m.starts, .m = m.starts[2], .random = m.random};
    const size_t before = on_alloc_used();
    float *h, *dh = ON_NEW0(&step.arena, float, step.m * encoder_of(&m)->width);
    void *kept;
    on_alloc_fail_at(n, 0);
    const bool ok = on_trainable_trainer.forward(encoder_of(&m), &step, &h, &kept) &&
                    on_trainable_trainer.backward(encoder_of(&m), &step, kept, dh);
    done = on_alloc_fail_at(0, 0) > 0;
    assert_true(ok == done);
    on_arena_free(&step.arena);
    assert_int_equal(on_alloc_used(), before);
  }
  close_model(&m);
}

static const on_range *range_of(const model *m, const char *name) {
  const on_params *params = &encoder_of(m)->params;
  for (size_t i = 0; i < params->n; i++) {
    if (strcmp(params->list[i]->name, name) == 0) return &m->optimizer.ranges[i];
  }
  fail_msg("no parameter %s", name);
  return NULL;
}

// modernbert has three layers.
static void rates_by_layer(void **state) {
  (void)state;
  static const struct {
    const char *name;
    float rate, decay;
  } want[] = {{"final_norm.weight", 0.1f, 0},       {"layers2.qkv.weight", 0.1f, 0.02f},
              {"layers2.feed_norm.weight", 0.1f, 0}, {"layers1.down.weight", 0.05f, 0.02f},
              {"layers0.up.weight", 0.025f, 0.02f},  {"embedding_norm.weight", 0.0125f, 0},
              {"embed_shape.weight", 1, 0},          {"lstm.weight_hh_l0_reverse", 1, 0.02f}};
  model m;
  open_model(&m, "modernbert", MEAN OVER "1",
             "\"encoderRate\": 0.1, \"layerDecay\": 0.5, \"weightDecay\": 0.02, \"warmup\": 0");
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const on_range *range = range_of(&m, want[i].name);
    if (fabsf(range->rate - want[i].rate) > 1e-6f || range->decay != want[i].decay) {
      fail_msg("%s: rate %g, decay %g", want[i].name, (double)range->rate, (double)range->decay);
    }
  }
  // The first step of Adam moves every value by the rate, whatever its gradient.
  const on_range *low = range_of(&m, "embedding_norm.weight"),
                 *high = range_of(&m, "final_norm.weight");
  float before[2] = {m.optimizer.values[low->from], m.optimizer.values[high->from]};
  loss_of(&m, true);
  assert_true(on_optimizer_step(&m.optimizer));
  const float moved[2] = {fabsf(m.optimizer.values[low->from] - before[0]),
                          fabsf(m.optimizer.values[high->from] - before[1])};
  assert_true(moved[0] > 0 && fabsf(moved[1] / moved[0] - 8) < 0.1f);
  close_model(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_as_the_model),
      cmocka_unit_test(computes_the_same_over_it),
      cmocka_unit_test(shapes_of_what_is_shown),
      cmocka_unit_test(starts_from_a_saved_model),
      cmocka_unit_test(starts_from_layers_over_it),
      cmocka_unit_test(gradients_postnorm),
      cmocka_unit_test(gradients_modernbert),
      cmocka_unit_test(gradients_over),
      cmocka_unit_test(groups),
      cmocka_unit_test(rates_by_layer),
      cmocka_unit_test(other_activations),
      cmocka_unit_test(memory_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
