// Docs of given tokens cut into annotation units (open point 9), as raw text is.
#ifndef ON_DOC_CUT_H
#define ON_DOC_CUT_H

#include "doc/doc.h"

typedef struct on_doc_cut {
  const on_doc *doc;
  size_t token;          // those before it are in units already
  size_t paragraph_end;  // in doc->source
} on_doc_cut;            // start with {doc}

// The next unit, tokens [*first, *end): a paragraph, or as much of it as ON_UNIT_WORDS allows, up to the last
// sentence start, else the last token, that cuts neither a multiword token nor an entity (where one is longer than
// a unit, it is cut). False: there are no tokens left.
bool on_doc_cut_next(on_doc_cut *cut, size_t *first, size_t *end);

// Tokens [first, end) as a Doc of their own. Everything but what must be counted anew (in part->arena, which is
// kept) is shared with `doc`, which must outlive it. Entities and spans that reach beyond are left out; heads
// that do become roots. Categories stay. False: out of memory.
bool on_doc_part(const on_doc *doc, size_t first, size_t end, on_doc *part);

#endif
