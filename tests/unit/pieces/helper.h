/* Loading the tokenizers of tests/fixtures/pieces. */
#ifndef ONENLP_TESTS_PIECES_HELPER_H
#define ONENLP_TESTS_PIECES_HELPER_H

#include "base/alloc.h"
#include "pieces/pieces.h"
#include "test.h"
#include "text/utf.h"

static inline char *fixture(const char *name, size_t *n) {
  char relative[128], path[1024];
  snprintf(relative, sizeof relative, "tests/fixtures/pieces/%s.json", name);
  return test_read_file(test_source_path(path, sizeof path, relative), n);
}

static inline on_piece_model *load_fixture(const char *name, on_arena *arena) {
  size_t n;
  char *json = fixture(name, &n);
  on_piece_model *model;
  on_error error = {0};
  if (!on_piece_model_load(&model, arena, (on_str){json, n}, &error)) fail_msg("%s: %s", name, error.text);
  free(json);
  return model;
}

#endif
