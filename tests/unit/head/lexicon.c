// The lemmatizer's lexicon: read with its limits, written back, looked up, learned.
#include "head/lexicon.h"

#include "test.h"
#include "text/utf.h"
#include "train/corpus.h"
#include "train/lexicon.h"

typedef struct fixture {
  on_arena arena;
  on_json *json;
  on_lexicon lexicon;
} fixture;

static bool read(fixture *f, const char *config, on_error *error) {
  *f = (fixture){0};
  f->json = on_json_parse(on_str_c(config), 8, error);
  if (!f->json) fail_msg("%s: %s", config, error->text);
  return on_lexicon_read(&f->lexicon, &f->arena, f->json, "config", error);
}

static void done(fixture *f) {
  on_json_free(f->json);
  on_arena_free(&f->arena);
}

static on_str find(fixture *f, const char *form, const char *tag) {
  on_str16 units;
  assert_true(on_utf16_from_utf8(&f->arena, on_str_c(form), &units, NULL));
  return on_lexicon_find(&f->lexicon, units, on_str_c(tag));
}

#define CONFIG "{\"better\\tJJR\": \"good\", \"better\\tRBR\": \"well\", \"Österr.\\t\": \"Österreich\"}"

static void finds(void **state) {
  (void)state;
  fixture f;
  on_error error;
  assert_true(read(&f, "{\"lexicon\": " CONFIG "}", &error));
  assert_int_equal(f.lexicon.n, 3);
  assert_true(on_str_eq(find(&f, "better", "JJR"), ON_STR("good")));
  assert_true(on_str_eq(find(&f, "better", "RBR"), ON_STR("well")));
  assert_true(on_str_eq(find(&f, "Österr.", ""), ON_STR("Österreich")));
  assert_null(find(&f, "better", "NN").p);
  assert_null(find(&f, "Better", "JJR").p);
  assert_null(find(&f, "Österr.", "NN").p);
  on_buf out = {0};
  on_lexicon_write(&f.lexicon, &out);
  assert_true(on_str_eq(on_buf_view(&out), ON_STR(CONFIG)));
  on_buf_free(&out);
  done(&f);
  assert_true(read(&f, "{}", &error));
  assert_null(find(&f, "better", "JJR").p);
  done(&f);
}

static void refuses(void **state) {
  (void)state;
  static const char *const bad[] = {
      "{\"lexicon\": []}",
      "{\"lexicon\": {\"a\": \"b\"}}",
      "{\"lexicon\": {\"\\tNN\": \"b\"}}",
      "{\"lexicon\": {\"a\\tNN\\t\": \"b\"}}",
      "{\"lexicon\": {\"a\\tNN\": \"\"}}",
      "{\"lexicon\": {\"a\\tNN\": 1}}",
      "{\"lexicon\": {\"a\\tNN\": \"b\\tc\"}}",
      "{\"lexicon\": {\"a\\tNN\": \"b\\n\"}}",
      "{\"lexicon\": {\"a\\tNN\": \"\\rb\"}}",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fixture f;
    on_error error = {0};
    if (read(&f, bad[i], &error)) fail_msg("accepted: %s", bad[i]);
    assert_int_equal(error.code, ON_INVALID_DATA);
    assert_non_null(strstr(error.text, "config.lexicon"));
    done(&f);
  }
}

static bool read_lemma_of(size_t length) {
  on_buf text = {0};
  on_buf_str(&text, ON_STR("{\"lexicon\": {\"a\\tb\": \""));
  for (size_t i = 0; i < length; i++) on_buf_char(&text, 'x');
  on_buf_str(&text, ON_STR("\"}}"));
  on_buf_char(&text, 0);
  fixture f;
  on_error error;
  bool ok = read(&f, text.p, &error);
  done(&f);
  on_buf_free(&text);
  return ok;
}

static void limits(void **state) {
  (void)state;
  assert_true(read_lemma_of(4096));
  assert_false(read_lemma_of(4097));
}

static const char treebank[] =
    "1\twent\tgo\tVERB\tVBD\t_\t0\troot\t_\t_\n2\twalked\twalk\tVERB\tVBD\t_\t1\tdep\t_\t_\n"
    "3\ttalked\ttalk\tVERB\tVBD\t_\t1\tdep\t_\t_\n\n"
    "1\tbetter\twell\tADV\tRBR\t_\t0\troot\t_\t_\n2\tbetter\tgood\tADJ\tJJR\t_\t1\tdep\t_\t_\n"
    "3\tbetter\twell\tADJ\tJJR\t_\t1\tdep\t_\t_\n4\tbetter\tgood\tADJ\tJJR\t_\t1\tdep\t_\t_\n"
    "5\tx\t_\tX\tFW\t_\t1\tdep\t_\t_\n\n";

static void learns(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_doc docs[2];
  on_error error;
  assert_true(on_corpus_add(&corpus, ON_STR(treebank), &error));
  for (size_t i = 0; i < 2; i++) {
    on_doc_init(&docs[i]);
    assert_true(on_corpus_doc(&corpus, i, i + 1, &docs[i], &error));
  }
  on_label_counts classes = {0};
  assert_true(on_label_count(&classes, ON_STR("lM0,2()(S2:ed0:)")));
  assert_true(on_label_count(&classes, ON_STR("lM0,2()(S2:ed0:)")));
  on_buf out = {0};
  assert_true(on_lexicon_infer(docs, 2, &classes, 2, false, &out));
  assert_true(on_str_eq(on_buf_view(&out), ON_STR("\"lexicon\": {\"went\\tVBD\": \"go\", \"better\\tRBR\": \"well\", "
                                                  "\"better\\tJJR\": \"good\"}")));
  on_buf_clear(&out);
  assert_true(on_lexicon_infer(docs, 2, &classes, 3, false, &out));  // the class is not frequent enough now
  on_buf_char(&out, 0);
  assert_non_null(strstr(out.p, "\"walked\\tVBD\": \"walk\""));
  on_buf_free(&out);
  on_label_counts_free(&classes);
  for (size_t i = 0; i < 2; i++) on_doc_free(&docs[i]);
  on_corpus_free(&corpus);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds), cmocka_unit_test(refuses), cmocka_unit_test(limits),
                                     cmocka_unit_test(learns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
