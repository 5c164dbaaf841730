// Encoder files, which only onenlp.transformer.wasm can read: JavaScript has opened them before and reads them when it
// is asked to, and can have graphs computed that the module does not know. These functions are all that the module
// imports beside the notice of memory growth.
#include "onenlp.h"

#define HOST(name) __attribute__((import_module("onenlp"), import_name(name)))

// The number of a file by its name, and its size in *size; -1: there is none.
HOST("open") int onenlp_host_open(const char *name, size_t name_size, int beside, double *size);
// Copies a part of a file into memory; 0 on failure.
HOST("read") int onenlp_host_read(int file, double offset, void *out, size_t size);
// As in onenlp_files.
HOST("engine") uint32_t onenlp_host_engine(const char *name, size_t name_size, int beside);
HOST("encode") int onenlp_host_encode(const char *name, size_t name_size, int beside, const uint32_t *ids,
                                      const uint32_t *windows, size_t count, float *out);

// A file's number is its context.
static int read_file(void *context, uint64_t offset, void *out, size_t size) {
  return onenlp_host_read((int)(intptr_t)context, (double)offset, out, size);
}

static int open_file(void *context, const char *name, size_t name_size, int beside, onenlp_file *file) {
  (void)context;
  double size = 0;
  int number = onenlp_host_open(name, name_size, beside, &size);
  if (number < 0) return 0;
  *file = (onenlp_file){.size = (uint64_t)size, .context = (void *)(intptr_t)number, .read = read_file};
  return 1;
}

static uint32_t engine(void *context, const char *name, size_t name_size, int beside) {
  (void)context;
  return onenlp_host_engine(name, name_size, beside);
}

static int encode(void *context, const char *name, size_t name_size, int beside, const uint32_t *ids,
                  const uint32_t *windows, size_t count, float *out) {
  (void)context;
  return onenlp_host_encode(name, name_size, beside, ids, windows, count, out);
}

// onenlp_load with the host's files.
onenlp_pipeline *onenlp_wasm_load(const void *bytes, size_t size, onenlp_ownership ownership, onenlp_error *error);
onenlp_pipeline *onenlp_wasm_load(const void *bytes, size_t size, onenlp_ownership ownership, onenlp_error *error) {
  static const onenlp_files files = {NULL, open_file, engine, encode};
  return onenlp_load_with_files(bytes, size, ownership, &files, error);
}
