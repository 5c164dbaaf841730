// Builtin components: created by name, run on a Doc without vectors. A kind is one row of the registry.
#ifndef ON_PIPELINE_BUILTIN_H
#define ON_PIPELINE_BUILTIN_H

#include "pipeline/pipeline.h"

struct on_builtin_kind {
  const char *name;
  bool sets_sentences;
  // Reads the settings (NULL when there are none; number and lengths are checked already) into the
  // component; errors name `path`, e.g. "components[2].settings".
  bool (*create)(on_component *component, const on_pipeline *pipeline, const on_json *settings, const char *path,
                 on_error *error);
  void (*write_settings)(const on_component *component, on_buf *out);  // a JSON object; NULL: it has none
  bool (*run)(const on_component *component, on_workspace *workspace, on_doc *doc, on_error *error);
};

const on_builtin_kind *on_builtin_find(on_str name);
const on_builtin_kind *on_builtin_at(size_t i);  // NULL at the end

#endif
