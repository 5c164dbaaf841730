// Hashes and the random generator against fixed vectors; the map. The vectors of SplitMix64 for the
// seed 0 and of FNV-1a for "a" and "foobar" are the published ones; the others were computed by an
// implementation in another language.
#include "test.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "base/sort.h"

#define FNV_BASIS UINT64_C(0xCBF29CE484222325)

static void splitmix64_vectors(void **state) {
  (void)state;
  const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
  assert_true(on_splitmix64(0) == UINT64_C(0xE220A8397B1DCDAF));
  assert_true(on_splitmix64(step) == UINT64_C(0x6E789E6AA1B965F4));
  assert_true(on_splitmix64(2 * step) == UINT64_C(0x06C45D188009454F));
  assert_true(on_splitmix64(3 * step) == UINT64_C(0xF88BB8A8724C81EC));
  assert_true(on_splitmix64(1) == UINT64_C(0x910A2DEC89025CC1));
  assert_true(on_splitmix64(UINT64_MAX) == UINT64_C(0xE4D971771B652C20));
}

static void fnv1a_vectors(void **state) {
  (void)state;
  const uint16_t foobar[] = {'f', 'o', 'o', 'b', 'a', 'r'};
  const uint16_t wide[] = {0x0416, 0xD83D, 0xDE00};
  assert_true(on_fnv1a_units(FNV_BASIS, (on_str16){NULL, 0}) == FNV_BASIS);
  assert_true(on_fnv1a_unit(FNV_BASIS, 'a') == UINT64_C(0xAF63DC4C8601EC8C));
  assert_true(on_fnv1a_units(FNV_BASIS, (on_str16){foobar, 6}) == UINT64_C(0x85944171F73967E8));
  // One step per unit, not per byte.
  assert_true(on_fnv1a_units(FNV_BASIS, (on_str16){wide, 3}) == UINT64_C(0xCC5C6E2B510FD0B4));
  assert_true(on_fnv1a_units(on_splitmix64(7), (on_str16){foobar + 4, 1}) == UINT64_C(0xC57E8D03900D4C42));
}

static void random_vectors(void **state) {
  (void)state;
  // From the state 1, 2, 3, 4.
  on_random random = {{1, 2, 3, 4}};
  const uint64_t known[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
  for (size_t i = 0; i < 4; i++) assert_true(on_random_u64(&random) == known[i]);
  on_random_seed(&random, 42);
  const uint64_t seeded[] = {UINT64_C(0x15780B2E0C2EC716), UINT64_C(0x6104D9866D113A7E), UINT64_C(0xAE17533239E499A1),
                             UINT64_C(0xECB8AD4703B360A1), UINT64_C(0xFDE6DC7FE2EC5E64), UINT64_C(0xC50DA53101795238)};
  for (size_t i = 0; i < 6; i++) assert_true(on_random_u64(&random) == seeded[i]);
}

static void random_ranges(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 1);
  size_t counts[7] = {0};
  double sum = 0, squares = 0;
  for (int i = 0; i < 70000; i++) {
    counts[on_random_below(&random, 7)]++;
    float unit = on_random_unit(&random);
    assert_true(unit >= 0.0f && unit < 1.0f);
    float normal = on_random_normal(&random);
    sum += (double)normal;
    squares += (double)normal * (double)normal;
  }
  for (size_t i = 0; i < 7; i++) assert_in_range(counts[i], 9600, 10400);
  assert_true(sum / 70000 > -0.02 && sum / 70000 < 0.02);
  assert_true(squares / 70000 > 0.97 && squares / 70000 < 1.03);
  assert_int_equal(on_random_below(&random, 1), 0);
}

enum { KEYS = 5000, KEY_SIZE = 12 };

static on_str key_of(char (*keys)[KEY_SIZE], uint32_t i) {
  int n = snprintf(keys[i], KEY_SIZE, "%c%u", i % 2 ? 'k' : 'l', (unsigned)i);
  return (on_str){keys[i], (size_t)n};
}

