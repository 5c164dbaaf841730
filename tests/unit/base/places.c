// Places of hash tables: keys are told apart by head, length and what is behind the head, and spread over the places
// whatever they differ in.
#include "test.h"

#include "base/alloc.h"
#include "base/places.h"
#include "base/random.h"

static on_place place_of(uint64_t seed, const void *key, size_t n) {
  return on_place_of(seed, key, n, n < ON_PLACE_LENGTH ? (uint32_t)n : ON_PLACE_LENGTH);
}

static bool same(uint64_t seed, const void *a, const void *b, size_t n) {
  const on_place x = place_of(seed, a, n), y = place_of(seed, b, n);
  return x.tag == y.tag && x.head == y.head && on_place_rest(a, b, n);
}

// Each key in a block of its own size, so that a byte read outside of it is found.
static unsigned char *copy_of(const unsigned char *key, size_t n) {
  unsigned char *copy = on_malloc(n ? n : 1);
  assert_non_null(copy);
  if (n) memcpy(copy, key, n);
  return copy;
}

static void every_byte_counts(void **state) {
  (void)state;
  unsigned char key[64];
  on_random random;
  on_random_seed(&random, 1);
  for (size_t n = 0; n <= sizeof key; n++) {
    for (size_t i = 0; i < n; i++) key[i] = (unsigned char)on_random_below(&random, 3);
    unsigned char *a = copy_of(key, n), *b = copy_of(key, n);
    assert_true(same(7, a, b, n));
    for (size_t i = 0; i < n; i++) {
      for (int bit = 0; bit < 8; bit++) {
        b[i] ^= (unsigned char)(1 << bit);
        assert_false(same(7, a, b, n));
        // not by the hash alone, which may be the same for two keys
        assert_true(on_hash_head(a, n) != on_hash_head(b, n) || (n > 8 && !on_place_rest(a, b, n)));
        b[i] = a[i];
      }
    }
    on_free(a);
    on_free(b);
  }
}

// Of less than eight bytes the head is all: keys of few different bytes, all of a length.
static void short_keys_are_their_heads(void **state) {
  (void)state;
  enum { MOST = 1 << 14 };
  static uint64_t heads[MOST];
  for (size_t n = 0; n < 8; n++) {
    const size_t count = (size_t)1 << 2 * n;
    for (size_t i = 0; i < count; i++) {
      unsigned char key[8] = {0};
      for (size_t k = 0; k < n; k++) key[k] = (unsigned char)(i >> 2 * k & 3);
      heads[i] = on_hash_head(key, n);
    }
    for (size_t i = 0; i < count && count < 1 << 10; i++) {
      for (size_t k = 0; k < i; k++) assert_true(heads[i] != heads[k]);
    }
  }
}

// Keys that differ in few bits, or in one unit, as words do: half as many as places, hardly ever far from their first
// place, whatever the seed.
static void spreads_keys(void **state) {
  (void)state;
  enum { KEYS = 4096, PLACES = 2 * KEYS, KINDS = 8 };
  static on_place places[PLACES];
  for (int kind = 0; kind < KINDS; kind++) {
    for (uint64_t seed = 0; seed < 3; seed++) {
      memset(places, 0, sizeof places);
      uint64_t steps = 0;
      for (uint32_t i = 0; i < KEYS; i++) {
        unsigned char key[16] = "aaaaaaaaaaaaaaa";
        const size_t n = kind == 0 ? 2 : kind < 3 ? 4 : kind < 5 ? 7 : kind < 7 ? 8 : 16;
        const uint32_t bits = kind % 2 ? i << 12 : i;  // of the lowest or of the highest ones
        memcpy(key + (kind == 7 ? 9 : 0), &bits, n < 4 ? n : 4);
        const on_place place = place_of(on_splitmix64(seed), key, n);
        uint32_t at = on_place_first(place.tag, PLACES);
        for (; places[at].number; at = (at + 1) % PLACES) steps++;
        places[at] = (on_place){place.head, place.tag, i + 1};
      }
      assert_true(steps < KEYS * 3 / 4);  // by chance half
      static on_place more[2 * PLACES];
      memset(more, 0, sizeof more);
      on_places_move(more, 2 * PLACES, places, PLACES);
      for (uint32_t i = 0; i < PLACES; i++) {
        if (!places[i].number) continue;
        uint32_t at = on_place_first(places[i].tag, 2 * PLACES);
        while (more[at].number != places[i].number) {
          assert_true(more[at].number);
          at = (at + 1) % (2 * PLACES);
        }
        assert_true(more[at].head == places[i].head && more[at].tag == places[i].tag);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_byte_counts),
      cmocka_unit_test(short_keys_are_their_heads),
      cmocka_unit_test(spreads_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
