// What the encoder sees of training documents: lower case, and other names.
#include "train/view.h"

#include "pipeline/tokenize_doc.h"
#include "text/utf.h"
#include "train/corpus.h"

#include "test.h"

static const char example[] =
    "{\"text\": \"Anna of the Hills met NASA in  Rome, Lyon and oslo.\", \"tokens\": [[0, 4], [5, 7], [8, 11], [12, 17],"
    " [18, 21], [22, 26], [27, 29], [31, 35], [35, 36], [37, 41], [42, 45], [46, 50], [50, 51]], \"entities\":"
    " [[0, 17, \"PER\"], [22, 26, \"LOC\"], [31, 35, \"LOC\"], [37, 41, \"ORG\"], [46, 50, \"LOC\"]]}\n";

typedef struct fixture {
  on_corpus corpus;
  on_regularization rates;
  on_train_step step;
} fixture;

static void set_up(fixture *f) {
  on_pipeline blank;
  on_error error;
  *f = (fixture){0};
  assert_true(on_pipeline_blank(&blank, ON_STR("en"), NULL, &error));
  if (!on_corpus_add_jsonl(&f->corpus, ON_STR(example), &blank, &error)) fail_msg("%s", error.text);
  on_pipeline_free(&blank);
  assert_true(on_names_add(&f->corpus.names, ON_STR("PER"), ON_STR("# persons\r\nAnna\r\n\r\nBj\303\266rk\r\n"), &error));
  assert_true(on_names_add(&f->corpus.names, ON_STR("LOC"), ON_STR("Kyoto\nKyoto"), &error));
  assert_int_equal(f->corpus.names.lists[0].written[ON_NAME_TITLE].count, 2);
  assert_int_equal(f->corpus.names.lists[1].written[ON_NAME_TITLE].count, 1);
  on_random_seed(&f->step.random, 7);
  f->step.rates = &f->rates;
  f->step.names = &f->corpus.names;
}

static void tear_down(fixture *f) {
  on_arena_free(&f->step.arena);
  on_corpus_free(&f->corpus);
}

// The view's tokens, joined by "|".
static on_str tokens(fixture *f, const on_doc *view) {
  on_buf joined = {0};
  for (size_t i = 0; i < view->n; i++) {
    if (i > 0) on_buf_char(&joined, '|');
    on_utf8_append(&joined, on_doc_token(view, i));
  }
  on_str text = on_arena_str(&f->step.arena, on_buf_view(&joined));
  on_buf_free(&joined);
  return text;
}

static void assert_view(fixture *f, const char *want) {
  on_doc view;
  assert_true(on_train_view(&f->step, &f->corpus.examples[0].doc, &view));
  on_str got = tokens(f, &view);
  if (!on_str_eq(got, on_str_c(want))) fail_msg("got %.*s", ON_SHOW(got));
}

static const char as_it_is[] = "Anna|of|the|Hills|met|NASA|in|Rome|,|Lyon|and|oslo|.";

static void changes_nothing_unasked(void **state) {
  (void)state;
  fixture f;
  set_up(&f);
  on_random before = f.step.random;
  assert_view(&f, as_it_is);
  assert_memory_equal(&before, &f.step.random, sizeof before);
  tear_down(&f);
}

static void lower_case(void **state) {
  (void)state;
  fixture f;
  set_up(&f);
  f.rates.lower = 1;
  assert_view(&f, "anna|of|the|hills|met|nasa|in|rome|,|lyon|and|oslo|.");
  tear_down(&f);
}

// One name in two is another; words of longer names that are none, abbreviations, lower case and labels without a
// list stay.
static void other_names(void **state) {
  (void)state;
  fixture f;
  set_up(&f);
  f.rates.names = 1;
  int other = 0, same = 0;
  for (int i = 0; i < 50; i++) {
    on_doc view;
    assert_true(on_train_view(&f.step, &f.corpus.examples[0].doc, &view));
    on_str got = tokens(&f, &view);
    if (on_str_eq(got, ON_STR("Bj\303\266rk|of|the|Hills|met|NASA|in|Kyoto|,|Lyon|and|oslo|."))) other++;
    else if (on_str_eq(got, ON_STR("Anna|of|the|Hills|met|NASA|in|Kyoto|,|Lyon|and|oslo|."))) same++;
    else fail_msg("got %.*s", ON_SHOW(got));
  }
  assert_true(other > 10 && same > 10);
  on_error error;
  assert_true(on_names_add(&f.corpus.names, ON_STR("LOC"), ON_STR("USA\nmacOS\n"), &error));
  f.rates.lower = 1;
  on_doc view;
  assert_true(on_train_view(&f.step, &f.corpus.examples[0].doc, &view));
  on_str got = tokens(&f, &view);
  assert_true(on_str_ends(got, ON_STR("|of|the|hills|met|usa|in|kyoto|,|lyon|and|oslo|.")));
  tear_down(&f);
}

static void bad_lists(void **state) {
  (void)state;
  on_names names = {0};
  on_error error;
  assert_false(on_names_add(&names, ON_STR("LOC"), ON_STR("Rome\nNew York\n"), &error));
  assert_non_null(strstr(error.text, "line 2: 'New York' is not one word"));
  assert_false(on_names_add(&names, ON_STR("ORG"), ON_STR("# nothing\n\n"), &error));
  assert_non_null(strstr(error.text, "without names"));
  assert_false(on_names_add(&names, ON_STR("PER"), ON_STR("Ann\nB\377b\n"), &error));
  assert_non_null(strstr(error.text, "line 2"));
  on_names_free(&names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_nothing_unasked),
      cmocka_unit_test(lower_case),
      cmocka_unit_test(other_names),
      cmocka_unit_test(bad_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
