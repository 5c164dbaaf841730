#include "format/container.h"

#include <inttypes.h>

enum { VERSION = 1 };

static const char magic[8] = {'O', 'N', 'E', 'N', 'L', 'P', 'P', 'L'};

static uint64_t read_le(const char *p, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | (unsigned char)p[i];
  return value;
}

bool on_container_read(on_str file, on_container *out, on_error *error) {
  *out = (on_container){0};
  if (file.n < sizeof magic || memcmp(file.p, magic, sizeof magic) != 0) {
    return on_fail(error, ON_INVALID_DATA, 0, "this is not a pipeline file (it does not start with ONENLPPL)");
  }
  if (file.n < ON_CONTAINER_HEADER) {
    return on_fail(error, ON_INVALID_DATA, (int64_t)file.n, "pipeline file: cut off in its header, %zu of %d bytes",
                   file.n, ON_CONTAINER_HEADER);
  }
  uint32_t version = (uint32_t)read_le(file.p + 8, 4), flags = (uint32_t)read_le(file.p + 12, 4);
  if (version != VERSION) {
    return on_fail(error, ON_UNSUPPORTED, 8, "pipeline file: has format version %" PRIu32 ", this build reads version %d",
                   version, VERSION);
  }
  if (flags != 0) {
    return on_fail(error, ON_UNSUPPORTED, 12, "pipeline file: has the flags 0x%08" PRIX32 ", this build knows none",
                   flags);
  }
  uint64_t config = read_le(file.p + 16, 8), weights = read_le(file.p + 24, 8);
  if (config > ON_MAX_CONFIG) {
    return on_fail(error, ON_INVALID_DATA, 16,
                   "pipeline file: declares a config of %" PRIu64 " bytes, at most %" PRIu64 " are allowed", config,
                   ON_MAX_CONFIG);
  }
  if (weights > ON_MAX_WEIGHTS) {
    return on_fail(error, ON_INVALID_DATA, 24,
                   "pipeline file: declares weights of %" PRIu64 " bytes, at most %" PRIu64 " are allowed", weights,
                   ON_MAX_WEIGHTS);
  }
  // Both are bounded, so the sum is far from 64 bits.
  if (ON_CONTAINER_HEADER + config + weights != file.n) {
    return on_fail(error, ON_INVALID_DATA, 16,
                   "pipeline file: has %zu bytes, but its header declares %" PRIu64 " (32 + config %" PRIu64
                   " + weights %" PRIu64 ")",
                   file.n, ON_CONTAINER_HEADER + config + weights, config, weights);
  }
  out->config = on_str_sub(file, ON_CONTAINER_HEADER, ON_CONTAINER_HEADER + (size_t)config);
  out->weights = on_str_sub(file, ON_CONTAINER_HEADER + (size_t)config, file.n);
  return true;
}

uint64_t on_container_weights_offset(size_t config_length) {
  return (ON_CONTAINER_HEADER + (uint64_t)config_length + 63) / 64 * 64;
}

bool on_container_write(on_buf *out, on_str config, on_str weights, on_error *error) {
  uint64_t padded = on_container_weights_offset(config.n) - ON_CONTAINER_HEADER;
  if (padded > ON_MAX_CONFIG) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1,
                   "pipeline file: the config has %" PRIu64 " bytes with its padding, at most %" PRIu64 " are allowed",
                   padded, ON_MAX_CONFIG);
  }
  if (weights.n > ON_MAX_WEIGHTS) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1,
                   "pipeline file: the weights have %zu bytes, at most %" PRIu64 " are allowed", weights.n,
                   ON_MAX_WEIGHTS);
  }
  on_buf_add(out, magic, sizeof magic);
  on_buf_u32le(out, VERSION);
  on_buf_u32le(out, 0);
  on_buf_u64le(out, padded);
  on_buf_u64le(out, weights.n);
  on_buf_str(out, config);
  for (uint64_t i = config.n; i < padded; i++) on_buf_char(out, ' ');
  on_buf_str(out, weights);
  return out->failed ? on_fail_memory(error) : true;
}
