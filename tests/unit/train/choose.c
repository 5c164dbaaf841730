// What a treebank without a recipe gets: a tokenizer, components and sizes by what is in it; and what is held out of
// one without a dev set.
#include "pipeline/pipeline.h"
#include "test.h"
#include "train/choose.h"
#include "train/hold_out.h"

static const char plain[] =
    "1\tO\to\tDET\tART\t_\t2\tdet\t_\t_\n2\trio\trio\tNOUN\tN\tGender=Masc\t0\troot\t_\t_\n"
    "3-4\tda\t_\t_\t_\t_\t_\t_\t_\t_\n3\tde\tde\tADP\tP\t_\t5\tcase\t_\t_\n4\ta\to\tDET\tART\t_\t5\tdet\t_\t_\n"
    "5\tterra\tterra\tNOUN\tN\tGender=Fem\t2\tnmod\t_\tSpaceAfter=No\n6\t.\t.\tPUNCT\tF\t_\t2\tpunct\t_\t_\n\n";
static const char joined[] =
    "1\t山\t_\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t川\t_\tNOUN\t_\t_\t1\tconj\t_\tSpaceAfter=No\n"
    "3\t空\t_\tNOUN\t_\t_\t1\tconj\t_\tSpaceAfter=No\n4\t。\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
static const char blanks[] =
    "1\tgia đình\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tlớn\t_\tADJ\t_\t_\t1\tamod\t_\t_\n\n";
static const char pieces[] =
    "1-2\tmapulo\t_\t_\t_\t_\t_\t_\t_\t_\n1\tmapu\tm\tVERB\t_\t_\t0\troot\t_\t_\n2\tlo\tl\tPRON\t_\t_\t1\tobj\t_\t_\n\n";

static void choose(const char *conllu, const char *language, bool has_dev, on_buf *recipe, on_buf *why) {
  on_corpus corpus = {0};
  on_error error;
  assert_true(on_corpus_add(&corpus, on_str_c(conllu), &error));
  on_choice choice = {.train = ON_STR("t"), .dev = has_dev ? ON_STR("d") : ON_STR_NONE};
  if (language) choice.language = on_str_c(language);
  if (!on_choose_recipe(&choice, &corpus, &corpus, recipe, why, &error)) fail_msg("%s", error.text);
  on_buf_char(recipe, 0);
  on_buf_char(why, 0);
  on_corpus_free(&corpus);
}

// `has` is in the recipe, `lacks` is not; the recipe is one that can be trained by.
static void expect(const char *conllu, const char *language, bool has_dev, const char *has, const char *lacks,
                   const char *reason) {
  on_buf recipe = {0}, why = {0};
  choose(conllu, language, has_dev, &recipe, &why);
  if (!strstr(recipe.p, has)) fail_msg("%s\nlacks %s", recipe.p, has);
  if (lacks && strstr(recipe.p, lacks)) fail_msg("%s\nhas %s", recipe.p, lacks);
  if (!strstr(why.p, reason)) fail_msg("%s\nlacks %s", why.p, reason);
  on_recipe parsed;
  on_error error;
  if (!on_recipe_parse(&parsed, (on_str){recipe.p, recipe.n - 1}, &error)) fail_msg("%s", error.text);
  assert_true(!parsed.dev == !has_dev);
  on_recipe_free(&parsed);
  on_buf_free(&recipe);
  on_buf_free(&why);
}

static void test_tokenizers(void **state) {
  (void)state;
  expect(plain, "pt", true, "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"portuguese\"}", "mwt", "F1 100.00");
  expect(plain, NULL, true, "\"language\": \"pt\"", NULL, "data set: portuguese");
  expect(joined, "ja", true, "{\"kind\": \"segmenter\", \"encoder\": 0}", "uax", "100.0 % of neighbouring words");
  expect(blanks, "vi", true, "{\"kind\": \"segmenter\", \"encoder\": 0}", "uax", "50.0 % of the words have blanks");
  expect(joined, "ja", true, "\"recurrentSize\": 112, \"wordTokens\": 16}}", NULL, "word lists: the words of train");
  expect(blanks, "vi", true, "\"recurrentSize\": 112}}", "wordTokens", "word lists: none");
  expect(plain, "pt", true, "uax", "wordTokens", "F1 100.00");
  expect(pieces, "xx", true, "{\"kind\": \"mwt\", \"inner\": {\"kind\": \"uax\", ", NULL, "mwt could raise that to 100.00");
}

