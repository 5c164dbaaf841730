// A file of tests/fixtures/transformer.
#ifndef TESTS_UNIT_TRANSFORMER_FIXTURE_FILE_H
#define TESTS_UNIT_TRANSFORMER_FIXTURE_FILE_H

#include "test.h"

// Free it.
static char *fixture_file(const char *name, const char *end, size_t *size) {
  char relative[200], path[1200];
  snprintf(relative, sizeof relative, "tests/fixtures/transformer/%s%s", name, end);
  return test_read_file(test_source_path(path, sizeof path, relative), size);
}

#endif
