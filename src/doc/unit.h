// Annotation units (open point 9): raw text is annotated paragraph by paragraph; a unit has at most
// ON_UNIT_WORDS words, a longer paragraph is cut at the last sentence end, else at a token.
#ifndef ON_DOC_UNIT_H
#define ON_DOC_UNIT_H

#include "base/slice.h"

enum { ON_UNIT_WORDS = 512 };

// The end of the paragraph that starts at `from` (< text.n). An empty line ends it: nothing but white
// space between two line breaks (LF, CR LF or CR), and so does U+2029. The end lies behind all the white
// space around that, at the next paragraph's first character, or is text.n. White space at `from`
// belongs to the paragraph, so a text of nothing else is one. Time linear in what is passed over.
size_t on_next_paragraph(on_str16 text, size_t from);

#endif
