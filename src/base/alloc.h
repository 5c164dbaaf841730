// The one place where the core asks for memory: it can be limited, counted and made to fail.
#ifndef ON_BASE_ALLOC_H
#define ON_BASE_ALLOC_H

#include <stddef.h>

// NULL on failure (out of memory, over the limit, or a failure asked for by a test). The block is
// aligned as malloc aligns: 16 bytes natively, 8 in Emscripten's wasm. on_free takes NULL.
void *on_malloc(size_t size);
void *on_calloc(size_t count, size_t size);
// On failure the old block stays valid and NULL is returned.
void *on_realloc(void *block, size_t size);
void on_free(void *block);

// Bytes that live blocks hold now, and the most they may hold together (0: no limit). The limit is
// read at each allocation and is meant to be set once, before a pipeline is loaded.
size_t on_alloc_used(void);
void on_alloc_set_limit(size_t bytes);

// Tests: the n-th allocation from now on fails (1: the next one), and with `sticky` all after it
// as well; 0 switches this off. Returns how many are left until one that was asked for before, 0 when it came or
// none was. Not for use while several threads run.
size_t on_alloc_fail_at(size_t n, int sticky);

// Makes room for at least `need` elements of `size` bytes in the array *block, of which *cap are
// there now; doubles. 0 on failure (the array stays as it was), 1 otherwise.
int on_grow(void **block, size_t *cap, size_t need, size_t size);

#endif
