#include "score/entities.h"

#include <math.h>

bool on_entities_of_doc(on_labelled_list *list, uint32_t document, const on_doc *doc, on_error *error) {
  for (size_t i = 0; i < doc->ent_count; i++) {
    const on_span *entity = &doc->ents[i];
    on_labelled item = {.document = document, .start = doc->source_start[entity->first],
                        .end = doc->source_end[entity->end - 1], .label = entity->label, .score = entity->score};
    if (!on_labelled_add(list, item, error)) return false;
  }
  return true;
}

bool on_entities_evaluate(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                          size_t predicted_count, on_label_scores *out, on_error *error) {
  return on_labelled_score(gold, gold_count, predicted, predicted_count, -INFINITY, out, error);
}
