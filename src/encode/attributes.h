// The attributes of a token that the hashing encoders read, and their hash (docs/format.md, "Hash").
#ifndef ON_ENCODE_ATTRIBUTES_H
#define ON_ENCODE_ATTRIBUTES_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/slice.h"
#include "text/utf.h"

// The first or last `length` UTF-16 units; a cut inside a surrogate pair takes the whole pair.
static inline on_str16 on_attr_prefix(on_str16 token, size_t length) {
  if (length >= token.n) return token;
  if (length > 0 && on_is_high_surrogate(token.p[length - 1]) && on_is_low_surrogate(token.p[length])) length++;
  return on_str16_sub(token, 0, length);
}

static inline on_str16 on_attr_suffix(on_str16 token, size_t length) {
  if (length >= token.n) return token;
  size_t from = token.n - length;
  if (from > 0 && on_is_high_surrogate(token.p[from - 1]) && on_is_low_surrogate(token.p[from])) from--;
  return on_str16_sub(token, from, token.n);
}

// upper -> X, lower -> x, digit -> d, others as they are; at most 4 of a run of equal ones. out has room
// for token.n units; returns the length.
size_t on_attr_shape(uint16_t *out, on_str16 token);

// The state that hashing an attribute starts from, and the end of hashing.
static inline uint64_t on_attr_start(uint64_t seed, unsigned attribute) { return on_splitmix64(seed + attribute); }
static inline uint64_t on_attr_hash(uint64_t start, on_str16 value) {
  uint64_t state = start;  // on_fnv1a_units, without a call for each attribute of a word
  ON_AS_WRITTEN
  for (size_t i = 0; i < value.n; i++) state = on_fnv1a_unit(state, value.p[i]);
  return on_splitmix64(state);
}

// The row of hash function f (0 to 3) in a table of `rows` rows.
static inline uint32_t on_attr_row(uint64_t hash, unsigned f, uint32_t rows) {
  uint32_t value = f == 0 ? (uint32_t)hash : f == 1 ? (uint32_t)(hash >> 32) : (uint32_t)on_splitmix64(hash + f + 1);
  return value % rows;
}

#endif