static void map_keeps_what_it_is_given(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  static char keys[KEYS][KEY_SIZE];
  on_map map = {0};
  assert_null(on_map_get(&map, ON_STR("k1")));
  for (uint32_t i = 0; i < KEYS; i++) {
    bool added = false;
    uint32_t *value = on_map_put(&map, key_of(keys, i), i, &added);
    assert_non_null(value);
    assert_true(added);
    assert_int_equal(*value, i);
  }
  assert_int_equal(map.count, KEYS);
  for (uint32_t i = 0; i < KEYS; i++) {
    char copy[KEY_SIZE];
    memcpy(copy, keys[i], KEY_SIZE);
    bool added = true;
    uint32_t *value = on_map_put(&map, on_str_c(copy), 77, &added);
    assert_false(added);
    assert_int_equal(*value, i);
    *value = i + 1;
  }
  assert_int_equal(map.count, KEYS);
  for (uint32_t i = 0; i < KEYS; i++) assert_int_equal(*on_map_get(&map, on_str_c(keys[i])), i + 1);
  const size_t capacity = map.capacity;
  on_map_clear(&map);
  assert_null(on_map_get(&map, on_str_c(keys[0])));
  bool again;
  assert_int_equal(*on_map_put(&map, on_str_c(keys[0]), 5, &again), 5);
  assert_true(again && map.count == 1 && map.capacity == capacity);
  assert_null(on_map_get(&map, ON_STR("k")));
  assert_null(on_map_get(&map, ON_STR("")));
  bool added;
  assert_non_null(on_map_put(&map, ON_STR(""), 3, &added));
  assert_true(added);
  assert_int_equal(*on_map_get(&map, ON_STR("")), 3);
  on_map_free(&map);
  assert_int_equal(map.count, 0);
  assert_int_equal(on_alloc_used(), before);
}

static void map_survives_failed_growth(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  static char keys[KEYS][KEY_SIZE];
  on_map map = {0};
  on_alloc_fail_at(1, 0);
  assert_null(on_map_put(&map, key_of(keys, 0), 0, NULL));
  uint32_t failures = 0;
  for (uint32_t i = 0; i < KEYS; i++) {
    on_alloc_fail_at(1, 0);  // each growth fails at first
    uint32_t *value = on_map_put(&map, key_of(keys, i), i, NULL);
    on_alloc_fail_at(0, 0);
    if (!value) {
      failures++;
      for (uint32_t k = 0; k < i; k++) assert_int_equal(*on_map_get(&map, on_str_c(keys[k])), k);
      assert_null(on_map_get(&map, on_str_c(keys[i])));
      assert_non_null(on_map_put(&map, key_of(keys, i), i, NULL));
    }
  }
  assert_true(failures >= 5);
  on_map_free(&map);
  assert_int_equal(on_alloc_used(), before);
}

static int compare_numbers(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// Sixteen bytes that differ from others in one bit of the first eight and one or two of the others: a mixing that
// carries a bit through unchanged, whatever the seed, lets the later bits undo the first one.
static void no_change_undoes_another(void **state) {
  (void)state;
  enum { BITS = 64, STRINGS = BITS * (BITS + BITS * (BITS - 1) / 2) };
  uint64_t *hashes = on_malloc(STRINGS * sizeof *hashes);
  assert_non_null(hashes);
  uint64_t first_of_all = 0;
  for (uint64_t seed = 0; seed < 3; seed++) {
    on_hash_set_seed(on_splitmix64(seed));
    size_t n = 0;
    for (int first = 0; first < BITS; first++) {
      for (int second = 0; second < BITS; second++) {
        for (int third = second; third < BITS; third++) {
          uint64_t key[2] = {UINT64_C(1) << first, UINT64_C(1) << second | UINT64_C(1) << third};
          hashes[n++] = on_hash_bytes(key, sizeof key);
        }
      }
    }
    assert_int_equal(n, STRINGS);
    assert_true(hashes[0] != first_of_all);
    first_of_all = hashes[0];
    assert_true(on_sort(hashes, n, sizeof *hashes, compare_numbers));
    for (size_t i = 1; i < n; i++) assert_true(hashes[i - 1] != hashes[i]);
  }
  on_hash_set_seed(0);
  on_free(hashes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splitmix64_vectors), cmocka_unit_test(fnv1a_vectors),
      cmocka_unit_test(random_vectors),     cmocka_unit_test(random_ranges),
      cmocka_unit_test(no_change_undoes_another),
      cmocka_unit_test(map_keeps_what_it_is_given), cmocka_unit_test(map_survives_failed_growth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
