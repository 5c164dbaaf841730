/* What every C test includes: cmocka, and the way to the test data. */
#ifndef ONENLP_TESTS_UNIT_TEST_H
#define ONENLP_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Writes the absolute path of a file of the repository. `path` holds `size` bytes. */
static inline const char *test_source_path(char *path, size_t size, const char *relative) {
  int length = snprintf(path, size, "%s/%s", TEST_SOURCE_DIR, relative);
  assert_true(length > 0 && (size_t)length < size);
  return path;
}

/* Writes the path of a file or folder of the data folder: ONENLP_DATA, else `data` in the
 * repository. Returns NULL where it does not exist, after saying so on standard error. */
static inline const char *test_data_path(char *path, size_t size, const char *relative) {
  const char *folder = getenv("ONENLP_DATA");
  int length = folder != NULL && folder[0] != '\0'
                   ? snprintf(path, size, "%s/%s", folder, relative)
                   : snprintf(path, size, "%s/data/%s", TEST_SOURCE_DIR, relative);
  assert_true(length > 0 && (size_t)length < size);
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "skipped: no %s (set ONENLP_DATA, or run tools/get-data)\n", path);
    return NULL;
  }
  fclose(file);
  return path;
}

/* As test_data_path, and the test ends as skipped where the file is missing. `path` is an array. */
#define TEST_DATA_OR_SKIP(path, relative)                                \
  do {                                                                   \
    if (test_data_path((path), sizeof(path), (relative)) == NULL) skip(); \
  } while (0)

/* Reads a whole file, with a NUL byte after its end that `*length` does not count. The caller
 * frees the bytes. Fails the test where the file cannot be read. `length` may be NULL. */
static inline char *test_read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("cannot open %s", path);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  assert_true(size >= 0);
  rewind(file);
  char *bytes = malloc((size_t)size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, (size_t)size, file), (size_t)size);
  bytes[size] = '\0';
  fclose(file);
  if (length != NULL) *length = (size_t)size;
  return bytes;
}

#endif
