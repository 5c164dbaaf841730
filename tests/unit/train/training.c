// Training as a whole, on a toy treebank: it learns, the same seed gives the same file, stopping leaves a file,
// and wrong recipes are refused with the place.
#include "base/alloc.h"
#include "kept.h"
#include "pipeline/pipeline.h"
#include "test.h"
#include "toy.h"

typedef struct listener {
  kept best;
  uint32_t epochs, betters;
  uint32_t scored;      // epochs with scores
  uint64_t steps, stop_after, all_steps;
  float rate;           // of the last step
  double loss;          // of the last epoch
} listener;

static bool better(void *context, on_str file, const on_dev_scores *dev, on_error *error) {
  ((listener *)context)->betters++;
  return keep(context, file, dev, error);
}

static void count(void *context, const on_train_progress *p) {
  listener *l = context;
  l->steps = p->step;
  l->all_steps = p->steps;
  l->rate = p->rate;
  l->loss = p->loss;
  l->epochs += p->epoch_done;
  l->scored += p->dev != NULL;
}

static bool stop(void *context) {
  const listener *l = context;
  return l->stop_after && l->steps >= l->stop_after;
}

static bool train_scored(const char *recipe_text, bool scored, listener *l, on_error *error) {
  on_recipe recipe;
  on_corpus corpus = {0};
  if (!on_recipe_parse(&recipe, on_str_c(recipe_text), error)) return false;
  assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), error));
  on_train_listener told = {.context = l, .progress = count, .better = better, .stop = stop};
  bool ok = on_train(&recipe, &corpus, scored ? &corpus : NULL, &told, error);
  on_corpus_free(&corpus);
  on_recipe_free(&recipe);
  return ok;
}

static bool train(const char *recipe_text, listener *l, on_error *error) {
  return train_scored(recipe_text, true, l, error);
}

#define TRAINING(more)                                                                                    \
  "{\"batchWords\": 12, \"learningRate\": 0.01, \"wordDropout\": 0, \"inputDropout\": 0, \"encoderDropout\": 0,"  \
  " \"recurrentDropout\": 0, \"headDropout\": 0, \"projectionDropout\": 0" more "}"

static void learns(void **state) {
  (void)state;
  listener l = {0};
  on_error error;
  if (!train(TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 80, \"evaluateFrom\": 40, \"average\": 0.9, \"store\": \"i8\"")), &l, &error)) {
    fail_msg("%s", error.text);
  }
  // what the pipeline does not predict is not scored
  for (int metric = 0; metric <= ON_DEV_SENTENCES; metric++) {
    if (l.best.dev.value[metric] < 100) fail_msg("%s %.1f", on_dev_metric_names[metric], l.best.dev.value[metric]);
  }
  assert_int_equal(l.epochs, 80);
  on_pipeline pipeline;
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&l.best.file), &error));
  assert_true(pipeline.meta_count >= 2);
  assert_int_equal(pipeline.encoders[0].params.list[0]->type, ON_I8);
  on_pipeline_free(&pipeline);
  on_buf_free(&l.best.file);
}

static void repeats(void **state) {
  (void)state;
  on_buf files[3] = {{0}, {0}, {0}};
  for (int run = 0; run < 3; run++) {
    listener l = {0};
    on_error error;
    const char *recipe = run < 2 ? TOY_RECIPE(TOY_FAST, "{\"epochs\": 3, \"batchWords\": 8, \"seed\": 4}")
                                 : TOY_RECIPE(TOY_FAST, "{\"epochs\": 3, \"batchWords\": 8, \"seed\": 5}");
    if (!train(recipe, &l, &error)) fail_msg("%s", error.text);
    files[run] = l.best.file;
  }
  assert_true(on_str_eq(on_buf_view(&files[0]), on_buf_view(&files[1])));
  assert_false(on_str_eq(on_buf_view(&files[0]), on_buf_view(&files[2])));
  for (int run = 0; run < 3; run++) on_buf_free(&files[run]);
}

// Without a dev set the last epoch is kept, with the weights that it has where it is the only one that is scored.
static void without_dev(void **state) {
  (void)state;
  const char *recipe = TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 4, \"average\": 0.9, \"evaluateFrom\": 4"));
  on_pipeline pipelines[2];
  listener l[2];
  for (int scored = 0; scored < 2; scored++) {
    on_error error;
    l[scored] = (listener){0};
    if (!train_scored(recipe, scored, &l[scored], &error)) fail_msg("%s", error.text);
    assert_int_equal(l[scored].epochs, 4);
    assert_int_equal(l[scored].betters, 1);
    assert_int_equal(l[scored].scored, scored);
    assert_true(on_pipeline_load(&pipelines[scored], on_buf_view(&l[scored].best.file), &error));
  }
  assert_int_equal(pipelines[0].meta_count + 1, pipelines[1].meta_count);  // dev_scores
  const on_params *params[2] = {&pipelines[0].encoders[0].params, &pipelines[1].encoders[0].params};
  for (size_t i = 0; i < params[0]->n; i++) {
    const on_param *a = params[0]->list[i], *b = params[1]->list[i];
    for (size_t r = 0; r < a->shape[0]; r++) {
      float x[512], y[512];
      assert_true(a->shape[1] <= 512);
      on_param_row(a, r, x);
      on_param_row(b, r, y);
      assert_memory_equal(x, y, a->shape[1] * sizeof *x);
    }
  }
  for (int i = 0; i < 2; i++) {
    on_pipeline_free(&pipelines[i]);
    on_buf_free(&l[i].best.file);
  }
}

