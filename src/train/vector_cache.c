#include "train/vector_cache.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/half.h"
#include "base/hash.h"
#include "base/map.h"

struct on_vector_cache {
  pthread_mutex_t lock;
  on_arena arena;      // of the vectors and their keys
  size_t room;         // bytes
  on_map numbers;      // key to its place in `halves`
  uint8_t **halves;
  size_t count, cap;
};

enum { KEY_SIZE = 24 };

typedef struct key {
  uint64_t parts[KEY_SIZE / 8];
} key;

// Two hashes of the text and its words: so long that no two documents of a corpus have the same.
static key key_of(const void *encoder, const on_doc *doc, size_t width) {
  uint64_t a = on_fnv1a_units(0xCBF29CE484222325u, doc->text), b = on_fnv1a_units(on_splitmix64(1), doc->text);
  for (size_t i = 0; i < doc->n; i++) {
    const uint64_t word = (uint64_t)doc->start[i] << 32 | doc->end[i];
    a = on_splitmix64(a ^ word);
    b = on_splitmix64(b + word);
  }
  return (key){{a, b, on_splitmix64((uint64_t)(uintptr_t)encoder) ^ doc->n ^ (uint64_t)width << 32}};
}

static on_str view(const key *k) { return (on_str){(const char *)k->parts, KEY_SIZE}; }

on_vector_cache *on_vector_cache_new(size_t most_bytes) {
  on_vector_cache *cache = on_calloc(1, sizeof *cache);
  if (!cache) return NULL;
  if (pthread_mutex_init(&cache->lock, NULL) != 0) {
    on_free(cache);
    return NULL;
  }
  cache->room = most_bytes;
  return cache;
}

void on_vector_cache_free(on_vector_cache *cache) {
  if (!cache) return;
  pthread_mutex_destroy(&cache->lock);
  on_arena_free(&cache->arena);
  on_map_free(&cache->numbers);
  on_free(cache->halves);
  on_free(cache);
}

// The vectors under a key, or NULL.
static const uint8_t *find(const on_vector_cache *cache, const key *k) {
  const uint32_t *number = on_map_get(&cache->numbers, view(k));
  return number ? cache->halves[*number] : NULL;
}

bool on_vector_cache_get(on_vector_cache *cache, const void *encoder, const on_doc *doc, size_t width, float *out) {
  const key k = key_of(encoder, doc, width);
  pthread_mutex_lock(&cache->lock);
  const uint8_t *halves = find(cache, &k);
  pthread_mutex_unlock(&cache->lock);
  if (halves) on_halves_read(out, halves, doc->n * width);
  return halves != NULL;
}

// A copy of n numbers under a new key, if there is room.
static void add(on_vector_cache *cache, const key *k, const float *vectors, size_t n) {
  const size_t size = 2 * n;
  void *list = cache->halves;
  if (size > cache->room || !on_grow(&list, &cache->cap, cache->count + 1, sizeof *cache->halves)) return;
  cache->halves = list;
  uint8_t *halves = ON_NEW(&cache->arena, uint8_t, size);
  key *kept = ON_NEW(&cache->arena, key, 1);  // the map borrows it
  if (!halves || !kept) return;
  *kept = *k;
  if (!on_map_put(&cache->numbers, view(kept), (uint32_t)cache->count, NULL)) return;
  on_halves_write(halves, vectors, n);
  cache->room -= size;
  cache->halves[cache->count++] = halves;
}

// As they would come back from the cache.
static void round_to_halves(float *vectors, size_t n) {
  uint8_t halves[512];
  for (size_t i = 0; i < n; i += sizeof halves / 2) {
    const size_t part = n - i < sizeof halves / 2 ? n - i : sizeof halves / 2;
    on_halves_write(halves, vectors + i, part);
    on_halves_read(vectors + i, halves, part);
  }
}

void on_vector_cache_put(on_vector_cache *cache, const void *encoder, const on_doc *doc, size_t width, float *vectors) {
  const key k = key_of(encoder, doc, width);
  const size_t n = doc->n * width;
  pthread_mutex_lock(&cache->lock);
  if (!find(cache, &k)) add(cache, &k, vectors, n);  // another thread may have been faster with the same words
  pthread_mutex_unlock(&cache->lock);
  round_to_halves(vectors, n);
}
