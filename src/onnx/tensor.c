// Values of tensors.
#include "base/half.h"
#include "onnx/graph.h"
#include "onnx/wire.h"

enum { BLOCK = 4096 };  // bytes at a time

unsigned on_onnx_type_size(uint32_t type) {
  switch (type) {
    case ON_ONNX_UINT8:
    case ON_ONNX_INT8:
      return 1;
    case ON_ONNX_FLOAT16:
      return 2;
    case ON_ONNX_FLOAT:
    case ON_ONNX_INT32:
      return 4;
    case ON_ONNX_INT64:
    case ON_ONNX_DOUBLE:
      return 8;
    default:
      return 0;
  }
}

const char *on_onnx_type_name(uint32_t type) {
  static const char *const NAMES[] = {"UNDEFINED", "FLOAT", "UINT8",   "INT8",   "UINT16", "INT16",  "INT32",
                                      "INT64",     "STRING", "BOOL",   "FLOAT16", "DOUBLE", "UINT32", "UINT64",
                                      "COMPLEX64", "COMPLEX128", "BFLOAT16"};
  return type < sizeof NAMES / sizeof *NAMES ? NAMES[type] : type == 21 || type == 22 ? "INT4" : "of a new type";
}

static bool refuse(const on_onnx_tensor *tensor, on_error *error) {
  if (tensor->layout == ON_ONNX_EXTERNAL) {
    return on_fail(error, ON_UNSUPPORTED, -1,
                   "ONNX: tensor %.*s lies in a file of its own: save the model with all data inside (below 2 GB)",
                   ON_SHOW(tensor->name));
  }
  return on_fail(error, ON_UNSUPPORTED, (int64_t)tensor->start,
                 "ONNX: tensor %.*s is %s; export the model as float32, float16 or with 8-bit dynamic quantization",
                 ON_SHOW(tensor->name), on_onnx_type_name(tensor->type));
}

static bool bad_data(const on_onnx_tensor *tensor, on_error *error) {
  return on_fail(error, ON_INVALID_DATA, (int64_t)tensor->start, "ONNX: tensor %.*s: its data do not fit its shape",
                 ON_SHOW(tensor->name));
}

static uint64_t little(const uint8_t *p, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++) value |= (uint64_t)p[i] << (8 * i);
  return value;
}

// A float without denormals: they are slow to compute with and mean nothing here.
static float normal(float value) { return value < 1.17549435e-38f && value > -1.17549435e-38f ? 0.0f : value; }

// One element from its bits as they stand in raw data (or in a varint).
static float float_of(uint32_t type, uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float f;
  double d;
  switch (type) {
    case ON_ONNX_FLOAT:
      memcpy(&f, &word, sizeof f);
      return normal(f);
    case ON_ONNX_FLOAT16:
      return on_half_to_float((uint16_t)word);
    case ON_ONNX_DOUBLE:
      memcpy(&d, &bits, sizeof d);
      // Beyond the range of floats the conversion would be undefined.
      if (d > 3.4e38 || d < -3.4e38) return d > 0 ? 3.4e38f : -3.4e38f;
      return normal((float)d);
    case ON_ONNX_INT8:
      return (float)(int8_t)(uint8_t)word;
    case ON_ONNX_UINT8:
      return (float)(uint8_t)word;
    case ON_ONNX_INT32:
      return (float)(int32_t)word;
    default:
      return (float)(int64_t)bits;
  }
}

static int64_t int_of(uint32_t type, uint64_t bits) {
  switch (type) {
    case ON_ONNX_INT8:
      return (int8_t)(uint8_t)bits;
    case ON_ONNX_UINT8:
      return (uint8_t)bits;
    case ON_ONNX_INT32:
      return (int32_t)(uint32_t)bits;
    default:
      return (int64_t)bits;
  }
}

typedef struct out {
  float *floats;  // one of the two
  int64_t *ints;
} out;

