// Training on JSON Lines: label sets and sizes are found in the data, examples teach what they are annotated with
// and nothing else, and what was learned comes out of the saved file.
#include "base/alloc.h"
#include "kept.h"
#include "pipeline/tokenize_doc.h"
#include "test.h"
#include "toy.h"
#include "toy_labels.h"
#include "train/config.h"
#include "train/hold_out.h"
#include "train/kinds.h"

#define ENCODER "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 24, \"buckets\": 400, \"seed\": 3}}"
#define TRAINING                                                                                          \
  "{\"batchWords\": 30, \"learningRate\": 0.02, \"epochs\": 60, \"evaluateFrom\": 50, \"wordDropout\": 0,"    \
  " \"inputDropout\": 0, \"encoderDropout\": 0, \"headDropout\": 0, \"projectionDropout\": 0}"

#define COMPONENTS                                                                                        \
  "[{\"name\": \"ner\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 0},"                              \
  " {\"name\": \"topic\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0},"                        \
  " {\"name\": \"names\", \"type\": \"head\", \"kind\": \"spancat\", \"encoder\": 0, \"config\": {\"hidden\": 16}},"  \
  " {\"name\": \"tagger\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": 0,"                         \
  "  \"config\": {\"column\": \"Pos\"}}]"

typedef struct outcome {
  kept best;
  on_buf config;
} outcome;

static void started(void *context, on_str config, size_t weights, uint64_t words) {
  (void)weights, (void)words;
  on_buf_str(&((outcome *)context)->config, config);
}

static void read_examples(on_corpus *corpus, const char *jsonl) {
  on_pipeline tokenizer;
  on_error error;
  assert_true(on_pipeline_blank(&tokenizer, ON_STR("en"), NULL, &error));
  if (!on_corpus_add_jsonl(corpus, on_str_c(jsonl), &tokenizer, &error)) fail_msg("%s", error.text);
  on_pipeline_free(&tokenizer);
}

static bool train(const char *recipe_text, bool treebank, const char *jsonl, outcome *k, on_error *error) {
  on_recipe recipe;
  on_corpus corpus = {0};
  if (!on_recipe_parse(&recipe, on_str_c(recipe_text), error)) return false;
  if (treebank) assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), error));
  read_examples(&corpus, jsonl);
  on_train_listener told = {.context = k, .started = started, .better = keep};
  bool ok = on_train(&recipe, &corpus, &corpus, &told, error);
  on_corpus_free(&corpus);
  on_recipe_free(&recipe);
  return ok;
}

static void free_outcome(outcome *k) {
  on_buf_free(&k->best.file);
  on_buf_free(&k->config);
}

static void learns_all_of_it(void **state) {
  (void)state;
  outcome k = {0};
  on_error error;
  if (!train(TOY_LABEL_RECIPE(ENCODER, COMPONENTS, TRAINING), true, toy_jsonl, &k, &error)) {
    fail_msg("%s", error.text);
  }
  static const on_dev_metric metrics[] = {ON_DEV_UPOS, ON_DEV_ENTITIES, ON_DEV_CATS, ON_DEV_SPANS};
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
    double value = k.best.dev.value[metrics[i]];
    if (value < 99) fail_msg("%s %.1f", on_dev_metric_names[metrics[i]], value);
  }
  on_str config = on_buf_view(&k.config);
  on_buf_char(&k.config, 0);
  config = (on_str){k.config.p, k.config.n - 1};
  static const char *const found[] = {"\"sizes\": [1, 2, 3, 5]", "\"spans_key\": \"names\"", "\"threshold\": 0.5",
                                      "\"multi_label\": false", "\"labels\": [\"law\", \"travel\"]"};
  for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
    if (!strstr(k.config.p, found[i])) fail_msg("no %s in %.*s", found[i], (int)config.n, config.p);
  }
  // what is for the training alone is not in the file
  on_pipeline pipeline;
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&k.best.file), &error));
  on_buf written = {0};
  on_pipeline_write_config(&pipeline, &written);
  on_buf_char(&written, 0);
  assert_null(strstr(written.p, "eights"));
  on_buf_free(&written);
  on_pipeline_free(&pipeline);
  free_outcome(&k);
}

// Whether the heads of these components learn from a Doc, as a string of + and -.
static void learning(const char *recipe_text, const on_corpus *corpus, size_t unit, char *out) {
  on_recipe recipe;
  on_buf config = {0};
  on_pipeline pipeline;
  on_error error;
  on_doc doc;
  on_doc_init(&doc);
  assert_true(on_recipe_parse(&recipe, on_str_c(recipe_text), &error));
  assert_true(on_train_config(&recipe, corpus, &config, &error));
  if (!on_pipeline_from_config(&pipeline, on_buf_view(&config), &error)) fail_msg("%s", error.text);
  assert_true(on_corpus_doc(corpus, unit, unit + 1, &doc, &error));
  for (size_t i = 0; i < pipeline.component_count; i++) {
    const on_head *head = &pipeline.components[i].head;
    *out++ = on_head_trainer_find(head->kind->name)->learns(head, &doc) ? '+' : '-';
  }
  *out = 0;
  on_doc_free(&doc);
  on_pipeline_free(&pipeline);
  on_buf_free(&config);
  on_recipe_free(&recipe);
}

