#include "text/normalize.h"

#include "text/normalize_tables.h"
#include "text/utf.h"

enum { CODE_POINTS = 0x110000 };
enum { S = 0xAC00, L = 0x1100, V = 0x1161, T = 0x11A7, L_COUNT = 19, V_COUNT = 21, T_COUNT = 28 };  // Hangul
enum { S_COUNT = L_COUNT * V_COUNT * T_COUNT };

// What c decomposes to in one step: UTF-16 in the table, n 0 for nothing.
static on_str16 one_step(uint32_t c, bool compatibility) {
  const uint32_t shape = c < CODE_POINTS ? on_decomposition_shape(c) : 0;
  if (shape == 0 || (!compatibility && (shape & ON_DECOMPOSITION_COMPATIBLE))) return (on_str16){NULL, 0};
  const uint32_t block = c / ON_DECOMPOSITION_BLOCK;
  size_t at = on_decomposition_start[block];
  for (uint32_t i = block * ON_DECOMPOSITION_BLOCK; i < c; i++) at += on_decomposition_shape(i) & ON_DECOMPOSITION_LENGTH;
  return (on_str16){on_decomposition_units + at, shape & ON_DECOMPOSITION_LENGTH};
}

static size_t decompose_hangul(uint32_t s, uint32_t *out) {
  out[0] = L + s / (V_COUNT * T_COUNT);
  out[1] = V + s % (V_COUNT * T_COUNT) / T_COUNT;
  out[2] = T + s % T_COUNT;
  return out[2] == T ? 2 : 3;
}

size_t on_decompose(uint32_t c, bool compatibility, uint32_t *out) {
  if (c - S < S_COUNT) return decompose_hangul(c - S, out);
  // What is still to be decomposed stands in reverse: no two steps lead to more than ON_DECOMPOSE_MOST.
  uint32_t waiting[ON_DECOMPOSE_MOST];
  size_t left = 0, n = 0;
  waiting[left++] = c;
  while (left > 0) {
    const uint32_t next = waiting[--left];
    const on_str16 parts = one_step(next, compatibility);
    if (parts.n == 0) {
      out[n++] = next;
      continue;
    }
    size_t i = 0;
    const size_t from = left;
    while (i < parts.n) waiting[left++] = on_utf16_next(parts, &i);
    for (size_t a = from, b = left; a + 1 < b; a++, b--) {
      const uint32_t swapped = waiting[a];
      waiting[a] = waiting[b - 1];
      waiting[b - 1] = swapped;
    }
  }
  return n;
}

uint32_t on_combining_class(uint32_t c) { return c < 0x300 || c >= CODE_POINTS ? 0 : on_combining_class_of(c); }

static uint32_t compose_hangul(uint32_t first, uint32_t second) {
  if (first - L < L_COUNT && second - V < V_COUNT) return S + ((first - L) * V_COUNT + (second - V)) * T_COUNT;
  const bool open = first - S < S_COUNT && (first - S) % T_COUNT == 0;
  return open && second > T && second - T < T_COUNT ? first + (second - T) : 0;
}

// The first character of a primary composite.
static uint32_t first_of(uint32_t composite) {
  size_t i = 0;
  return on_utf16_next(one_step(composite, false), &i);
}

uint32_t on_compose(uint32_t first, uint32_t second) {
  size_t low = 0, high = ON_COMPOSE_SECONDS;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (on_compose_seconds[middle] < second) low = middle + 1;
    else high = middle;
  }
  if (low == ON_COMPOSE_SECONDS || on_compose_seconds[low] != second) return compose_hangul(first, second);
  const size_t end = on_compose_from[low + 1];
  low = on_compose_from[low];
  high = end;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (first_of(on_compose_composites[middle]) < first) low = middle + 1;
    else high = middle;
  }
  return low < end && first_of(on_compose_composites[low]) == first ? on_compose_composites[low] : 0;
}
