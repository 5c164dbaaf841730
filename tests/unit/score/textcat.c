// Text categories: counts by hand, against a naive comparison, the ROC curve, table and JSON.
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "base/random.h"
#include "format/json.h"
#include "score/textcat.h"

static void near(double actual, double expected) {
  if (!(fabs(actual - expected) < 1e-12)) fail_msg("%.15g, expected %.15g", actual, expected);
}

static void expect(const on_score *score, int correct, int gold, int predicted) {
  assert_int_equal(score->correct, correct);
  assert_int_equal(score->gold, gold);
  assert_int_equal(score->system, predicted);
}

static void one_category_per_document(void **state) {
  (void)state;
  //                         0 is 2 of 3; 1 is 1 of 2; 2 is 0 of 1; 3 never occurs; one document has another
  const uint32_t gold[] = {0, 0, 0, 1, 1, 2, ON_TEXTCAT_OTHER, 1};
  const uint32_t guess[] = {0, 0, 1, 1, 0, 1, 2, 1};
  on_category_score categories[4];
  on_textcat_scores scores;
  assert_true(on_textcat_single(gold, guess, 8, 4, categories, &scores, NULL));
  assert_int_equal(scores.documents, 8);
  assert_int_equal(scores.correct, 4);
  near(scores.accuracy, 0.5);
  expect(&categories[0].score, 2, 3, 3);
  expect(&categories[1].score, 2, 3, 4);
  expect(&categories[2].score, 0, 1, 1);
  expect(&categories[3].score, 0, 0, 0);
  near(scores.macro_f1, (4 / 6.0 + 4 / 7.0 + 0) / 3);
  assert_true(scores.roc_auc < 0 && categories[0].roc_auc < 0);

  const on_str labels[] = {ON_STR("play_music"), ON_STR("\xC3\xA4ra"), ON_STR("c"), ON_STR("d")};
  on_buf out = {0};
  on_textcat_table(&out, &scores, labels, categories, 4);
  on_buf_char(&out, 0);
  assert_string_equal(out.p,
                      "Accuracy      50.00\n"
                      "Micro F1      50.00\n"
                      "Macro F1      41.27\n"
                      "\n"
                      "Category   | Precision |    Recall |  F1 Score |      Gold | Predicted |   Correct\n"
                      "-----------+-----------+-----------+-----------+-----------+-----------+-----------\n"
                      "play_music |     66.67 |     66.67 |     66.67 |         3 |         3 |         2\n"
                      "\xC3\xA4ra        |     50.00 |     66.67 |     57.14 |         3 |         4 |         2\n"
                      "c          |      0.00 |      0.00 |      0.00 |         1 |         1 |         0\n"
                      "d          |      0.00 |      0.00 |      0.00 |         0 |         0 |         0\n");
  on_buf_free(&out);
}

static void categories_must_be_labels(void **state) {
  (void)state;
  const uint32_t fine[] = {0, 1}, bad[] = {0, 2}, other[] = {0, ON_TEXTCAT_OTHER};
  on_category_score categories[2];
  on_textcat_scores scores;
  on_error error;
  assert_false(on_textcat_single(fine, bad, 2, 2, categories, &scores, &error));
  assert_string_equal(error.text, "document 1: its category is not one of the 2 labels");
  assert_false(on_textcat_single(bad, fine, 2, 2, categories, &scores, &error));
  assert_false(on_textcat_single(fine, other, 2, 2, categories, &scores, &error));
  assert_true(on_textcat_single(other, fine, 2, 2, categories, &scores, &error));
  assert_true(on_textcat_single(NULL, NULL, 0, 2, categories, &scores, &error));
  near(scores.accuracy, 0);
  near(scores.macro_f1, 0);
}

static double auc(const uint8_t *gold, const float *scores, size_t count) {
  double value;
  assert_true(on_roc_auc(gold, scores, count, 1, &value, NULL));
  return value;
}

static void area_under_the_curve(void **state) {
  (void)state;
  // Positives .9 and .4 against negatives .4, .3 and .95: .9 beats two of three, .4 one and a half.
  const uint8_t gold[] = {1, 0, 1, 0, 0};
  const float scores[] = {0.9f, 0.4f, 0.4f, 0.3f, 0.95f};
  near(auc(gold, scores, 5), 3.5 / 6);
  near(auc(gold, scores, 2), 1);
  const float same[] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  near(auc(gold, same, 5), 0.5);
  assert_true(auc(gold, scores, 1) < 0);      // positives only
  assert_true(auc(gold + 3, scores, 2) < 0);  // negatives only
  assert_true(auc(gold, scores, 0) < 0);
  const float bad[] = {0.5f, (float)strtod("nan", NULL)};
  double value;
  on_error error;
  assert_false(on_roc_auc(gold, bad, 2, 1, &value, &error));
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  assert_string_equal(error.text, "document 1: a score is not a number");
}