static void documents_teach_what_they_are_annotated_with(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_error error;
  assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), &error));
  read_examples(&corpus, toy_jsonl);
  char learned[16];
  // senter, tagger, morphologizer, lemmatizer, parser
  learning(TOY_RECIPE(ENCODER, "{}"), &corpus, 0, learned);
  assert_string_equal(learned, "+++++");
  learning(TOY_RECIPE(ENCODER, "{}"), &corpus, corpus.count, learned);
  assert_string_equal(learned, "-----");
  // ner, two textcat, two spancat, tagger, senter, parser
  static const char *const want[] = {"-----+++", "+++-----", "+++++---", "+++-----", "---++---", "-++-----"};
  for (size_t i = 0; i < 6; i++) {
    learning(TOY_LABEL_RECIPE(ENCODER, TOY_LABEL_COMPONENTS, "{}"), &corpus, i ? corpus.count + i - 1 : 0, learned);
    assert_string_equal(learned, want[i]);
  }
  on_corpus_free(&corpus);
}

static void texts_without_tokens(void **state) {
  (void)state;
  on_corpus corpus = {0};
  read_examples(&corpus,
                "{\"text\": \"Al sings.\", \"entities\": [[0, 2, \"PER\"], [3, 6, \"X\"]],"
                " \"spans\": {\"g\": [[0, 8, \"S\"], [0, 4, \"T\"]]}}\n"
                "{\"text\": \"One here.\\n\\nTwo there.\", \"cats\": {\"a\": 1}}\n"
                "{\"text\": \"\", \"cats\": {\"a\": 1}}\n");
  assert_int_equal(corpus.example_count, 3);  // the empty text has no unit
  const on_doc *doc = &corpus.examples[0].doc;
  assert_int_equal(doc->n, 3);
  assert_int_equal(doc->ent_count, 2);
  assert_true(on_str_eq(doc->ents[0].label, ON_STR("PER")));
  assert_null(doc->ents[1].label.p);  // "sin": of the token that it cuts nothing is known
  assert_int_equal(doc->ents[1].first, 1);
  assert_int_equal(doc->ents[1].end, 2);
  assert_int_equal(doc->groups[0].count, 1);
  assert_int_equal(doc->groups[0].spans[0].end, 2);
  assert_int_equal(corpus.misaligned, 2);
  assert_false(corpus.examples[1].continues);
  assert_true(corpus.examples[2].continues);
  assert_int_equal(corpus.examples[1].doc.n, 3);
  assert_int_equal(corpus.examples[2].doc.n, 3);
  assert_int_equal(corpus.examples[2].doc.cat_count, 1);
  assert_int_equal(on_corpus_words(&corpus), 9);
  on_corpus_free(&corpus);
}

// A tenth of the texts, with all their units, and nothing twice.
static void holds_out_whole_texts(void **state) {
  (void)state;
  on_buf lines = {0};
  for (int i = 0; i < 40; i++) on_buf_format(&lines, "{\"text\": \"t%d\\n\\nu%d\", \"cats\": {\"c\": 1}}\n", i, i);
  on_buf_char(&lines, 0);
  on_corpus corpus = {0}, held = {0};
  on_error error;
  read_examples(&corpus, lines.p);
  assert_int_equal(corpus.example_count, 80);
  assert_true(on_corpus_hold_out(&corpus, &held, 3, &error));
  assert_int_equal(held.example_count, 8);
  assert_int_equal(corpus.example_count, 72);
  assert_int_equal(on_corpus_words(&held) + on_corpus_words(&corpus), 80);
  const on_corpus *sides[] = {&corpus, &held};
  bool seen[40] = {false};
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < sides[side]->example_count; i += 2) {
      const on_example *e = &sides[side]->examples[i];
      assert_true(!e[0].continues && e[1].continues);
      on_str16 first = on_doc_token(&e[0].doc, 0), second = on_doc_token(&e[1].doc, 0);
      assert_true(first.p[0] == 't' && second.p[0] == 'u' && first.n == second.n);
      assert_memory_equal(first.p + 1, second.p + 1, (first.n - 1) * sizeof *first.p);
      int number = first.p[1] - '0';
      if (first.n == 3) number = number * 10 + first.p[2] - '0';
      assert_false(seen[number]);
      seen[number] = true;
    }
  }
  on_corpus_free(&held);
  on_corpus_free(&corpus);
  on_buf_free(&lines);
}

