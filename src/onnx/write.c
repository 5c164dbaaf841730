#include "onnx/write.h"

#include <stdio.h>
#include <string.h>

#include "onnx/wire.h"

enum { IR_VERSION = 8, BLOCK = 1 << 16 };

struct on_onnx_writer {
  const on_sink *sink;  // NULL: counting
  uint64_t size;        // of the graph so far
  uint32_t values;      // that have been numbered
  on_buf message;       // the one at hand, before its length is known
  on_buf block;         // bytes on their way to the sink
  bool failed;
  on_error *error;
};

// ---- bytes ------------------------------------------------------------------------------------------

static void flush(on_onnx_writer *w) {
  if (w->block.failed) on_fail_memory(w->error);
  w->failed = w->failed || w->block.failed ||
              (w->block.n && !w->sink->write(w->sink->context, on_buf_view(&w->block), w->error));
  on_buf_clear(&w->block);
}

static void emit(on_onnx_writer *w, const void *bytes, size_t size) {
  if (w->failed || !w->sink) return;
  on_buf_add(&w->block, bytes, size);
  if (w->block.n >= BLOCK || w->block.failed) flush(w);
}

// A part of the graph.
static void put(on_onnx_writer *w, const void *bytes, size_t size) {
  w->size += size;
  emit(w, bytes, size);
}

static void varint(on_buf *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) on_buf_char(out, (char)(value | 0x80));
  on_buf_char(out, (char)value);
}

static void key(on_buf *out, uint32_t number, uint32_t type) { varint(out, number << 3 | type); }

static void number(on_buf *out, uint32_t field, uint64_t value) {
  key(out, field, ON_WIRE_VARINT);
  varint(out, value);
}

static void bytes_field(on_buf *out, uint32_t field, on_str bytes) {
  key(out, field, ON_WIRE_BYTES);
  varint(out, bytes.n);
  on_buf_str(out, bytes);
}

static void text(on_buf *out, uint32_t field, const char *value) { bytes_field(out, field, on_str_c(value)); }

// All of the buffer, which is empty then.
static void emit_whole(on_onnx_writer *w, on_buf *buf) {
  if (buf->failed) w->failed = w->failed || !on_fail_memory(w->error);
  else emit(w, buf->p, buf->n);
  on_buf_clear(buf);
}

// The same as a part of the graph.
static void put_whole(on_onnx_writer *w, on_buf *buf) {
  w->size += buf->n;
  emit_whole(w, buf);
}

// The message at hand as a field of the graph; `more` bytes of it follow.
static void put_message(on_onnx_writer *w, uint32_t field, uint64_t more) {
  on_buf head = {0};
  key(&head, field, ON_WIRE_BYTES);
  varint(&head, w->message.n + more);
  put_whole(w, &head);
  put_whole(w, &w->message);
  on_buf_free(&head);
}

// ---- nodes ------------------------------------------------------------------------------------------

static on_onnx_ref numbered(uint32_t n) {
  on_onnx_ref ref = {.number = n};
  snprintf(ref.name, sizeof ref.name, "v%u", n);
  return ref;
}

on_onnx_ref on_onnx_next(const on_onnx_ref *output) { return numbered(output->number + 1); }

// Numbers of the fields and of the types of attributes: onnx.proto.
static void put_setting(on_buf *out, const on_onnx_setting *s) {
  on_buf inner = {0};
  text(&inner, 1, s->name);
  if (s->type == ON_SETTING_FLOAT) {
    key(&inner, 2, ON_WIRE_FIXED32);
    uint32_t bits;
    memcpy(&bits, &s->f, sizeof bits);
    on_buf_u32le(&inner, bits);
    number(&inner, 20, 1);
  } else if (s->type == ON_SETTING_INT) {
    number(&inner, 3, (uint64_t)s->i);
    number(&inner, 20, 2);
  } else {
    for (size_t i = 0; i < s->count; i++) number(&inner, 8, (uint64_t)s->ints[i]);
    number(&inner, 20, 7);
  }
  bytes_field(out, 5, on_buf_view(&inner));
  out->failed = out->failed || inner.failed;
  on_buf_free(&inner);
}

on_onnx_ref on_onnx_put_node(on_onnx_writer *w, const char *op, const on_onnx_setting *settings, size_t count,
                             const on_onnx_ref *a, const on_onnx_ref *b, const on_onnx_ref *c, unsigned outputs) {
  const on_onnx_ref *const inputs[] = {a, b, c, NULL};
  const on_onnx_ref first = numbered(w->values);
  for (size_t i = 0; inputs[i]; i++) text(&w->message, 1, inputs[i]->name);
  for (unsigned i = 0; i < outputs; i++) text(&w->message, 2, numbered(w->values++).name);
  text(&w->message, 4, op);
  for (size_t i = 0; i < count; i++) put_setting(&w->message, &settings[i]);
  put_message(w, 1, 0);
  return first;
}

