// Text boundaries of UAX #29, Unicode 15.0: words, sentences and extended grapheme clusters, from tables
// generated out of the Unicode Character Database.
#ifndef ON_TEXT_BREAKS_H
#define ON_TEXT_BREAKS_H

#include "base/slice.h"

// Each returns the smallest boundary greater than `from`, which must itself be a boundary
// (0 or a former result) and less than text.n. A lone surrogate counts as a character of its own.
// Walking a text from 0 to its end takes time linear in its length, whatever the text.
size_t on_next_word_break(on_str16 text, size_t from);
size_t on_next_sentence_break(on_str16 text, size_t from);
size_t on_next_grapheme_break(on_str16 text, size_t from);

#endif
