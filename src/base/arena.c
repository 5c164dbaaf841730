#include "base/arena.h"

#include <string.h>

#include "base/alloc.h"

struct on_arena_chunk {
  on_arena_chunk *older;
  size_t size;  // bytes for blocks
  size_t used;
  size_t pad;
};

enum { ALIGN = 16, DEFAULT_FIRST = 4096 };

void on_arena_init(on_arena *arena, size_t first_size) { *arena = (on_arena){.first_size = first_size}; }

// Where a chunk's blocks begin. Not every malloc aligns to 16 (Emscripten's aligns to 8).
static char *blocks_of(on_arena_chunk *chunk) {
  char *p = (char *)(chunk + 1);
  return p + ((ALIGN - (uintptr_t)p % ALIGN) & (ALIGN - 1));
}

static on_arena_chunk *add_chunk(on_arena *arena, size_t need) {
  size_t size = arena->first_size ? arena->first_size : DEFAULT_FIRST;
  if (arena->chunk && arena->chunk->size > size) size = arena->chunk->size;
  if (arena->chunk && size <= (size_t)1 << 23) size *= 2;
  if (size < need) size = need;
  on_arena_chunk *chunk = on_malloc(sizeof *chunk + ALIGN + size);
  if (!chunk) {
    arena->failed = true;
    return NULL;
  }
  *chunk = (on_arena_chunk){.older = arena->chunk, .size = size};
  arena->chunk = chunk;
  return chunk;
}

void *on_arena_alloc(on_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 4) / size) {
    arena->failed = true;
    return NULL;
  }
  size_t need = (count * size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (need == 0) need = ALIGN;
  on_arena_chunk *chunk = arena->chunk;
  if (!chunk || chunk->size - chunk->used < need) {
    chunk = add_chunk(arena, need);
    if (!chunk) return NULL;
  }
  void *block = blocks_of(chunk) + chunk->used;
  chunk->used += need;
  return block;
}

void *on_arena_zero(on_arena *arena, size_t count, size_t size) {
  void *block = on_arena_alloc(arena, count, size);
  if (block) memset(block, 0, count * size);
  return block;
}

on_str on_arena_str(on_arena *arena, on_str s) {
  char *copy = on_arena_alloc(arena, s.n, 1);
  if (!copy) return ON_STR_NONE;
  if (s.n) memcpy(copy, s.p, s.n);
  return (on_str){copy, s.n};
}

void on_arena_reset(on_arena *arena) {
  arena->failed = false;
  if (!arena->chunk) return;
  if (!arena->chunk->older) {
    arena->chunk->used = 0;
    return;
  }
  // the next round gets one chunk as large as all of these, so that rounds alike ask for memory once
  size_t total = 0;
  for (const on_arena_chunk *chunk = arena->chunk; chunk; chunk = chunk->older) total += chunk->used;
  on_arena_free(arena);
  arena->first_size = total;
}

void on_arena_free(on_arena *arena) {
  for (on_arena_chunk *chunk = arena->chunk; chunk;) {
    on_arena_chunk *older = chunk->older;
    on_free(chunk);
    chunk = older;
  }
  arena->chunk = NULL;
  arena->failed = false;
}
