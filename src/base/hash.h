// SplitMix64 and 64-bit FNV-1a, as the pipeline format fixes them (docs/format.md).
#ifndef ON_BASE_HASH_H
#define ON_BASE_HASH_H

#include <stdint.h>

#include "base/rare.h"
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

// What it is made of, for tables that hash their keys themselves (places.h).
static inline uint64_t on_hash_eight(const unsigned char *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

// The first eight bytes; of less, what two strings of one length have in common only if they are the same.
static inline uint64_t on_hash_head(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  if (n >= 8) return on_hash_eight(p);
  if (n >= 4) {
    uint32_t first, last;
    memcpy(&first, p, sizeof first);
    memcpy(&last, p + n - 4, sizeof last);
    return (uint64_t)first << 32 | last;
  }
  return n ? (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1] : 0;
}

// Where eight bytes behind the head are read, i being 8, 16 and so on; the last ones overlap those before.
static inline size_t on_hash_at(size_t i, size_t n) { return i + 8 < n ? i : n - 8; }

// The exchanged halves and their product. Each half holds a part of the seed: what a change of the bytes does to the
// product cannot be foretold, so no later bytes can be chosen to undo it. (A product with a constant would carry the
// highest bit through.) Exchanged by a multiplication: V8's first code calls a function for a rotation.
static inline uint64_t on_hash_mix(uint64_t state, uint64_t bytes) {
  state ^= bytes;
  const uint64_t high = state >> 32;
  return (high + (UINT64_C(1) << 32)) * (uint32_t)state + high;
}

// The state after what is behind the head.
static inline uint64_t on_hash_rest(uint64_t state, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  ON_AS_WRITTEN
  for (size_t i = 8; i < n; i += 8) state = on_hash_mix(state, on_hash_eight(p + on_hash_at(i, n)));
  return state;
}

#endif
