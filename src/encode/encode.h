// Encoders: from the tokens of a Doc to one vector per token. A kind is one file and one row of the
// registry; its training half stands in src/train under the same file name.
#ifndef ON_ENCODE_ENCODE_H
#define ON_ENCODE_ENCODE_H

#include "base/source.h"
#include "doc/doc.h"
#include "format/json.h"
#include "nn/param.h"
#include "nn/workspace.h"

// Bounds of the format: rows of a table, values of all tables of an encoder, values of a matrix of its layers.
#define ON_MAX_TABLE_ROWS 4194304
#define ON_MAX_TABLE_VALUES 33554432u
#define ON_MAX_MATRIX_VALUES 67108864u

typedef struct on_encoder on_encoder;

typedef struct on_encoder_kind {
  const char *name;
  // Reads the settings (every one is checked; errors name `path`, e.g. "encoders[0].settings"), declares
  // the parameters in file order, sets width and state. All memory is the arena's.
  bool (*create)(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error);
  // Appends the settings as a JSON object; optional ones only where they differ from their defaults.
  void (*write_settings)(const on_encoder *encoder, on_buf *out);
  // Called once the parameters have data (and again whenever they changed): packs matrices.
  bool (*prepare)(on_encoder *encoder, on_arena *arena, on_error *error);
  // out[doc->n][width]. `cache` is the encoder's slot in the workspace. Fails only without memory.
  bool (*run)(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
              on_error *error);
  // Checks the files that the settings name against the hashes that they give; NULL: the kind has no files.
  bool (*verify)(const on_encoder *encoder, on_error *error);
} on_encoder_kind;

struct on_encoder {
  const on_encoder_kind *kind;
  uint32_t width;
  on_params params;
  void *state;  // the kind's own, in the arena
  // out[i][docs[i]->n][width]: what the kind's `run` gives for each Doc, with the same bits, where several at once cost
  // less than one by one; else NULL. Set by `create`.
  bool (*run_many)(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *const *docs,
                   size_t count, float *const *out, on_error *error);
  const on_files *files;  // where files of its own are, or NULL; set before `create`
};

const on_encoder_kind *on_encoder_kind_find(on_str name);
const on_encoder_kind *on_encoder_kind_at(size_t i);  // NULL at the end

#endif
