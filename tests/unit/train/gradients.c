// The gradient of every parameter of whole pipelines against finite differences of their loss.
#include <math.h>

#include "base/alloc.h"
#include "test.h"
#include "pipeline/tokenize_doc.h"
#include "toy.h"
#include "toy_labels.h"
#include "train/config.h"
#include "train/kinds.h"
#include "train/optimizer.h"

typedef struct model {
  on_recipe recipe;
  on_corpus corpus;
  on_buf config;
  on_pipeline pipeline;
  on_optimizer optimizer;
  on_arena arena;
  on_doc docs[8];
  size_t doc_count;
  uint32_t starts[9];
  void *states[8];
  size_t rows;  // that counted in the last head's loss
} model;

static void add_doc(model *m, size_t first, size_t end) {
  on_doc *doc = &m->docs[m->doc_count];
  on_doc_init(doc);
  assert_true(on_corpus_doc(&m->corpus, first, end, doc, NULL));
  m->starts[m->doc_count + 1] = m->starts[m->doc_count] + (uint32_t)doc->n;
  m->doc_count++;
}

static void open_model(model *m, const char *recipe, bool examples, uint64_t seed) {
  *m = (model){0};
  on_error error;
  if (!on_recipe_parse(&m->recipe, on_str_c(recipe), &error)) fail_msg("%s", error.text);
  if (!on_corpus_add(&m->corpus, on_str_c(toy_conllu), &error)) fail_msg("%s", error.text);
  on_pipeline tokenizer;
  if (examples) {
    assert_true(on_pipeline_blank(&tokenizer, ON_STR("en"), NULL, &error));
    if (!on_corpus_add_jsonl(&m->corpus, on_str_c(toy_jsonl), &tokenizer, &error)) fail_msg("%s", error.text);
    on_pipeline_free(&tokenizer);
  }
  if (!on_train_config(&m->recipe, &m->corpus, &m->config, &error)) fail_msg("%s", error.text);
  if (!on_pipeline_from_config(&m->pipeline, on_buf_view(&m->config), &error)) fail_msg("%s", error.text);
  assert_true(on_optimizer_init(&m->optimizer, &m->pipeline, &m->recipe.hyper, 10, &error));
  on_random random;
  on_random_seed(&random, seed);
  // larger weights than training starts with, so that every gradient is well above rounding
  for (size_t i = 0; i < m->optimizer.n; i++) m->optimizer.values[i] = 0.4f * on_random_normal(&random);
  // examples between the treebank's documents, so that heads must pick theirs
  size_t at = m->corpus.count;
  for (size_t d = 0; d < 2; d++) {
    add_doc(m, 2 * d, 2 * d + 2);
    for (size_t i = 0; i < 3 && at < on_corpus_size(&m->corpus); i++, at++) add_doc(m, at, at + 1);
  }
  assert_int_equal(at, on_corpus_size(&m->corpus));
  for (size_t i = 0; i < m->pipeline.component_count; i++) {
    const on_head *head = &m->pipeline.components[i].head;
    const on_head_trainer *trainer = on_head_trainer_find(head->kind->name);
    m->states[i] = trainer->start(head, &m->arena);
    assert_non_null(m->states[i]);
    const on_json *config = on_pipeline_head_config(&m->pipeline, i);
    assert_true(!trainer->configure || trainer->configure(head, m->states[i], config, &error));
  }
}

static void close_model(model *m) {
  for (size_t i = 0; i < m->pipeline.component_count; i++) {
    const on_head_trainer *trainer = on_head_trainer_find(m->pipeline.components[i].head.kind->name);
    if (trainer->stop) trainer->stop(m->states[i]);
  }
  for (size_t d = 0; d < m->doc_count; d++) on_doc_free(&m->docs[d]);
  on_optimizer_free(&m->optimizer);
  on_pipeline_free(&m->pipeline);
  on_buf_free(&m->config);
  on_corpus_free(&m->corpus);
  on_recipe_free(&m->recipe);
  on_arena_free(&m->arena);
}