// The learning rate comes down to its end with the last step, however units fill the batches.
static void comes_to_the_end(void **state) {
  (void)state;
  static const char *const recipes[] = {
      TOY_RECIPE(TOY_FAST, "{\"epochs\": 30, \"batchWords\": 1, \"finalRate\": 0.01, \"learningRate\": 0.01}"),
      TOY_RECIPE(TOY_FAST, "{\"epochs\": 30, \"batchWords\": 11, \"finalRate\": 0.01, \"learningRate\": 0.01}")};
  for (int i = 0; i < 2; i++) {
    listener l = {0};
    on_error error;
    if (!train(recipes[i], &l, &error)) fail_msg("%s", error.text);
    assert_true(l.steps > 30);
    assert_int_equal(l.steps, l.all_steps);
    assert_true(l.rate < 0.0003f);
    on_buf_free(&l.best.file);
  }
}

// A batch in several passes is the same batch.
static void passes(void **state) {
  (void)state;
  static const char *const recipes[] = {
      TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 4, \"shards\": 1")),
      TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 4, \"shards\": 1, \"accumulate\": 2")),
      TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 4, \"shards\": 2, \"accumulate\": 8"))};
  double loss[3];
  for (int i = 0; i < 3; i++) {
    listener l = {0};
    on_error error;
    if (!train(recipes[i], &l, &error)) fail_msg("%s", error.text);
    loss[i] = l.loss;
    on_buf_free(&l.best.file);
  }
  for (int i = 1; i < 3; i++) {
    if (!(loss[i] > 0.99 * loss[0] && loss[i] < 1.01 * loss[0])) fail_msg("loss %g, want %g", loss[i], loss[0]);
  }
}

// Each unit once, in another order every time.
static void shuffles(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_error error;
  assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), &error));
  on_sample units[8], before[8];
  on_random random;
  on_random_seed(&random, 2);
  const on_hyper hyper = {.unit_single = 1};
  size_t n = on_corpus_sample(&corpus, &hyper, &random, units), moved = 0;
  assert_int_equal(n, corpus.count);
  for (int round = 0; round < 8; round++) {
    memcpy(before, units, sizeof units);
    on_samples_shuffle(units, n, &random);
    bool seen[8] = {false};
    for (size_t i = 0; i < n; i++) {
      moved += units[i].first != before[i].first;
      assert_false(seen[units[i].first]);
      seen[units[i].first] = true;
    }
  }
  assert_true(moved > 0);
  on_corpus_free(&corpus);
}

// An average that is meant to look back further than the training goes.
static void short_with_long_average(void **state) {
  (void)state;
  listener l = {0};
  on_error error;
  const char *recipe = TOY_RECIPE(TOY_FAST, TRAINING(", \"epochs\": 40, \"evaluateFrom\": 40, \"average\": 0.9999"));
  if (!train(recipe, &l, &error)) fail_msg("%s", error.text);
  for (int metric = 0; metric <= ON_DEV_SENTENCES; metric++) {
    if (l.best.dev.value[metric] < 95) fail_msg("%s %.1f", on_dev_metric_names[metric], l.best.dev.value[metric]);
  }
  on_buf_free(&l.best.file);
}

static void stops(void **state) {
  (void)state;
  listener l = {.stop_after = 1};  // before the first epoch is over
  on_error error;
  assert_true(train(TOY_RECIPE(TOY_FAST, "{\"epochs\": 50, \"batchWords\": 4}"), &l, &error));
  assert_int_equal(l.steps, 1);
  assert_int_equal(l.betters, 1);
  on_pipeline pipeline;
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&l.best.file), &error));
  on_pipeline_free(&pipeline);
  on_buf_free(&l.best.file);
}

