// Annotating JSON Lines: each line is a text of its own, whose tokens are kept where it gives some.
#ifndef ON_PIPELINE_EXAMPLES_H
#define ON_PIPELINE_EXAMPLES_H

#include "doc/cut.h"
#include "format/jsonl.h"
#include "pipeline/pipeline.h"

typedef struct on_example_run {
  const on_pipeline *pipeline;
  on_workspace *workspace;
  const uint8_t *components;
  on_jsonl_reader *reader;
  on_doc example;        // the line being annotated: its text is example.source
  bool open;             // it has not ended yet
  bool no_tokens;        // it gives no tokens: it is annotated as raw text
  bool first;            // the unit is its first one
  bool paragraph_start;  // the unit starts a paragraph
  bool again;            // the unit failed
  on_doc_cut cut;        // of given tokens
  on_text_sums sums;
  on_text_run text;      // of a line without tokens
} on_example_run;

typedef enum on_example_step {
  ON_EXAMPLE_ERROR = -1,
  ON_EXAMPLES_END = 0,
  ON_EXAMPLE_UNIT = 1,  // a unit is in the Doc
  ON_EXAMPLE_DONE = 2   // the line has no further units (it may have had none)
} on_example_step;

// All but `run` is borrowed until on_example_end, which is also to be called after a failure.
bool on_example_begin(on_example_run *run, const on_pipeline *pipeline, on_workspace *workspace,
                      const uint8_t *components, on_str bytes, on_error *error);
// Annotates the next unit into *doc (initialised; it may share memory with run->example until the next call).
// Entities, spans and categories of the line are not kept: the Doc has what the pipeline says. Offsets are those
// in the line's text. Units of given tokens are cut as on_doc_cut_next does. Behind a failure that was not in reading,
// another call tries the same unit again.
on_example_step on_example_next(on_example_run *run, on_doc *doc, on_error *error);
void on_example_end(on_example_run *run);

#endif