static void any_number_of_categories(void **state) {
  (void)state;
  const uint8_t gold[] = {1, 0, 0,  //
                          1, 1, 0,  //
                          0, 0, 0,  //
                          0, 1, 0};
  const float values[] = {0.9f, 0.2f, 0.1f,  // right
                          0.5f, 0.4f, 0.3f,  // misses the second
                          0.6f, 0.1f, 0.2f,  // invents the first
                          0.1f, 0.7f, 0.0f};
  on_category_score categories[3];
  on_textcat_scores scores;
  assert_true(on_textcat_multi(gold, values, 4, 3, 0.5f, categories, &scores, NULL));
  assert_int_equal(scores.correct, 2);
  near(scores.accuracy, 0.5);
  expect(&categories[0].score, 2, 2, 3);
  expect(&categories[1].score, 1, 2, 1);
  expect(&categories[2].score, 0, 0, 0);
  expect(&scores.all, 3, 4, 4);
  near(scores.macro_f1, (4 / 5.0 + 2 / 3.0) / 2);
  near(categories[0].roc_auc, 3 / 4.0);
  near(categories[1].roc_auc, 1);
  assert_true(categories[2].roc_auc < 0);
  near(scores.roc_auc, (3 / 4.0 + 1) / 2);

  const on_str labels[] = {ON_STR("a"), ON_STR("b\"\n"), ON_STR("c")};
  on_buf out = {0};
  on_textcat_json(&out, &scores, labels, categories, 3);
  on_error error;
  on_json *root = on_json_parse(on_buf_view(&out), 4, &error);
  if (!root) fail_msg("%s", error.text);
  assert_true(on_json_number(on_json_get(root, "accuracy")) == 0.5);
  assert_true(on_json_number(on_json_get(root, "rocAuc")) == 0.875);
  assert_true(on_json_number(on_json_get(root, "f1")) == 0.75);
  assert_true(on_json_number(on_json_get(root, "macroF1")) == 0.733333);
  assert_int_equal((int)on_json_number(on_json_get(root, "documents")), 4);
  const on_json *list = on_json_get(root, "categories");
  assert_int_equal(on_json_count(list), 3);
  assert_int_equal((int)on_json_number(on_json_get(on_json_get(list, "b\"\n"), "gold")), 2);
  assert_int_equal(on_json_type(on_json_get(on_json_get(list, "c"), "rocAuc")), ON_JSON_NULL);
  on_json_free(root);
  on_buf_clear(&out);
  on_textcat_table(&out, &scores, (const on_str[]){ON_STR("a"), ON_STR("b"), ON_STR("c")}, categories, 3);
  on_buf_char(&out, 0);
  assert_non_null(strstr(out.p, "ROC AUC       87.50\n"));
  assert_non_null(strstr(out.p, "Category | Precision |    Recall |  F1 Score |   ROC AUC |      Gold |"));
  assert_non_null(strstr(out.p, "a        |     66.67 |    100.00 |     80.00 |     75.00 |         2 |"));
  assert_non_null(strstr(out.p, "c        |      0.00 |      0.00 |      0.00 |         - |         0 |"));
  on_buf_free(&out);
}

enum { DOCUMENTS = 40, LABELS = 5 };

static void random_categories_score_as_counted_naively(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 3);
  for (int round = 0; round < 200; round++) {
    uint8_t gold[DOCUMENTS * LABELS];
    float values[DOCUMENTS * LABELS];
    size_t n = 1 + on_random_below(&random, DOCUMENTS);
    for (size_t i = 0; i < n * LABELS; i++) {
      gold[i] = (uint8_t)(on_random_below(&random, 3) == 0);
      values[i] = (float)on_random_below(&random, 8) / 8;  // many ties
    }
    on_category_score categories[LABELS];
    on_textcat_scores scores;
    assert_true(on_textcat_multi(gold, values, n, LABELS, 0.5f, categories, &scores, NULL));
    int right = 0;
    for (size_t d = 0; d < n; d++) {
      bool all = true;
      for (size_t c = 0; c < LABELS; c++) all = all && (values[d * LABELS + c] >= 0.5f) == gold[d * LABELS + c];
      right += all;
    }
    assert_int_equal(scores.correct, right);
    double f1 = 0, area = 0;
    int seen = 0, areas = 0;
    for (size_t c = 0; c < LABELS; c++) {
      int correct = 0, in_gold = 0, guessed = 0;
      double wins = 0;
      for (size_t d = 0; d < n; d++) {
        bool g = gold[d * LABELS + c], p = values[d * LABELS + c] >= 0.5f;
        correct += g && p;
        in_gold += g;
        guessed += p;
        for (size_t e = 0; g && e < n; e++) {
          float a = values[d * LABELS + c], b = values[e * LABELS + c];
          if (!gold[e * LABELS + c]) wins += a > b ? 1 : a == b ? 0.5 : 0;
        }
      }
      expect(&categories[c].score, correct, in_gold, guessed);
      if (in_gold || guessed) {
        f1 += 2.0 * correct / (in_gold + guessed);
        seen++;
      }
      if (in_gold && in_gold < (int)n) {
        near(categories[c].roc_auc, wins / in_gold / ((int)n - in_gold));
        area += wins / in_gold / ((int)n - in_gold);
        areas++;
      } else {
        assert_true(categories[c].roc_auc < 0);
      }
    }
    near(scores.macro_f1, seen ? f1 / seen : 0);
    near(scores.roc_auc, areas ? area / areas : -1);
  }
}

static void every_failed_allocation_is_an_error(void **state) {
  (void)state;
  const uint8_t gold[] = {1, 0, 0, 1};
  const float values[] = {0.9f, 0.2f, 0.1f, 0.3f};
  size_t used = on_alloc_used();
  bool done = false;
  int failures = 0;
  for (size_t n = 1; !done; n++) {
    on_category_score categories[2];
    on_textcat_scores scores;
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    done = on_textcat_multi(gold, values, 2, 2, 0.5f, categories, &scores, &error);
    on_alloc_fail_at(0, 0);
    if (!done) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    failures += !done;
    assert_int_equal(on_alloc_used(), used);
  }
  assert_true(failures >= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_category_per_document),
      cmocka_unit_test(categories_must_be_labels),
      cmocka_unit_test(area_under_the_curve),
      cmocka_unit_test(any_number_of_categories),
      cmocka_unit_test(random_categories_score_as_counted_naively),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
