// Numbers as scores are written: exact rounding, a point whatever the locale. For src/score only.
#ifndef ON_SCORE_WRITE_H
#define ON_SCORE_WRITE_H

#include "base/buffer.h"

// A number from 0 to 1 as a percentage with two decimals, right-aligned in `width`. Rounds the binary
// value of 100 * value half to even, as printf would.
void on_write_percent(on_buf *out, double value, size_t width);
// A number from 0 to 1 with six decimals, or null when it is negative (not defined).
void on_write_fraction(on_buf *out, double value);

size_t on_count_characters(on_str s);  // code points
void on_write_right(on_buf *out, on_str s, size_t width);
void on_write_left(on_buf *out, on_str s, size_t width);

// ,"key":value
void on_write_count(on_buf *out, const char *key, uint64_t value);
void on_write_member(on_buf *out, const char *key, double fraction);

#endif
