// The outermost layer of a pipeline file: both parts lie in the file, and written again they come back.
#include <stdlib.h>

#include "format/container.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const on_str file = {(const char *)data, size};
  on_container parts, again;
  on_error error = {0};
  if (!on_container_read(file, &parts, &error)) {
    if (!error.text[0] || error.position < 0 || error.position > (int64_t)size) abort();
    return 0;
  }
  if (parts.config.p != file.p + ON_CONTAINER_HEADER || parts.weights.p != parts.config.p + parts.config.n) abort();
  if (parts.weights.p + parts.weights.n != file.p + size) abort();
  on_buf out = {0};
  if (!on_container_write(&out, parts.config, parts.weights, &error)) abort();
  if (!on_container_read(on_buf_view(&out), &again, &error) || !on_str_eq(again.weights, parts.weights)) abort();
  if (!on_str_starts(again.config, parts.config) || (again.weights.p - out.p) % 64 != 0) abort();
  on_buf_free(&out);
  return 0;
}
