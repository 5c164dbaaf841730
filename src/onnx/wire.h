// The protobuf wire format over a source: one field after another inside an extent, nothing kept.
#ifndef ON_ONNX_WIRE_H
#define ON_ONNX_WIRE_H

#include "base/error.h"
#include "base/source.h"

enum { ON_WIRE_VARINT = 0, ON_WIRE_FIXED64 = 1, ON_WIRE_BYTES = 2, ON_WIRE_FIXED32 = 5 };

typedef struct on_wire {
  const on_data_source *source;
  uint64_t at;            // next byte to be read
  uint64_t window_start;  // what `window` holds of the file
  size_t window_size;
  on_error *error;
  uint8_t window[16384];
} on_wire;

typedef struct on_field {
  uint32_t number;
  uint32_t type;
  uint64_t value;       // of numbers, as they stand
  uint64_t start, end;  // of bytes: their extent in the file
} on_field;

void on_wire_init(on_wire *wire, const on_data_source *source, on_error *error);

// The next field before `end`. 1: there is one, and wire->at stands behind it; 0: the end; -1: malformed (*error is
// filled). To look into a message, set wire->at to field->start, read up to field->end, then set it back there.
int on_wire_next(on_wire *wire, uint64_t end, on_field *field);

// One number of a packed field. False: it does not end before `end`.
bool on_wire_varint(on_wire *wire, uint64_t end, uint64_t *value);

// Copies `size` bytes of the file, on from the wire's place if they are in its window.
bool on_wire_copy(on_wire *wire, uint64_t start, void *out, size_t size);

#endif
