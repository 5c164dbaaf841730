// Places of hash tables that hold the beginning of their keys, which is all of a short one: most keys are found, and
// nearly all that are not there are not found, without a look at more. For tables whose keys are looked up for each word
// of a text.
#ifndef ON_BASE_PLACES_H
#define ON_BASE_PLACES_H

#include "base/hash.h"

typedef struct on_place {
  uint64_t head;    // of the key (hash.h)
  uint32_t tag;     // of the hash, and in the lowest bits the length
  uint32_t number;  // the user's, from 1 on; 0: empty
} on_place;

enum { ON_PLACE_LENGTH_BITS = 5, ON_PLACE_LENGTH = (1 << ON_PLACE_LENGTH_BITS) - 1 };

// The place that a key of n bytes would take. `seed` is on_hash_bytes(NULL, 0); `length` (at most ON_PLACE_LENGTH) is
// another one for each n, or the user compares the lengths of keys of more than eight bytes.
static inline on_place on_place_of(uint64_t seed, const void *bytes, size_t n, uint32_t length) {
  on_place key = {.head = on_hash_head(bytes, n)};
  const uint64_t state = on_hash_rest(on_hash_mix(seed + n, key.head), bytes, n);
  // The higher half of a product depends on all of its factors.
  key.tag = (uint32_t)(on_hash_mix(state, seed) >> 32) << ON_PLACE_LENGTH_BITS | length;
  return key;
}

// Whether keys of one length with the same head have the same bytes behind it. (memcmp goes byte by byte in
// WebAssembly: it would take longer than all else of a lookup.)
static inline bool on_place_rest(const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  ON_AS_WRITTEN
  for (size_t i = 8; i < n; i += 8) {
    size_t at = on_hash_at(i, n);
    if (on_hash_eight(p + at) != on_hash_eight(q + at)) return false;
  }
  return true;
}

// The first of `count` places (a power of two) where a key may stand; the others follow, round the end, up to an empty
// one.
static inline uint32_t on_place_first(uint32_t tag, uint32_t count) { return tag >> ON_PLACE_LENGTH_BITS & (count - 1); }

// The first empty one for a key that is not there.
static inline on_place *on_place_free(on_place *places, uint32_t count, uint32_t tag) {
  uint32_t at = on_place_first(tag, count);
  while (places[at].number) at = (at + 1) & (count - 1);
  return &places[at];
}

// Puts what is in `count` places into others, which are more and empty.
void on_places_move(on_place *to, uint32_t to_count, const on_place *from, uint32_t count);

#endif
