// A stable merge sort: at most n log2 n comparisons whatever the input, no recursion.
#ifndef ON_BASE_SORT_H
#define ON_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

// Negative, zero or positive, as for qsort.
typedef int (*on_compare)(const void *a, const void *b);

// Sorts `count` items of `size` bytes in place. False when there is no memory for a second array of
// the same size; the items are unchanged then. Nothing is allocated when they are in order already.
bool on_sort(void *items, size_t count, size_t size, on_compare compare);

#endif
