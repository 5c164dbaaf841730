// Kind `mwt`: splits surface tokens into syntactic words by one decision per character of a tagger.
#ifndef ON_SEGMENT_MWT_H
#define ON_SEGMENT_MWT_H

#include "segment/segmenter.h"

enum { ON_MWT_MIN_UNITS = 3, ON_MWT_MAX_UNITS = 48, ON_MIN_CUT_PERCENT = 50, ON_MAX_CUT_PERCENT = 99 };

// Whether a surface token is one that the splitter reads: 3 to 48 UTF-16 units, each character a letter (L*) or a
// mark (M*) behind one.
bool on_mwt_takes(on_str16 token);

// The pieces of an inner tokenizer, with those surface tokens split that are one plain word and that the model
// cuts: a B after the first character, at the start of a grapheme cluster, with at least min_cut_percent
// confidence. Tokens that have several words already (contractions) stay. Words are slices of the surface.
bool on_mwt_split(const on_char_tagger *tagger, uint32_t min_cut_percent, on_arena *arena, on_str16 text,
                  const on_pieces *inner, on_pieces *out, on_error *error);

#endif
