// Properties of code points (Unicode 15.0).
#ifndef ON_TEXT_CHARS_H
#define ON_TEXT_CHARS_H

#include "base/slice.h"
#include "text/char_tables.h"

// General_Category: ON_GC_LU, ... (char_tables.h). ON_GC_CN above U+10FFFF.
uint32_t on_category_beyond(uint32_t c);  // for c >= ON_CHAR_DIRECT: call on_category
static inline uint32_t on_category(uint32_t c) {
  return c < ON_CHAR_DIRECT ? on_char_category[c] : on_category_beyond(c);
}

// Sets of categories, one bit for each.
#define ON_GC_BIT(category) (UINT32_C(1) << (category))
#define ON_GC_BITS(first, last) (ON_GC_BIT((last) + 1) - ON_GC_BIT(first))
static inline bool on_category_in(uint32_t c, uint32_t set) { return (set >> on_category(c) & 1) != 0; }

// L*, M*, Nd, N*, "Lu, Lt", Ll, P*, S*
static inline bool on_is_letter(uint32_t c) { return on_category_in(c, ON_GC_BITS(ON_GC_LU, ON_GC_LO)); }
static inline bool on_is_mark(uint32_t c) { return on_category_in(c, ON_GC_BITS(ON_GC_MN, ON_GC_ME)); }
static inline bool on_is_decimal(uint32_t c) { return on_category_in(c, ON_GC_BIT(ON_GC_ND)); }
static inline bool on_is_number(uint32_t c) { return on_category_in(c, ON_GC_BITS(ON_GC_ND, ON_GC_NO)); }
static inline bool on_is_upper(uint32_t c) {
  return on_category_in(c, ON_GC_BIT(ON_GC_LU) | ON_GC_BIT(ON_GC_LT));
}
static inline bool on_is_lower(uint32_t c) { return on_category_in(c, ON_GC_BIT(ON_GC_LL)); }
static inline bool on_is_punctuation(uint32_t c) { return on_category_in(c, ON_GC_BITS(ON_GC_PC, ON_GC_PO)); }
static inline bool on_is_symbol(uint32_t c) { return on_category_in(c, ON_GC_BITS(ON_GC_SM, ON_GC_SO)); }

bool on_is_space_beyond(uint32_t c);  // for c >= 0x80: call on_is_space
static inline bool on_is_space(uint32_t c) {  // White_Space
  return c < 0x80 ? c == 0x20 || (c >= 0x09 && c <= 0x0D) : on_is_space_beyond(c);
}
bool on_is_line_break(uint32_t c);  // LF, VT, FF, CR, NEL, LS, PS

// Simple case mappings of UnicodeData.txt: one code point to one code point.
uint32_t on_lower_beyond(uint32_t c);  // for c >= ON_CHAR_DIRECT: call on_lower
static inline uint32_t on_lower(uint32_t c) { return c < ON_CHAR_DIRECT ? on_char_lower[c] : on_lower_beyond(c); }
uint32_t on_upper(uint32_t c);
// Turkish and Azeri: I to dotless i, dotted capital I to i, the rest as on_lower.
uint32_t on_lower_turkic(uint32_t c);

// Lower-cases s code point by code point at out, which has room for s.n units; out may be s.p itself.
// Returns the length, which is s.n: no simple mapping of Unicode 15.0 leaves the BMP or comes into it
// (a test looks at them all).
size_t on_lower_text(uint16_t *out, on_str16 s, bool turkic);

#endif
