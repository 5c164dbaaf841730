// Settings of `transformer-trainable` beside those that it shares with `transformer`. The exported model says most of
// them too: what is absent is taken from there, what is given must be the same.
#ifndef ON_TRANSFORMER_TRAINABLE_SETTINGS_H
#define ON_TRANSFORMER_TRAINABLE_SETTINGS_H

#include "format/json.h"
#include "transformer/model.h"

typedef struct on_trainable_settings {
  on_transformer_family family;
  uint32_t heads;
  uint32_t global_every;             // modernbert: layers 0, global_every, 2 * global_every, ... see all tokens,
  uint32_t local_window;             // the others local_window / 2 on each side
  double theta_global, theta_local;  // modernbert: an angle falls by theta^(-2 / head size) from pair to pair
  float epsilon;                     // of all normalizations
  uint32_t position_offset;          // postnorm: row of the first token in the model's table of positions
  uint32_t max_pieces;               // maxBatchPieces: more are not held in training at a time
} on_trainable_settings;

// `model` is the frame of the graph, whose position table starts at row `position_offset`. ON_INVALID_DATA names a
// setting that is out of range or not the model's, ON_UNSUPPORTED what the settings cannot say of the model.
bool on_trainable_settings_read(on_trainable_settings *out, const on_json *settings, const on_transformer *model,
                                uint32_t position_offset, const char *path, on_error *error);

// The first member with its comma, which stands before the shared ones, and the others, which stand behind.
void on_trainable_settings_write_family(const on_trainable_settings *settings, on_buf *out);
void on_trainable_settings_write(const on_trainable_settings *settings, on_buf *out);

#endif
