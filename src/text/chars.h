// Properties of code points (Unicode 15.0). The only folder that calls utf8proc is this one.
#ifndef ON_TEXT_CHARS_H
#define ON_TEXT_CHARS_H

#include "base/slice.h"

bool on_is_space(uint32_t c);        // White_Space
bool on_is_line_break(uint32_t c);   // LF, VT, FF, CR, NEL, LS, PS
bool on_is_letter(uint32_t c);       // L*
bool on_is_mark(uint32_t c);         // M*
bool on_is_decimal(uint32_t c);      // Nd
bool on_is_number(uint32_t c);       // N*
bool on_is_upper(uint32_t c);        // Lu, Lt
bool on_is_lower(uint32_t c);        // Ll
bool on_is_punctuation(uint32_t c);  // P*
bool on_is_symbol(uint32_t c);       // S*

// Simple case mappings of UnicodeData.txt: one code point to one code point.
uint32_t on_lower(uint32_t c);
uint32_t on_upper(uint32_t c);
// Turkish and Azeri: I to dotless i, dotted capital I to i, the rest as on_lower.
uint32_t on_lower_turkic(uint32_t c);

// Lower-cases s code point by code point at out, which has room for 2 * s.n units; returns the length.
// (No simple mapping of Unicode 15.0 leaves the BMP or comes into it, so the length is s.n in fact.)
size_t on_lower_text(uint16_t *out, on_str16 s, bool turkic);

#endif