// The loss of all docs; their gradients go to grads[0] when `backward`.
static double loss_of(model *m, bool backward) {
  on_regularization none = {0};
  on_train_step step = {.rates = &none,
                        .values = m->optimizer.values,
                        .grads = m->optimizer.grads[0],
                        .docs = m->docs,
                        .doc_count = m->doc_count,
                        .starts = m->starts,
                        .m = m->starts[m->doc_count]};
  const on_encoder *encoder = &m->pipeline.encoders[0];
  const on_encoder_trainer *trainer = on_encoder_trainer_find(encoder->kind->name);
  float *h, *dh = ON_NEW0(&step.arena, float, step.m * encoder->width);
  void *kept;
  assert_true(trainer->forward(encoder, &step, &h, &kept));
  double sum = 0;
  for (size_t i = 0; i < m->pipeline.component_count; i++) {
    const on_head *head = &m->pipeline.components[i].head;
    on_train_loss loss = {0};
    const on_head_trainer *head_trainer = on_head_trainer_find(head->kind->name);
    assert_true(on_head_trainer_step(head_trainer, head, m->states[i], &step, h, dh, 1, &loss));
    assert_true(loss.sum > 0);
    m->rows = loss.count;
    sum += loss.sum;
  }
  if (backward) assert_true(trainer->backward(encoder, &step, kept, dh));
  on_arena_free(&step.arena);
  return sum;
}

typedef struct probe {
  model *m;
  on_random random;
  float *grads;
  size_t checked, moved;
} probe;

// A few values of each parameter. Of embedding tables those are probed that have a gradient, since few rows
// are read at all.
static bool check_param(void *context, const char *name, on_param *param) {
  probe *p = context;
  float *w = (float *)(uintptr_t)param->data;
  size_t offset = (size_t)(w - p->m->optimizer.values), n = on_param_count(param), from = 0;
  bool any = false;
  for (size_t i = 0; i < n; i++) any = any || p->grads[offset + i] != 0;
  // the label of a root is given, so the artificial root's label vector is never read
  if (!any && strstr(name, "label_root")) return true;
  if (!any) fail_msg("%s has no gradient", name);
  for (int k = 0; k < 6; k++) {
    size_t i = on_random_below(&p->random, (uint32_t)n);
    if (param->table) {
      for (i = (from + 37 * (size_t)k) % n; p->grads[offset + i] == 0; i = (i + 1) % n) {}
      from = i + 1;
    }
    float kept = w[i], e = 2e-3f;
    w[i] = kept + e;
    double up = loss_of(p->m, false);
    w[i] = kept - e;
    double down = loss_of(p->m, false);
    w[i] = kept;
    double expected = (up - down) / (2 * (double)e), got = (double)p->grads[offset + i];
    // rounding of the losses and, where a ReLU bends within the step, a part of the slope
    if (fabs(expected - got) > 0.02 + 0.03 * fabs(expected)) {
      fail_msg("%s[%zu]: gradient %g, finite difference %g", name, i, got, expected);
    }
    p->checked++;
    p->moved += fabs(expected) > 0.05;
  }
  return true;
}

static void check_all(const char *recipe, bool examples) {
  model m;
  open_model(&m, recipe, examples, 17);
  // the lengths in the loss are sums over few words, so that double rounding does not hide differences
  loss_of(&m, true);
  probe p = {.m = &m};
  on_random_seed(&p.random, 5);
  p.grads = malloc(m.optimizer.n * sizeof *p.grads);
  memcpy(p.grads, m.optimizer.grads[0], m.optimizer.n * sizeof *p.grads);
  assert_true(on_pipeline_each_param(&m.pipeline, check_param, &p));
  assert_true(p.moved * 4 > p.checked);  // most probes must have had something to say
  free(p.grads);
  close_model(&m);
}

static void check(const char *recipe) { check_all(recipe, false); }

static void entities_categories_spans(void **state) {
  (void)state;
  check_all(TOY_LABEL_RECIPE("{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 12, \"buckets\": 100,"
                             " \"seed\": 3}}", TOY_LABEL_COMPONENTS, "{}"),
            true);
}

#define NER(config)                                                                                             \
  TOY_LABEL_RECIPE("{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 12, \"buckets\": 100, \"seed\": 3}}",  \
                   "[{\"name\": \"ner\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 0, \"config\": {"      \
                   config "}}]", "{}")

