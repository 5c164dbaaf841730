// Lines of JSON Lines that make no CoNLL-U.
#ifndef TESTS_FORMAT_WRONG_LINE_H
#define TESTS_FORMAT_WRONG_LINE_H

#include <stdio.h>
#include <string.h>

#include "onenlp.h"
#include "test.h"

// The line, the second of a file, is refused with its number and a message that holds `part`; NULL: it is taken.
static void check_line(const char *line, const char *part) {
  onenlp_buffer *out = onenlp_buffer_new();
  char file[1024];
  onenlp_error error;
  int size = snprintf(file, sizeof file, "\n%s\n", line);
  int ok = onenlp_convert(file, (size_t)size, ONENLP_JSONL, ONENLP_CONLLU, out, &error);
  onenlp_buffer_free(out);
  if (ok != (part == NULL)) fail_msg("%s: %s", line, ok ? "taken" : error.text);
  if (ok) return;
  if (error.code != ONENLP_DATA_FORMAT || error.position != 2) fail_msg("%s: %s", line, error.text);
  if (strncmp(error.text, "line 2: ", 8) || !strstr(error.text, part)) {
    fail_msg("%s: \"%s\" does not say %s", line, error.text, part);
  }
}

#endif
