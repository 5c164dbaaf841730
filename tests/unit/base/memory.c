// on_malloc and its account, and arenas over it.
#include "test.h"

#include "base/alloc.h"
#include "base/arena.h"

static void account_follows_blocks(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  char *block = on_malloc(100);
  assert_non_null(block);
  assert_int_equal(on_alloc_used(), before + 100);
  memset(block, 7, 100);
  block = on_realloc(block, 5000);
  assert_non_null(block);
  assert_int_equal(block[99], 7);
  assert_int_equal(on_alloc_used(), before + 5000);
  block = on_realloc(block, 10);
  assert_int_equal(on_alloc_used(), before + 10);
  on_free(block);
  on_free(NULL);
  assert_int_equal(on_alloc_used(), before);
}

static void limit_refuses_and_keeps_the_account(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_alloc_set_limit(before + 1000);
  char *block = on_malloc(600);
  assert_non_null(block);
  assert_null(on_malloc(401));
  assert_null(on_realloc(block, 1001));
  assert_int_equal(on_alloc_used(), before + 600);
  char *second = on_malloc(400);
  assert_non_null(second);
  on_alloc_set_limit(0);
  block = on_realloc(block, 1001);
  assert_non_null(block);
  on_free(block);
  on_free(second);
  assert_int_equal(on_alloc_used(), before);
}

static void impossible_sizes_fail(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  // Not constants: a compiler would see through them and warn.
  volatile size_t huge = SIZE_MAX, half = SIZE_MAX / 2 + 2;
  assert_null(on_malloc(huge));
  assert_null(on_malloc(half));
  assert_null(on_calloc(half, 2));
  assert_null(on_calloc(2, half));
  assert_int_equal(on_alloc_used(), before);
}

static void calloc_zeroes(void **state) {
  (void)state;
  unsigned char *block = on_malloc(4096);
  memset(block, 0xFF, 4096);
  on_free(block);
  block = on_calloc(64, 64);
  for (size_t i = 0; i < 4096; i++) assert_int_equal(block[i], 0);
  on_free(block);
}

static void asked_for_failures_come_once_or_stay(void **state) {
  (void)state;
  on_alloc_fail_at(2, 0);
  void *first = on_malloc(1), *second = on_malloc(1), *third = on_malloc(1);
  assert_non_null(first);
  assert_null(second);
  assert_non_null(third);
  on_alloc_fail_at(1, 1);
  assert_null(on_malloc(1));
  assert_null(on_realloc(first, 100));
  on_alloc_fail_at(0, 0);
  void *fourth = on_malloc(1);
  assert_non_null(fourth);
  on_free(first);
  on_free(third);
  on_free(fourth);
}

static void grow_doubles_and_survives_failure(void **state) {
  (void)state;
  uint32_t *list = NULL;
  size_t cap = 0, allocations = 0;
  for (uint32_t i = 0; i < 100000; i++) {
    size_t before = cap;
    assert_true(on_grow((void **)&list, &cap, i + 1, sizeof *list));
    allocations += cap != before;
    list[i] = i * 3;
  }
  assert_true(allocations < 20);
  for (uint32_t i = 0; i < 100000; i++) assert_int_equal(list[i], i * 3);
  size_t before = cap;
  on_alloc_fail_at(1, 0);
  assert_false(on_grow((void **)&list, &cap, cap + 1, sizeof *list));
  assert_int_equal(cap, before);
  assert_int_equal(list[99999], 299997);
  assert_false(on_grow((void **)&list, &cap, SIZE_MAX / 2, sizeof *list));
  assert_false(on_grow((void **)&list, &cap, SIZE_MAX, 1));
  assert_int_equal(cap, before);
  on_free(list);
}

static void arena_blocks_are_aligned_and_apart(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_arena arena;
  on_arena_init(&arena, 100);
  unsigned char *blocks[300];
  size_t sizes[300];
  for (size_t i = 0; i < 300; i++) {
    sizes[i] = i * 37 % 513;
    blocks[i] = on_arena_alloc(&arena, sizes[i], 1);
    assert_non_null(blocks[i]);  // not for size 0 either
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    memset(blocks[i], (int)i & 0xFF, sizes[i]);
  }
  for (size_t i = 0; i < 300; i++) {
    for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i & 0xFF);
  }
  assert_false(arena.failed);
  on_arena_free(&arena);
  assert_int_equal(on_alloc_used(), before);
}

