#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Each block is preceded by its size, so that freeing it can be counted.
typedef union header {
  size_t size;
  char pad[16];
} header;

static atomic_size_t used;
static atomic_size_t limit;
static size_t fail_countdown;
static int fail_sticky;

static int told_to_fail(void) {
  if (fail_countdown == 0) return 0;
  if (fail_countdown > 1) {
    fail_countdown--;
    return 0;
  }
  if (!fail_sticky) fail_countdown = 0;
  return 1;
}

// Reserves `size` bytes of the account; 0 when that would pass the limit.
static int account(size_t size) {
  size_t most = atomic_load_explicit(&limit, memory_order_relaxed);
  size_t before = atomic_fetch_add_explicit(&used, size, memory_order_relaxed);
  if (most != 0 && (size > most || before > most - size)) {
    atomic_fetch_sub_explicit(&used, size, memory_order_relaxed);
    return 0;
  }
  return 1;
}

void *on_malloc(size_t size) {
  if (size > SIZE_MAX / 2 || told_to_fail() || !account(size)) return NULL;
  header *block = malloc(sizeof(header) + size);
  if (!block) {
    atomic_fetch_sub_explicit(&used, size, memory_order_relaxed);
    return NULL;
  }
  block->size = size;
  return block + 1;
}

void *on_calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 2 / size) return NULL;
  void *block = on_malloc(count * size);
  if (block) memset(block, 0, count * size);
  return block;
}

void *on_realloc(void *old, size_t size) {
  if (!old) return on_malloc(size);
  header *block = (header *)old - 1;
  size_t before = block->size;
  if (size > SIZE_MAX / 2 || told_to_fail()) return NULL;
  if (size > before && !account(size - before)) return NULL;
  header *moved = realloc(block, sizeof(header) + size);
  if (!moved) {
    if (size > before) atomic_fetch_sub_explicit(&used, size - before, memory_order_relaxed);
    return NULL;
  }
  if (size < before) atomic_fetch_sub_explicit(&used, before - size, memory_order_relaxed);
  moved->size = size;
  return moved + 1;
}

void on_free(void *old) {
  if (!old) return;
  header *block = (header *)old - 1;
  atomic_fetch_sub_explicit(&used, block->size, memory_order_relaxed);
  free(block);
}

size_t on_alloc_used(void) { return atomic_load_explicit(&used, memory_order_relaxed); }

void on_alloc_set_limit(size_t bytes) { atomic_store_explicit(&limit, bytes, memory_order_relaxed); }

size_t on_alloc_fail_at(size_t n, int sticky) {
  const size_t left = fail_countdown;
  fail_countdown = n;
  fail_sticky = sticky;
  return left;
}

int on_grow(void **block, size_t *cap, size_t need, size_t size) {
  if (need <= *cap) return 1;
  size_t next = *cap < 8 ? 16 : *cap;
  while (next < need) {
    if (next > SIZE_MAX / 4) return 0;
    next *= 2;
  }
  if (size != 0 && next > SIZE_MAX / 2 / size) return 0;
  void *moved = on_realloc(*block, next * size);
  if (!moved) return 0;
  *block = moved;
  *cap = next;
  return 1;
}
