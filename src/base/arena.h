// An arena: allocate freely, free all at once. A failed allocation is remembered (`failed`), so a
// stage may allocate many times and check once at its end, as long as it checks before it writes
// through a pointer that may be NULL.
#ifndef ON_BASE_ARENA_H
#define ON_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

typedef struct on_arena_chunk on_arena_chunk;

typedef struct on_arena {
  on_arena_chunk *chunk;  // the newest chunk, or NULL
  size_t first_size;      // size of the first chunk, in bytes
  bool failed;            // an allocation failed since the last reset
} on_arena;

// Allocates nothing yet. first_size 0 takes a default. A zeroed on_arena is valid too.
void on_arena_init(on_arena *arena, size_t first_size);

// `count` elements of `size` bytes, aligned to 16; contents undefined. Never NULL for count 0.
// NULL on failure or overflow, and then arena->failed is set.
void *on_arena_alloc(on_arena *arena, size_t count, size_t size);
// The same, zeroed.
void *on_arena_zero(on_arena *arena, size_t count, size_t size);

// A copy of a slice's contents that lives as long as the arena. A failed copy has p == NULL.
on_str on_arena_str(on_arena *arena, on_str s);

// Gives every block back; clears `failed`. A single chunk is kept; several are freed, and the next allocation asks
// for one chunk as large as they were together, so that rounds alike ask for memory once.
void on_arena_reset(on_arena *arena);
// Gives all memory back; the arena is as after on_arena_init.
void on_arena_free(on_arena *arena);

// Typed allocation: ON_NEW(arena, float, n)
#define ON_NEW(arena, type, count) ((type *)on_arena_alloc((arena), (count), sizeof(type)))
#define ON_NEW0(arena, type, count) ((type *)on_arena_zero((arena), (count), sizeof(type)))

#endif
