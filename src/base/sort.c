#include "base/sort.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

static bool in_order(const char *items, size_t count, size_t size, on_compare compare) {
  for (size_t i = 1; i < count; i++) {
    if (compare(items + (i - 1) * size, items + i * size) > 0) return false;
  }
  return true;
}

// Merges the sorted runs from[low, middle) and from[middle, high) into to[low, high).
static void merge(char *to, const char *from, size_t low, size_t middle, size_t high, size_t size,
                  on_compare compare) {
  size_t left = low, right = middle;
  for (size_t i = low; i < high; i++) {
    bool take_left =
        left < middle && (right == high || compare(from + left * size, from + right * size) <= 0);
    memcpy(to + i * size, from + (take_left ? left++ : right++) * size, size);
  }
}

bool on_sort(void *items, size_t count, size_t size, on_compare compare) {
  if (count < 2 || in_order(items, count, size, compare)) return true;
  if (count > SIZE_MAX / 2 / size) return false;
  char *other = on_malloc(count * size);
  if (!other) return false;
  char *from = items, *to = other;
  for (size_t run = 1; run < count; run = run > count / 2 ? count : run * 2) {
    for (size_t low = 0; low < count;) {
      size_t middle = count - low > run ? low + run : count;
      size_t high = count - middle > run ? middle + run : count;
      merge(to, from, low, middle, high, size, compare);
      low = high;
    }
    char *swap = from;
    from = to;
    to = swap;
  }
  if (from != (char *)items) memcpy(items, from, count * size);
  on_free(other);
  return true;
}
