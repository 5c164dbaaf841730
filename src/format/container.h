// The pipeline file's outermost layer: header, config text, weights (saved-pipelines.md, "Layout").
#ifndef ON_FORMAT_CONTAINER_H
#define ON_FORMAT_CONTAINER_H

#include "base/buffer.h"
#include "base/error.h"

#define ON_CONTAINER_HEADER 32
#define ON_MAX_CONFIG ((uint64_t)16 << 20)
#define ON_MAX_WEIGHTS ((uint64_t)1 << 30)

typedef struct on_container {
  on_str config;   // UTF-8 JSON, not yet checked; borrowed
  on_str weights;  // checkpoint image; borrowed
} on_container;

// Checks magic, version, flags, bounds and that the file length is exactly 32 + C + W.
bool on_container_read(on_str file, on_container *out, on_error *error);
// Appends a whole file. `config` is padded with spaces so that the weights start at a multiple of 64.
bool on_container_write(on_buf *out, on_str config, on_str weights, on_error *error);
// The place where the weights will start for a config of this length (a multiple of 64).
uint64_t on_container_weights_offset(size_t config_length);

#endif
