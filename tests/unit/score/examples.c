// Scores over JSON Lines: worked by hand.
#include "score/evaluate.h"

#include <math.h>

#include "format/json.h"
#include "test.h"

static on_json *compare(const char *gold, const char *system) {
  on_example_scores scores = {0};
  on_buf out = {0};
  on_error error;
  if (!on_compare_jsonl(on_str_c(gold), on_str_c(system), &scores, &error)) fail_msg("%s", error.text);
  if (!on_example_scores_write(&scores, true, &out, &error)) fail_msg("%s", error.text);
  on_example_scores_free(&scores);
  on_json *root = on_json_parse(on_buf_view(&out), 16, &error);
  if (!root) fail_msg("%s: %.*s", error.text, (int)out.n, out.p);
  on_buf_free(&out);
  return root;
}

static double number(const on_json *value, const char *path) {
  char key[64];
  while (*path) {
    size_t n = strcspn(path, "/");
    memcpy(key, path, n);
    key[n] = 0;
    value = on_json_get(value, key);
    assert_non_null(value);
    path += n + (path[n] == '/');
  }
  return on_json_number(value);
}
#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6)

// Tokens of gold and system differ; a document whose gold has no entities counts for nothing.
static void entities(void **state) {
  (void)state;
  on_json *root = compare(
      "{\"text\": \"Ada met Bob\", \"entities\": [[0, 3, \"PER\"], [8, 11, \"PER\"]]}\n"
      "{\"text\": \"In Turin\", \"entities\": [[3, 8, \"LOC\"]]}\n{\"text\": \"Nobody\"}\n",
      "{\"text\": \"Ada met Bob\", \"tokens\": [[0, 3], [8, 11]], \"entities\": [[0, 3, \"PER\"], [8, 11, \"LOC\"]]}\n"
      "{\"text\": \"In Turin\", \"entities\": [[0, 8, \"LOC\"]]}\n"
      "{\"text\": \"Nobody\", \"entities\": [[0, 6, \"PER\"]]}\n");
  NEAR(number(root, "entities/gold"), 3);
  NEAR(number(root, "entities/predicted"), 3);
  NEAR(number(root, "entities/correct"), 1);
  NEAR(number(root, "entities/labels/PER/recall"), 0.5);
  NEAR(number(root, "entities/labels/PER/precision"), 1);
  assert_int_equal(on_json_type(on_json_get(root, "cats")), ON_JSON_NULL);
  assert_int_equal(on_json_type(on_json_get(root, "spans")), ON_JSON_NULL);
  on_json_free(root);
}

static void one_category(void **state) {
  (void)state;
  on_json *root = compare(
      "{\"text\": \"a\", \"cats\": {\"x\": 1}}\n{\"text\": \"b\", \"cats\": {\"y\": 1, \"x\": 0}}\n{\"text\": \"c\"}\n"
      "{\"text\": \"d\", \"cats\": {\"x\": 1}}\n{\"text\": \"e\", \"cats\": {\"z\": 1}}\n",
      "{\"text\": \"a\", \"cats\": {\"x\": 0.4, \"y\": 0.3}}\n{\"text\": \"b\", \"cats\": {\"x\": 0.2, \"y\": 0.7}}\n"
      "{\"text\": \"c\", \"cats\": {\"x\": 1}}\n{\"text\": \"d\", \"cats\": {\"x\": 0.2, \"y\": 0.3}}\n"
      "{\"text\": \"e\", \"cats\": {\"x\": 0.9, \"y\": 0.3}}\n");
  NEAR(number(root, "cats/documents"), 4);
  NEAR(number(root, "cats/accuracy"), 0.5);
  NEAR(number(root, "cats/categories/x/precision"), 0.5);
  NEAR(number(root, "cats/categories/y/recall"), 1);
  NEAR(number(root, "cats/categories/z/f1"), 0);
  NEAR(number(root, "cats/macroF1"), (0.5 + 2.0 / 3 + 0) / 3);
  assert_int_equal(on_json_type(on_json_get(on_json_get(root, "cats"), "rocAuc")), ON_JSON_NULL);
  on_json_free(root);
}

static void several_categories(void **state) {
  (void)state;
  on_json *root = compare(
      "{\"text\": \"a\", \"cats\": {\"x\": 1, \"y\": 1}}\n{\"text\": \"b\", \"cats\": {}}\n"
      "{\"text\": \"c\", \"cats\": {\"y\": true}}\n",
      "{\"text\": \"a\", \"cats\": {\"x\": 0.5, \"y\": 0.3}}\n{\"text\": \"b\", \"cats\": {\"x\": 0.6, \"y\": 0.1}}\n"
      "{\"text\": \"c\", \"cats\": {\"x\": 0.4, \"y\": 0.8}}\n");
  // x: predicted for a and b, gold for a; y: predicted for c, gold for a and c
  NEAR(number(root, "cats/precision"), 2.0 / 3);
  NEAR(number(root, "cats/recall"), 2.0 / 3);
  NEAR(number(root, "cats/accuracy"), 1.0 / 3);
  NEAR(number(root, "cats/categories/x/rocAuc"), 0.5);  // above c, below b
  NEAR(number(root, "cats/categories/y/rocAuc"), 1);
  NEAR(number(root, "cats/rocAuc"), 0.75);
  on_json_free(root);
}

static void spans(void **state) {
  (void)state;
  on_json *root = compare(
      "{\"text\": \"ab cd\", \"spans\": {\"g\": [[0, 2, \"A\"], [0, 5, \"A\"]], \"only gold\": []}}\n",
      "{\"text\": \"ab cd\", \"spans\": {\"g\": [[0, 2, \"A\"], [3, 5, \"A\"], [0, 5, \"B\"]],"
      " \"other\": [[0, 2, \"A\"]]}}\n");
  NEAR(number(root, "spans/g/threshold"), 0.5);
  NEAR(number(root, "spans/g/scores/precision"), 1.0 / 3);
  NEAR(number(root, "spans/g/scores/recall"), 0.5);
  assert_null(on_json_get(on_json_get(root, "spans"), "other"));
  assert_null(on_json_get(on_json_get(root, "spans"), "only gold"));
  on_json_free(root);
}

static void differing_files(void **state) {
  (void)state;
  static const struct {
    const char *gold, *system, *part;
  } cases[] = {
      {"{\"text\": \"a\"}\n", "{\"text\": \"b\"}\n", "line 1 of gold and line 1 of system have different texts"},
      {"{\"text\": \"a\"}\n", "", "gold has more lines than system"},
      {"", "\n{\"text\": \"a\"}\n", "system has more lines than gold"},
      {"{\"text\": 1}\n", "{\"text\": \"a\"}\n", "gold: line 1"},
      {"{\"text\": \"a\"}\n", "{\"text\": 1}\n", "system: line 1"},
      {"{\"text\": \"a b\", \"tokens\": [[0, 3]], \"entities\": [[0, 1, \"X\"]]}\n", "{\"text\": \"a b\"}\n",
       "gold: line 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_example_scores scores = {0};
    on_error error;
    assert_false(on_compare_jsonl(on_str_c(cases[i].gold), on_str_c(cases[i].system), &scores, &error));
    if (!strstr(error.text, cases[i].part)) fail_msg("\"%s\" does not say %s", error.text, cases[i].part);
    on_example_scores_free(&scores);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entities),           cmocka_unit_test(one_category),    cmocka_unit_test(several_categories),
      cmocka_unit_test(spans),              cmocka_unit_test(differing_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
