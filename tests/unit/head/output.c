// The output layer: both levels give the label that plain loops over the same weights give.
#include "head/output.h"

#include "base/alloc.h"
#include "base/random.h"
#include "test.h"

enum { WIDTH = 24, ROWS = 70 };

static void fill(on_params *params, on_arena *arena, on_random *random) {
  for (size_t i = 0; i < params->n; i++) {
    size_t n = on_param_count(params->list[i]);
    float *w = ON_NEW(arena, float, n);
    for (size_t k = 0; k < n; k++) w[k] = on_random_normal(random);
    params->list[i]->data = (const uint8_t *)w;
  }
}

static double logit(const on_output *output, int level, uint32_t label, const float *h) {
  const float *w = (const float *)(const void *)output->weight[level]->data + (size_t)label * WIDTH;
  double sum = (double)((const float *)(const void *)output->bias[level]->data)[label];
  for (int i = 0; i < WIDTH; i++) sum += (double)w[i] * (double)h[i];
  return sum;
}

static uint32_t best_of(const on_output *output, int level, uint32_t labels, const float *h) {
  uint32_t best = 0;
  for (uint32_t l = 1; l < labels; l++) {
    if (logit(output, level, l, h) > logit(output, level, best, h)) best = l;
  }
  return best;
}

static uint32_t expected(const on_output *output, const float *h) {
  if (output->levels == 1) return best_of(output, 0, output->labels, h);
  uint32_t first = best_of(output, 0, output->head_classes + 1, h);
  if (first < output->head_classes) return first;
  return output->head_classes + best_of(output, 1, output->labels - output->head_classes, h);
}

static void check(uint32_t labels, uint32_t head_classes, uint32_t levels) {
  on_arena arena = {0};
  on_params params = {0};
  on_output output;
  on_random random;
  on_random_seed(&random, labels + head_classes);
  assert_true(on_output_declare(&output, &params, &arena, WIDTH, labels, head_classes, "config", NULL));
  assert_int_equal(output.levels, levels);
  assert_string_equal(params.list[0]->name, levels == 1 ? "output.weight" : "head.weight");
  assert_int_equal(params.list[0]->shape[0], levels == 1 ? labels : head_classes + 1);
  if (levels == 2) {
    assert_string_equal(params.list[2]->name, "tail.weight");
    assert_int_equal(params.list[2]->shape[0], labels - head_classes);
    assert_string_equal(params.list[3]->name, "tail.bias");
  }
  fill(&params, &arena, &random);
  assert_true(on_output_prepare(&output, &arena));
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, NULL));
  float h[ROWS * WIDTH];
  uint32_t best[ROWS];
  for (int i = 0; i < ROWS * WIDTH; i++) h[i] = on_random_normal(&random);
  assert_true(on_output_classify(&output, &workspace, h, NULL, ROWS, best));
  uint32_t which[ROWS], best_of_which[ROWS];
  for (uint32_t r = 0; r < ROWS; r++) which[r] = (r * 37 + 5) % ROWS;
  assert_true(on_output_classify(&output, &workspace, h, which, ROWS - 1, best_of_which));
  for (int r = 0; r < ROWS - 1; r++) assert_int_equal(best_of_which[r], best[which[r]]);
  bool tail_used = false;
  for (int r = 0; r < ROWS; r++) {
    assert_int_equal(best[r], expected(&output, h + r * WIDTH));
    tail_used = tail_used || best[r] >= head_classes;
    float *scores = ON_NEW(&arena, float, labels);
    assert_true(on_output_scores(&output, &workspace, h + r * WIDTH, scores));
    float top = scores[best[r]];
    for (uint32_t l = 0; l < labels; l++) assert_true(scores[l] <= top);
  }
  assert_true(levels == 1 || tail_used);
  on_workspace_free(&workspace);
  on_free(params.list);
  on_arena_free(&arena);
}

static void one_level(void **state) {
  (void)state;
  check(1, 0, 1);
  check(17, 0, 1);
  check(100, 100, 1);  // nothing is left for the tail
}

static void two_levels(void **state) {
  (void)state;
  check(40, 3, 2);
  check(40, 39, 2);
  check(2, 1, 2);
}

static void too_large(void **state) {
  (void)state;
  on_arena arena = {0};
  on_params params = {0};
  on_output output;
  on_error error;
  assert_true(on_output_declare(&output, &params, &arena, 64, ON_MAX_OUTPUT_WEIGHTS / 64 - 1, 0, "config", &error));
  assert_false(on_output_declare(&output, &params, &arena, 64, ON_MAX_OUTPUT_WEIGHTS / 64 + 1, 0, "config", &error));
  assert_int_equal(error.code, ON_INVALID_DATA);
  on_free(params.list);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_level), cmocka_unit_test(two_levels),
                                     cmocka_unit_test(too_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
