// Annotation units (open point 9) out of CoNLL-U sentences: what training and gold-token input give to the
// encoders as one document, cut by the same rule as raw text.
#ifndef ON_PIPELINE_UNITS_H
#define ON_PIPELINE_UNITS_H

#include "base/arena.h"
#include "doc/unit.h"
#include "format/conllu.h"

typedef struct on_unit {
  size_t first, end;     // sentences [first, end)
  size_t words;          // syntactic words in them
  bool paragraph_start;  // its first sentence starts a paragraph
} on_unit;

// True when a "# newpar" or "# newdoc" comment (with or without an id) stands at the sentence.
bool on_sentence_starts_paragraph(const on_conllu_sentence *sentence);

// True when `sentence` belongs to the unit that has `words` words so far (0: no unit yet), for callers that
// read sentence by sentence. max_words 0: ON_UNIT_WORDS.
bool on_unit_takes(size_t words, const on_conllu_sentence *sentence, size_t max_words);

// Groups consecutive sentences into units: a unit ends where a paragraph starts, or before the sentence that
// would take it past max_words (0: ON_UNIT_WORDS). A sentence is never cut, so one that is longer than
// max_words is a unit alone. The list lives in `arena`. False: out of memory.
bool on_units_from_sentences(on_arena *arena, const on_conllu_sentence *const *sentences, size_t count,
                             size_t max_words, on_unit **units, size_t *unit_count, on_error *error);

#endif
