#include "pieces/vocab.h"

#include "base/alloc.h"
#include "base/hash.h"

// With at most half of the table taken, honest strings are found within a few dozen probes; only strings made to
// collide need more, and they must not make loading quadratic.
enum { MOST_PROBES = 256 };

bool on_vocab_init(on_vocab *vocab, on_arena *arena, size_t count, size_t bytes, on_error *error) {
  if (count >= ON_VOCAB_NONE / 4 || bytes >= UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "vocabulary: too large");
  size_t capacity = 16;
  while (capacity < count * 2) capacity *= 2;
  *vocab = (on_vocab){.mask = (uint32_t)capacity - 1};
  vocab->bytes = ON_NEW(arena, char, bytes);
  vocab->offset = ON_NEW0(arena, uint32_t, count + 1);
  vocab->id = ON_NEW(arena, uint32_t, count);
  vocab->table = ON_NEW0(arena, uint32_t, capacity);
  return !arena->failed || on_fail_memory(error);
}

// The slot of a string: its own, or the free one where it belongs; NULL after too many probes.
static uint32_t *slot_of(const on_vocab *vocab, on_str text) {
  uint64_t hash = on_hash_bytes(text.p, text.n);
  for (uint32_t probe = 0; probe < MOST_PROBES; probe++) {
    uint32_t *slot = &vocab->table[((uint32_t)hash + probe) & vocab->mask];
    if (*slot == 0 || on_str_eq(on_vocab_text(vocab, *slot - 1), text)) return slot;
  }
  return NULL;
}

bool on_vocab_add(on_vocab *vocab, on_str text, uint32_t id, on_error *error) {
  if (text.n > ON_VOCAB_LONGEST) {
    return on_fail(error, ON_LIMIT, -1, "vocabulary: \"%.*s\" and what follows has %zu bytes, at most %d are allowed",
                   ON_SHOW(text), text.n, ON_VOCAB_LONGEST);
  }
  uint32_t *slot = slot_of(vocab, text);
  if (!slot) return on_fail(error, ON_LIMIT, -1, "vocabulary: too many entries collide with \"%.*s\"", ON_SHOW(text));
  if (*slot) {
    vocab->id[*slot - 1] = id;
    return true;
  }
  uint32_t entry = vocab->count++;
  if (text.n) memcpy(vocab->bytes + vocab->offset[entry], text.p, text.n);
  vocab->offset[entry + 1] = vocab->offset[entry] + (uint32_t)text.n;
  vocab->id[entry] = id;
  *slot = entry + 1;
  return true;
}

uint32_t on_vocab_find(const on_vocab *vocab, on_str text) {
  uint32_t *slot = vocab->table ? slot_of(vocab, text) : NULL;
  return slot && *slot ? *slot - 1 : ON_VOCAB_NONE;
}

// --- walking ---

// Merge sort, bottom-up, as on_sort, which takes no context for its comparison.
static void merge(const on_vocab *vocab, const uint32_t *from, size_t middle, size_t end, uint32_t *out) {
  size_t i = 0, k = middle, n = 0;
  while (i < middle && k < end) {
    out[n++] = on_str_cmp(on_vocab_text(vocab, from[i]), on_vocab_text(vocab, from[k])) <= 0 ? from[i++] : from[k++];
  }
  while (i < middle) out[n++] = from[i++];
  while (k < end) out[n++] = from[k++];
}

bool on_vocab_sort(on_vocab *vocab, on_arena *arena, on_error *error) {
  size_t n = vocab->count;
  vocab->sorted = ON_NEW(arena, uint32_t, n);
  uint32_t *other = on_malloc(n * sizeof *other + 1);
  if (!vocab->sorted || !other) {
    on_free(other);
    return on_fail_memory(error);
  }
  uint32_t *from = vocab->sorted, *to = other;
  for (size_t i = 0; i < n; i++) from[i] = (uint32_t)i;
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t i = 0; i < n; i += 2 * width) {
      size_t middle = width < n - i ? width : n - i, end = 2 * width < n - i ? 2 * width : n - i;
      merge(vocab, from + i, middle, end, to + i);
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (n && from != vocab->sorted) memcpy(vocab->sorted, from, n * sizeof *from);
  on_free(other);
  return true;
}

// The byte of an entry at `depth`, or -1 behind its end.
static int byte_at(const on_vocab *vocab, uint32_t index, uint32_t depth) {
  on_str text = on_vocab_text(vocab, vocab->sorted[index]);
  return depth < text.n ? (unsigned char)text.p[depth] : -1;
}

// The first index of [low, high) whose entry has a byte of at least `byte` at `depth`.
static uint32_t first_from(const on_vocab *vocab, uint32_t low, uint32_t high, uint32_t depth, int byte) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (byte_at(vocab, middle, depth) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool on_vocab_step(const on_vocab *vocab, on_vocab_walk *walk, uint8_t byte) {
  walk->low = first_from(vocab, walk->low, walk->high, walk->depth, byte);
  if (walk->low == walk->high || byte_at(vocab, walk->low, walk->depth) != byte) return false;
  walk->high = first_from(vocab, walk->low, walk->high, walk->depth, byte + 1);
  walk->depth++;
  return true;
}

uint32_t on_vocab_here(const on_vocab *vocab, const on_vocab_walk *walk) {
  if (walk->low == walk->high) return ON_VOCAB_NONE;
  uint32_t entry = vocab->sorted[walk->low];
  return on_vocab_text(vocab, entry).n == walk->depth ? entry : ON_VOCAB_NONE;
}
