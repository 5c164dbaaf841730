// Whole treebanks against themselves: every score is 100, in little time.
#include "treebank.h"

#include <time.h>

static void evaluate_itself(const char *relative, size_t words) {
  char path[4096];
  TEST_DATA_OR_SKIP(path, relative);
  treebank gold = {0}, system = {0};
  size_t length;
  char *bytes = test_read_file(path, &length);
  on_buf_add(&gold.bytes, bytes, length);
  on_buf_add(&system.bytes, bytes, length);
  free(bytes);
  treebank_parse(&gold);
  treebank_parse(&system);
  clock_t start = clock();
  on_conll18 scores = treebank_scores(&gold, &system);
  printf("%s: %.3f s\n", relative, (double)(clock() - start) / CLOCKS_PER_SEC);
  assert_int_equal(scores.metrics[ON_WORDS].gold, words);
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *s = &scores.metrics[m];
    assert_true(s->correct == s->gold && s->correct == s->system);
    if (s->present) assert_true(s->correct > 0);
  }
}

static void english_train(void **state) {
  (void)state;
  evaluate_itself("ud/UD_English-EWT/train.conllu", 204577);
}

static void coptic_with_most_words_in_ranges(void **state) {
  (void)state;
  evaluate_itself("ud/UD_Coptic-Scriptorium/train.conllu", 35768);
}

static void portuguese_without_xpos(void **state) {
  (void)state;
  evaluate_itself("ud/UD_Portuguese-Bosque/test.conllu", 27604);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(english_train),
      cmocka_unit_test(coptic_with_most_words_in_ranges),
      cmocka_unit_test(portuguese_without_xpos),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
