// UTF-8 and UTF-16. Texts inside the core are UTF-16 (offsets that JavaScript understands; the
// hash of the pipeline format runs over UTF-16 units); files and outputs are UTF-8.
#ifndef ON_TEXT_UTF_H
#define ON_TEXT_UTF_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"

// True when s is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF);
// otherwise *bad is the offset of the first byte that is not part of a well-formed character.
bool on_utf8_valid(on_str s, size_t *bad);

// Number of UTF-16 units that well-formed UTF-8 takes.
size_t on_utf16_length(on_str s);

// Well-formed UTF-8 to UTF-16 at out, which has room for on_utf16_length(s) units (s.n is always
// enough); returns the number of units written.
size_t on_utf16_write(uint16_t *out, on_str s);

// Checks and converts; *out lives in the arena. ON_INVALID_UTF8 with the byte offset, or out of memory.
bool on_utf16_from_utf8(on_arena *arena, on_str s, on_str16 *out, on_error *error);

// Appends s as UTF-8; lone surrogates become U+FFFD.
void on_utf8_append(on_buf *buf, on_str16 s);
// The same into the arena. p == NULL when out of memory.
on_str on_utf8_from_utf16(on_arena *arena, on_str16 s);

// The code point at *i (a lone surrogate is returned as itself); moves *i behind it. *i < s.n.
uint32_t on_utf16_next(on_str16 s, size_t *i);
// The code point that ends at *i; moves *i before it. *i > 0.
uint32_t on_utf16_prev(on_str16 s, size_t *i);
// Writes c at out (room for 2); returns 1 or 2.
size_t on_utf16_put(uint16_t *out, uint32_t c);
// The code point at *i of well-formed UTF-8; moves *i behind it. *i < s.n.
uint32_t on_utf8_next(on_str s, size_t *i);

static inline bool on_is_high_surrogate(uint32_t unit) { return (unit & 0xFC00) == 0xD800; }
static inline bool on_is_low_surrogate(uint32_t unit) { return (unit & 0xFC00) == 0xDC00; }

#endif
