// A hash map from strings to 32-bit numbers. Keys are borrowed: they must outlive the map.
#ifndef ON_BASE_MAP_H
#define ON_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

typedef struct on_map_entry {
  on_str key;
  uint64_t hash;
  uint32_t value;
  bool taken;
} on_map_entry;

typedef struct on_map {
  on_map_entry *entries;  // capacity is a power of two
  size_t capacity;
  size_t count;
} on_map;  // a zeroed on_map is an empty one

// The value slot of a key, or NULL when it is absent.
uint32_t *on_map_get(const on_map *map, on_str key);
// The slot of a key, added with `initial` when absent (*added tells; may be NULL). NULL: out of memory.
uint32_t *on_map_put(on_map *map, on_str key, uint32_t initial, bool *added);
void on_map_clear(on_map *map);  // empties it, keeping its memory
void on_map_free(on_map *map);

#endif
