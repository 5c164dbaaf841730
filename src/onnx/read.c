// Reads an ONNX model in two passes over the graph: the first counts, the second fills.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "onnx/graph.h"
#include "onnx/wire.h"

enum {
  MAX_NODES = 1 << 20,
  MAX_TENSORS = 1 << 20,
  MAX_NAME = 4096,      // bytes
  MAX_LIST = 1 << 16,   // numbers in an attribute
  OLDEST_OPSET = 11,
  NEWEST_OPSET = 18
};

typedef struct reader {
  on_onnx *onnx;
  on_arena *arena;
  on_map names;          // of values
  size_t value_capacity;
  size_t tensor_capacity;
  on_error *error;
  on_wire wire;
} reader;

static bool fail_at(reader *r, uint64_t at, const char *what) {
  return on_fail(r->error, ON_INVALID_DATA, (int64_t)at, "ONNX: %s at byte %llu", what, (unsigned long long)at);
}

static bool want(reader *r, const on_field *field, uint32_t type) {
  return field->type == type || fail_at(r, r->wire.at, "a field has the wrong type");
}

static bool text(reader *r, const on_field *field, on_str *out) {
  if (!want(r, field, ON_WIRE_BYTES)) return false;
  uint64_t size = field->end - field->start;
  if (size > MAX_NAME) return fail_at(r, field->start, "a name of more than 4,096 bytes");
  char *p = ON_NEW(r->arena, char, (size_t)size);
  if (!p) return on_fail_memory(r->error);
  *out = (on_str){p, (size_t)size};
  return on_wire_copy(&r->wire, field->start, p, (size_t)size);
}

// Reads the fields of a message by a function for one field each; leaves the wire behind the message.
typedef bool take_field(reader *r, const on_field *field, void *into);

static bool message(reader *r, uint64_t start, uint64_t end, take_field *take, void *into) {
  on_field field;
  int got;
  r->wire.at = start;
  while ((got = on_wire_next(&r->wire, end, &field)) > 0) {
    uint64_t next = r->wire.at;
    if (!take(r, &field, into)) return false;
    r->wire.at = next;
  }
  return got == 0;
}

static bool inner(reader *r, const on_field *field, take_field *take, void *into) {
  return want(r, field, ON_WIRE_BYTES) && message(r, field->start, field->end, take, into);
}

// ---- values -----------------------------------------------------------------------------------------

static bool value_of(reader *r, on_str name, uint32_t *value) {
  on_onnx *onnx = r->onnx;
  bool added;
  uint32_t *slot = on_map_put(&r->names, name, (uint32_t)onnx->value_count, &added);
  if (!slot) return on_fail_memory(r->error);
  *value = *slot;
  if (!added) return true;
  if (!on_grow((void **)&onnx->values, &r->value_capacity, onnx->value_count + 1, sizeof *onnx->values)) {
    return on_fail_memory(r->error);
  }
  onnx->values[onnx->value_count++] =
      (on_onnx_value){.name = name, .node = ON_ONNX_NONE, .tensor = ON_ONNX_NONE};
  return true;
}

// ---- tensors ----------------------------------------------------------------------------------------

static bool add_dim(reader *r, on_onnx_tensor *tensor, uint64_t dim) {
  if (tensor->rank == ON_ONNX_MAX_RANK) return fail_at(r, r->wire.at, "a tensor of more than 8 dimensions");
  if (dim > INT32_MAX) return fail_at(r, r->wire.at, "a dimension out of range");
  tensor->dims[tensor->rank++] = dim;
  return true;
}

static bool tensor_data(reader *r, on_onnx_tensor *tensor, const on_field *field, on_onnx_layout layout) {
  if (!want(r, field, ON_WIRE_BYTES)) return false;
  if (field->start == field->end) return true;
  if (tensor->layout != ON_ONNX_EMPTY && tensor->layout != ON_ONNX_EXTERNAL) {
    return fail_at(r, field->start, "a tensor's data in several pieces");
  }
  if (tensor->layout == ON_ONNX_EMPTY) tensor->layout = layout;
  tensor->start = field->start;
  tensor->end = field->end;
  return true;
}

