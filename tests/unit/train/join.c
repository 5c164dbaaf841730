// Entities from JSON Lines for the sentences of a treebank.
#include "train/join.h"

#include "pipeline/tokenize_doc.h"

#include "test.h"

static const char treebank[] =
    "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n"
    "2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdid\tdo\tAUX\tVBD\t_\t0\troot\t_\t_\n"
    "3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_\n"
    "4\tvisit\tvisit\tVERB\tVB\t_\t2\tdep\t_\t_\n"
    "5\tNew\tNew\tPROPN\tNNP\t_\t6\tcompound\t_\t_\n"
    "6\tYork\tYork\tPROPN\tNNP\t_\t4\tobj\t_\tSpaceAfter=No\n"
    "7\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
    "1\tRain\train\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    "1\tSnow\tsnow\tNOUN\tNN\t_\t0\troot\t_\t_\n\n";

static const char examples[] =
    "{\"text\": \"Ada didn't visit  New York.\", \"tokens\": [[0, 3], [4, 7], [7, 10], [11, 16], [18, 21], [22, 26], [26, 27]],"
    " \"entities\": [[0, 3, \"PER\"], [18, 26, \"LOC\"]]}\n"
    "{\"text\": \"Rain\", \"tokens\": [[0, 4]], \"entities\": []}\n"
    "{\"text\": \"Hail in Rome\", \"tokens\": [[0, 4], [5, 7], [8, 12]], \"entities\": [[8, 12, \"LOC\"]]}\n"
    "{\"text\": \"Snow\", \"tokens\": [[0, 4]], \"cats\": {\"weather\": 1}}\n";

// Adds the examples, which all have tokens, so that any tokenizer does.
static void add_examples(on_corpus *corpus, on_str jsonl) {
  on_pipeline blank;
  on_error error;
  assert_true(on_pipeline_blank(&blank, ON_STR("en"), NULL, &error));
  if (!on_corpus_add_jsonl(corpus, jsonl, &blank, &error)) fail_msg("%s", error.text);
  on_pipeline_free(&blank);
}

static void joins(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_error error;
  size_t joined;
  assert_true(on_corpus_add(&corpus, ON_STR(treebank), &error));
  add_examples(&corpus, ON_STR(examples));
  assert_true(on_corpus_join(&corpus, &joined, &error));
  assert_int_equal(joined, 2);
  assert_int_equal(corpus.misaligned, 0);
  assert_int_equal(corpus.example_count, 2);  // Rome, and the one with categories
  on_doc doc;
  on_doc_init(&doc);
  assert_true(on_corpus_doc(&corpus, 0, 2, &doc, &error));
  assert_true(doc.has_ents);
  assert_int_equal(doc.ent_count, 2);
  assert_int_equal(doc.ents[1].first, 4);
  assert_int_equal(doc.ents[1].end, 6);
  assert_true(on_str_eq(doc.ents[1].label, ON_STR("LOC")));
  assert_non_null(doc.head);
  assert_true(on_corpus_doc(&corpus, 1, 2, &doc, &error));
  assert_true(doc.has_ents);  // annotated, without any
  assert_int_equal(doc.ent_count, 0);
  assert_true(on_corpus_doc(&corpus, 1, 3, &doc, &error));
  assert_false(doc.has_ents);  // nobody says whether Snow is one
  assert_true(on_corpus_doc(&corpus, 3, 4, &doc, &error));
  assert_true(doc.has_ents);
  assert_int_equal(doc.n, 3);
  on_doc_free(&doc);
  on_corpus_free(&corpus);
}

static void misaligned(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_error error;
  size_t joined;
  assert_true(on_corpus_add(&corpus, ON_STR("1\tNew York\tx\tPROPN\tNNP\t_\t0\troot\t_\t_\n\n"), &error));
  add_examples(&corpus, ON_STR("{\"text\": \"New York\", \"tokens\": [[0, 3], [4, 8]], \"entities\": [[4, 8, \"LOC\"]]}\n"));
  assert_true(on_corpus_join(&corpus, &joined, &error));
  assert_int_equal(joined, 1);
  assert_int_equal(corpus.misaligned, 1);
  assert_int_equal(corpus.example_count, 0);
  on_corpus_free(&corpus);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joins), cmocka_unit_test(misaligned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
