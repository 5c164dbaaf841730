#include "format/checkpoint.h"

#include "base/sort.h"
#include "format/checkpoint_check.h"
#include "format/json.h"
#include "text/utf.h"

enum { HEADER_DEPTH = 3 };  // the header, a tensor, its shape

static const on_str meta_key = {"__metadata__", sizeof "__metadata__" - 1};

static const struct {
  const char *name;
  unsigned size;
} types[] = {[ON_F32] = {"F32", 4}, [ON_F16] = {"F16", 2}, [ON_I8] = {"I8", 1}};

enum { TYPES = sizeof types / sizeof *types };

const char *on_dtype_name(on_dtype type) { return types[type].name; }

size_t on_dtype_size(on_dtype type) { return types[type].size; }

// --- reading ---

// A tensor while the header is read: where its data lies, counted from the start of all data.
typedef struct entry {
  uint64_t begin, end;
  on_tensor tensor;
} entry;

static bool read_type(const on_json *value, on_str name, on_dtype *out, on_error *error) {
  if (on_json_type(value) != ON_JSON_STRING) return on_fail_tensor(error, name, "dtype is not a string");
  on_str text = on_json_string(value);
  for (int i = 0; i < TYPES; i++) {
    if (!on_str_eq(text, on_str_c(types[i].name))) continue;
    *out = (on_dtype)i;
    return true;
  }
  return on_fail_tensor(error, name, "unknown dtype \"%.*s\" (F32, F16 and I8 are known)", ON_SHOW(text));
}

static bool read_shape(const on_json *value, on_tensor *tensor, on_error *error) {
  size_t rank = on_json_type(value) == ON_JSON_ARRAY ? on_json_count(value) : 0;
  if (rank != 1 && rank != 2) return on_fail_tensor(error, tensor->name, "shape must have 1 or 2 dimensions");
  tensor->rank = (unsigned)rank;
  unsigned i = 0;
  for (const on_json *size = on_json_first(value); size; size = on_json_next(size), i++) {
    int64_t n;
    if (!on_json_as_int(size, 1, UINT32_MAX, &n)) {
      return on_fail_tensor(error, tensor->name, "a dimension of the shape is not an integer from 1 to %lu",
                            (unsigned long)UINT32_MAX);
    }
    tensor->shape[i] = (uint32_t)n;
  }
  return true;
}

static bool read_offsets(const on_json *value, uint64_t data_size, entry *out, on_error *error) {
  int64_t ends[2];
  const on_json *element = on_json_type(value) == ON_JSON_ARRAY ? on_json_first(value) : NULL;
  for (int i = 0; i < 2; i++, element = element ? on_json_next(element) : NULL) {
    if (!element || !on_json_as_int(element, 0, INT64_MAX, &ends[i])) {
      return on_fail_tensor(error, out->tensor.name, "data_offsets must be [begin, end], integers from 0 to 2^53 - 1");
    }
  }
  if (element) return on_fail_tensor(error, out->tensor.name, "data_offsets has more than 2 elements");
  out->begin = (uint64_t)ends[0];
  out->end = (uint64_t)ends[1];
  if (out->begin <= out->end && out->end <= data_size) return true;
  return on_fail_tensor(error, out->tensor.name, "data_offsets [%llu, %llu] do not lie in the %llu bytes of data",
                        (unsigned long long)out->begin, (unsigned long long)out->end, (unsigned long long)data_size);
}

static bool read_entry(const on_json *member, uint64_t data_size, entry *out, on_error *error) {
  on_str name = out->tensor.name;
  const on_json *type = NULL, *shape = NULL, *offsets = NULL;
  if (on_json_type(member) != ON_JSON_OBJECT) return on_fail_tensor(error, name, "its entry is not an object");
  for (const on_json *field = on_json_first(member); field; field = on_json_next(field)) {
    on_str key = on_json_key(field);
    if (on_str_eq(key, ON_STR("dtype"))) {
      type = field;
    } else if (on_str_eq(key, ON_STR("shape"))) {
      shape = field;
    } else if (on_str_eq(key, ON_STR("data_offsets"))) {
      offsets = field;
    } else {
      return on_fail_tensor(error, name, "unknown property \"%.*s\"", ON_SHOW(key));
    }
  }
  if (!type || !shape || !offsets) {
    return on_fail_tensor(error, name, "%s is missing", !type ? "dtype" : !shape ? "shape" : "data_offsets");
  }
  if (!read_type(type, name, &out->tensor.type, error) || !read_shape(shape, &out->tensor, error) ||
      !read_offsets(offsets, data_size, out, error)) {
    return false;
  }
  out->tensor.size = (size_t)(out->end - out->begin);
  return on_check_tensor(&out->tensor, error);
}

