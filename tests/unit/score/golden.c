// The counts of the shared task's own script on damaged pairs of sentences (golden/make.py).
#include "treebank.h"

typedef struct cases {
  treebank all;
  char *counts;
  const char *next;  // in counts
} cases;

// "# case = 12 gold"
static bool is_of(const on_conllu_sentence *sentence, int number, const char *side) {
  on_str value = on_conllu_comment(sentence, "case", NULL);
  char want[32];
  snprintf(want, sizeof want, "%d %s", number, side);
  return on_str_eq(value, on_str_c(want));
}

static size_t take(cases *c, size_t *at, int number, const char *side) {
  size_t from = *at;
  while (*at < c->all.count && is_of(c->all.list[*at], number, side)) ++*at;
  return *at - from;
}

static uint64_t cell(const char *text) { return text[0] == '-' ? 0 : strtoull(text, NULL, 10); }

static void check_row(cases *c, int number, on_metric metric, const on_score *score) {
  int row;
  char name[16], correct[16], gold[16], system[16], aligned[16];
  if (sscanf(c->next, "%d\t%15s\t%15s\t%15s\t%15s\t%15s", &row, name, correct, gold, system, aligned) != 6) {
    fail_msg("counts.tsv: no row for %s of case %d", on_metric_name(metric), number);
  }
  assert_int_equal(row, number);
  assert_string_equal(name, on_metric_name(metric));
  if (score->present != (correct[0] != '-') || score->correct != cell(correct) || score->gold != cell(gold) ||
      score->system != cell(system) || score->aligned != cell(aligned)) {
    fail_msg("case %d, %s: %d correct, %d gold, %d system, %d aligned; expected %s %s %s %s", number, name,
             (int)score->correct, (int)score->gold, (int)score->system, (int)score->aligned, correct, gold, system,
             aligned);
  }
  if (score->present) assert_int_equal(score->on_aligned, aligned[0] != '-');
  c->next = strchr(c->next, '\n');
  assert_non_null(c->next);
  c->next++;
}

static void counts_are_those_of_the_shared_task(void **state) {
  (void)state;
  char path[4096];
  cases c = {0};
  size_t length;
  char *pairs = test_read_file(test_source_path(path, sizeof path, "tests/unit/score/golden/pairs.conllu"), &length);
  on_buf_add(&c.all.bytes, pairs, length);
  free(pairs);
  treebank_parse(&c.all);
  c.counts = test_read_file(test_source_path(path, sizeof path, "tests/unit/score/golden/counts.tsv"), NULL);
  c.next = strchr(c.counts, '\n') + 1;
  size_t at = 0;
  int number = 0;
  while (at < c.all.count) {
    number++;
    const on_conllu_sentence *const *gold = (const on_conllu_sentence *const *)c.all.list + at;
    size_t gold_count = take(&c, &at, number, "gold");
    const on_conllu_sentence *const *system = (const on_conllu_sentence *const *)c.all.list + at;
    size_t system_count = take(&c, &at, number, "system");
    assert_true(gold_count > 0 && system_count > 0);
    on_conll18 scores;
    on_error error = {0};
    if (!on_conll18_evaluate(gold, gold_count, system, system_count, &scores, &error)) {
      fail_msg("case %d: %s", number, error.text);
    }
    for (int m = 0; m < ON_METRICS; m++) check_row(&c, number, (on_metric)m, &scores.metrics[m]);
  }
  assert_int_equal(*c.next, 0);
  assert_true(number >= 40);
  free(c.counts);
  treebank_free(&c.all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_the_shared_task),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
