// The `lemmatizer` head: one edit tree per token, applied to its form as it is (class r<tree>) or lower-cased (class
// l<tree>; with turkicCase by the Turkish rules), into the column Lemma. Exceptions come from a lexicon, if the config
// has one: its entry for the form and the token's XPOS (UPOS where there is no XPOS) goes before any tree.
#ifndef ON_HEAD_LEMMATIZER_H
#define ON_HEAD_LEMMATIZER_H

#include "head/edit_tree.h"
#include "head/head.h"
#include "head/labels.h"
#include "head/lexicon.h"
#include "head/output.h"

#define ON_MAX_LEMMATIZER_LABELS 262144u

typedef struct on_lemma_class {
  bool lower, turkic;  // lower-cased first; by the Turkish rules
  on_edit_tree tree;
} on_lemma_class;

typedef struct on_lemmatizer {
  bool turkic_case;
  on_labels labels;
  on_lemma_class *classes;
  on_lexicon lexicon;
  on_output output;
} on_lemmatizer;

extern const on_head_kind on_lemmatizer_kind;

// The tag by which the lexicon is read: XPOS, else UPOS, else the empty string.
on_str on_lemma_tag(const on_doc *doc, size_t i);

// The lemma that a class gives to a form, as UTF-8 in the arena; p NULL when the tree does not fit the form
// (or, with arena->failed, without memory).
on_str on_lemma_class_apply(const on_lemma_class *lemma_class, on_str16 form, on_arena *arena);

// Appends the class that gives this lemma to this form: of the two trees (form as it is, form lower-cased)
// the shorter one, the lower-cased one when they are equally long. False: no tree within the limits, or
// out of memory (out->failed).
bool on_lemma_class_build(on_buf *out, on_str16 form, on_str16 lemma, bool turkic);

#endif
