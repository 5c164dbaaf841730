// The Doc: a text, its tokens as columns, and what was annotated on them.
//
// One token is one syntactic word. All memory lives in the Doc's arena, except texts and label
// strings that are borrowed (see each field); one on_doc_free frees all.
#ifndef ON_DOC_DOC_H
#define ON_DOC_DOC_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

// A multiword token: `count` >= 1 words from `first` on are written as one surface token.
// (count 1 occurs where a treebank's word is written otherwise than its surface form.)
typedef struct on_mwt {
  uint32_t first, count;
  uint32_t source_start, source_end;  // the surface form, in doc->source
  on_str form;                        // the surface form, UTF-8
} on_mwt;

// A labelled run of tokens: an entity or a member of a span group.
typedef struct on_span {
  uint32_t first, end;  // tokens [first, end)
  on_str label;
  float score;          // probability; 1 for gold
} on_span;

typedef struct on_span_group {
  on_str name;
  on_span *spans;
  size_t count;
} on_span_group;

typedef struct on_cat {
  on_str label;
  float score;
} on_cat;

typedef struct on_doc {
  on_arena arena;

  on_str16 source;  // the caller's text that this unit is a part of (whole text; borrowed or in the arena)
  uint32_t unit_start, unit_end;  // the part of `source` that this Doc covers, white space included
  on_str16 text;    // Doc.Text: what encoders read. Equals source[unit_start, unit_end) unless `respelled`
  bool respelled;   // text differs: some multiword token is spelled by its words, or white space was
                    // made single blanks (data-formats.md); source_start/source_end lead back

  size_t n;         // tokens. All columns below have n elements, or are NULL when nobody set them
  uint32_t *start, *end;                // token i is text[start[i], end[i]), never empty
  uint32_t *source_start, *source_end;  // the same in `source`; words that share a surface form that
                                        // cannot be divided all have its whole extent
  uint8_t *sent_start;                  // 1: a sentence starts here; never NULL when n > 0; [0] is 1
  bool has_sents;                       // somebody said where sentences start; else only [0] is set
  on_str *form;   // the word's own FORM where it is not its slice of the text (p NULL: the slice)
  on_str *lemma, *pos, *tag, *morph, *dep;  // UTF-8; p NULL: not set. Borrowed from label sets or in the arena
  uint32_t *head; // index in this Doc; its own index: a root
  on_mwt *mwts;   // in order
  size_t mwt_count;

  bool has_ents;  // annotated with entities, even if there are none
  on_span *ents;  // in order, not overlapping
  size_t ent_count;
  on_span_group *groups;
  size_t group_count;
  on_cat *cats;  // NULL: not annotated; of a text in several units: those of the units so far
  size_t cat_count;
  double *text_sums;  // what heads that judge the whole text sum up over its units (pipeline/text_sums.h)
} on_doc;

void on_doc_init(on_doc *doc);
void on_doc_free(on_doc *doc);
// Empties the Doc for reuse (keeps its largest block of memory).
void on_doc_reset(on_doc *doc);

// Allocates start, end, source_start, source_end and sent_start for n tokens (contents undefined,
// sent_start zeroed but for [0]); the other columns stay NULL. False when out of memory.
bool on_doc_set_tokens(on_doc *doc, size_t n);

// Makes sure that a string column exists (all p NULL). Pass &doc->lemma etc. False: out of memory.
bool on_doc_column(on_doc *doc, on_str **column);

// Appends `count` categories with contents undefined. NULL: out of memory.
on_cat *on_doc_add_cats(on_doc *doc, size_t count);
// The span group of that name, or NULL. on_doc_add_group appends an empty one; the name is borrowed; NULL: out
// of memory.
on_span_group *on_doc_group(const on_doc *doc, on_str name);
on_span_group *on_doc_add_group(on_doc *doc, on_str name);

// Forgets what was annotated on the tokens: columns, entities, span groups, categories. Sentence starts stay.
void on_doc_clear_labels(on_doc *doc);

static inline on_str16 on_doc_token(const on_doc *doc, size_t i) {
  return on_str16_sub(doc->text, doc->start[i], doc->end[i]);
}

// The end (exclusive) of the sentence that starts at token `first`.
size_t on_doc_sentence_end(const on_doc *doc, size_t first);

// The word's FORM as UTF-8: its own form, or its slice converted into `arena`.
on_str on_doc_form(const on_doc *doc, size_t i, on_arena *arena);

#endif
