#include "base/map.h"

#include "base/alloc.h"
#include "base/places.h"

static bool is_key(on_str a, on_str b) {
  return a.n == b.n && on_hash_head(a.p, a.n) == on_hash_head(b.p, b.n) && on_place_rest(a.p, b.p, a.n);
}

static on_map_entry *slot_of(const on_map *map, on_str key, uint64_t hash) {
  size_t mask = map->capacity - 1;
  size_t at = (size_t)hash & mask;
  while (map->entries[at].taken) {
    on_map_entry *entry = &map->entries[at];
    if (entry->hash == hash && is_key(entry->key, key)) return entry;
    at = (at + 1) & mask;
  }
  return &map->entries[at];
}

static bool enlarge(on_map *map) {
  on_map next = {.capacity = map->capacity ? map->capacity * 2 : 64, .count = map->count};
  next.entries = on_calloc(next.capacity, sizeof *next.entries);
  if (!next.entries) return false;
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->entries[i].taken) *slot_of(&next, map->entries[i].key, map->entries[i].hash) = map->entries[i];
  }
  on_free(map->entries);
  *map = next;
  return true;
}

uint32_t *on_map_get(const on_map *map, on_str key) {
  if (map->count == 0) return NULL;
  on_map_entry *entry = slot_of(map, key, on_hash_bytes(key.p, key.n));
  return entry->taken ? &entry->value : NULL;
}

uint32_t *on_map_put(on_map *map, on_str key, uint32_t initial, bool *added) {
  if (map->count * 4 >= map->capacity * 3 && !enlarge(map)) return NULL;
  uint64_t hash = on_hash_bytes(key.p, key.n);
  on_map_entry *entry = slot_of(map, key, hash);
  if (added) *added = !entry->taken;
  if (!entry->taken) {
    *entry = (on_map_entry){.key = key, .hash = hash, .value = initial, .taken = true};
    map->count++;
  }
  return &entry->value;
}

void on_map_clear(on_map *map) {
  for (size_t i = 0; i < map->capacity; i++) map->entries[i].taken = false;
  map->count = 0;
}

void on_map_free(on_map *map) {
  on_free(map->entries);
  *map = (on_map){0};
}