static void test_components(void **state) {
  (void)state;
  expect(plain, "pt", true, "\"column\": \"Tag\"", "ner", "tagger (XPOS), morphologizer, pos, lemmatizer, parser\n");
  expect(joined, "ja", true, "\"kind\": \"parser\", \"encoder\": 1", "\"column\": \"Tag\"", "morphologizer (no FEATS there), parser\n");
  expect(joined, "ja", true, "morphologizer", "lemmatizer", "senter");
  expect(plain, "tr", false, "\"seed\": 1, \"turkicCase\": 1", "\"dev\"", "a tenth of train");
  expect(plain, "tr", false, "\"lexiconBelow\": 50, \"turkicCase\": 1", "\"dev\"", "a tenth of train");
  expect(plain, "pt", false, "morphologizer", "turkicCase", "a tenth of train");
}

static void test_empty(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_buf recipe = {0}, why = {0};
  on_error error;
  on_choice choice = {.train = ON_STR("t")};
  assert_false(on_choose_recipe(&choice, &corpus, &corpus, &recipe, &why, &error));
  assert_false(on_corpus_hold_out(&corpus, &corpus, 1, &error));
  assert_int_equal(error.code, ON_INVALID_DATA);
}

static void hold_out(size_t sentences, uint64_t seed, on_corpus *left, on_corpus *held, on_buf *text) {
  on_error error;
  for (size_t i = 0; i < sentences; i++) {
    if (i % 4 == 0) on_buf_str(text, ON_STR("# newpar\n"));
    on_buf_format(text, "1\tw%zu\t_\t_\t_\t_\t_\t_\t_\t_\n\n", i);
  }
  assert_true(on_corpus_add(left, on_buf_view(text), &error));
  assert_true(on_corpus_hold_out(left, held, seed, &error));
}

static void test_hold_out(void **state) {
  (void)state;
  const size_t counts[][2] = {{2, 1}, {9, 1}, {10, 1}, {19, 1}, {20, 2}, {500, 50}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    on_corpus left = {0}, held = {0}, again = {0}, held_again = {0}, other = {0}, held_other = {0};
    on_buf text = {0}, text_again = {0}, text_other = {0};
    hold_out(counts[k][0], 1, &left, &held, &text);
    hold_out(counts[k][0], 1, &again, &held_again, &text_again);
    hold_out(counts[k][0], 2, &other, &held_other, &text_other);
    assert_int_equal(held.count, counts[k][1]);
    assert_int_equal(left.count + held.count, counts[k][0]);
    assert_int_equal(on_corpus_words(&left), left.count);
    assert_int_equal(on_corpus_words(&held), held.count);
    size_t l = 0, h = 0, differ = 0;
    for (size_t i = 0; i < counts[k][0]; i++) {  // every sentence on one side, in order
      char form[32];
      snprintf(form, sizeof form, "w%zu", i);
      bool out = h < held.count && on_str_eq(held.pointers[h]->words[0].form, on_str_c(form));
      if (!out) assert_true(on_str_eq(left.pointers[l]->words[0].form, on_str_c(form)));
      h += out;
      l += !out;
    }
    for (size_t i = 0; i < held.count; i++) {
      assert_true(on_str_eq(held.sentences[i].words[0].form, held_again.sentences[i].words[0].form));
      differ += !on_str_eq(held.sentences[i].words[0].form, held_other.sentences[i].words[0].form);
    }
    if (counts[k][0] == 500) assert_true(differ > 20);
    assert_true(left.paragraph[0] && held.paragraph[0]);
    on_corpus *const all[] = {&left, &held, &again, &held_again, &other, &held_other};
    for (size_t i = 0; i < 6; i++) on_corpus_free(all[i]);
    on_buf_free(&text);
    on_buf_free(&text_again);
    on_buf_free(&text_other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokenizers), cmocka_unit_test(test_components), cmocka_unit_test(test_empty),
      cmocka_unit_test(test_hold_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
