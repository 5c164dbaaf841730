// What the files of the CoNLL-U reader and writer share.
#ifndef ON_FORMAT_CONLLU_INTERNAL_H
#define ON_FORMAT_CONLLU_INTERNAL_H

#include "format/conllu.h"

// Where a surface token's form stands in a buffer, in bytes.
typedef struct on_conllu_extent {
  size_t start, end;
} on_conllu_extent;

// The surface tokens of a sentence in order: a range, or a word outside ranges.
typedef struct on_conllu_surface {
  on_str form, misc;
  uint32_t first, count;         // its words, as indexes
  const on_conllu_range *range;  // or NULL
} on_conllu_surface;

// Fills *out with the surface token that starts at word *next (start with 0) and moves *next and *range
// (start with 0) behind it; false at the end.
bool on_conllu_next_surface(const on_conllu_sentence *sentence, uint32_t *next, size_t *range,
                            on_conllu_surface *out);

// on_conllu_raw_text that also notes where each surface token is (extents: NULL, or room for word_count);
// returns the number of surface tokens.
size_t on_conllu_raw_extents(on_buf *out, const on_conllu_sentence *sentence, bool first, on_conllu_extent *extents);

// Line breaks in the white space at the buffer's end (CR LF is one), and the length of that white space.
unsigned on_conllu_trailing_breaks(const on_buf *out, size_t *length);

// UDPipe's escapes (\s \t \r \n \p \\) made characters again, and \uXXXX, which stands in some treebanks;
// other backslashes stay as they are.
void on_conllu_unescape(on_buf *out, on_str value);
// The other way, for white space and MISC values.
void on_conllu_escape(on_buf *out, on_str value);

#endif
