// Which words of two annotations of the same text are the same word. For src/score only.
#ifndef ON_SCORE_UD_ALIGN_H
#define ON_SCORE_UD_ALIGN_H

#include "score/ud_words.h"

// Words outside ranges are aligned when they cover the same characters. Where either file has a range, the
// words of the smallest stretch of text that no range of either file juts out of are aligned by a longest
// common subsequence of their lower-cased forms.
//
// The subsequence is exact (and, among equally long ones, the shared task's own) where the table has at
// most ON_UD_LCS_CELLS cells after the stretch's common beginning. A larger table is cut into windows of
// that size, one after another, so that the time per word is bounded whatever the file holds; the words
// that a stretch of more than a thousand words inserts may then cost matches that a full table would find.
enum { ON_UD_LCS_SIDE = 1024, ON_UD_LCS_CELLS = ON_UD_LCS_SIDE * ON_UD_LCS_SIDE };

// gold_of has an element per system word and becomes the index of its gold word, or ON_UD_NONE. Indices
// rise. The characters of both files must be equal. False: out of memory.
bool on_ud_align(const on_ud_file *gold, const on_ud_file *system, uint32_t *gold_of, on_error *error);

// Appends the lower-cased form: full mapping without language rules (dotted capital I becomes two
// characters, capital sigma ends a word as final sigma). Bytes that are not UTF-8 stay as they are.
void on_ud_lower(on_buf *out, on_str form);

#endif