static bool tensor_field(reader *r, const on_field *field, void *into) {
  on_onnx_tensor *tensor = into;
  switch (field->number) {
    case 1:  // dims
      if (field->type == ON_WIRE_VARINT) return add_dim(r, tensor, field->value);
      if (!want(r, field, ON_WIRE_BYTES)) return false;
      r->wire.at = field->start;
      while (r->wire.at < field->end) {
        uint64_t dim;
        if (!on_wire_varint(&r->wire, field->end, &dim) || !add_dim(r, tensor, dim)) return false;
      }
      return true;
    case 2:  // data_type
      if (!want(r, field, ON_WIRE_VARINT)) return false;
      tensor->type = field->value > INT32_MAX ? 0 : (uint32_t)field->value;
      return true;
    case 4:
      return tensor_data(r, tensor, field, ON_ONNX_PACKED32);
    case 5:
    case 7:
      return tensor_data(r, tensor, field, ON_ONNX_VARINTS);
    case 8:
      return text(r, field, &tensor->name);
    case 9:
      return tensor_data(r, tensor, field, ON_ONNX_RAW);
    case 10:
      return tensor_data(r, tensor, field, ON_ONNX_PACKED64);
    case 14:  // data_location: 1 is a file of its own
      if (!want(r, field, ON_WIRE_VARINT)) return false;
      if (field->value == 1) tensor->layout = ON_ONNX_EXTERNAL;
      return true;
    default:
      return true;
  }
}

static bool finish_tensor(reader *r, on_onnx_tensor *tensor) {
  tensor->count = 1;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    // Each dimension is below 2^31 and the product below 2^32: nothing overflows.
    tensor->count *= tensor->dims[i];
    if (tensor->count > UINT32_MAX) return fail_at(r, r->wire.at, "a tensor of more than 4 billion values");
  }
  if (tensor->layout != ON_ONNX_RAW) return true;
  unsigned size = on_onnx_type_size(tensor->type);
  if (size && tensor->end - tensor->start != tensor->count * size) {
    return on_fail(r->error, ON_INVALID_DATA, (int64_t)tensor->start, "ONNX: tensor %.*s: %llu bytes, want %llu",
                   ON_SHOW(tensor->name), (unsigned long long)(tensor->end - tensor->start),
                   (unsigned long long)(tensor->count * size));
  }
  return true;
}

static bool read_tensor(reader *r, const on_field *field, uint32_t *index) {
  on_onnx *onnx = r->onnx;
  if (onnx->tensor_count == MAX_TENSORS) return fail_at(r, field->start, "more than 1,048,576 tensors");
  if (!on_grow((void **)&onnx->tensors, &r->tensor_capacity, onnx->tensor_count + 1, sizeof *onnx->tensors)) {
    return on_fail_memory(r->error);
  }
  on_onnx_tensor tensor = {.name = ON_STR("")};
  if (!inner(r, field, tensor_field, &tensor) || !finish_tensor(r, &tensor)) return false;
  *index = (uint32_t)onnx->tensor_count;
  onnx->tensors[onnx->tensor_count++] = tensor;
  return true;
}

// ---- nodes ------------------------------------------------------------------------------------------

static bool add_int(reader *r, on_onnx_attribute *attribute, uint64_t value, uint64_t at) {
  // The array grows in the arena by doubling, so that its memory stays linear in the file.
  uint32_t n = attribute->int_count;
  if (n == MAX_LIST) return fail_at(r, at, "more than 65,536 numbers in an attribute");
  if ((n & (n - 1)) == 0) {
    int64_t *more = ON_NEW(r->arena, int64_t, n ? 2 * (size_t)n : 1);
    if (!more) return on_fail_memory(r->error);
    if (n) memcpy(more, attribute->ints, n * sizeof *more);
    attribute->ints = more;
  }
  attribute->ints[attribute->int_count++] = (int64_t)value;
  return true;
}

