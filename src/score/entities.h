// Entity scores: exact span and label, over offsets in the text, so that any two tokenizations compare.
#ifndef ON_SCORE_ENTITIES_H
#define ON_SCORE_ENTITIES_H

#include "doc/doc.h"
#include "score/labelled.h"

// Appends the Doc's entities with their offsets in doc->source, which all units of one text share. Labels
// are borrowed from the Doc. False: out of memory.
bool on_entities_of_doc(on_labelled_list *list, uint32_t document, const on_doc *doc, on_error *error);

// As on_labelled_score, of all predicted entities whatever their scores.
bool on_entities_evaluate(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                          size_t predicted_count, on_label_scores *out, on_error *error);

#endif
