// Writes an ONNX model: the same calls give the same bytes. A message of protobuf stands behind its length, so a graph
// is described twice: once to be counted, once to be written as it comes, whatever its size.
#ifndef ON_ONNX_WRITE_H
#define ON_ONNX_WRITE_H

#include "base/buffer.h"
#include "base/error.h"
#include "onnx/graph.h"

// Where the bytes of a file go.
typedef struct on_sink {
  void *context;
  bool (*write)(void *context, on_str bytes, on_error *error);  // false: it failed, *error says why
} on_sink;

typedef struct on_onnx_writer on_onnx_writer;

// A value of the graph.
typedef struct on_onnx_ref {
  char name[24];
  uint32_t number;  // of those that are numbered
} on_onnx_ref;

// An attribute of a node: one integer, several, or a float.
typedef struct on_onnx_setting {
  const char *name;
  enum { ON_SETTING_INT, ON_SETTING_INTS, ON_SETTING_FLOAT } type;
  int64_t i;
  const int64_t *ints;
  size_t count;
  float f;
} on_onnx_setting;

// A node with up to three inputs (NULL ends them) and the first of `outputs` outputs; the others are numbered behind it
// (on_onnx_next). `settings` may be NULL.
on_onnx_ref on_onnx_put_node(on_onnx_writer *writer, const char *op, const on_onnx_setting *settings, size_t count,
                             const on_onnx_ref *a, const on_onnx_ref *b, const on_onnx_ref *c, unsigned outputs);
on_onnx_ref on_onnx_next(const on_onnx_ref *output);
// Gives the last value the name that the graph's output has.
void on_onnx_put_output(on_onnx_writer *writer, const on_onnx_ref *value, const char *name, uint64_t width);
// An integer input [batch, sequence].
on_onnx_ref on_onnx_put_input(on_onnx_writer *writer, const char *name);

// A tensor of the graph. All of its bytes follow, in as many parts as one likes.
on_onnx_ref on_onnx_put_tensor(on_onnx_writer *writer, uint32_t type, unsigned rank, uint64_t rows, uint64_t cols);
void on_onnx_put_bytes(on_onnx_writer *writer, const void *bytes, size_t size);
// The same where the bytes are only made when they are written: skips them while counting, and says so.
bool on_onnx_skip_bytes(on_onnx_writer *writer, uint64_t size);
on_onnx_ref on_onnx_put_ints(on_onnx_writer *writer, const int64_t *values, size_t count);
on_onnx_ref on_onnx_put_number(on_onnx_writer *writer, float value);
on_onnx_ref on_onnx_put_integer(on_onnx_writer *writer, int64_t value);
// Ends the writing with an error.
void on_onnx_put_failure(on_onnx_writer *writer);
on_error *on_onnx_writer_error(on_onnx_writer *writer);

enum { ON_ONNX_WRITE_OPSET = 17 };

// `graph` is called twice and must put the same both times. ON_LIMIT beyond 2 GB, which protobuf does not hold.
bool on_onnx_write(const on_sink *sink, void (*graph)(on_onnx_writer *writer, void *context), void *context,
                   on_error *error);

#endif
