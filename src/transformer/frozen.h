// The `transformer` encoder: an exported model in files of its own, which stays as it is.
#ifndef ON_TRANSFORMER_FROZEN_H
#define ON_TRANSFORMER_FROZEN_H

#include "encode/encode.h"
#include "transformer/settings.h"
#include "transformer/word_layers.h"
#include "transformer/words.h"

typedef struct on_frozen {
  on_transformer_settings settings;
  on_data_source source;  // of the model file; the token table is read from it
  on_onnx file;      // nothing but that source
  on_transformer transformer;
  on_piece_model *pieces;
  on_word_layers over;     // what is learned over its vectors
  const on_files *engine;  // computes the vectors in place of `transformer`, of which only the width is known; or NULL
} on_frozen;

extern const on_encoder_kind on_transformer_kind;

// Whether the model file has the hash that the settings say; without one there is nothing to check.
bool on_transformer_verify(const on_transformer_settings *settings, const on_data_source *source, on_error *error);

// Parts of the kind that `transformer-trainable` (trainable.h) shares, whose state begins with an on_frozen.
// Reads the settings (those of the layers over it, too) and the tokenizer, and opens the model's file.
bool on_frozen_open(on_frozen *frozen, on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path,
                    on_error *error);
// Loads *out from the model's graph, or its frame alone where no weights are wanted. *found, what the graph is, lies in
// `scratch`; of the graph nothing else stays: the token table is read through the file.
bool on_frozen_load(const on_frozen *frozen, bool weights, on_transformer *out, on_onnx_encoder *found,
                    on_arena *arena, on_arena *scratch, on_error *error);
// Whether the tokenizer and maxLength go with the model.
bool on_frozen_fits(const on_frozen *frozen, const char *path, on_error *error);
// out[doc->n][width]: the vectors of words before the layers over them. Scratch memory is the workspace's.
bool on_frozen_vectors(const on_encoder *encoder, on_workspace *workspace, const on_doc *doc, float *out,
                       on_error *error);
bool on_frozen_run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                   on_error *error);
bool on_frozen_run_many(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *const *docs,
                        size_t count, float *const *out, on_error *error);
bool on_frozen_verify(const on_encoder *encoder, on_error *error);

#endif
