#include "format/checkpoint_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/sort.h"
#include "text/utf.h"

static const on_str scale_suffix = {".scale", sizeof ".scale" - 1};

bool on_fail_tensor(on_error *error, on_str name, const char *format, ...) {
  if (!error) return false;
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return on_fail(error, ON_INVALID_DATA, -1, "tensor %.*s: %s", ON_SHOW(name), what);
}

static bool is_text(on_str s) {
  return on_utf8_valid(s, &(size_t){0}) && (s.n == 0 || !memchr(s.p, 0, s.n));
}

bool on_check_tensor(const on_tensor *tensor, on_error *error) {
  on_str name = tensor->name;
  if (name.n == 0 || name.n > ON_MAX_TENSOR_NAME) {
    return on_fail_tensor(error, name, "its name has %zu bytes, 1 to %d are allowed", name.n, ON_MAX_TENSOR_NAME);
  }
  if (!is_text(name) || on_str_eq(name, ON_STR("__metadata__"))) {
    return on_fail_tensor(error, name, "this cannot be a tensor's name");
  }
  bool matrix = tensor->rank == 2;
  if (!matrix && tensor->rank != 1) return on_fail_tensor(error, name, "shape must have 1 or 2 dimensions");
  if (!matrix && tensor->type != ON_F32) {
    return on_fail_tensor(error, name, "a vector must be F32, it is %s", on_dtype_name(tensor->type));
  }
  uint64_t rows = tensor->shape[0], columns = matrix ? tensor->shape[1] : 1;
  if (rows == 0 || columns == 0) return on_fail_tensor(error, name, "a dimension of the shape is 0");
  // 32 bits each, so that only the factor of the type can pass 64 bits.
  uint64_t values = rows * columns, value_size = on_dtype_size(tensor->type);
  if (tensor->size % value_size == 0 && tensor->size / value_size == values) return true;
  if (!matrix) {
    return on_fail_tensor(error, name, "%zu bytes of data, want %llu values of %s for the shape [%lu]", tensor->size,
                          (unsigned long long)values, on_dtype_name(tensor->type), (unsigned long)rows);
  }
  return on_fail_tensor(error, name, "%zu bytes of data, want %llu values of %s for the shape [%lu, %lu]", tensor->size,
                        (unsigned long long)values, on_dtype_name(tensor->type), (unsigned long)rows,
                        (unsigned long)columns);
}

typedef struct named {
  on_str name;
  uint32_t index;
} named;

static int compare_names(const void *a, const void *b) {
  const named *x = a, *y = b;
  return on_str_cmp(x->name, y->name);
}

static bool sort_names(named *list, size_t count, on_error *error) {
  if (!on_sort(list, count, sizeof *list, compare_names)) return on_fail_memory(error);
  return true;
}

static bool check_scale(const on_checkpoint *checkpoint, const on_tensor *tensor, on_error *error) {
  on_str name = tensor->name;
  if (on_str_ends(name, scale_suffix)) {
    const on_tensor *scaled = on_checkpoint_find(checkpoint, on_str_sub(name, 0, name.n - scale_suffix.n));
    if (!scaled || scaled->type != ON_I8) return on_fail_tensor(error, name, "there is no I8 tensor that it scales");
  }
  if (tensor->type != ON_I8) return true;
  char wanted[ON_MAX_TENSOR_NAME + sizeof ".scale"];
  memcpy(wanted, name.p, name.n);
  memcpy(wanted + name.n, scale_suffix.p, scale_suffix.n);
  const on_tensor *scale = on_checkpoint_find(checkpoint, (on_str){wanted, name.n + scale_suffix.n});
  if (!scale) return on_fail_tensor(error, name, "is I8, but its scale \"<name>.scale\" is missing");
  if (scale->type == ON_F32 && scale->rank == 1 && scale->shape[0] == tensor->shape[0]) return true;
  return on_fail_tensor(error, scale->name, "the scale of an I8 tensor must be F32 with the shape [%lu]",
                        (unsigned long)tensor->shape[0]);
}

bool on_check_tensors(on_arena *arena, on_checkpoint *checkpoint, on_error *error) {
  size_t count = checkpoint->count;
  if (count > UINT32_MAX) return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: too many tensors");
  named *list = ON_NEW(arena, named, count);
  checkpoint->by_name = ON_NEW(arena, uint32_t, count);
  if (!list || !checkpoint->by_name) return on_fail_memory(error);
  for (size_t i = 0; i < count; i++) list[i] = (named){checkpoint->tensors[i].name, (uint32_t)i};
  if (!sort_names(list, count, error)) return false;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && on_str_eq(list[i - 1].name, list[i].name)) {
      return on_fail_tensor(error, list[i].name, "the name stands twice");
    }
    checkpoint->by_name[i] = list[i].index;
  }
  for (size_t i = 0; i < count; i++) {
    if (!check_scale(checkpoint, &checkpoint->tensors[i], error)) return false;
  }
  return true;
}

bool on_check_meta(on_arena *arena, const on_checkpoint *checkpoint, on_error *error) {
  size_t count = checkpoint->meta_count;
  named *list = ON_NEW(arena, named, count);
  if (!list) return on_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    const on_meta *meta = &checkpoint->meta[i];
    if (!is_text(meta->key) || !is_text(meta->value)) {
      return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: __metadata__.%.*s is not text", ON_SHOW(meta->key));
    }
    list[i] = (named){meta->key, (uint32_t)i};
  }
  if (!sort_names(list, count, error)) return false;
  for (size_t i = 1; i < count; i++) {
    if (!on_str_eq(list[i - 1].name, list[i].name)) continue;
    return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: __metadata__.%.*s stands twice", ON_SHOW(list[i].name));
  }
  return true;
}
