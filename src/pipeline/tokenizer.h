// Tokenizer kinds as a pipeline's config names them. A kind is one row of the registry.
#ifndef ON_PIPELINE_TOKENIZER_H
#define ON_PIPELINE_TOKENIZER_H

#include "pipeline/pipeline.h"

struct on_tokenizer_kind {
  const char *name;
  // Reads the config's "tokenizer" object; the pipeline's encoders are there already.
  bool (*create)(on_tokenizer *tokenizer, on_pipeline *pipeline, const on_json *config, on_error *error);
  // Appends the members that follow "kind", each with ", " before it; NULL: there are none.
  void (*write_members)(const on_tokenizer *tokenizer, on_buf *out);
  // Splits text[from, to) into words; results live in `arena`.
  bool (*split)(const on_pipeline *pipeline, on_workspace *workspace, on_arena *arena, on_str16 text, size_t from,
                size_t to, on_pieces *out, on_error *error);
};

const on_tokenizer_kind *on_tokenizer_kind_find(on_str name);
const on_tokenizer_kind *on_tokenizer_kind_at(size_t i);  // NULL at the end

#endif