// Of a file with a share of a quarter so many examples are drawn, others each time; of the other file all.
static void shares_of_files(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_hyper hyper = {0};
  on_buf lines = {0};
  on_sample units[140];
  size_t drawn[140] = {0}, all = 0;
  for (int i = 0; i < 100; i++) on_buf_str(&lines, ON_STR("{\"text\": \"One here.\", \"cats\": {\"c\": 1}}\n"));
  on_buf_char(&lines, 0);
  read_examples(&corpus, lines.p);
  lines.p[40 * (lines.n - 1) / 100] = 0;
  read_examples(&corpus, lines.p);
  assert_int_equal(corpus.example_count, 140);
  on_corpus_share(&corpus, 100, 0.25f);
  assert_int_equal(on_corpus_words(&corpus), 3 * (100 + 10));
  for (uint64_t seed = 0; seed < 100; seed++) {
    on_random random;
    on_random_seed(&random, seed);
    size_t n = on_corpus_sample(&corpus, &hyper, &random, units);
    for (size_t u = 0; u < n; u++) drawn[units[u].first]++;
    all += n;
  }
  for (size_t i = 0; i < 140; i++) {
    if (i < 100) assert_int_equal(drawn[i], 100);
    else assert_true(drawn[i] > 8 && drawn[i] < 45);
  }
  assert_true(all > 100 * 108 && all < 100 * 112);
  on_corpus_free(&corpus);
  on_buf_free(&lines);
}