static void arena_zero_and_copies(void **state) {
  (void)state;
  on_arena arena = {0};
  memset(on_arena_alloc(&arena, 1000, 1), 0xFF, 1000);
  on_arena_reset(&arena);
  uint64_t *zeros = ON_NEW0(&arena, uint64_t, 100);
  for (size_t i = 0; i < 100; i++) assert_int_equal(zeros[i], 0);
  char bytes[] = "abc";
  on_str copy = on_arena_str(&arena, (on_str){bytes, 3});
  bytes[0] = 'x';
  assert_true(on_str_eq(copy, ON_STR("abc")));
  assert_non_null(on_arena_str(&arena, (on_str){"", 0}).p);
  on_arena_free(&arena);
}

static void rounds(on_arena *arena) {
  for (int i = 0; i < 100; i++) assert_non_null(on_arena_alloc(arena, 1000, 1));
  assert_non_null(on_arena_alloc(arena, 1 << 20, 1));
  assert_non_null(on_arena_alloc(arena, 10, 1));
}

static void arena_reset_learns_the_size_of_a_round(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_arena arena = {0};
  rounds(&arena);
  on_arena_reset(&arena);
  assert_int_equal(on_alloc_used(), before);
  rounds(&arena);  // one chunk now
  size_t kept = on_alloc_used() - before;
  assert_true(kept >= 1 << 20 && kept < (3 << 20) / 2);
  // A third round of the same size needs no memory.
  on_arena_reset(&arena);
  on_alloc_fail_at(1, 1);
  rounds(&arena);
  on_alloc_fail_at(0, 0);
  assert_int_equal(on_alloc_used() - before, kept);
  on_arena_free(&arena);
  on_arena_free(&arena);
  assert_int_equal(on_alloc_used(), before);
}

static void arena_remembers_failure_until_reset(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_arena arena;
  on_arena_init(&arena, 64);
  assert_non_null(on_arena_alloc(&arena, 64, 1));
  on_alloc_fail_at(1, 0);
  assert_null(on_arena_alloc(&arena, 64, 1));
  assert_true(arena.failed);
  assert_non_null(on_arena_alloc(&arena, 64, 1));  // memory is back, the failure is not forgotten
  assert_true(arena.failed);
  on_arena_reset(&arena);
  assert_false(arena.failed);
  on_arena_free(&arena);

  on_alloc_fail_at(1, 1);
  assert_null(on_arena_zero(&arena, 10, 10));
  assert_null(on_arena_str(&arena, ON_STR("ab")).p);
  on_alloc_fail_at(0, 0);
  assert_true(arena.failed);
  on_arena_free(&arena);
  assert_int_equal(on_alloc_used(), before);
}

static void arena_refuses_overflowing_products(void **state) {
  (void)state;
  on_arena arena = {0};
  volatile size_t huge = SIZE_MAX / 2;
  assert_null(on_arena_alloc(&arena, huge, 4));
  assert_null(on_arena_alloc(&arena, 4, huge));
  assert_null(on_arena_alloc(&arena, huge, 1));
  assert_true(arena.failed);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(account_follows_blocks),
      cmocka_unit_test(limit_refuses_and_keeps_the_account),
      cmocka_unit_test(impossible_sizes_fail),
      cmocka_unit_test(calloc_zeroes),
      cmocka_unit_test(asked_for_failures_come_once_or_stay),
      cmocka_unit_test(grow_doubles_and_survives_failure),
      cmocka_unit_test(arena_blocks_are_aligned_and_apart),
      cmocka_unit_test(arena_zero_and_copies),
      cmocka_unit_test(arena_reset_learns_the_size_of_a_round),
      cmocka_unit_test(arena_remembers_failure_until_reset),
      cmocka_unit_test(arena_refuses_overflowing_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
