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

enum {
  ON_MAX_ENCODERS = 64,
  ON_MAX_COMPONENTS = 1024,
  ON_MAX_CONFIG_DEPTH = 32,
  ON_MAX_SETTINGS = 64,          // of a builtin
  ON_MAX_SETTING_UNITS = 256,    // UTF-16 units of a setting's name and of its value
  ON_MAX_PARAM_NAME = 96         // bytes of "encoder<i>." and a parameter's name, with the final NUL
};

typedef struct on_builtin_kind on_builtin_kind;      // builtin.h
typedef struct on_tokenizer_kind on_tokenizer_kind;  // tokenizer.h

typedef enum on_component_type { ON_COMPONENT_HEAD, ON_COMPONENT_BUILTIN } on_component_type;

typedef struct on_component {
  on_str name;
  on_component_type type;
  uint32_t encoder;                 // heads: index in encoders
  on_head head;                     // heads
  size_t sums_at;                   // heads that judge a whole text: their place among its sums
  const on_builtin_kind *builtin;   // builtins
  const on_segmentation *data;      // the sentencizer's settings
} on_component;

// A tokenizer that is trained (segmenter, mwt) reads an encoder of the pipeline and has a head of its own,
// whose weights are numbered before the components' heads.
typedef struct on_tokenizer {
  const on_tokenizer_kind *kind;
  const on_segmentation *data;      // of uax, also as the inner tokenizer of mwt
  on_plain_words plain;             // those of data
  bool trained;
  uint32_t encoder;                 // trained: index in encoders
  on_head head;                     // trained
  const on_tokenizer_kind *inner;   // mwt: rule or uax
  uint32_t min_cut_percent;         // mwt
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
  size_t sum_count;                 // numbers that heads sum up over a text's units (text_sums.h)
  on_meta *meta;                    // __metadata__ of the checkpoint
  size_t meta_count;
} on_pipeline;

// Loads a pipeline file. Weights stay views into `file`, which the caller keeps alive and unchanged until
// on_pipeline_free. Checks everything that saved-pipelines.md says; ON_INVALID_DATA or ON_UNSUPPORTED.
// On failure the pipeline is empty and needs no on_pipeline_free.
bool on_pipeline_load(on_pipeline *pipeline, on_str file, on_error *error);
// The same for a pipeline that may name files of its own. `files` (may be NULL) must outlive the pipeline.
bool on_pipeline_load_with(on_pipeline *pipeline, on_str file, const on_files *files, on_error *error);

// Builds the structure from a config text alone: the parameters are declared, their data is NULL. For
// training, which then sets the data and calls on_pipeline_prepare. On failure as on_pipeline_load.
bool on_pipeline_from_config(on_pipeline *pipeline, on_str config, on_error *error);
bool on_pipeline_from_config_with(on_pipeline *pipeline, on_str config, const on_files *files, on_error *error);
// Calls prepare of every encoder and head (memory from the pipeline's arena).
bool on_pipeline_prepare(on_pipeline *pipeline, on_error *error);

// Appends the config that describes the pipeline, from its live structure.
void on_pipeline_write_config(const on_pipeline *pipeline, on_buf *out);
// Appends the whole file: config, weights of every parameter under its full name, metadata. What was loaded
// from such a file is saved as the same bytes.
bool on_pipeline_save(const on_pipeline *pipeline, const on_meta *meta, size_t meta_count, on_buf *out,
                      on_error *error);

// Checks the files that encoders name against the hashes that the config gives for them.
bool on_pipeline_verify_files(const on_pipeline *pipeline, on_error *error);

void on_pipeline_free(on_pipeline *pipeline);

// Calls visit(context, full_name, param) for every parameter in file order: "encoder0.mix.weight", ...
// Stops and returns false when visit does.
bool on_pipeline_each_param(const on_pipeline *pipeline,
                            bool (*visit)(void *context, const char *full_name, on_param *param), void *context);

