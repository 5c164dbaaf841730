// Entities and spans: counts by hand, against a naive comparison, thresholds, table and JSON.
#include "test.h"

#include "base/alloc.h"
#include "base/random.h"
#include "format/json.h"
#include "score/entities.h"
#include "score/spans.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void expect(const on_score *score, int correct, int gold, int predicted) {
  if (score->correct != (uint64_t)correct || score->gold != (uint64_t)gold || score->system != (uint64_t)predicted) {
    fail_msg("%d of %d gold and %d predicted, expected %d, %d, %d", (int)score->correct, (int)score->gold,
             (int)score->system, correct, gold, predicted);
  }
}

static void entities_match_in_extent_and_label(void **state) {
  (void)state;
  const on_labelled gold[] = {
      {0, 0, 3, ON_STR("PER"), 1}, {0, 15, 20, ON_STR("LOC"), 1}, {0, 30, 40, ON_STR("ORG"), 1},
      {1, 0, 3, ON_STR("PER"), 1}, {1, 8, 12, ON_STR("PER"), 1},
  };
  const on_labelled predicted[] = {
      {1, 0, 3, ON_STR("PER"), 0},   // correct; order and score do not matter
      {0, 0, 3, ON_STR("PER"), 1},   // correct
      {0, 15, 20, ON_STR("PER"), 1},  // wrong label
      {0, 30, 39, ON_STR("ORG"), 1},  // wrong end
      {1, 7, 12, ON_STR("PER"), 1},   // wrong start
      {2, 0, 3, ON_STR("PER"), 1},    // wrong document
      {0, 50, 51, ON_STR("MISC"), 1},  // a label that gold lacks
      {0, 0, 3, ON_STR("PER"), 1},     // twice
  };
  on_label_scores scores = {0};
  assert_true(on_entities_evaluate(gold, COUNT(gold), predicted, COUNT(predicted), &scores, NULL));
  expect(&scores.all, 2, 5, 7);
  assert_int_equal(scores.label_count, 4);
  const char *names[] = {"LOC", "MISC", "ORG", "PER"};
  const int counts[4][3] = {{0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {2, 3, 5}};
  for (size_t i = 0; i < 4; i++) {
    assert_true(on_str_eq(scores.labels[i].label, on_str_c(names[i])));
    expect(&scores.labels[i].score, counts[i][0], counts[i][1], counts[i][2]);
  }
  assert_true(on_score_precision(&scores.all) == 2 / 7.0);
  assert_true(on_score_recall(&scores.all) == 2 / 5.0);
  assert_true(on_score_f1(&scores.all) == 4 / 12.0);

  on_buf out = {0};
  on_label_table(&out, &scores);
  on_buf_char(&out, 0);
  assert_string_equal(out.p,
                      "Label | Precision |    Recall |  F1 Score |      Gold | Predicted |   Correct\n"
                      "------+-----------+-----------+-----------+-----------+-----------+-----------\n"
                      "all   |     28.57 |     40.00 |     33.33 |         5 |         7 |         2\n"
                      "LOC   |      0.00 |      0.00 |      0.00 |         1 |         0 |         0\n"
                      "MISC  |      0.00 |      0.00 |      0.00 |         0 |         1 |         0\n"
                      "ORG   |      0.00 |      0.00 |      0.00 |         1 |         1 |         0\n"
                      "PER   |     40.00 |     66.67 |     50.00 |         3 |         5 |         2\n");
  on_buf_clear(&out);
  on_label_json(&out, &scores);
  on_error error;
  on_json *root = on_json_parse(on_buf_view(&out), 4, &error);
  if (!root) fail_msg("%s", error.text);
  assert_true(on_json_number(on_json_get(root, "f1")) == 0.333333);
  assert_int_equal((int)on_json_number(on_json_get(root, "predicted")), 7);
  const on_json *labels = on_json_get(root, "labels");
  assert_int_equal(on_json_count(labels), 4);
  assert_true(on_json_number(on_json_get(on_json_get(labels, "PER"), "precision")) == 0.4);
  assert_int_equal((int)on_json_number(on_json_get(on_json_get(labels, "PER"), "gold")), 3);
  on_json_free(root);
  on_buf_free(&out);
  on_label_scores_free(&scores);
}

static void nothing_scores_nothing(void **state) {
  (void)state;
  on_label_scores scores = {0};
  assert_true(on_entities_evaluate(NULL, 0, NULL, 0, &scores, NULL));
  expect(&scores.all, 0, 0, 0);
  assert_true(on_score_f1(&scores.all) == 0);
  on_label_scores_free(&scores);
}

static void docs_give_offsets_in_the_source(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  assert_true(on_doc_set_tokens(&doc, 4));
  for (uint32_t i = 0; i < 4; i++) {
    doc.start[i] = 3 * i;
    doc.end[i] = 3 * i + 2;
    doc.source_start[i] = 100 + 5 * i;
    doc.source_end[i] = 100 + 5 * i + 4;
  }
  on_span entity = {.first = 1, .end = 3, .label = ON_STR("PER"), .score = 0.75f};
  on_span spans[] = {{0, 1, ON_STR("A"), 0.5f}, {0, 4, ON_STR("B"), 0.25f}};
  on_span_group groups[] = {{ON_STR("other"), &entity, 1}, {ON_STR("sc"), spans, 2}};
  doc.ents = &entity;
  doc.ent_count = 1;
  doc.groups = groups;
  doc.group_count = 2;
  on_labelled_list list = {0};
  assert_true(on_entities_of_doc(&list, 7, &doc, NULL));
  assert_true(on_spans_of_doc(&list, 8, &doc, ON_STR("sc"), NULL));
  assert_true(on_spans_of_doc(&list, 8, &doc, ON_STR("none"), NULL));
  assert_int_equal(list.count, 3);
  const on_labelled *e = &list.items[0];
  assert_true(e->document == 7 && e->start == 105 && e->end == 114 && e->score == 0.75f);
  assert_true(on_str_eq(e->label, ON_STR("PER")));
  const on_labelled *b = &list.items[2];
  assert_true(b->document == 8 && b->start == 100 && b->end == 119 && b->score == 0.25f);
  on_labelled_free(&list);
  on_doc_free(&doc);
}

static void threshold_decides(void **state) {
  (void)state;
  const on_labelled gold[] = {{0, 0, 1, ON_STR("A"), 0}, {0, 0, 2, ON_STR("A"), 0}, {0, 3, 4, ON_STR("B"), 0},
                              {0, 5, 6, ON_STR("A"), 0}};
  const on_labelled candidates[] = {
      {0, 0, 1, ON_STR("A"), 0.9f},  {0, 1, 2, ON_STR("A"), 0.8f}, {0, 0, 2, ON_STR("A"), 0.7f},
      {0, 3, 4, ON_STR("B"), 0.6f},  {0, 3, 4, ON_STR("A"), 0.4f}, {0, 4, 5, ON_STR("B"), 0.4f},
      {0, 0, 2, ON_STR("A"), 0.05f},  // again, with a lower score
  };
  on_label_scores scores = {0};
  assert_true(on_spans_evaluate(gold, 4, candidates, COUNT(candidates), 0.7f, &scores, NULL));
  expect(&scores.all, 2, 4, 3);
  on_label_scores_free(&scores);
  assert_true(on_spans_evaluate(gold, 4, candidates, COUNT(candidates), 0.5f, &scores, NULL));
  expect(&scores.all, 3, 4, 4);
  expect(&scores.labels[0].score, 2, 3, 3);
  expect(&scores.labels[1].score, 1, 1, 1);
  on_label_scores_free(&scores);
  // F1 along the scores: 2/5, 2/6, 4/7, 6/8, 6/10. The best lies between 0.6 and 0.4.
  on_best_threshold best;
  assert_true(on_spans_best_threshold(gold, 4, candidates, COUNT(candidates), &best, NULL));
  expect(&best.score, 3, 4, 4);
  assert_true(best.threshold > 0.49f && best.threshold < 0.51f);
  // Without a lower candidate it is the score itself.
  assert_true(on_spans_best_threshold(gold, 4, candidates, 4, &best, NULL));
  expect(&best.score, 3, 4, 4);
  assert_true(best.threshold == 0.6f);
}

static void threshold_without_a_hit_is_one(void **state) {
  (void)state;
  const on_labelled gold[] = {{0, 0, 1, ON_STR("A"), 0}};
  on_labelled candidates[] = {{0, 1, 2, ON_STR("A"), 1}, {0, 2, 3, ON_STR("A"), 0.5f}, {0, 0, 1, ON_STR("A"), 0},
                              {0, 7, 8, ON_STR("A"), 0}};
  on_best_threshold best;
  assert_true(on_spans_best_threshold(gold, 1, candidates, 3, &best, NULL));
  assert_true(best.threshold == 1);
  expect(&best.score, 0, 1, 1);
  candidates[2].score = 1e-45f;  // the smallest float: the threshold must stay above 0
  assert_true(on_spans_best_threshold(gold, 1, candidates, 4, &best, NULL));
  assert_true(best.threshold > 0 && best.threshold <= candidates[2].score);
  expect(&best.score, 1, 1, 3);
}

static void scores_must_be_numbers(void **state) {
  (void)state;
  const float bad[] = {(float)strtod("nan", NULL), -0.1f, 1.1f, (float)strtod("inf", NULL)};
  for (size_t i = 0; i < COUNT(bad); i++) {
    on_labelled candidate = {4, 1, 2, ON_STR("A"), bad[i]};
    on_best_threshold best;
    on_error error;
    assert_false(on_spans_best_threshold(NULL, 0, &candidate, 1, &best, &error));
    assert_int_equal(error.code, ON_INVALID_ARGUMENT);
    assert_string_equal(error.text, "document 4: the score of [1, 2) is not a probability");
    on_label_scores scores = {0};
    bool fine = on_spans_evaluate(NULL, 0, &candidate, 1, 0.5f, &scores, &error);
    assert_int_equal(fine, i > 0);
    on_label_scores_free(&scores);
  }
}

enum { MANY = 60 };

static bool same_item(const on_labelled *a, const on_labelled *b) {
  return a->document == b->document && a->start == b->start && a->end == b->end && on_str_eq(a->label, b->label);
}

// Highest score of equal items, or -1; by comparing with every item.
static float best_score(const on_labelled *items, size_t count, const on_labelled *item) {
  float best = -1;
  for (size_t i = 0; i < count; i++) {
    if (same_item(&items[i], item) && items[i].score > best) best = items[i].score;
  }
  return best;
}

static bool is_first(const on_labelled *items, size_t i) {
  for (size_t j = 0; j < i; j++) {
    if (same_item(&items[j], &items[i])) return false;
  }
  return true;
}

static on_score naive(const on_labelled *gold, size_t gold_count, const on_labelled *predicted, size_t count,
                      float threshold, const on_str *label) {
  on_score score = {0};
  for (size_t i = 0; i < gold_count; i++) {
    if (label && !on_str_eq(*label, gold[i].label)) continue;
    if (is_first(gold, i)) score.gold++;
  }
  for (size_t i = 0; i < count; i++) {
    if (label && !on_str_eq(*label, predicted[i].label)) continue;
    if (!is_first(predicted, i) || best_score(predicted, count, &predicted[i]) < threshold) continue;
    score.system++;
    for (size_t g = 0; g < gold_count; g++) score.correct += is_first(gold, g) && same_item(&gold[g], &predicted[i]);
  }
  return score;
}

static void random_items(on_labelled *items, size_t count, on_random *random) {
  static const char *const labels[] = {"A", "B", "AA", ""};
  for (size_t i = 0; i < count; i++) {
    uint32_t start = on_random_below(random, 4);
    items[i] = (on_labelled){.document = on_random_below(random, 3), .start = start,
                             .end = start + 1 + on_random_below(random, 2),
                             .label = on_str_c(labels[on_random_below(random, 4)]),
                             .score = (float)on_random_below(random, 11) / 10};
  }
}

static void random_items_score_as_counted_naively(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 11);
  for (int round = 0; round < 300; round++) {
    on_labelled gold[MANY], predicted[MANY];
    size_t gold_count = on_random_below(&random, MANY), count = on_random_below(&random, MANY);
    random_items(gold, gold_count, &random);
    random_items(predicted, count, &random);
    on_score best = {0};
    for (int tenth = 0; tenth <= 10; tenth++) {
      float threshold = (float)tenth / 10;
      on_label_scores scores = {0};
      assert_true(on_spans_evaluate(gold, gold_count, predicted, count, threshold, &scores, NULL));
      on_score all = naive(gold, gold_count, predicted, count, threshold, NULL);
      expect(&scores.all, (int)all.correct, (int)all.gold, (int)all.system);
      for (size_t i = 0; i < scores.label_count; i++) {
        on_score one = naive(gold, gold_count, predicted, count, threshold, &scores.labels[i].label);
        expect(&scores.labels[i].score, (int)one.correct, (int)one.gold, (int)one.system);
      }
      if (tenth > 0 && on_score_f1(&all) > on_score_f1(&best)) best = all;
      on_label_scores_free(&scores);
    }
    on_best_threshold found;
    assert_true(on_spans_best_threshold(gold, gold_count, predicted, count, &found, NULL));
    assert_true(on_score_f1(&found.score) == on_score_f1(&best));
    assert_true(found.threshold > 0 && found.threshold <= 1);
    on_score there = naive(gold, gold_count, predicted, count, found.threshold, NULL);
    expect(&found.score, (int)there.correct, (int)there.gold, (int)there.system);
  }
}

