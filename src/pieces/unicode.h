// Properties of characters as Rust's `tokenizers` sees them. It takes several of them from libraries that stand at
// Unicode 8 or 9, and the models were trained on what it made of their texts; so these answers differ from those of
// text/chars.h for characters that came later and for a few others (unicode_tables.h).
#ifndef ON_PIECES_UNICODE_H
#define ON_PIECES_UNICODE_H

#include "base/slice.h"

typedef enum on_old_set {
  ON_OLD_NONSPACING,   // Mn, of BertNormalizer's strip_accents
  ON_OLD_PUNCTUATION,  // ASCII punctuation and P*, of BertPreTokenizer and Punctuation
  ON_OLD_CONTROL,      // what BertNormalizer's clean_text takes out
  ON_OLD_MARK,         // M*, of StripAccents
  ON_OLD_UNNORMALIZED, // has a decomposition or combining class in Unicode 15, but not there
  ON_OLD_SETS
} on_old_set;

bool on_old_is(uint32_t c, on_old_set set);

// \w of the two expression libraries: of Oniguruma (Split, Replace), Alphabetic, M*, Nd and Pc; and of Rust's regex
// (Whitespace, single_word), which has Join_Control too.
bool on_word_oniguruma(uint32_t c);
bool on_word_rust(uint32_t c);
// Full lower-casing of one character, at most two (U+0130 gives two); returns how many.
size_t on_lower_full(uint32_t c, uint32_t *out);

#endif
