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

static uint64_t mix(uint64_t state, uint64_t bytes) {
  state = (state ^ bytes) * 0x9E3779B97F4A7C15u;
  return state ^ state >> 32;
}

// Eight bytes at a time; those at the end overlap the ones before, so that none is read alone.
uint64_t on_hash_bytes(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t state = n;
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