#define TOY_HASH "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 8, \"buckets\": 10, \"seed\": 3}}"
#define TOY_TWO(first, second)                                                                         \
  "{\"pipeline\": {\"language\": \"en\", \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": [" TOY_HASH ", " TOY_HASH \
  "], \"components\": [{\"name\": \"a\", \"type\": \"head\", \"kind\": \"senter\", \"encoder\": " first            \
  "}, {\"name\": \"b\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": " second                          \
  ", \"config\": {\"column\": \"Tag\"}}]}, \"data\": {\"train\": [\"toy\"], \"dev\": [\"toy\"]}, \"metadata\": {}," \
  " \"training\": {\"epochs\": 1}}"

// The encoders of a file are those that are read, in order of first use: a recipe that says otherwise is refused.
static void encoder_order(void **state) {
  (void)state;
  static const struct {
    const char *recipe, *message;  // NULL: taken
  } cases[] = {
      {TOY_TWO("0", "1"), NULL},
      {TOY_TWO("1", "0"), "encoders[1] is read before encoders[0]"},
      {TOY_TWO("0", "0"), "nothing reads encoders[1]"},
      {TOY_TWO("1", "1"), "encoders[1] is read before encoders[0]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    listener l = {0};
    on_error error = {0};
    const bool ok = train(cases[i].recipe, &l, &error);
    if (ok != !cases[i].message) fail_msg("case %zu: %s", i, error.text);
    if (!ok && !strstr(error.text, cases[i].message)) fail_msg("case %zu: %s", i, error.text);
    on_buf_free(&l.best.file);
  }
}

static void wrong_recipes(void **state) {
  (void)state;
  static const struct {
    const char *recipe, *part;
  } cases[] = {
      {"[]", "recipe"},
      {"{\"pipeline\": {}}", "data"},
      {"{\"pipeline\": {}, \"data\": {\"train\": [\"a\"], \"dev\": [1]}}", "data.dev"},
      {"{\"pipeline\": {}, \"data\": {\"train\": [], \"dev\": [\"a\"]}}", "data.train"},
      {"{\"pipeline\": {}, \"data\": {\"train\": [1], \"dev\": [\"a\"]}}", "data.train"},
      {"{\"pipelines\": {}}", "pipelines"},
      {TOY_RECIPE(TOY_FAST, "{\"epoch\": 1}"), "training.epoch"},
      {TOY_RECIPE(TOY_FAST, "{\"epochs\": 0}"), "training.epochs"},
      {TOY_RECIPE(TOY_FAST, "{\"epochs\": 1.5}"), "training.epochs"},
      {TOY_RECIPE(TOY_FAST, "{\"headDropout\": 1}"), "training.headDropout"},
      {TOY_RECIPE(TOY_FAST, "{\"loss\": {\"parser\": -1}}"), "training.loss.parser"},
      {TOY_RECIPE(TOY_FAST, "{\"seed\": -1}"), "training.seed"},
      {TOY_RECIPE(TOY_FAST, "{\"store\": \"i4\"}"), "training.store"},
      {TOY_RECIPE("{\"kind\": \"fast\", \"settings\": {}}", "{}"), "encoders[0].settings"},
      {TOY_RECIPE("{\"kind\": \"slow\", \"settings\": {}}", "{}"), "slow"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    listener l = {0};
    on_error error = {0};
    if (train(cases[i].recipe, &l, &error)) fail_msg("accepted: %s", cases[i].recipe);
    if (!strstr(error.text, cases[i].part)) fail_msg("%s: %s", cases[i].recipe, error.text);
    on_buf_free(&l.best.file);
  }
}

// Every allocation of a short training fails once: a clean error, and no leak (the sanitizer looks).
static void memory_failures(void **state) {
  (void)state;
  const char *recipe =
      TOY_RECIPE("{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 8, \"buckets\": 50, \"seed\": 3}}",
                 "{\"epochs\": 1, \"batchWords\": 100, \"shards\": 1}");
  bool done = false;
  for (size_t n = 1; !done; n++) {
    on_recipe parsed;
    on_corpus corpus = {0};
    on_error error;
    assert_true(on_recipe_parse(&parsed, on_str_c(recipe), &error));
    assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), &error));
    size_t before = on_alloc_used();
    on_train_listener silent = {0};
    on_alloc_fail_at(n, 0);
    bool ok = on_train(&parsed, &corpus, &corpus, &silent, &error);
    done = ok && n > 20;
    on_alloc_fail_at(0, 0);
    if (!ok) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    assert_int_equal(on_alloc_used(), before);
    on_corpus_free(&corpus);
    on_recipe_free(&parsed);
    assert_true(n < 5000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(learns),
      cmocka_unit_test(repeats),
      cmocka_unit_test(without_dev),
      cmocka_unit_test(passes),
      cmocka_unit_test(shuffles),
      cmocka_unit_test(stops),
      cmocka_unit_test(comes_to_the_end),
      cmocka_unit_test(short_with_long_average),
      cmocka_unit_test(encoder_order),
      cmocka_unit_test(wrong_recipes),
      cmocka_unit_test(memory_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
