// The precompiled character map of SentencePiece models: a double-array trie from UTF-8 strings to replacements.
#ifndef ON_PIECES_CHARSMAP_H
#define ON_PIECES_CHARSMAP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

typedef struct on_charsmap {
  const uint8_t *units;  // little-endian, 4 bytes each
  size_t unit_count;
  on_str replacements;   // UTF-8, each ended by a NUL
} on_charsmap;

// Decodes base64 into the arena and checks it.
bool on_charsmap_read(on_charsmap *map, on_str base64, on_arena *arena, on_error *error);
// What the shortest key that `text` begins with is replaced by; p NULL when there is none.
on_str on_charsmap_find(const on_charsmap *map, on_str text);

#endif
