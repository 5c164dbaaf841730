#include "base/source.h"

static int read_bytes(void *context, uint64_t offset, void *out, size_t size) {
  const on_str *bytes = context;
  memcpy(out, bytes->p + offset, size);
  return 1;
}

on_data_source on_data_bytes(const on_str *bytes) {
  // The context is only read; the cast takes away the const that a read function of other sources cannot have.
  return (on_data_source){.size = bytes->n, .context = (void *)(uintptr_t)bytes, .read = read_bytes};
}

bool on_data_read(const on_data_source *source, uint64_t offset, void *out, size_t size) {
  if (offset > source->size || size > source->size - offset) return false;
  return size == 0 || source->read(source->context, offset, out, size) != 0;
}
