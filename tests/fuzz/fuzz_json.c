// JSON: what is accepted must survive being written and read again. What is accepted as a config is accepted as a line
// of JSON Lines, and is the same there.
#include <stdlib.h>

#include "format/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH = 16 };

static on_json *parse(on_str text, bool line, on_error *error) {
  return line ? on_json_parse_line(text, error) : on_json_parse(text, DEPTH, error);
}

// Appends what was read to *out; false for an error.
static bool check(on_str text, bool line, on_buf *out) {
  on_error error = {0};
  on_json *root = parse(text, line, &error);
  if (!root) {
    if (error.code != ON_INVALID_DATA || error.position < 0 || error.position > (int64_t)text.n) abort();
    return false;
  }
  on_buf second = {0};
  on_json_write(out, root);
  on_json *again = parse(on_buf_view(out), line, NULL);
  if (!again) abort();
  on_json_write(&second, again);
  if (!on_str_eq(on_buf_view(out), on_buf_view(&second))) abort();
  on_json_free(root);
  on_json_free(again);
  on_buf_free(&second);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const on_str text = {(const char *)data, size};
  on_buf config = {0}, line = {0};
  if (check(text, true, &line)) {
    if (check(text, false, &config) && !on_str_eq(on_buf_view(&config), on_buf_view(&line))) abort();
  } else if (check(text, false, &config)) {
    abort();
  }
  on_buf_free(&config);
  on_buf_free(&line);
  return 0;
}
