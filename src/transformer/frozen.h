// The `transformer` encoder: an exported model in files of its own, which stays as it is.
#ifndef ON_TRANSFORMER_FROZEN_H
#define ON_TRANSFORMER_FROZEN_H

#include "encode/encode.h"
#include "transformer/settings.h"
#include "transformer/words.h"

typedef struct on_frozen {
  on_transformer_settings settings;
  on_data_source source;  // of the model file; the token table is read from it
  on_onnx file;      // nothing but that source
  on_transformer transformer;
  on_piece_model *pieces;
} on_frozen;

extern const on_encoder_kind on_transformer_kind;

// Whether the model file has the hash that the settings say; without one there is nothing to check.
bool on_transformer_verify(const on_transformer_settings *settings, const on_data_source *source, on_error *error);

#endif
