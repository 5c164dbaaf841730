// A table of distinct strings, as a tokenizer's vocabulary is: from a string to its entry, and from the bytes of a
// text, one after another, to the entries that begin so.
#ifndef ON_PIECES_VOCAB_H
#define ON_PIECES_VOCAB_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

enum { ON_VOCAB_NONE = 0x7FFFFFFF, ON_VOCAB_LONGEST = 1024 };

typedef struct on_vocab {
  char *bytes;       // all strings, one after another
  uint32_t *offset;  // [count + 1], into bytes
  uint32_t *id;      // [count]
  uint32_t count;
  uint32_t *table;   // open addressing: entry + 1, or 0
  uint32_t mask;
  uint32_t *sorted;  // entries in byte order
} on_vocab;

// Room for `count` strings of `bytes` bytes together; everything lives in the arena. False: out of memory, or too
// large.
bool on_vocab_init(on_vocab *vocab, on_arena *arena, size_t count, size_t bytes, on_error *error);
// Adds a string, which must fit into the room that on_vocab_init made. One that is there already gets the new id.
// False: longer than ON_VOCAB_LONGEST, or strings chosen so that the table cannot tell them apart.
bool on_vocab_add(on_vocab *vocab, on_str text, uint32_t id, on_error *error);
// After the last on_vocab_add: makes on_vocab_step possible.
bool on_vocab_sort(on_vocab *vocab, on_arena *arena, on_error *error);

static inline on_str on_vocab_text(const on_vocab *vocab, uint32_t entry) {
  return (on_str){vocab->bytes + vocab->offset[entry], vocab->offset[entry + 1] - vocab->offset[entry]};
}

uint32_t on_vocab_find(const on_vocab *vocab, on_str text);  // the entry, or ON_VOCAB_NONE

// A walk along the entries that begin with the bytes seen so far.
typedef struct on_vocab_walk {
  uint32_t low, high;  // of vocab->sorted
  uint32_t depth;      // bytes seen
} on_vocab_walk;

static inline on_vocab_walk on_vocab_start(const on_vocab *vocab) { return (on_vocab_walk){0, vocab->count, 0}; }
// Takes one byte more; false when no entry begins so.
bool on_vocab_step(const on_vocab *vocab, on_vocab_walk *walk, uint8_t byte);
// The entry that is exactly the bytes seen, or ON_VOCAB_NONE.
uint32_t on_vocab_here(const on_vocab *vocab, const on_vocab_walk *walk);

#endif
