// JSON: what is accepted must survive being written and read again.
#include <stdlib.h>

#include "format/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_error error = {0};
  on_json *root = on_json_parse((on_str){(const char *)data, size}, DEPTH, &error);
  if (!root) {
    if (error.code != ON_INVALID_DATA || error.position < 0 || error.position > (int64_t)size) abort();
    return 0;
  }
  on_buf first = {0}, second = {0};
  on_json_write(&first, root);
  on_json *again = on_json_parse(on_buf_view(&first), DEPTH, NULL);
  if (!again) abort();
  on_json_write(&second, again);
  if (!on_str_eq(on_buf_view(&first), on_buf_view(&second))) abort();
  on_json_free(root);
  on_json_free(again);
  on_buf_free(&first);
  on_buf_free(&second);
  return 0;
}
