#include "base/hash.h"

uint64_t on_fnv1a_units(uint64_t state, on_str16 units) {
  for (size_t i = 0; i < units.n; i++) state = on_fnv1a_unit(state, units.p[i]);
  return state;
}

static uint64_t seed;

uint64_t on_hash_bytes(const void *bytes, size_t n) {
  return on_splitmix64(on_hash_rest(on_hash_mix(seed + n, on_hash_head(bytes, n)), bytes, n));
}

void on_hash_set_seed(uint64_t to) { seed = to; }