static bool add_float(reader *r, on_onnx_attribute *attribute, uint32_t bits, uint64_t at) {
  uint32_t n = attribute->float_count;
  if (n == MAX_LIST) return fail_at(r, at, "more than 65,536 numbers in an attribute");
  if ((n & (n - 1)) == 0) {
    float *more = ON_NEW(r->arena, float, n ? 2 * (size_t)n : 1);
    if (!more) return on_fail_memory(r->error);
    if (n) memcpy(more, attribute->floats, n * sizeof *more);
    attribute->floats = more;
  }
  memcpy(&attribute->floats[attribute->float_count++], &bits, sizeof bits);
  return true;
}

static uint32_t little32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool floats_field(reader *r, const on_field *field, on_onnx_attribute *attribute) {
  if (field->type == ON_WIRE_FIXED32) return add_float(r, attribute, (uint32_t)field->value, r->wire.at);
  if (!want(r, field, ON_WIRE_BYTES)) return false;
  if ((field->end - field->start) % 4) return fail_at(r, field->start, "a list of floats is cut off");
  for (uint64_t at = field->start; at < field->end; at += 4) {
    uint8_t bytes[4];
    if (!on_wire_copy(&r->wire, at, bytes, 4) || !add_float(r, attribute, little32(bytes), at)) return false;
  }
  return true;
}

static bool ints_field(reader *r, const on_field *field, on_onnx_attribute *attribute) {
  if (field->type == ON_WIRE_VARINT) return add_int(r, attribute, field->value, r->wire.at);
  if (!want(r, field, ON_WIRE_BYTES)) return false;
  r->wire.at = field->start;
  while (r->wire.at < field->end) {
    uint64_t value;
    if (!on_wire_varint(&r->wire, field->end, &value) || !add_int(r, attribute, value, r->wire.at)) return false;
  }
  return true;
}

static bool attribute_field(reader *r, const on_field *field, void *into) {
  on_onnx_attribute *attribute = into;
  uint32_t bits;
  switch (field->number) {
    case 1:
      return text(r, field, &attribute->name);
    case 2:
      if (!want(r, field, ON_WIRE_FIXED32)) return false;
      bits = (uint32_t)field->value;
      memcpy(&attribute->f, &bits, sizeof bits);
      return true;
    case 3:
      if (!want(r, field, ON_WIRE_VARINT)) return false;
      attribute->i = (int64_t)field->value;
      return true;
    case 4:
      // Strings that matter here are short; a long one (a compiled blob, say) counts as none.
      if (field->type == ON_WIRE_BYTES && field->end - field->start > MAX_NAME) return true;
      return text(r, field, &attribute->s);
    case 5:
      if (!want(r, field, ON_WIRE_BYTES)) return false;
      return read_tensor(r, field, &attribute->tensor);
    case 7:
      return floats_field(r, field, attribute);
    case 8:
      return ints_field(r, field, attribute);
    default:  // graphs of If and Loop among them: a node that needs them is not recognized
      return true;
  }
}

typedef struct counts {
  uint32_t inputs, outputs, attributes;
} counts;

static bool count_node_field(reader *r, const on_field *field, void *into) {
  (void)r;
  counts *n = into;
  n->inputs += field->number == 1;
  n->outputs += field->number == 2;
  n->attributes += field->number == 5;
  return true;
}

