// Tokens of a text that JSON Lines gives without any (data-formats.md: the pipeline's tokenizer).
#ifndef ON_PIPELINE_TOKENIZE_DOC_H
#define ON_PIPELINE_TOKENIZE_DOC_H

#include "pipeline/pipeline.h"

typedef struct on_doc_tokenizer {
  const on_pipeline *pipeline;
  on_workspace *workspace;
} on_doc_tokenizer;

// An on_jsonl_tokenizer; `context` is an on_doc_tokenizer.
bool on_tokenize_doc(void *context, on_doc *doc, on_error *error);

// An on_jsonl_tokenizer that makes a token of every character, so that no span or entity is misaligned; `context`
// is NULL, or a bool that becomes true.
bool on_tokenize_characters(void *context, on_doc *doc, on_error *error);

// A pipeline that has a tokenizer and nothing else: `tokenizer` as in a config, or NULL for that of
// Pipeline.Blank, `uax` with the data set of the language. Free with on_pipeline_free.
bool on_pipeline_blank(on_pipeline *pipeline, on_str language, const on_json *tokenizer, on_error *error);

// Puts the entities and spans of `from` on the tokens of `doc`, both of the same source; what lies across the
// edge of a token is left out, or, with `mark`, becomes an entity without a label over the tokens that it
// touches, which teaches nothing. Categories and labels are borrowed from `from`. False: out of memory.
bool on_move_labels(on_doc *doc, const on_doc *from, bool mark);

#endif
