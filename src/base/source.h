// A file that stays where it is (memory, a mapped file, a descriptor, a Blob) and is read piece by piece.
#ifndef ON_BASE_SOURCE_H
#define ON_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"

typedef struct on_data_source {
  uint64_t size;
  void *context;
  // Copies size bytes from `offset` on. Only asked for what lies inside the file. 0: reading failed. (The type is
  // that of onenlp_file in onenlp.h.)
  int (*read)(void *context, uint64_t offset, void *out, size_t size);
} on_data_source;

// A source over bytes, which must outlive it.
on_data_source on_data_bytes(const on_str *bytes);
// Reads, or returns false where the extent lies outside the file or reading fails.
bool on_data_read(const on_data_source *source, uint64_t offset, void *out, size_t size);

// Where the files are that a pipeline names.
typedef struct on_files {
  void *context;
  // Opens a file for as long as the pipeline lives. `beside`: the name is looked up where the pipeline file is. False
  // where there is none, or no such place; *error says why.
  bool (*open)(void *context, on_str name, bool beside, on_data_source *out, on_error *error);
  // For models whose graphs are not known here; NULL: nobody computes them. As in onenlp.h.
  uint32_t (*engine)(void *context, on_str name, bool beside);
  int (*encode)(void *context, on_str name, bool beside, const uint32_t *ids, const uint32_t *windows, size_t count,
                float *out);
} on_files;

#endif