static bool node_field(reader *r, const on_field *field, void *into) {
  on_onnx_node *node = into;
  on_str name;
  switch (field->number) {
    case 1:
      if (!text(r, field, &name)) return false;
      node->inputs[node->input_count] = ON_ONNX_NONE;
      return name.n == 0 ? (node->input_count++, true) : value_of(r, name, &node->inputs[node->input_count++]);
    case 2:
      if (!text(r, field, &name)) return false;
      node->outputs[node->output_count] = ON_ONNX_NONE;
      return name.n == 0 ? (node->output_count++, true) : value_of(r, name, &node->outputs[node->output_count++]);
    case 3:
      return text(r, field, &node->name);
    case 4:
      return text(r, field, &node->op);
    case 5: {
      on_onnx_attribute *attribute = &node->attributes[node->attribute_count++];
      *attribute = (on_onnx_attribute){.name = ON_STR(""), .s = ON_STR(""), .tensor = ON_ONNX_NONE};
      return inner(r, field, attribute_field, attribute);
    }
    case 7:
      if (!text(r, field, &node->domain)) return false;
      if (on_str_eq(node->domain, ON_STR("ai.onnx"))) node->domain = ON_STR("");
      return true;
    default:
      return true;
  }
}

static bool read_node(reader *r, const on_field *field, on_onnx_node *node) {
  counts n = {0};
  if (!inner(r, field, count_node_field, &n)) return false;
  *node = (on_onnx_node){.name = ON_STR(""), .op = ON_STR(""), .domain = ON_STR("")};
  node->inputs = ON_NEW(r->arena, uint32_t, n.inputs);
  node->outputs = ON_NEW(r->arena, uint32_t, n.outputs);
  node->attributes = ON_NEW(r->arena, on_onnx_attribute, n.attributes);
  if (!node->inputs || !node->outputs || !node->attributes) return on_fail_memory(r->error);
  return inner(r, field, node_field, node);
}

static bool add_node(reader *r, const on_field *field) {
  on_onnx *onnx = r->onnx;
  on_onnx_node *node = &onnx->nodes[onnx->node_count];
  if (!read_node(r, field, node)) return false;
  for (uint32_t i = 0; i < node->output_count; i++) {
    if (node->outputs[i] == ON_ONNX_NONE) continue;
    on_onnx_value *value = &onnx->values[node->outputs[i]];
    if (value->node != ON_ONNX_NONE) {
      return on_fail(r->error, ON_INVALID_DATA, (int64_t)field->start, "ONNX: two nodes make the value %.*s",
                     ON_SHOW(value->name));
    }
    value->node = (uint32_t)onnx->node_count;
    value->output = i;
  }
  const on_onnx_attribute *constant = on_onnx_is(node, "Constant") ? on_onnx_attribute_of(node, "value") : NULL;
  if (constant && node->output_count == 1 && node->outputs[0] != ON_ONNX_NONE) {
    onnx->values[node->outputs[0]].tensor = constant->tensor;
  }
  onnx->node_count++;
  return true;
}

// ---- the graph --------------------------------------------------------------------------------------

static bool count_graph_field(reader *r, const on_field *field, void *into) {
  (void)r;
  counts *n = into;
  n->attributes += field->number == 1;  // nodes, here
  n->outputs += field->number == 12;
  return true;
}

static bool info_field(reader *r, const on_field *field, void *into) {
  return field->number != 1 || text(r, field, into);
}

static bool graph_field(reader *r, const on_field *field, void *into) {
  (void)into;
  on_onnx *onnx = r->onnx;
  on_str name = ON_STR("");
  uint32_t index = 0, value = 0;
  switch (field->number) {
    case 1:
      return want(r, field, ON_WIRE_BYTES) && add_node(r, field);
    case 5:
      if (!want(r, field, ON_WIRE_BYTES) || !read_tensor(r, field, &index) ||
          !value_of(r, onnx->tensors[index].name, &value)) {
        return false;
      }
      onnx->values[value].tensor = index;
      return true;
    case 11:
      if (!inner(r, field, info_field, &name) || !value_of(r, name, &value)) return false;
      onnx->values[value].input = true;
      return true;
    case 12:
      if (!inner(r, field, info_field, &name) || !value_of(r, name, &value)) return false;
      onnx->outputs[onnx->output_count++] = value;
      return true;
    default:
      return true;
  }
}

