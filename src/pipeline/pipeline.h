// Pipelines: tokenizer, encoders and components, loaded from a file, built from a config for training,
// saved, and run over texts.
#ifndef ON_PIPELINE_PIPELINE_H
#define ON_PIPELINE_PIPELINE_H

#include "doc/doc.h"
#include "encode/encode.h"
#include "format/checkpoint.h"
#include "head/head.h"
#include "nn/workspace.h"
#include "tokenize/tokenize.h"

// A builtin component: created by name, run on a Doc without vectors.
typedef struct on_builtin_kind on_builtin_kind;

typedef enum on_component_type { ON_COMPONENT_HEAD, ON_COMPONENT_BUILTIN } on_component_type;

typedef struct on_component {
  on_str name;
  on_component_type type;
  uint32_t encoder;                 // heads: index in encoders
  on_head head;                     // heads
  const on_builtin_kind *builtin;   // builtins
  const on_segmentation *data;      // the sentencizer's settings
} on_component;

typedef struct on_tokenizer {
  on_str kind;                      // "rule", "uax" (later "segmenter", "mwt")
  const on_segmentation *data;      // of uax
} on_tokenizer;

typedef struct on_pipeline {
  on_arena arena;
  on_json *config;                  // the parsed config; strings are borrowed from it
  on_str language;
  on_tokenizer tokenizer;
  on_encoder *encoders;
  size_t encoder_count;
  on_component *components;
  size_t component_count;
  on_meta *meta;                    // __metadata__ of the checkpoint
  size_t meta_count;
} on_pipeline;

// Loads a pipeline file. Weights stay views into `file`, which the caller keeps alive and unchanged until
// on_pipeline_free. Checks everything that saved-pipelines.md says; ON_INVALID_DATA or ON_UNSUPPORTED.
bool on_pipeline_load(on_pipeline *pipeline, on_str file, on_error *error);

// Builds the structure from a config text alone: the parameters are declared, their data is NULL. For
// training, which then sets the data and calls on_pipeline_prepare.
bool on_pipeline_from_config(on_pipeline *pipeline, on_str config, on_error *error);
// Calls prepare of every encoder and head (memory from the pipeline's arena).
bool on_pipeline_prepare(on_pipeline *pipeline, on_error *error);

// Appends the whole file: config, weights of every parameter under its full name, metadata.
bool on_pipeline_save(const on_pipeline *pipeline, const on_meta *meta, size_t meta_count, on_buf *out,
                      on_error *error);

void on_pipeline_free(on_pipeline *pipeline);

// Calls visit(context, full_name, param) for every parameter in file order: "encoder0.mix.weight", ...
// Stops and returns false when visit does.
bool on_pipeline_each_param(const on_pipeline *pipeline,
                            bool (*visit)(void *context, const char *full_name, on_param *param), void *context);

// Runs the components (those whose bit is set in `components`, or all when it is NULL: one byte each) over
// a Doc whose tokens and sentence starts are there. Each encoder runs once at most.
bool on_pipeline_run(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components, on_doc *doc,
                     on_error *error);

// A text on its way through the pipeline, unit by unit (open point 9).
typedef struct on_text_run {
  const on_pipeline *pipeline;
  on_workspace *workspace;
  const uint8_t *components;
  on_str16 text;          // borrowed
  size_t at;              // units before this offset are done
  bool paragraph_start;   // the unit that on_text_next returned last starts a paragraph
  size_t paragraph_end;   // of the paragraph that is being worked on
  on_arena arena;
  on_pieces pieces;       // of that paragraph, `piece` of them done
  size_t piece;
  uint8_t *sent_start;    // of those pieces, by the sentencizer's data: where a unit may be cut
} on_text_run;

void on_text_begin(on_text_run *run, const on_pipeline *pipeline, on_workspace *workspace, on_str16 text);
// Annotates the next unit into *doc (initialised; reset here). 1: a unit, 0: the text has ended, -1: error.
// A unit without tokens (white space only) is returned too when it is the whole text.
int on_text_next(on_text_run *run, on_doc *doc, on_error *error);
void on_text_end(on_text_run *run);

#endif
