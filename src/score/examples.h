// Scores of entities, categories and spans over examples of JSON Lines.
#ifndef ON_SCORE_EXAMPLES_H
#define ON_SCORE_EXAMPLES_H

#include "base/map.h"
#include "doc/doc.h"
#include "score/labelled.h"

typedef struct on_scored_cat {
  uint32_t document, label;
  float score;
} on_scored_cat;

typedef struct on_scored_group {
  on_str name;
  bool predicted;
  float threshold;
  on_labelled_list gold, system;
} on_scored_group;

// Collects examples, one after another. A zeroed one is empty.
typedef struct on_example_scores {
  on_arena arena;        // owns the strings
  on_map names;          // strings that are there already
  on_str *name_list;
  size_t name_count, name_cap;
  uint32_t documents;
  bool gold_entities, system_entities;
  on_labelled_list gold_ents, system_ents;
  on_scored_group *groups;
  size_t group_count, group_cap;
  on_scored_cat *gold_cats, *system_cats;   // by document
  size_t gold_cat_count, gold_cat_cap, system_cat_count, system_cat_cap;
  uint32_t cat_documents;  // that are annotated with categories
  bool multi_label;        // some document does not have exactly one category, or the caller knows
} on_example_scores;

// A document: its gold Doc, then what the system made of it, unit by unit. Only what the gold document is
// annotated with is compared, by offsets in the source, so the tokens may differ. Categories are those of the last
// unit that has any. False: out of memory.
bool on_example_scores_gold(on_example_scores *scores, const on_doc *gold, on_error *error);
bool on_example_scores_system(on_example_scores *scores, const on_doc *gold, const on_doc *unit, on_error *error);

// The threshold of a span group (0.5 where it is not said): what lies below it was only given to find the best.
bool on_example_scores_threshold(on_example_scores *scores, on_str group, float threshold, on_error *error);

// Appends a table, or one JSON object with its line end: documents, entities, cats and spans by group; null (in
// the table "-") where gold or system have none. False: out of memory, or a score that is not a number.
bool on_example_scores_write(on_example_scores *scores, bool json, on_buf *out, on_error *error);
void on_example_scores_free(on_example_scores *scores);

#endif
