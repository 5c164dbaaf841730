#include "base/hash.h"

uint64_t on_fnv1a_units(uint64_t state, on_str16 units) {
  for (size_t i = 0; i < units.n; i++) state = on_fnv1a_unit(state, units.p[i]);
  return state;
}

uint64_t on_hash_bytes(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t state = 0xCBF29CE484222325u;
  for (size_t i = 0; i < n; i++) state = (state ^ p[i]) * 0x100000001B3u;
  return on_splitmix64(state);
}
