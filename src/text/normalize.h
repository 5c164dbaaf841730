// The steps that Unicode normalization is made of (UAX #15, Unicode 15.0), for code points.
#ifndef ON_TEXT_NORMALIZE_H
#define ON_TEXT_NORMALIZE_H

#include "base/slice.h"

enum { ON_DECOMPOSE_MOST = 18 };  // a code point decomposes to at most so many

// Writes the full canonical (or compatibility) decomposition of c at `out` (room for ON_DECOMPOSE_MOST) and returns
// its length. A code point that has none gives itself.
size_t on_decompose(uint32_t c, bool compatibility, uint32_t *out);
uint32_t on_combining_class(uint32_t c);  // Canonical_Combining_Class
// The primary composite of two code points, Hangul syllables too; 0 when there is none.
uint32_t on_compose(uint32_t first, uint32_t second);

#endif
