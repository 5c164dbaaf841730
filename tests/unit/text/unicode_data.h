/* Reads the files of the Unicode Character Database (TEST_UNICODE_DATA, from CMake). */
#ifndef ONENLP_TESTS_UNIT_TEXT_UNICODE_DATA_H
#define ONENLP_TESTS_UNIT_TEXT_UNICODE_DATA_H

#include "test.h"

enum { CODE_POINTS = 0x110000 };

/* The contents of a file, to be freed; the test ends as skipped where it is not installed. */
static inline char *unicode_file(const char *name) {
  const char *folder = TEST_UNICODE_DATA;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = folder[0] ? fopen(path, "rb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "skipped: no %s of the Unicode Character Database (Debian: package unicode-data)\n", name);
    skip();
  } else {
    fclose(file);
  }
  return test_read_file(path, NULL);
}

/* The next line as a string of its own (the line feed is overwritten), or NULL; *rest moves on.
 * (No strchr: a sanitizer that checks strings strictly would measure the whole rest for each line.) */
static inline char *next_line(char **rest) {
  char *line = *rest;
  if (line == NULL || *line == '\0') return NULL;
  char *end = line;
  while (*end != '\n' && *end != '\0') end++;
  *rest = *end == '\n' ? end + 1 : NULL;
  *end = '\0';
  return line;
}

/* Parses "0041..005A ; Name # ..."; 0 where the line is no entry. */
static inline int property_entry(const char *line, uint32_t *first, uint32_t *last, char name[64]) {
  unsigned a, b;
  if (sscanf(line, "%x..%x ; %63[A-Za-z_]", &a, &b, name) == 3) {
    *first = a;
    *last = b;
    return 1;
  }
  if (sscanf(line, "%x ; %63[A-Za-z_]", &a, name) == 2) {
    *first = *last = a;
    return 1;
  }
  return 0;
}

#endif
