// The `transformer-trainable` encoder: the layers of an exported model as parameters of the pipeline. Its token table
// stays in the model's file and is not trained.
#ifndef ON_TRANSFORMER_TRAINABLE_H
#define ON_TRANSFORMER_TRAINABLE_H

#include "transformer/frozen.h"
#include "transformer/trainable_settings.h"

typedef struct on_trainable_layer {
  on_param *qkv, *qkv_bias;  // queries, keys, values: [3 * width][width]; biases are NULL where the model has none
  on_param *out, *out_bias;
  on_param *up, *up_bias;    // [inner][width]; modernbert: [2 * inner][width], activation first, then gates
  on_param *down, *down_bias;
  on_param *attention_gain, *attention_bias;  // gain NULL: no normalization (first layer of modernbert)
  on_param *feed_gain, *feed_bias;
} on_trainable_layer;

typedef struct on_trainable {
  on_frozen model;  // first: what runs a frozen encoder runs this one. Its weights are packed from the parameters
  on_trainable_settings settings;
  on_param *positions;  // postnorm: [position_count][width], the row of token types added; else NULL
  on_param *embedding_gain, *embedding_bias;
  on_param *final_gain, *final_bias;  // modernbert, else NULL
  on_trainable_layer *layers;
} on_trainable;

extern const on_encoder_kind on_trainable_kind;

// Whether the layers' activation is the exact GELU, the one that is trained and exported; else ON_UNSUPPORTED.
bool on_trainable_has_gelu(const on_trainable *trainable, on_error *error);

#endif
