// Files of tests/fixtures/transformer under names of the test's own, as the host of a pipeline would open them.
#ifndef TESTS_UNIT_TRANSFORMER_FOLDER_H
#define TESTS_UNIT_TRANSFORMER_FOLDER_H

#include "base/source.h"
#include "fixture_file.h"

// A folder in memory.
typedef struct folder {
  struct {
    const char *name;
    on_str bytes;
    bool beside;
  } files[4];
  size_t count;
  char *blocks[4];
} folder;

static bool open_file(void *context, on_str name, bool beside, on_data_source *out, on_error *error) {
  folder *f = context;
  for (size_t i = 0; i < f->count; i++) {
    if (on_str_eq(name, on_str_c(f->files[i].name)) && beside == f->files[i].beside) {
      *out = on_data_bytes(&f->files[i].bytes);
      return true;
    }
  }
  return on_fail(error, ON_IO, -1, "there is no file '%.*s'", ON_SHOW(name));
}

static void add_file(folder *f, const char *name, const char *of, const char *end, bool beside) {
  size_t i = f->count++;
  f->blocks[i] = fixture_file(of, end, &f->files[i].bytes.n);
  f->files[i].bytes.p = f->blocks[i];
  f->files[i].name = name;
  f->files[i].beside = beside;
}

static void close_folder(folder *f) {
  for (size_t i = 0; i < f->count; i++) free(f->blocks[i]);
}

#endif