// The config of a component's head (with its "labels"), or NULL.
const on_json *on_pipeline_head_config(const on_pipeline *pipeline, size_t component);
// "tagger", "sentencizer", ...
on_str on_component_kind_name(const on_component *component);
// True for what decides where sentences start: it is left out where the caller gives the sentences.
bool on_component_sets_sentences(const on_component *component);
// The data set of the pipeline's sentencizer, else that of its language: where long paragraphs are cut.
const on_segmentation *on_pipeline_sentence_data(const on_pipeline *pipeline);

// Runs the components (those whose byte in `components` is not 0, or all when it is NULL) over a Doc whose
// tokens and sentence starts are there. Each encoder runs once at most. Where a `senter` runs, sentencizers
// do not. A pipeline without either leaves the sentence starts as they are. Heads that judge a whole text
// judge this Doc alone; text_sums.h goes on from there.
bool on_pipeline_run(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components, on_doc *doc,
                     on_error *error);

// Whether an encoder that these components read takes several Docs at once for less than one by one.
bool on_pipeline_encodes_together(const on_pipeline *pipeline, const uint8_t *components);
// The vectors of these encoders for Docs whose tokens are there: [count][encoder_count], rows for workspace->ahead, in
// `arena` (which is reset). NULL: it failed; on_pipeline_run then says why.
struct on_vectors *on_pipeline_encode(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                                      const on_doc *const *docs, size_t count, on_arena *arena);

// Lays out a Doc (reset before) over text[start, end) from the words of one unit, with the multiword tokens
// and the respelling of data-formats.md. `text` and strings of the pieces' data set are borrowed, strings of
// their arena are copied; pieces[i].surface need not start at 0.
bool on_doc_from_pieces(on_doc *doc, on_str16 text, uint32_t start, uint32_t end, const on_piece *pieces, size_t n,
                        on_error *error);

// What heads that judge a whole text have summed up over its units so far (text_sums.h).
typedef struct on_text_sums {
  double *values;  // [pipeline->sum_count]; NULL: no unit yet
} on_text_sums;    // a zeroed one is empty

// A text on its way through the pipeline, unit by unit (open point 9).
typedef struct on_text_run {
  const on_pipeline *pipeline;
  on_workspace *workspace;
  const uint8_t *components;
  on_str16 text;          // borrowed
  size_t done;            // units before this offset were returned
  bool paragraph_start;   // the unit that on_text_next returned last starts a paragraph
  size_t at;              // units before this offset are cut
  bool opens_paragraph;   // the unit that starts there starts a paragraph
  bool again;             // that unit failed; its words are there
  size_t paragraph_end;   // of the paragraph that is being worked on
  size_t window_end;      // of the part of it whose words are in `pieces`
  on_arena arena;
  on_pieces pieces;       // of that window, `piece` of them done
  size_t piece;
  uint8_t *sent_start;    // of those pieces, by the sentencizer's data: where a unit may be cut
  on_text_sums sums;      // of the units so far
  // Where encoders take several Docs at once, some units are cut and encoded together: units[ahead, ahead_count) were
  // not returned yet.
  bool looks_ahead;
  struct on_unit_ahead *units;
  size_t ahead, ahead_count;
  on_arena ahead_arena;
  const struct on_vectors *vectors;  // [ahead_count][encoder_count] in ahead_arena; NULL: not encoded
} on_text_run;

// `components` as for on_pipeline_run; all three are borrowed until on_text_end.
void on_text_begin(on_text_run *run, const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                   on_str16 text);
// Annotates the next unit into *doc (initialised; reset here). 1: a unit, 0: the text has ended, -1: error; another
// call tries the same unit again.
// A unit without tokens (white space only) is returned too when it is the whole text.
int on_text_next(on_text_run *run, on_doc *doc, on_error *error);
void on_text_end(on_text_run *run);

#endif