static bool read_meta(on_arena *arena, const on_json *object, on_checkpoint *out, on_error *error) {
  if (on_json_type(object) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: __metadata__ is not an object");
  }
  out->meta = ON_NEW(arena, on_meta, on_json_count(object));
  if (!out->meta) return on_fail_memory(error);
  for (const on_json *member = on_json_first(object); member; member = on_json_next(member)) {
    on_str key = on_json_key(member);
    if (on_json_type(member) != ON_JSON_STRING) {
      return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: __metadata__.%.*s is not a string", ON_SHOW(key));
    }
    on_meta meta = {on_arena_str(arena, key), on_arena_str(arena, on_json_string(member))};
    if (!meta.key.p || !meta.value.p) return on_fail_memory(error);
    out->meta[out->meta_count++] = meta;
  }
  return true;
}

static int compare_begin(const void *a, const void *b) {
  const entry *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

// The tensors, sorted by their place, must fill the data without gap or overlap, F32, F16, I8.
static bool check_places(const entry *entries, size_t count, uint64_t data_size, on_error *error) {
  uint64_t at = 0;
  for (size_t i = 0; i < count; i++) {
    const entry *here = &entries[i];
    if (here->begin != at) {
      return on_fail_tensor(error, here->tensor.name, "data begins at %llu, want %llu: there is %s",
                            (unsigned long long)here->begin, (unsigned long long)at,
                            here->begin > at ? "a gap" : "an overlap");
    }
    if (i > 0 && here->tensor.type < entries[i - 1].tensor.type) {
      return on_fail_tensor(error, here->tensor.name, "%s data lies behind %s data (the order is F32, F16, I8)",
                            on_dtype_name(here->tensor.type), on_dtype_name(entries[i - 1].tensor.type));
    }
    at = here->end;
  }
  if (at == data_size) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "checkpoint: %llu bytes follow the last tensor",
                 (unsigned long long)(data_size - at));
}

static bool read_header(on_arena *arena, const on_json *header, on_str data, on_checkpoint *out, on_error *error) {
  if (on_json_type(header) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, 8, "checkpoint: the header is not a JSON object");
  }
  size_t members = on_json_count(header);
  entry *entries = ON_NEW(arena, entry, members);
  if (!entries) return on_fail_memory(error);
  size_t count = 0;
  for (const on_json *member = on_json_first(header); member; member = on_json_next(member)) {
    on_str name = on_json_key(member);
    if (on_str_eq(name, meta_key)) {
      if (!read_meta(arena, member, out, error)) return false;
      continue;
    }
    entry *here = &entries[count++];
    *here = (entry){.tensor.name = on_arena_str(arena, name)};
    if (!here->tensor.name.p) return on_fail_memory(error);
    if (!read_entry(member, data.n, here, error)) return false;
  }
  if (!on_sort(entries, count, sizeof *entries, compare_begin)) return on_fail_memory(error);
  if (!check_places(entries, count, data.n, error)) return false;
  out->tensors = ON_NEW(arena, on_tensor, count);
  if (!out->tensors) return on_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    out->tensors[i] = entries[i].tensor;
    out->tensors[i].data = (const uint8_t *)data.p + entries[i].begin;
  }
  out->count = count;
  return on_check_tensors(arena, out, error);
}

bool on_checkpoint_read(on_arena *arena, on_str bytes, on_checkpoint *out, on_error *error) {
  *out = (on_checkpoint){0};
  if (bytes.n < 8) {
    return on_fail(error, ON_INVALID_DATA, 0, "checkpoint: has %zu bytes, at least 8 are needed", bytes.n);
  }
  uint64_t length = 0;
  for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)bytes.p[i];
  if (length > bytes.n - 8) {
    return on_fail(error, ON_INVALID_DATA, 0, "checkpoint: declares a header of %llu bytes, but %zu follow",
                   (unsigned long long)length, bytes.n - 8);
  }
  if (length > ON_MAX_CHECKPOINT_HEADER) {
    return on_fail(error, ON_INVALID_DATA, 0, "checkpoint: declares a header of %llu bytes, at most %llu are allowed",
                   (unsigned long long)length, (unsigned long long)ON_MAX_CHECKPOINT_HEADER);
  }
  size_t data_at = 8 + (size_t)length;
  on_json *header = on_json_parse(on_str_sub(bytes, 8, data_at), HEADER_DEPTH, error);
  if (!header) {
    if (error && error->position >= 0) error->position += 8;
    return on_fail_context(error, "checkpoint header");
  }
  bool ok = read_header(arena, header, on_str_sub(bytes, data_at, bytes.n), out, error);
  on_json_free(header);
  if (!ok) *out = (on_checkpoint){0};
  return ok;
}