// A value's name and type with the dimensions [batch, sequence], and `width` where it is not 0.
static void put_value(on_onnx_writer *w, uint32_t field, const char *name, uint32_t type, uint64_t width) {
  static const char *const axes[] = {"batch", "sequence"};
  on_buf dim = {0}, shape = {0}, tensor = {0}, whole = {0};
  for (int i = 0; i < (width ? 3 : 2); i++) {
    if (i < 2) text(&dim, 2, axes[i]);
    else number(&dim, 1, width);
    bytes_field(&shape, 1, on_buf_view(&dim));
    shape.failed = shape.failed || dim.failed;
    on_buf_clear(&dim);
  }
  number(&tensor, 1, type);
  bytes_field(&tensor, 2, on_buf_view(&shape));
  bytes_field(&whole, 1, on_buf_view(&tensor));
  text(&w->message, 1, name);
  bytes_field(&w->message, 2, on_buf_view(&whole));
  w->message.failed = w->message.failed || shape.failed || tensor.failed || whole.failed;
  on_buf_free(&dim);
  on_buf_free(&shape);
  on_buf_free(&tensor);
  on_buf_free(&whole);
  put_message(w, field, 0);
}

on_onnx_ref on_onnx_put_input(on_onnx_writer *w, const char *name) {
  on_onnx_ref ref = {.number = 0};
  snprintf(ref.name, sizeof ref.name, "%s", name);
  put_value(w, 11, name, ON_ONNX_INT64, 0);
  return ref;
}

void on_onnx_put_output(on_onnx_writer *w, const on_onnx_ref *value, const char *name, uint64_t width) {
  text(&w->message, 1, value->name);
  text(&w->message, 2, name);
  text(&w->message, 4, "Identity");
  put_message(w, 1, 0);
  put_value(w, 12, name, ON_ONNX_FLOAT, width);
}

// ---- tensors ----------------------------------------------------------------------------------------

on_onnx_ref on_onnx_put_tensor(on_onnx_writer *w, uint32_t type, unsigned rank, uint64_t rows, uint64_t cols) {
  const on_onnx_ref ref = numbered(w->values++);
  const uint64_t dims[2] = {rows, cols};
  uint64_t count = 1;
  for (unsigned i = 0; i < rank; i++) {
    number(&w->message, 1, dims[i]);
    count *= dims[i];
  }
  number(&w->message, 2, type);
  text(&w->message, 8, ref.name);
  key(&w->message, 9, ON_WIRE_BYTES);
  const uint64_t data = count * on_onnx_type_size(type);
  varint(&w->message, data);
  put_message(w, 5, data);
  return ref;
}

void on_onnx_put_bytes(on_onnx_writer *w, const void *bytes, size_t size) { put(w, bytes, size); }

bool on_onnx_skip_bytes(on_onnx_writer *w, uint64_t size) {
  if (w->sink) return false;
  w->size += size;
  return true;
}

static void put_little_endian(on_onnx_writer *w, uint64_t value, size_t size) {
  uint8_t bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
  put(w, bytes, size);
}

on_onnx_ref on_onnx_put_ints(on_onnx_writer *w, const int64_t *values, size_t count) {
  const on_onnx_ref ref = on_onnx_put_tensor(w, ON_ONNX_INT64, 1, count, 0);
  for (size_t i = 0; i < count; i++) put_little_endian(w, (uint64_t)values[i], 8);
  return ref;
}

on_onnx_ref on_onnx_put_number(on_onnx_writer *w, float value) {
  const on_onnx_ref ref = on_onnx_put_tensor(w, ON_ONNX_FLOAT, 0, 0, 0);
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_little_endian(w, bits, 4);
  return ref;
}

on_onnx_ref on_onnx_put_integer(on_onnx_writer *w, int64_t value) {
  const on_onnx_ref ref = on_onnx_put_tensor(w, ON_ONNX_INT64, 0, 0, 0);
  put_little_endian(w, (uint64_t)value, 8);
  return ref;
}

void on_onnx_put_failure(on_onnx_writer *w) { w->failed = true; }
on_error *on_onnx_writer_error(on_onnx_writer *w) { return w->error; }

// ---- the whole --------------------------------------------------------------------------------------

static void describe(on_onnx_writer *w, void (*graph)(on_onnx_writer *writer, void *context), void *context) {
  w->size = 0;
  w->values = 0;
  text(&w->message, 2, "onenlp");  // the graph's name
  put_whole(w, &w->message);
  graph(w, context);
}

static void write(on_onnx_writer *w, const on_sink *sink, void (*graph)(on_onnx_writer *writer, void *context),
                  void *context) {
  on_buf around = {0};
  const uint64_t counted = w->size;
  number(&around, 1, IR_VERSION);
  text(&around, 2, "onenlp");
  key(&around, 7, ON_WIRE_BYTES);
  varint(&around, counted);
  w->sink = sink;
  emit_whole(w, &around);
  describe(w, graph, context);
  if (!w->failed && w->size != counted) w->failed = !on_fail(w->error, ON_IO, -1, "ONNX: the graph changed");
  on_buf opset = {0};
  text(&opset, 1, "");
  number(&opset, 2, ON_ONNX_WRITE_OPSET);
  bytes_field(&around, 8, on_buf_view(&opset));
  around.failed = around.failed || opset.failed;
  emit_whole(w, &around);
  on_buf_free(&around);
  on_buf_free(&opset);
}

bool on_onnx_write(const on_sink *sink, void (*graph)(on_onnx_writer *writer, void *context), void *context,
                   on_error *error) {
  on_onnx_writer w = {.error = error};
  describe(&w, graph, context);
  if (!w.failed && w.size > INT32_MAX - BLOCK) {
    w.failed = !on_fail(error, ON_LIMIT, -1, "ONNX: the model would have more than 2 GB");
  }
  if (!w.failed) {
    write(&w, sink, graph, context);
    if (!w.failed) flush(&w);
  }
  on_buf_free(&w.message);
  on_buf_free(&w.block);
  return !w.failed;
}