static void every_failed_allocation_is_an_error(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 12);
  on_labelled gold[MANY], predicted[MANY];
  random_items(gold, MANY, &random);
  random_items(predicted, MANY, &random);
  size_t used = on_alloc_used();
  int failures = 0;
  for (int what = 0; what < 2; what++) {
    bool done = false;
    for (size_t n = 1; !done; n++) {
      on_error error = {0};
      on_label_scores scores = {0};
      on_best_threshold best;
      on_alloc_fail_at(n, 0);
      done = what ? on_spans_best_threshold(gold, MANY, predicted, MANY, &best, &error)
                  : on_spans_evaluate(gold, MANY, predicted, MANY, 0.5f, &scores, &error);
      on_alloc_fail_at(0, 0);
      on_label_scores_free(&scores);
      if (!done) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
      failures += !done;
      assert_int_equal(on_alloc_used(), used);
    }
  }
  assert_true(failures >= 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entities_match_in_extent_and_label),
      cmocka_unit_test(nothing_scores_nothing),
      cmocka_unit_test(docs_give_offsets_in_the_source),
      cmocka_unit_test(threshold_decides),
      cmocka_unit_test(threshold_without_a_hit_is_one),
      cmocka_unit_test(scores_must_be_numbers),
      cmocka_unit_test(random_items_score_as_counted_naively),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