// "data.train" of a recipe.
static void files_of_recipes(void **state) {
  (void)state;
  static const struct {
    const char *item, *part;  // part NULL: it is right
  } cases[] = {
      {"\"a.conllu\", {\"file\": \"b.jsonl\", \"share\": 0.5}", NULL},
      {"{\"file\": \"b.jsonl\", \"share\": 1}", NULL},
      {"{\"file\": \"b.jsonl\", \"share\": 0}", "\"b.jsonl\": want an object"},
      {"{\"file\": \"b.jsonl\", \"share\": 1.5}", "want an object"},
      {"{\"file\": \"b.jsonl\", \"share\": \"1\"}", "want an object"},
      {"{\"file\": \"b.jsonl\"}", "want an object"},
      {"{\"file\": \"b.jsonl\", \"shares\": 1}", "want an object"},
      {"{\"file\": \"b.conllu\", \"share\": 1}", "(*.jsonl)"},
      {"{\"share\": 1}", "data.train.file"},
      {"1", "want an array of file names"},
      {"", "want an array of file names"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_buf text = {0};
    on_recipe recipe;
    on_error error = {0};
    on_buf_format(&text, "{\"pipeline\": {}, \"data\": {\"train\": [%s]}}", cases[i].item);
    bool ok = on_recipe_parse(&recipe, on_buf_view(&text), &error);
    assert_int_equal(ok, cases[i].part == NULL);
    if (!ok && !strstr(error.text, cases[i].part)) fail_msg("%s: %s", cases[i].item, error.text);
    if (ok) {
      float share;
      const on_json *last = NULL;
      for (const on_json *item = on_json_first(recipe.train); item; item = on_json_next(item)) last = item;
      assert_true(on_str_eq(on_recipe_file(last, &share), ON_STR("b.jsonl")));
      assert_true(share == (i ? 1.0f : 0.5f));
      on_recipe_free(&recipe);
    }
    on_buf_free(&text);
  }
}

static void config_of(const char *components, const char *jsonl, on_buf *out, bool ok, const char *part) {
  on_recipe recipe;
  on_corpus corpus = {0};
  on_error error = {0};
  on_buf text = {0};
  on_buf_str(&text, ON_STR("{\"pipeline\": {\"language\": \"en\", \"tokenizer\": {\"kind\": \"rule\"}, "
                           "\"encoders\": [" ENCODER "], \"components\": "));
  on_buf_str(&text, on_str_c(components));
  on_buf_str(&text, ON_STR("}, \"data\": {\"train\": [\"a\"], \"dev\": [\"a\"]}}"));
  assert_true(on_recipe_parse(&recipe, on_buf_view(&text), &error));
  read_examples(&corpus, jsonl);
  on_buf_clear(out);
  assert_int_equal(on_train_config(&recipe, &corpus, out, &error), ok);
  on_buf_char(out, 0);
  if (!strstr(ok ? out->p : error.text, part)) fail_msg("no %s in %s", part, ok ? out->p : error.text);
  on_corpus_free(&corpus);
  on_recipe_free(&recipe);
  on_buf_free(&text);
}

#define COMPONENT(kind, config) \
  "[{\"name\": \"x\", \"type\": \"head\", \"kind\": \"" kind "\", \"encoder\": 0, \"config\": " config "}]"

static void what_the_data_says(void **state) {
  (void)state;
  on_buf out = {0};
  const char *both = "{\"text\": \"a\", \"cats\": {\"x\": 1, \"y\": 1}}";
  config_of(COMPONENT("textcat", "{}"), both, &out, true, "\"multi_label\": true");
  config_of(COMPONENT("textcat", "{}"), "{\"text\": \"a\", \"cats\": {}}", &out, true, "\"multi_label\": true");
  config_of(COMPONENT("textcat", "{\"multi_label\": false}"), both, &out, true, "\"multi_label\": false");
  config_of(COMPONENT("textcat", "{\"classWeights\": \"much\"}"), both, &out, false, "classWeights");
  // x is thrice as frequent as y: weights 2/3 and 2, their roots by default, none
  const char *uneven = "{\"text\": \"a\", \"cats\": {\"x\": 1}}\n{\"text\": \"a\", \"cats\": {\"x\": 1}}\n"
                       "{\"text\": \"a\", \"cats\": {\"x\": 1}}\n{\"text\": \"a\", \"cats\": {\"y\": 1}}\n";
  config_of(COMPONENT("textcat", "{\"classWeights\": \"balanced\"}"), uneven, &out, true,
            "\"weights\": {\"x\": 0.6666667, \"y\": 2}");
  config_of(COMPONENT("textcat", "{}"), uneven, &out, true, "\"weights\": {\"x\": 0.81649");
  config_of(COMPONENT("textcat", "{\"classWeights\": \"none\"}"), uneven, &out, true, "\"labels\": [\"x\", \"y\"]}");
  const char *groups = "{\"text\": \"a b\", \"spans\": {\"g\": [[0, 3, \"A\"]], \"h\": []}}\n";
  config_of(COMPONENT("spancat", "{}"), groups, &out, false, "\"g\" and \"h\"");
  config_of(COMPONENT("spancat", "{\"spans_key\": \"g\"}"), groups, &out, true, "\"sizes\": [2]");
  config_of(COMPONENT("spancat", "{\"spans_key\": \"g\", \"sizes\": [4], \"threshold\": 0.2}"), groups, &out, true,
            "\"threshold\": 0.2, \"labels\": [\"A\"]");
  config_of(COMPONENT("spancat", "{}"), "{\"text\": \"a\"}", &out, false, "no span group");
  on_buf_free(&out);
}

static void wrong_doubt(void **state) {
  (void)state;
  outcome refused = {0};
  on_error error = {0};
  const char *wrong = TOY_LABEL_RECIPE(ENCODER, COMPONENT("ner", "{\"doubt\": 2}"), TRAINING);
  assert_false(train(wrong, false, toy_jsonl, &refused, &error));
  assert_non_null(strstr(error.text, "config.doubt"));
  free_outcome(&refused);
}

// Every allocation of a short training fails once: a clean error, and no leak (the sanitizer looks).
static void memory_failures(void **state) {
  (void)state;
  const char *text = TOY_LABEL_RECIPE(
      "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 8, \"buckets\": 50, \"seed\": 3}}",
      TOY_LABEL_COMPONENTS, "{\"epochs\": 1, \"batchWords\": 100, \"shards\": 1}");
  bool done = false;
  for (size_t n = 1; !done; n++) {
    on_recipe recipe = {0};
    on_corpus corpus = {0};
    on_pipeline tokenizer = {0};
    on_error error = {0};
    on_train_listener told = {0};
    on_alloc_fail_at(n, 0);
    done = on_recipe_parse(&recipe, on_str_c(text), &error) &&
           on_pipeline_blank(&tokenizer, ON_STR("en"), NULL, &error) &&
           on_corpus_add(&corpus, on_str_c(toy_conllu), &error) &&
           on_corpus_add_jsonl(&corpus, on_str_c(toy_jsonl), &tokenizer, &error) &&
           on_train(&recipe, &corpus, &corpus, &told, &error);
    on_alloc_fail_at(0, 0);
    if (!done) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    on_corpus_free(&corpus);
    on_pipeline_free(&tokenizer);
    on_recipe_free(&recipe);
    if (n > 20000) fail_msg("it never succeeds");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(learns_all_of_it),
      cmocka_unit_test(documents_teach_what_they_are_annotated_with),
      cmocka_unit_test(texts_without_tokens),
      cmocka_unit_test(holds_out_whole_texts),
      cmocka_unit_test(shares_of_files),
      cmocka_unit_test(files_of_recipes),
      cmocka_unit_test(what_the_data_says),
      cmocka_unit_test(wrong_doubt),
      cmocka_unit_test(memory_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