static void put(out to, uint64_t i, uint32_t type, uint64_t bits) {
  if (to.floats) to.floats[i] = float_of(type, bits);
  else to.ints[i] = int_of(type, bits);
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static bool unreadable(const on_onnx_tensor *tensor, on_error *error) {
  return on_fail(error, ON_IO, -1, "ONNX: tensor %.*s cannot be read", ON_SHOW(tensor->name));
}

static bool read_fixed(const on_onnx *onnx, const on_onnx_tensor *tensor, uint64_t first, uint64_t count, unsigned size,
                       out to, on_error *error) {
  uint8_t block[BLOCK];
  uint64_t at = tensor->start + first * size;
  if (to.floats && tensor->type == ON_ONNX_FLOAT && is_little_endian()) {  // most of what is read
    if (!on_data_read(onnx->source, at, to.floats, (size_t)count * size)) return unreadable(tensor, error);
    for (uint64_t i = 0; i < count; i++) to.floats[i] = normal(to.floats[i]);
    return true;
  }
  for (uint64_t i = 0; i < count;) {
    uint64_t take = count - i < BLOCK / size ? count - i : BLOCK / size;
    if (!on_data_read(onnx->source, at, block, (size_t)(take * size))) return unreadable(tensor, error);
    for (uint64_t j = 0; j < take; j++) put(to, i + j, tensor->type, little(block + j * size, size));
    at += take * size;
    i += take;
  }
  return true;
}

static bool read_varints(const on_onnx *onnx, const on_onnx_tensor *tensor, out to, on_error *error) {
  on_wire wire;
  on_wire_init(&wire, onnx->source, error);
  wire.at = tensor->start;
  for (uint64_t i = 0; i < tensor->count; i++) {
    uint64_t bits;
    if (!on_wire_varint(&wire, tensor->end, &bits)) return false;
    put(to, i, tensor->type, bits);
  }
  return wire.at == tensor->end || bad_data(tensor, error);
}

// Whether the data can be all of the tensor's elements; asked before memory is allocated for them.
static bool fits(const on_onnx_tensor *tensor, on_error *error) {
  unsigned size = on_onnx_type_size(tensor->type);
  uint64_t bytes = tensor->end - tensor->start;
  bool is_float = tensor->type == ON_ONNX_FLOAT || tensor->type == ON_ONNX_DOUBLE;
  bool ok = false;
  if (size == 0 || tensor->layout == ON_ONNX_EXTERNAL) return refuse(tensor, error);
  switch (tensor->layout) {
    case ON_ONNX_RAW:
      ok = bytes == tensor->count * size;
      break;
    case ON_ONNX_PACKED32:
      ok = tensor->type == ON_ONNX_FLOAT && bytes == tensor->count * 4;
      break;
    case ON_ONNX_PACKED64:
      ok = tensor->type == ON_ONNX_DOUBLE && bytes == tensor->count * 8;
      break;
    case ON_ONNX_VARINTS:
      ok = !is_float && bytes >= tensor->count;
      break;
    default:
      ok = tensor->count == 0;
  }
  return ok || bad_data(tensor, error);
}

static bool read_all(const on_onnx *onnx, const on_onnx_tensor *tensor, out to, on_error *error) {
  if (tensor->layout == ON_ONNX_VARINTS) return read_varints(onnx, tensor, to, error);
  return read_fixed(onnx, tensor, 0, tensor->count, on_onnx_type_size(tensor->type), to, error);
}

float *on_onnx_floats(const on_onnx *onnx, const on_onnx_tensor *tensor, on_arena *arena, on_error *error) {
  if (!fits(tensor, error)) return NULL;
  float *values = ON_NEW(arena, float, (size_t)tensor->count);
  if (!values) on_fail_memory(error);
  return values && read_all(onnx, tensor, (out){.floats = values}, error) ? values : NULL;
}

int64_t *on_onnx_ints(const on_onnx *onnx, const on_onnx_tensor *tensor, on_arena *arena, on_error *error) {
  bool is_float = tensor->type == ON_ONNX_FLOAT || tensor->type == ON_ONNX_FLOAT16 || tensor->type == ON_ONNX_DOUBLE;
  if (is_float) bad_data(tensor, error);
  if (is_float || !fits(tensor, error)) return NULL;
  int64_t *values = ON_NEW(arena, int64_t, (size_t)tensor->count);
  if (!values) on_fail_memory(error);
  return values && read_all(onnx, tensor, (out){.ints = values}, error) ? values : NULL;
}

bool on_onnx_raw_floats(const on_onnx *onnx, const on_onnx_tensor *tensor, uint64_t first, size_t count, float *values,
                        on_error *error) {
  unsigned size = on_onnx_type_size(tensor->type);
  if (size == 0 || tensor->layout != ON_ONNX_RAW) return refuse(tensor, error);
  if (first > tensor->count || count > tensor->count - first) return bad_data(tensor, error);
  return read_fixed(onnx, tensor, first, count, size, (out){.floats = values}, error);
}
