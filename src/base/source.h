// A file that stays where it is (memory, a mapped file, a descriptor, a Blob) and is read piece by piece.
#ifndef ON_BASE_SOURCE_H
#define ON_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

typedef struct on_source {
  uint64_t size;
  void *context;
  // Copies size bytes from `offset` on. Only asked for what lies inside the file. False: reading failed.
  bool (*read)(void *context, uint64_t offset, void *out, size_t size);
} on_source;

// A source over bytes, which must outlive it.
on_source on_source_bytes(const on_str *bytes);
// Reads, or returns false where the extent lies outside the file or reading fails.
bool on_source_read(const on_source *source, uint64_t offset, void *out, size_t size);

#endif