// All 14 tokens of the examples with entities teach, or only the 8 of entities.
static void doubt(void **state) {
  (void)state;
  static const char *const recipes[] = {NER("\"doubt\": 0"), NER("\"doubt\": 1")};
  size_t rows[2];
  for (int i = 0; i < 2; i++) {
    model m;
    open_model(&m, recipes[i], true, 17);
    loss_of(&m, false);
    rows[i] = m.rows;
    close_model(&m);
  }
  assert_int_equal(rows[0], 14);
  assert_int_equal(rows[1], 8);
}

// Twice the loss of the entities' tokens, and its gradient.
static void weighted_entities(void **state) {
  (void)state;
  static const char *const recipes[] = {NER(""), NER("\"positiveWeight\": 2"), NER("\"positiveWeight\": 3")};
  double loss[3];
  for (int i = 0; i < 3; i++) {
    model m;
    open_model(&m, recipes[i], true, 17);
    loss[i] = loss_of(&m, false);
    assert_int_equal(m.rows, 14);
    close_model(&m);
  }
  assert_true(loss[1] > loss[0] * 1.01);
  assert_true(fabs(loss[2] - 2 * loss[1] + loss[0]) < 1e-3);
  check_all(recipes[2], true);
}

static void fast_with_everything(void **state) {
  (void)state;
  check(TOY_RECIPE(TOY_FAST, "{}"));
}

static void fast_plain(void **state) {
  (void)state;
  check(TOY_RECIPE("{\"kind\": \"fast\", \"settings\": {\"width\": 8, \"depth\": 2, \"seed\": 3, \"normRows\": 200,"
                   " \"prefixRows\": 50, \"suffixRows\": 100, \"shapeRows\": 20, \"plain\": 1, \"relu\": 1,"
                   " \"contextRows\": 30, \"casedRows\": 40, \"hashes\": 3}}", "{}"));
}

static void fast_ngrams(void **state) {
  (void)state;
  check(TOY_RECIPE("{\"kind\": \"fast\", \"settings\": {\"width\": 16, \"embedWidth\": 8, \"depth\": 1, \"seed\": 3,"
                   " \"normRows\": 200, \"prefixRows\": 50, \"suffixRows\": 100, \"shapeRows\": 20,"
                   " \"ngramRows\": 90, \"ngramMin\": 2, \"ngramMax\": 4}}", "{}"));
}

static void fast_words(void **state) {
  (void)state;
  check(TOY_RECIPE("{\"kind\": \"fast\", \"settings\": {\"width\": 16, \"embedWidth\": 8, \"depth\": 1, \"seed\": 3,"
                   " \"normRows\": 200, \"prefixRows\": 50, \"suffixRows\": 100, \"shapeRows\": 20,"
                   " \"wordTokens\": 3}}", "{}"));
}

static void hash_embedding(void **state) {
  (void)state;
  check(TOY_RECIPE("{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 12, \"buckets\": 100, \"seed\": 3}}",
                   "{}"));
}

static void labels_by_a_sum(void **state) {
  (void)state;
  check("{\"pipeline\": {\"language\": \"en\", \"tokenizer\": {\"kind\": \"rule\"},"
        " \"encoders\": [{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 12, \"buckets\": 100, \"seed\": 3}}],"
        " \"components\": [{\"name\": \"parser\", \"type\": \"head\", \"kind\": \"parser\", \"encoder\": 0,"
        " \"config\": {\"arcWidth\": 7, \"labelWidth\": 9, \"labelSum\": 1}}]},"
        " \"data\": {\"train\": [\"toy\"], \"dev\": [\"toy\"]}, \"metadata\": {\"name\": \"toy\"}, \"training\": {}}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_with_everything),
      cmocka_unit_test(fast_plain),
      cmocka_unit_test(fast_ngrams),
      cmocka_unit_test(fast_words),
      cmocka_unit_test(hash_embedding),
      cmocka_unit_test(labels_by_a_sum),
      cmocka_unit_test(entities_categories_spans),
      cmocka_unit_test(doubt),
      cmocka_unit_test(weighted_entities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
