// Annotating what is tokenized already: CoNLL-U in, the same tokens and sentences out with the columns filled.
#ifndef ON_PIPELINE_GOLD_H
#define ON_PIPELINE_GOLD_H

#include "format/conllu.h"
#include "pipeline/pipeline.h"

// What the file says of the unit's tokens; owned by the Doc that was made of them.
typedef struct on_gold_columns {
  on_str *lemma, *pos, *tag, *morph, *dep;
  uint32_t *head;
  bool has_ents;
  on_span *ents;
  size_t ent_count;
} on_gold_columns;

typedef struct on_gold_run {
  const on_pipeline *pipeline;
  on_workspace *workspace;
  uint8_t *components;         // those asked for, less those that set sentence starts
  on_conllu_reader *reader;
  on_conllu_sentence *list;    // the unit's sentences, then one read ahead
  size_t count, cap;
  bool ahead;                  // list[count] is that one
  bool ended;
  bool paragraph_start;        // the unit starts a paragraph
  bool again;                  // the unit failed; its sentences are there
  on_text_sums sums;           // of the units so far
  on_gold_columns columns;     // of the unit
} on_gold_run;

// `bytes`, the pipeline and the workspace are borrowed until on_gold_end (also to be called after a failure);
// `components` (as for on_pipeline_run) is copied.
bool on_gold_begin(on_gold_run *run, const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                   on_str bytes, on_error *error);
// Reads the sentences of the next unit (units.h) into run->list[0, count) and annotates *doc (initialised; reset
// here), whose columns are those that the pipeline set and no others; its source is the unit's own text.
// 1: a unit, 0: the end, -1: error; where that was not in reading, another call tries the same unit again.
int on_gold_next(on_gold_run *run, on_doc *doc, on_error *error);
// Puts the Doc's columns into run->list; tokens, comments, MISC (but for entities, where the pipeline has some)
// and empty nodes stay. A column that the pipeline does not set stays as read, or becomes "_" with `only_tokens`,
// and so does DEPS. The strings live until the next call of on_gold_next.
bool on_gold_fill(on_gold_run *run, const on_doc *doc, bool only_tokens, on_error *error);
// Gives *doc, which on_gold_next filled, the file's own columns and entities where the pipeline set none. To be
// called after on_gold_fill, which must not take them for the pipeline's (a HEAD "_" would become 0).
void on_gold_keep(const on_gold_run *run, on_doc *doc);
void on_gold_end(on_gold_run *run);

#endif
