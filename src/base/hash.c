#include "base/hash.h"

#include <string.h>

uint64_t on_fnv1a_units(uint64_t state, on_str16 units) {
  for (size_t i = 0; i < units.n; i++) state = on_fnv1a_unit(state, units.p[i]);
  return state;
}

static uint64_t four_bytes(const unsigned char *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static uint64_t eight_bytes(const unsigned char *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static uint64_t seed;

// The product of the halves, each of which holds a part of the seed: what a change of the bytes does to it cannot be
// foretold, so no later bytes can be chosen to undo it. (A product with a constant would carry the highest bit
// through.)
static uint64_t mix(uint64_t state, uint64_t bytes) {
  state ^= bytes;
  return (state << 32 | state >> 32) + (state >> 32) * (uint32_t)state;
}

// Eight bytes at a time; those at the end overlap the ones before, so that none is read alone.
uint64_t on_hash_bytes(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t state = n + seed;
  if (n >= 8) {
    for (size_t i = 0; i + 8 < n; i += 8) state = mix(state, eight_bytes(p + i));
    state = mix(state, eight_bytes(p + n - 8));
  } else if (n >= 4) {
    state = mix(state, four_bytes(p) << 32 | four_bytes(p + n - 4));
  } else if (n > 0) {
    state = mix(state, (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1]);
  }
  return on_splitmix64(state);
}

void on_hash_set_seed(uint64_t to) { seed = to; }
