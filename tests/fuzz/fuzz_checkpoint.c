// Checkpoints: every byte of an accepted tensor is readable, and written again it reads the same.
#include <stdlib.h>

#include "format/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const on_tensor *a, const on_tensor *b) {
  return on_str_eq(a->name, b->name) && a->type == b->type && a->rank == b->rank && a->shape[0] == b->shape[0] &&
         (a->rank == 1 || a->shape[1] == b->shape[1]) && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_arena arena = {0};
  on_checkpoint first, second;
  on_error error = {0};
  if (on_checkpoint_read(&arena, (on_str){(const char *)data, size}, &first, &error)) {
    on_buf image = {0};
    if (!on_checkpoint_write(&image, &first, size, &error)) abort();
    if (!on_checkpoint_read(&arena, on_buf_view(&image), &second, &error)) abort();
    if (first.count != second.count || first.meta_count != second.meta_count) abort();
    for (size_t i = 0; i < first.count; i++) {
      if (!same(&first.tensors[i], &second.tensors[i])) abort();
      if (on_checkpoint_find(&first, first.tensors[i].name) != &first.tensors[i]) abort();
    }
    on_buf_free(&image);
  } else if (error.code != ON_INVALID_DATA || !error.text[0] || error.position > (int64_t)size) {
    abort();
  }
  on_arena_free(&arena);
  return 0;
}
