// Example alignment (data-formats.md): a predicted and a reference Doc of the same text, tokenized differently.
#ifndef ON_DOC_ALIGN_H
#define ON_DOC_ALIGN_H

#include "doc/doc.h"

#define ON_UNALIGNED UINT32_MAX

// The tokens that have characters left when white space is removed (only given tokens can be nothing but
// white space), and which of the remaining, case-folded characters they cover: [start, end).
typedef struct on_aligned_side {
  size_t n;
  uint32_t *token;  // index in the Doc
  uint32_t *start, *end;
} on_aligned_side;

typedef struct on_alignment {
  on_arena arena;
  on_aligned_side predicted, reference;
  // For each token of the Doc the only token of the other Doc that its range overlaps, or ON_UNALIGNED.
  uint32_t *to_reference;  // by predicted token
  uint32_t *to_predicted;  // by reference token
  // The overlapped tokens are reference.token[first .. end) (all of them, for whoever wants more than one).
  uint32_t *first, *end;  // by predicted token; first == end: none
} on_alignment;

// Aligns two Docs, in time linear in their texts. The texts (Doc.Text) must be equal after white space is
// removed and case is ignored (full case folding: "ß" equals "SS"); where they are not, but one of them is
// respelled, the sources are compared instead, and words that share a surface form all cover its range.
// ON_INVALID_ARGUMENT with the offset in the predicted text where they part, or out of memory. *out need not be
// initialised; after a failure there is nothing to free.
bool on_align(on_alignment *out, const on_doc *predicted, const on_doc *reference, on_error *error);
void on_alignment_free(on_alignment *alignment);

// GetAligned: out[i] (one per predicted token) is the reference column's value when predicted token i
// overlaps exactly one reference token, else p NULL. `column` may be NULL: nothing is set.
void on_get_aligned(const on_alignment *alignment, const on_doc *predicted, const on_str *column, on_str *out);
// The same for heads: the head is given as predicted token, when the reference head, too, overlaps exactly
// one predicted token; else ON_UNALIGNED. A root is its own head.
void on_get_aligned_heads(const on_alignment *alignment, const on_doc *predicted, const uint32_t *heads,
                          uint32_t *out);

// GetAlignedEntities, for any list of reference spans: those whose two edges are edges of predicted tokens,
// as spans of predicted tokens, in the order of the list. `out` has room for `count`; labels are borrowed.
// Returns how many there are.
size_t on_get_aligned_spans(const on_alignment *alignment, const on_span *spans, size_t count, on_span *out);

#endif
