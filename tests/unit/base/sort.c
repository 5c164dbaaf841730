#include "test.h"

#include "base/alloc.h"
#include "base/random.h"
#include "base/sort.h"

typedef struct item {
  uint32_t key, number;
  uint8_t pad[5];  // a size that is no power of two
} item;

static size_t comparisons;

static int by_key(const void *a, const void *b) {
  const item *x = a, *y = b;
  comparisons++;
  return (x->key > y->key) - (x->key < y->key);
}

static void sorts_and_keeps_the_order_of_equals(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 7);
  for (size_t count = 0; count < 300; count++) {
    for (uint32_t range = 1; range < 400; range = range * 3 + 1) {
      item items[300];
      uint32_t sum = 0;
      for (uint32_t i = 0; i < count; i++) {
        items[i] = (item){.key = on_random_below(&random, range), .number = i};
        sum += items[i].key;
      }
      assert_true(on_sort(items, count, sizeof *items, by_key));
      for (size_t i = 0; i < count; i++) {
        sum -= items[i].key;
        if (i == 0) continue;
        assert_true(items[i - 1].key <= items[i].key);
        if (items[i - 1].key == items[i].key) assert_true(items[i - 1].number < items[i].number);
      }
      assert_int_equal(sum, 0);
    }
  }
  assert_int_equal(on_alloc_used(), 0);
}

static void needs_few_comparisons(void **state) {
  (void)state;
  enum { COUNT = 1 << 14 };
  item *items = calloc(COUNT, sizeof *items);
  for (uint32_t i = 0; i < COUNT; i++) items[i].key = COUNT - i;
  comparisons = 0;
  assert_true(on_sort(items, COUNT, sizeof *items, by_key));
  assert_true(comparisons <= COUNT * 14);
  comparisons = 0;
  assert_true(on_sort(items, COUNT, sizeof *items, by_key));
  assert_true(comparisons < COUNT);
  free(items);
}

static void fails_without_memory(void **state) {
  (void)state;
  item items[3] = {{.key = 2}, {.key = 1}, {.key = 0}};
  on_alloc_fail_at(1, 0);
  assert_false(on_sort(items, 3, sizeof *items, by_key));
  on_alloc_fail_at(0, 0);
  assert_int_equal(items[0].key, 2);
  assert_true(on_sort(items, 3, sizeof *items, by_key));
  assert_int_equal(items[0].key, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorts_and_keeps_the_order_of_equals),
      cmocka_unit_test(needs_few_comparisons),
      cmocka_unit_test(fails_without_memory),
  };
  return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
