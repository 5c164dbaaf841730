// The decoder against exhaustive search on all small graphs, and on large and hostile ones.
#include "head/arborescence.h"

#include <math.h>

#include "base/random.h"
#include "test.h"

enum { SMALL = 6 };

static bool is_tree(const uint32_t *head, size_t n) {
  size_t roots = 0;
  for (size_t i = 0; i < n; i++) {
    if (head[i] >= n) return false;
    roots += head[i] == i;
    size_t at = i;
    for (size_t steps = 0; head[at] != at; steps++) {
      if (steps > n) return false;
      at = head[at];
    }
  }
  return roots == 1;
}

static double total(const float *score, const uint32_t *head, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (double)score[i * n + head[i]];
  return sum;
}

static double best_by_search(const float *score, size_t n) {
  size_t count = 1;
  for (size_t i = 0; i < n; i++) count *= n;
  double best = -INFINITY;
  for (size_t code = 0; code < count; code++) {
    uint32_t head[SMALL];
    size_t rest = code;
    for (size_t i = 0; i < n; i++, rest /= n) head[i] = (uint32_t)(rest % n);
    if (is_tree(head, n)) best = fmax(best, total(score, head, n));
  }
  return best;
}

static void check_small(const float *score, size_t n, on_arena *arena) {
  uint32_t head[SMALL];
  assert_true(on_arborescence(score, n, arena, head));
  assert_true(is_tree(head, n));
  assert_true(fabs(best_by_search(score, n) - total(score, head, n)) < 1e-4);
  on_arena_reset(arena);
}

// Every graph of up to 3 words whose scores are 0, 1 or 2.
static void all_small_graphs(void **state) {
  (void)state;
  on_arena arena = {0};
  for (size_t n = 1; n <= 3; n++) {
    size_t graphs = 1;
    for (size_t i = 0; i < n * n; i++) graphs *= 3;
    for (size_t code = 0; code < graphs; code++) {
      float score[9];
      size_t rest = code;
      for (size_t i = 0; i < n * n; i++, rest /= 3) score[i] = (float)(rest % 3);
      check_small(score, n, &arena);
    }
  }
  on_arena_free(&arena);
}

static void random_graphs(void **state) {
  (void)state;
  on_arena arena = {0};
  on_random random;
  on_random_seed(&random, 7);
  for (int i = 0; i < 1500; i++) {
    size_t n = 2 + on_random_below(&random, SMALL - 1);
    float score[SMALL * SMALL];
    for (size_t k = 0; k < n * n; k++) {
      score[k] = i % 2 ? on_random_normal(&random) : (float)on_random_below(&random, 4);
    }
    check_small(score, n, &arena);
  }
  on_arena_free(&arena);
}

// A chain of cycles within cycles: contraction after contraction.
static void long_sentences(void **state) {
  (void)state;
  on_arena arena = {0};
  on_random random;
  on_random_seed(&random, 11);
  size_t n = 300;
  float *score = malloc(n * n * sizeof *score);
  uint32_t *head = malloc(n * sizeof *head);
  for (int kind = 0; kind < 3; kind++) {
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        float distance = fabsf((float)i - (float)j);
        score[i * n + j] = kind == 0 ? on_random_normal(&random) : kind == 1 ? -distance : i == j ? -100 : -distance;
      }
    }
    assert_true(on_arborescence(score, n, &arena, head));
    assert_true(is_tree(head, n));
    on_arena_reset(&arena);
  }
  free(score);
  free(head);
  on_arena_free(&arena);
}

static void hostile_scores(void **state) {
  (void)state;
  static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0, 1e-40f};
  on_arena arena = {0};
  on_random random;
  on_random_seed(&random, 13);
  for (int i = 0; i < 2000; i++) {
    size_t n = 1 + on_random_below(&random, 8);
    float score[64];
    uint32_t head[8];
    for (size_t k = 0; k < n * n; k++) score[k] = values[on_random_below(&random, 7)];
    assert_true(on_arborescence(score, n, &arena, head));
    assert_true(is_tree(head, n));
    on_arena_reset(&arena);
  }
  assert_true(on_arborescence(NULL, 0, &arena, NULL));
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_small_graphs),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(long_sentences),
      cmocka_unit_test(hostile_scores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
