// Settings of the transformer kinds.
#ifndef ON_TRANSFORMER_SETTINGS_H
#define ON_TRANSFORMER_SETTINGS_H

#include "base/arena.h"
#include "format/json.h"

typedef struct on_transformer_settings {
  on_str model, tokenizer;  // names of files
  on_str sha256;            // of the model, or p NULL
  bool beside;              // the model lies beside the pipeline file
  bool mean;                // pooling: mean of a word's pieces; else the first
  uint32_t max_length;      // pieces in a window, with special tokens
} on_transformer_settings;

// Reads and checks; strings are copied into the arena.
bool on_transformer_settings_read(on_transformer_settings *out, on_arena *arena, const on_json *settings,
                                  const char *path, on_error *error);
// Appends the members, without braces.
void on_transformer_settings_write(const on_transformer_settings *settings, on_buf *out);

#endif
