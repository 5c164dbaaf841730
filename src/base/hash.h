// SplitMix64 and 64-bit FNV-1a, as the pipeline format fixes them (docs/format.md).
#ifndef ON_BASE_HASH_H
#define ON_BASE_HASH_H

#include <stdint.h>

#include "base/slice.h"

// Finalizer of SplitMix64 (Steele, Lea and Flood 2014): the output for the state x.
static inline uint64_t on_splitmix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// One FNV-1a step per UTF-16 unit.
static inline uint64_t on_fnv1a_unit(uint64_t state, uint16_t unit) {
  return (state ^ unit) * 0x100000001B3u;
}

uint64_t on_fnv1a_units(uint64_t state, on_str16 units);

// For hash tables of the process only: not part of any format, other numbers with another seed or order of bytes.
// Whoever does not know the seed cannot make strings that collide.
uint64_t on_hash_bytes(const void *bytes, size_t n);

// Sets the seed of on_hash_bytes (0 at the start), before there is any table and any second thread.
void on_hash_set_seed(uint64_t seed);

#endif
