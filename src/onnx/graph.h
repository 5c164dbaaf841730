// An ONNX model as read from its file: nodes, values and where the tensors lie. Tensor data stays in the file.
#ifndef ON_ONNX_GRAPH_H
#define ON_ONNX_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "base/source.h"

enum { ON_ONNX_MAX_RANK = 8 };
#define ON_ONNX_NONE UINT32_MAX

// Element types, by their numbers in the format.
enum {
  ON_ONNX_FLOAT = 1,
  ON_ONNX_UINT8 = 2,
  ON_ONNX_INT8 = 3,
  ON_ONNX_INT32 = 6,
  ON_ONNX_INT64 = 7,
  ON_ONNX_FLOAT16 = 10,
  ON_ONNX_DOUBLE = 11
};

// How the elements are written.
typedef enum on_onnx_layout {
  ON_ONNX_EMPTY,    // no data
  ON_ONNX_RAW,      // raw_data: little-endian, fixed width
  ON_ONNX_PACKED32, // float_data
  ON_ONNX_PACKED64, // double_data
  ON_ONNX_VARINTS,  // int32_data and int64_data; also int8, uint8 and the bits of float16
  ON_ONNX_EXTERNAL  // in a file of its own, which is not read
} on_onnx_layout;

typedef struct on_onnx_tensor {
  on_str name;
  uint32_t type;
  uint32_t rank;
  uint64_t dims[ON_ONNX_MAX_RANK];
  uint64_t count;  // product of dims; 1 for a scalar
  on_onnx_layout layout;
  uint64_t start, end;  // extent of the data in the file
} on_onnx_tensor;

typedef struct on_onnx_attribute {
  on_str name;
  float f;
  int64_t i;
  on_str s;
  int64_t *ints;
  uint32_t int_count;
  float *floats;
  uint32_t float_count;
  uint32_t tensor;  // index in tensors, or ON_ONNX_NONE
} on_onnx_attribute;

typedef struct on_onnx_node {
  on_str name, op, domain;  // domain "" is ONNX's own
  uint32_t *inputs, *outputs;  // values; ON_ONNX_NONE for an input that is left out
  uint32_t input_count, output_count;
  on_onnx_attribute *attributes;
  uint32_t attribute_count;
} on_onnx_node;

typedef struct on_onnx_value {
  on_str name;
  uint32_t node;    // which makes it, or ON_ONNX_NONE
  uint32_t output;  // as its output number
  uint32_t tensor;  // of an initializer (or of a Constant node), else ON_ONNX_NONE
  bool input;       // of the graph
} on_onnx_value;

typedef struct on_onnx {
  const on_data_source *source;  // borrowed
  int64_t opset;            // of ONNX's own domain
  on_onnx_tensor *tensors;
  size_t tensor_count;
  on_onnx_node *nodes;
  size_t node_count;
  on_onnx_value *values;
  size_t value_count;
  uint32_t *outputs;        // of the graph
  size_t output_count;
} on_onnx;

// Reads the structure; every extent is checked. All memory is the arena's. ON_INVALID_DATA for what is no ONNX
// model, ON_UNSUPPORTED for a version that is not read, with what to do.
bool on_onnx_read(on_onnx *onnx, on_arena *arena, const on_data_source *source, on_error *error);

// A node's attribute, or NULL.
const on_onnx_attribute *on_onnx_attribute_of(const on_onnx_node *node, const char *name);

static inline bool on_onnx_is(const on_onnx_node *node, const char *op) {
  return node && node->domain.n == 0 && on_str_eq(node->op, on_str_c(op));
}

// All elements of a tensor (tensor->count) as floats (of FLOAT, FLOAT16, DOUBLE and the integer types) or as
// integers, in the arena. NULL on failure; errors name the tensor.
float *on_onnx_floats(const on_onnx *onnx, const on_onnx_tensor *tensor, on_arena *arena, on_error *error);
int64_t *on_onnx_ints(const on_onnx *onnx, const on_onnx_tensor *tensor, on_arena *arena, on_error *error);
// Bytes of one element in raw data; 0 for types that are not read.
unsigned on_onnx_type_size(uint32_t type);
// "FLOAT", "INT8", ... or "type <n>"
const char *on_onnx_type_name(uint32_t type);
// Elements [first, first + count) of a tensor in raw layout as floats.
bool on_onnx_raw_floats(const on_onnx *onnx, const on_onnx_tensor *tensor, uint64_t first, size_t count, float *out,
                        on_error *error);

#endif
