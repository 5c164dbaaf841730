// Words of the lexicon, abbreviations, contractions, clitics and hyphens.
#ifndef ON_TOKENIZE_WORD_H
#define ON_TOKENIZE_WORD_H

#include "tokenize/scan.h"

// Emits the surface token that starts at p, if it is an entry of the lexicon or begins with a
// letter, and returns its end; else returns p.
size_t on_word(on_scan *scan, size_t p);

// A word or number [p, end) goes on over hyphens and other signs as the data set says: where it ends then.
size_t on_extend_word(const on_scan *scan, size_t p, size_t end);

#endif
