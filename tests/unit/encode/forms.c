// The store of word forms: what is found is what was filled in, whatever came between; bounded; without memory it
// starts again or gives nothing.
#include "test.h"

#include "base/alloc.h"
#include "base/random.h"
#include "encode/forms.h"

enum { FLOATS = 3 };

static float *find(on_forms *forms, on_arena *arena, on_str16 form, bool *fresh) {
  const uint32_t start = 0, end = (uint32_t)form.n;
  const float *known = NULL;
  *fresh = on_forms_find(forms, form.p, &start, &end, 1, &known) == 0;
  return *fresh ? on_forms_add(forms, arena, form) : (float *)known;
}

// Form number i: different lengths, some that differ only in their last or first unit.
static on_str16 make(uint16_t *units, uint32_t i) {
  size_t n = i % (ON_FORM_UNITS + 1);
  for (size_t k = 0; k < n; k++) units[k] = 'a';
  if (n > 1) units[n - 1] = (uint16_t)(i / 100 % 60000);
  if (n > 0) units[0] = (uint16_t)(i % 100);
  return (on_str16){units, n};
}

static float value_of(on_str16 form) {
  uint32_t value = (uint32_t)form.n;
  for (size_t k = 0; k < form.n; k++) value = value * 31 + form.p[k];
  return (float)(value % 1000003);
}

static void finds_what_was_filled_in(void **state) {
  (void)state;
  on_arena arena = {0};
  on_forms *forms = on_forms_new(&arena, FLOATS);
  assert_non_null(forms);
  on_random random;
  on_random_seed(&random, 1);
  uint16_t units[ON_FORM_UNITS + 1];
  size_t hits = 0, misses = 0;
  for (int i = 0; i < 300000; i++) {
    // a few forms often, many seldom, more than there is room for
    uint32_t number = on_random_below(&random, 4) ? on_random_below(&random, 500) : on_random_below(&random, 40000);
    on_str16 form = make(units, number);
    bool fresh;
    float *vector = find(forms, &arena, form, &fresh);
    assert_non_null(vector);
    for (size_t k = 0; k < FLOATS; k++) {
      if (fresh) vector[k] = value_of(form) + (float)k;
      assert_true(vector[k] == value_of(form) + (float)k);
    }
    hits += !fresh;
    misses += fresh;
  }
  assert_true(hits > 200000 && misses > ON_FORMS_MOST);
  on_arena_free(&arena);
}

static void is_bounded(void **state) {
  (void)state;
  on_arena arena = {0};
  on_forms *forms = on_forms_new(&arena, 4096);
  uint16_t units[ON_FORM_UNITS + 1];
  size_t before = on_alloc_used(), fresh_ones = 0;
  for (uint32_t i = 0; i < 3000; i++) {
    bool fresh;
    assert_non_null(find(forms, &arena, make(units, i), &fresh));
    fresh_ones += fresh;
  }
  assert_true(fresh_ones > 2000);
  assert_true(on_alloc_used() - before < 3 * (size_t)ON_FORMS_BYTES);  // the arena's chunks double
  bool fresh;
  uint16_t lengthy[ON_FORM_UNITS + 1] = {0};
  assert_null(find(forms, &arena, (on_str16){lengthy, ON_FORM_UNITS + 1}, &fresh));
  on_arena_free(&arena);
}

static void does_without_memory(void **state) {
  (void)state;
  on_arena arena = {0};
  on_alloc_fail_at(1, 1);
  assert_null(on_forms_new(&arena, FLOATS));
  on_alloc_fail_at(0, 0);
  on_arena_free(&arena);
  arena = (on_arena){0};
  on_forms *forms = on_forms_new(&arena, 1000);
  uint16_t units[ON_FORM_UNITS + 1];
  bool fresh;
  on_alloc_fail_at(1, 1);
  assert_null(find(forms, &arena, make(units, 7), &fresh));
  assert_false(arena.failed);
  on_alloc_fail_at(0, 0);
  for (uint32_t i = 0; i < 40; i++) assert_non_null(find(forms, &arena, make(units, i), &fresh));
  // No more than there is: it starts again.
  on_alloc_fail_at(1, 1);
  size_t again = 0;
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < 5000; i++) {
      assert_non_null(find(forms, &arena, make(units, i), &fresh));
      again += fresh;
    }
  }
  on_alloc_fail_at(0, 0);
  assert_true(again > 4000);
  on_forms_clear(forms);
  assert_true(find(forms, &arena, make(units, 3), &fresh) && fresh);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_was_filled_in),
      cmocka_unit_test(is_bounded),
      cmocka_unit_test(does_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
