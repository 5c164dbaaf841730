// JSON: what is accepted must survive being written and read again.
#include <stdlib.h>

#include "format/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH = 16 };

static void write_value(on_buf *out, const on_json *value) {
  on_json_kind kind = on_json_type(value);
  bool object = kind == ON_JSON_OBJECT;
  if (kind == ON_JSON_NULL) on_buf_str(out, ON_STR("null"));
  if (kind == ON_JSON_BOOL) on_buf_str(out, on_json_bool(value) ? ON_STR("true") : ON_STR("false"));
  if (kind == ON_JSON_NUMBER) on_buf_format(out, "%.17g", on_json_number(value));
  if (kind == ON_JSON_STRING) on_json_write_string(out, on_json_string(value));
  if (!object && kind != ON_JSON_ARRAY) return;
  on_buf_char(out, object ? '{' : '[');
  for (const on_json *element = on_json_first(value); element; element = on_json_next(element)) {
    if (element != on_json_first(value)) on_buf_char(out, ',');
    if (object) on_json_write_string(out, on_json_key(element));
    if (object) on_buf_char(out, ':');
    write_value(out, element);
  }
  on_buf_char(out, object ? '}' : ']');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_error error = {0};
  on_json *root = on_json_parse((on_str){(const char *)data, size}, DEPTH, &error);
  if (!root) {
    if (error.code != ON_INVALID_DATA || error.position < 0 || error.position > (int64_t)size) abort();
    return 0;
  }
  on_buf first = {0}, second = {0};
  write_value(&first, root);
  on_json *again = on_json_parse(on_buf_view(&first), DEPTH, NULL);
  if (!again) abort();
  write_value(&second, again);
  if (!on_str_eq(on_buf_view(&first), on_buf_view(&second))) abort();
  on_json_free(root);
  on_json_free(again);
  on_buf_free(&first);
  on_buf_free(&second);
  return 0;
}
