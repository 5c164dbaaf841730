// Training that goes on from a saved pipeline.
#include "kept.h"
#include "pipeline/tokenize_doc.h"
#include "test.h"
#include "toy.h"
#include "toy_labels.h"

#define ENCODER(width) \
  "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": " width ", \"buckets\": 400, \"seed\": 3}}"
#define HEAD(name, kind, config)                                                                              \
  "{\"name\": \"" name "\", \"type\": \"head\", \"kind\": \"" kind "\", \"encoder\": 0, \"config\": " config "}"
#define TAGGER(column) HEAD("tagger", "tagger", "{\"column\": \"" column "\"}")
#define NER HEAD("ner", "ner", "{}")
#define LEARNING                                                                                          \
  "{\"batchWords\": 30, \"learningRate\": 0.02, \"epochs\": 60, \"evaluateFrom\": 60, \"store\": \"i8\","              \
  " \"wordDropout\": 0, \"inputDropout\": 0, \"headDropout\": 0}"
#define STANDING "{\"batchWords\": 30, \"learningRate\": 1e-8, \"epochs\": 1, \"weightDecay\": 0}"

static bool train(const char *text, const kept *start, kept *k, on_error *error) {
  on_recipe recipe;
  on_corpus corpus = {0};
  on_pipeline tokenizer, from = {0};
  if (!on_recipe_parse(&recipe, on_str_c(text), error)) fail_msg("%s", error->text);
  assert_true(on_corpus_add(&corpus, on_str_c(toy_conllu), error));
  assert_true(on_pipeline_blank(&tokenizer, ON_STR("en"), NULL, error));
  assert_true(on_corpus_add_jsonl(&corpus, on_str_c(toy_jsonl), &tokenizer, error));
  if (start) {
    assert_true(on_pipeline_load(&from, on_buf_view(&start->file), error));
    recipe.from = &from;
  }
  on_train_listener told = {.context = k, .better = keep};
  bool ok = on_train(&recipe, &corpus, &corpus, &told, error);
  on_pipeline_free(&from);
  on_pipeline_free(&tokenizer);
  on_corpus_free(&corpus);
  on_recipe_free(&recipe);
  return ok;
}

static void must_train(const char *text, const kept *start, kept *k) {
  on_error error;
  if (!train(text, start, k, &error)) fail_msg("%s", error.text);
}

// With a rate of next to nothing what was learned before is there, from whole numbers as from floats; components that
// are new start anew, in whatever order they stand.
static void goes_on(void **state) {
  (void)state;
  kept learned = {0}, again = {0}, anew = {0};
  must_train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") ", " NER "]", LEARNING), NULL, &learned);
  assert_true(learned.dev.value[ON_DEV_UPOS] > 99 && learned.dev.value[ON_DEV_ENTITIES] > 99);
  const char *more = TOY_LABEL_RECIPE(ENCODER("24"), "[" NER ", " HEAD("topic", "textcat", "{}") ", " TAGGER("Pos") "]",
                                      STANDING);
  must_train(more, &learned, &again);
  assert_true(again.dev.value[ON_DEV_UPOS] == learned.dev.value[ON_DEV_UPOS]);
  assert_true(again.dev.value[ON_DEV_ENTITIES] == learned.dev.value[ON_DEV_ENTITIES]);
  must_train(more, NULL, &anew);
  assert_true(anew.dev.value[ON_DEV_UPOS] < 90 && anew.dev.value[ON_DEV_ENTITIES] < 90);
  on_buf_free(&learned.file);
  on_buf_free(&again.file);
  on_buf_free(&anew.file);
}

#define WITH_SHARE(share) "{\"batchWords\": 30, \"learningRate\": 0.02, \"epochs\": 40, \"evaluateFrom\": 40,"      \
  " \"wordDropout\": 0, \"inputDropout\": 0, \"headDropout\": 0, \"startShare\": " share "}"

// What is saved holds so much of the weights from which the training started: with 1, nothing of what was learned.
static void share_of_the_start(void **state) {
  (void)state;
  kept standing = {0}, all = {0}, some = {0};
  on_error error;
  must_train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") "]", STANDING), NULL, &standing);
  assert_true(standing.dev.value[ON_DEV_UPOS] < 90);
  must_train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") "]", WITH_SHARE("1")), &standing, &all);
  assert_true(all.dev.value[ON_DEV_UPOS] == standing.dev.value[ON_DEV_UPOS]);
  must_train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") "]", WITH_SHARE("0.2")), &standing, &some);
  assert_true(some.dev.value[ON_DEV_UPOS] > 99);
  // There must be a start, and all of it.
  assert_false(train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") "]", WITH_SHARE("0.5")), NULL, &some, &error));
  assert_non_null(strstr(error.text, "startShare"));
  const char *more = TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") ", " NER "]", WITH_SHARE("0.5"));
  assert_false(train(more, &standing, &some, &error));
  assert_non_null(strstr(error.text, "ner: the pipeline to start from has no such component"));
  const char *segmenter =
      "{\"pipeline\": {\"tokenizer\": {\"kind\": \"segmenter\", \"encoder\": 0}, \"encoders\": [" ENCODER("24") "],"
      " \"components\": []}, \"data\": {\"train\": [\"toy\"], \"dev\": [\"toy\"]},"
      " \"training\": " WITH_SHARE("0.5") "}";
  assert_false(train(segmenter, &standing, &some, &error));
  assert_non_null(strstr(error.text, "tokenizer: the pipeline to start from has none that is trained"));
  on_buf_free(&standing.file);
  on_buf_free(&all.file);
  on_buf_free(&some.file);
}

static void what_does_not_fit(void **state) {
  (void)state;
  kept learned = {0}, k = {0};
  on_error error;
  must_train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Pos") "]", STANDING), NULL, &learned);
  assert_false(train(TOY_LABEL_RECIPE(ENCODER("16"), "[" TAGGER("Pos") "]", STANDING), &learned, &k, &error));
  assert_non_null(strstr(error.text, "encoders[0]: "));
  assert_false(train(TOY_LABEL_RECIPE(ENCODER("24"), "[" TAGGER("Tag") "]", STANDING), &learned, &k, &error));
  assert_non_null(strstr(error.text, "tagger: the labels are not those"));
  const char *two = TOY_LABEL_RECIPE(ENCODER("24") ", " ENCODER("24"),
                                     "[" TAGGER("Pos") ", {\"name\": \"ner\", \"type\": \"head\", \"kind\": \"ner\","
                                     " \"encoder\": 1}]", STANDING);
  assert_false(train(two, &learned, &k, &error));
  assert_non_null(strstr(error.text, "encoders[1]: "));
  on_buf_free(&learned.file);
  on_buf_free(&k.file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_on),
      cmocka_unit_test(share_of_the_start),
      cmocka_unit_test(what_does_not_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
