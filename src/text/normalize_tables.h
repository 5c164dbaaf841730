// Written by tools/gen-unicode.mjs out of the Unicode Character Database 15.0; not to be edited.
#ifndef ON_TEXT_NORMALIZE_TABLES_H
#define ON_TEXT_NORMALIZE_TABLES_H

#include <stdint.h>

enum {
  ON_DECOMPOSITION_BLOCK = 32,        // code points, of which each ...
  ON_DECOMPOSITION_BLOCKS = 6097,    // ... of so many has its start in on_decomposition_units
  ON_DECOMPOSITION_LENGTH = 0x1F,    // in what on_decomposition_shape gives: UTF-16 units
  ON_DECOMPOSITION_COMPATIBLE = 0x20,
  ON_COMPOSE_SECONDS = 63
};

// on_compose_composites: primary composites by their second character, then by their first; those of second character i
// from on_compose_from[i] to on_compose_from[i + 1].
extern const uint8_t on_decomposition_top[1088];
extern const uint16_t on_decomposition_middle[896];
extern const uint8_t on_decomposition_leaf[6752];
extern const uint16_t on_decomposition_start[6097];
extern const uint16_t on_decomposition_units[8833];
extern const uint8_t on_combining_top[1088];
extern const uint16_t on_combining_middle[960];
extern const uint8_t on_combining_leaf[4224];
extern const uint32_t on_compose_seconds[63];
extern const uint16_t on_compose_from[64];
extern const uint32_t on_compose_composites[941];

// Both for c up to U+10FFFF. The shape is 0 for what has no decomposition (and for Hangul syllables).
static inline uint8_t on_decomposition_shape(uint32_t c) {
  uint32_t middle = on_decomposition_top[c >> 10];
  uint32_t leaf = on_decomposition_middle[middle << 5 | (c >> 5 & 31)];
  return on_decomposition_leaf[leaf << 5 | (c & 31)];
}

static inline uint8_t on_combining_class_of(uint32_t c) {
  uint32_t middle = on_combining_top[c >> 10];
  uint32_t leaf = on_combining_middle[middle << 5 | (c >> 5 & 31)];
  return on_combining_leaf[leaf << 5 | (c & 31)];
}

#endif
