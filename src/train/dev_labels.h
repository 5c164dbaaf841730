// Entities, categories and spans on the dev set.
#ifndef ON_TRAIN_DEV_LABELS_H
#define ON_TRAIN_DEV_LABELS_H

#include "doc/doc.h"

// Counts for F1: 2 * correct, and gold + system. Nothing where either Doc is not annotated with it.
typedef struct on_dev_count {
  uint64_t *right, *all;
} on_dev_count;

void on_dev_compare_entities(const on_doc *gold, const on_doc *system, on_dev_count count);
// Of the groups that both have.
void on_dev_compare_spans(const on_doc *gold, const on_doc *system, on_dev_count count);
// One category a text: whether the best one is right (2 for a text). Several (the gold does not have exactly one):
// those of at least ON_CATEGORY_THRESHOLD, as for F1. `system` is the last unit of its text.
void on_dev_compare_cats(const on_doc *gold, const on_doc *system, on_dev_count count);

#endif
