#include "head/labels.h"

#include <string.h>

#include "text/utf.h"

static bool check_distinct(const on_labels *labels, const char *path, on_error *error) {
  on_map seen = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < labels->n; i++) {
    bool added;
    uint32_t *slot = on_map_put(&seen, labels->list[i], i, &added);
    if (!slot) ok = on_fail_memory(error);
    else if (!added) {
      ok = on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: \"%.*s\" stands at labels[%u] already", path, i,
                   ON_SHOW(labels->list[i]), *slot);
    }
  }
  on_map_free(&seen);
  return ok;
}

bool on_fits_column(on_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r') return false;
  }
  return true;
}

bool on_labels_read(on_labels *labels, on_arena *arena, const on_json *config, const char *path, uint32_t min,
                    uint32_t max, bool column, on_error *error) {
  const on_json *array = on_json_get(config, "labels");
  if (!array || on_json_type(array) != ON_JSON_ARRAY) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.labels: an array of strings is required", path);
  }
  size_t count = on_json_count(array);
  if (count < min || count > max) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.labels: %zu labels, want %u to %u", path, count, min, max);
  }
  labels->n = (uint32_t)count;
  labels->list = ON_NEW(arena, on_str, count);
  if (!labels->list) return on_fail_memory(error);
  uint32_t i = 0;
  for (const on_json *item = on_json_first(array); item; item = on_json_next(item), i++) {
    if (on_json_type(item) != ON_JSON_STRING) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: not a string", path, i);
    }
    on_str label = on_json_string(item);
    if (label.n == 0) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: empty", path, i);
    }
    if (label.n > ON_MAX_LABEL_UNITS && on_utf16_length(label) > ON_MAX_LABEL_UNITS) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: longer than %u UTF-16 units", path, i,
                     ON_MAX_LABEL_UNITS);
    }
    if (column && !on_fits_column(label)) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: holds a tab or a line break", path, i);
    }
    labels->list[i] = label;
  }
  return check_distinct(labels, path, error);
}

void on_labels_write(const on_labels *labels, on_buf *out) {
  on_buf_char(out, '[');
  for (uint32_t i = 0; i < labels->n; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, labels->list[i]);
  }
  on_buf_char(out, ']');
}