const on_tensor *on_checkpoint_find(const on_checkpoint *checkpoint, on_str name) {
  if (!checkpoint->by_name) {
    for (size_t i = 0; i < checkpoint->count; i++) {
      if (on_str_eq(checkpoint->tensors[i].name, name)) return &checkpoint->tensors[i];
    }
    return NULL;
  }
  size_t low = 0, high = checkpoint->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const on_tensor *tensor = &checkpoint->tensors[checkpoint->by_name[middle]];
    int order = on_str_cmp(tensor->name, name);
    if (order == 0) return tensor;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

// --- writing ---

static void write_entry(on_buf *out, const on_tensor *tensor, uint64_t begin) {
  on_json_write_string(out, tensor->name);
  on_buf_str(out, ON_STR(":{\"dtype\":\""));
  on_buf_str(out, on_str_c(on_dtype_name(tensor->type)));
  on_buf_str(out, ON_STR("\",\"shape\":["));
  on_buf_u64(out, tensor->shape[0]);
  if (tensor->rank == 2) {
    on_buf_char(out, ',');
    on_buf_u64(out, tensor->shape[1]);
  }
  on_buf_str(out, ON_STR("],\"data_offsets\":["));
  on_buf_u64(out, begin);
  on_buf_char(out, ',');
  on_buf_u64(out, begin + tensor->size);
  on_buf_str(out, ON_STR("]}"));
}

static void write_header(on_buf *out, const on_checkpoint *checkpoint) {
  bool first = true;
  on_buf_char(out, '{');
  if (checkpoint->meta_count) {
    on_json_write_string(out, meta_key);
    on_buf_str(out, ON_STR(":{"));
    for (size_t i = 0; i < checkpoint->meta_count; i++) {
      if (i) on_buf_char(out, ',');
      on_json_write_string(out, checkpoint->meta[i].key);
      on_buf_char(out, ':');
      on_json_write_string(out, checkpoint->meta[i].value);
    }
    on_buf_char(out, '}');
    first = false;
  }
  uint64_t begin = 0;
  for (int type = 0; type < TYPES; type++) {
    for (size_t i = 0; i < checkpoint->count; i++) {
      const on_tensor *tensor = &checkpoint->tensors[i];
      if (tensor->type != (on_dtype)type) continue;
      if (!first) on_buf_char(out, ',');
      write_entry(out, tensor, begin);
      begin += tensor->size;
      first = false;
    }
  }
  on_buf_char(out, '}');
}

// The checks of the reader, on an arena of their own, reported as the caller's mistake.
static bool check_given(const on_checkpoint *checkpoint, on_error *error) {
  on_arena scratch = {0};
  on_checkpoint copy = *checkpoint;
  on_error inner = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < copy.count; i++) ok = on_check_tensor(&copy.tensors[i], &inner);
  ok = ok && on_check_tensors(&scratch, &copy, &inner) && on_check_meta(&scratch, &copy, &inner);
  on_arena_free(&scratch);
  if (ok) return true;
  if (inner.code == ON_INVALID_DATA) inner.code = ON_INVALID_ARGUMENT;
  if (error) *error = inner;
  return false;
}

bool on_checkpoint_write(on_buf *out, const on_checkpoint *checkpoint, uint64_t file_offset, on_error *error) {
  if (!check_given(checkpoint, error)) return false;
  on_buf header = {0};
  write_header(&header, checkpoint);
  while (!header.failed && (file_offset + 8 + header.n) % 64 != 0) on_buf_char(&header, ' ');
  bool fits = header.n <= ON_MAX_CHECKPOINT_HEADER;
  if (fits && !header.failed) {
    on_buf_u64le(out, header.n);
    on_buf_str(out, on_buf_view(&header));
    for (int type = 0; type < TYPES; type++) {
      for (size_t i = 0; i < checkpoint->count; i++) {
        const on_tensor *tensor = &checkpoint->tensors[i];
        if (tensor->type == (on_dtype)type) on_buf_add(out, tensor->data, tensor->size);
      }
    }
  }
  bool failed = header.failed || out->failed;
  on_buf_free(&header);
  if (failed) return on_fail_memory(error);
  return fits || on_fail(error, ON_INVALID_ARGUMENT, -1, "checkpoint: its header is longer than %llu bytes",
                         (unsigned long long)ON_MAX_CHECKPOINT_HEADER);
}