static bool read_graph(reader *r, const on_field *field) {
  on_onnx *onnx = r->onnx;
  if (onnx->nodes) return fail_at(r, field->start, "a second graph");
  counts n = {0};
  if (!inner(r, field, count_graph_field, &n)) return false;
  if (n.attributes > MAX_NODES) return fail_at(r, field->start, "more than 1,048,576 nodes");
  onnx->nodes = ON_NEW(r->arena, on_onnx_node, n.attributes);
  onnx->outputs = ON_NEW(r->arena, uint32_t, n.outputs);
  if (!onnx->nodes || !onnx->outputs) return on_fail_memory(r->error);
  return inner(r, field, graph_field, NULL);
}

typedef struct opset {
  on_str domain;
  uint64_t version;
} opset;

static bool opset_field(reader *r, const on_field *field, void *into) {
  opset *set = into;
  if (field->number == 1) return text(r, field, &set->domain);
  if (field->number == 2 && !want(r, field, ON_WIRE_VARINT)) return false;
  if (field->number == 2) set->version = field->value;
  return true;
}

static bool model_field(reader *r, const on_field *field, void *into) {
  (void)into;
  if (field->number == 7) return want(r, field, ON_WIRE_BYTES) && read_graph(r, field);
  if (field->number != 8) return true;
  opset set = {.domain = ON_STR("")};
  if (!inner(r, field, opset_field, &set)) return false;
  bool own = set.domain.n == 0 || on_str_eq(set.domain, ON_STR("ai.onnx"));
  if (own) r->onnx->opset = set.version > INT32_MAX ? INT32_MAX : (int64_t)set.version;
  return true;
}

static bool read_model(reader *r, const on_data_source *source) {
  if (!message(r, 0, source->size, model_field, NULL)) return false;
  if (!r->onnx->nodes || r->onnx->node_count == 0) {
    return on_fail(r->error, ON_INVALID_DATA, -1, "ONNX: the file holds no graph");
  }
  if (r->onnx->opset < OLDEST_OPSET || r->onnx->opset > NEWEST_OPSET) {
    return on_fail(r->error, ON_UNSUPPORTED, -1, "ONNX: opset %d; %d to %d are read: export the model with opset 17",
                   (int)r->onnx->opset, OLDEST_OPSET, NEWEST_OPSET);
  }
  return true;
}

// Moves a list that grew by on_grow into the arena.
static bool keep(reader *r, void **list, size_t count, size_t size) {
  void *kept = on_arena_alloc(r->arena, count, size);
  if (kept && count) memcpy(kept, *list, count * size);
  on_free(*list);
  *list = kept;
  return kept || on_fail_memory(r->error);
}

bool on_onnx_read(on_onnx *onnx, on_arena *arena, const on_data_source *source, on_error *error) {
  *onnx = (on_onnx){.source = source};
  reader *r = on_calloc(1, sizeof *r);
  if (!r) return on_fail_memory(error);
  r->onnx = onnx;
  r->arena = arena;
  r->error = error;
  on_wire_init(&r->wire, source, error);
  bool ok = read_model(r, source);
  ok = keep(r, (void **)&onnx->values, onnx->value_count, sizeof *onnx->values) && ok;
  ok = keep(r, (void **)&onnx->tensors, onnx->tensor_count, sizeof *onnx->tensors) && ok;
  on_map_free(&r->names);
  on_free(r);
  return ok;
}

const on_onnx_attribute *on_onnx_attribute_of(const on_onnx_node *node, const char *name) {
  for (uint32_t i = 0; i < node->attribute_count; i++) {
    if (on_str_eq(node->attributes[i].name, on_str_c(name))) return &node->attributes[i];
  }
  return NULL;
}
