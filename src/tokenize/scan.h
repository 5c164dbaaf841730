// The text under a tokenizer, one flag word per UTF-16 unit, and the growing list of pieces.
#ifndef ON_TOKENIZE_SCAN_H
#define ON_TOKENIZE_SCAN_H

#include "tokenize/segmentation.h"

enum {
  ON_F_SPACE = 1 << 0,     // White_Space
  ON_F_LINE = 1 << 1,      // a line break, too
  ON_F_UPPER = 1 << 2,
  ON_F_LOWER = 1 << 3,
  ON_F_LETTER = 1 << 4,
  ON_F_DIGIT = 1 << 5,     // Nd
  ON_F_MARK = 1 << 6,
  ON_F_SIGN = 1 << 7,      // P* or S*
  ON_F_OPEN = 1 << 8,      // an opening bracket or quote
  ON_F_CLOSE = 1 << 9,     // a closing bracket or quote; the straight quotes are both
  ON_F_CLUSTER = 1 << 10,  // a grapheme cluster starts here
  ON_F_WORD = 1 << 11,     // a segment of UAX #29 starts here
  ON_F_TAIL = 1 << 12,     // the low surrogate of a pair

  ON_F_ALNUM = ON_F_LETTER | ON_F_DIGIT | ON_F_MARK
};

typedef struct on_scan {
  const on_segmentation *data;  // NULL for kind rule
  on_arena *arena;              // for flags, pieces and word forms
  const uint16_t *t;            // the range to split; offsets here count from its start
  size_t n;
  uint16_t *f;                  // n + 1 flags; the last is that of a line break, so f[n] may be read
  uint32_t base;                // where the range starts in the whole text

  on_piece *list;
  size_t count, capacity;
  size_t surfaces;
  bool failed;

  // The chunk (run without white space) that holds the current place.
  size_t chunk, chunk_end;
  size_t last_at, last_dot;     // 1 + the last '@' and '.' in it, 0 when there is none
  bool after_currency;          // the token before was a currency sign, without white space
  bool single_open;             // a single quote was opened in this paragraph
} on_scan;

// Fills the flags. False: out of memory or a text that is too long.
bool on_scan_open(on_scan *scan, on_arena *arena, const on_segmentation *data, on_str16 text, size_t from, size_t to,
                  on_error *error);
// The pieces, which lie in the arena. False: out of memory, also earlier.
bool on_scan_close(on_scan *scan, on_pieces *out, on_error *error);

// Only the flags (n + 1 of them), in the arena; NULL: out of memory. `words` says whether ON_F_WORD is wanted.
uint16_t *on_scan_flags(on_arena *arena, const uint16_t *t, size_t n, bool words);

void on_scan_word(on_scan *scan, size_t from, size_t to, on_str form);  // another word of the same surface token
void on_scan_token(on_scan *scan, size_t from, size_t to);              // a new surface token of one word
void on_scan_surface(on_scan *scan);                                    // a new surface token; its words follow

static inline on_str16 on_scan_rest(const on_scan *scan, size_t from, size_t to) {
  return (on_str16){scan->t + from, to - from};
}

static inline bool on_scan_is(const on_scan *scan, size_t i, uint32_t flags) { return (scan->f[i] & flags) != 0; }

#endif
