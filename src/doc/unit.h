// Annotation units (open point 9): raw text is annotated paragraph by paragraph; a unit has at most
// ON_UNIT_WORDS words, a longer paragraph is cut at the last sentence end, else at a token.
#ifndef ON_DOC_UNIT_H
#define ON_DOC_UNIT_H

#include "base/slice.h"

enum { ON_UNIT_WORDS = 512 };

// The end of the paragraph that starts at `from`: behind the line break (and the white space that
// follows) which ends an empty line, or text.n. White space before the first token belongs to the
// first paragraph. from < text.n.
size_t on_next_paragraph(on_str16 text, size_t from);

#endif
