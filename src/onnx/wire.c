#include "onnx/wire.h"

void on_wire_init(on_wire *wire, const on_data_source *source, on_error *error) {
  wire->source = source;
  wire->at = wire->window_start = 0;
  wire->window_size = 0;
  wire->error = error;
}

static bool malformed(on_wire *wire, const char *what) {
  return on_fail(wire->error, ON_INVALID_DATA, (int64_t)wire->at, "ONNX: %s at byte %llu", what,
                 (unsigned long long)wire->at);
}

static bool unreadable(on_wire *wire) { return on_fail(wire->error, ON_IO, -1, "ONNX: the file cannot be read"); }

// The byte at wire->at, which lies inside the file.
static bool next_byte(on_wire *wire, uint8_t *byte) {
  uint64_t offset = wire->at - wire->window_start;
  if (wire->at < wire->window_start || offset >= wire->window_size) {
    uint64_t left = wire->source->size - wire->at;
    size_t take = left < sizeof wire->window ? (size_t)left : sizeof wire->window;
    wire->window_size = 0;
    if (!on_data_read(wire->source, wire->at, wire->window, take)) return unreadable(wire);
    wire->window_start = wire->at;
    wire->window_size = take;
    offset = 0;
  }
  *byte = wire->window[offset];
  wire->at++;
  return true;
}

bool on_wire_varint(on_wire *wire, uint64_t end, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    uint8_t byte = 0;
    if (wire->at >= end) return malformed(wire, "a number is cut off");
    if (!next_byte(wire, &byte)) return false;
    if (shift == 63 && byte > 1) return malformed(wire, "a number has more than 64 bits");
    *value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return malformed(wire, "a number has more than 64 bits");
}

static bool fixed(on_wire *wire, uint64_t end, unsigned size, uint64_t *value) {
  if (end - wire->at < size) return malformed(wire, "a number is cut off");
  *value = 0;
  for (unsigned i = 0; i < size; i++) {
    uint8_t byte = 0;
    if (!next_byte(wire, &byte)) return false;
    *value |= (uint64_t)byte << (8 * i);
  }
  return true;
}

static int result(bool ok) { return ok ? 1 : -1; }

int on_wire_next(on_wire *wire, uint64_t end, on_field *field) {
  if (wire->at >= end) return 0;
  uint64_t tag;
  if (!on_wire_varint(wire, end, &tag)) return -1;
  *field = (on_field){.number = (uint32_t)(tag >> 3), .type = (uint32_t)(tag & 7)};
  if (tag >> 3 == 0 || tag >> 3 > 536870911) return result(malformed(wire, "a field has a number out of range"));
  switch (field->type) {
    case ON_WIRE_VARINT:
      return result(on_wire_varint(wire, end, &field->value));
    case ON_WIRE_FIXED64:
      return result(fixed(wire, end, 8, &field->value));
    case ON_WIRE_FIXED32:
      return result(fixed(wire, end, 4, &field->value));
    case ON_WIRE_BYTES: {
      uint64_t size;
      if (!on_wire_varint(wire, end, &size)) return -1;
      if (size > end - wire->at) return result(malformed(wire, "a field is longer than what it stands in"));
      field->start = wire->at;
      field->end = wire->at = wire->at + size;
      return 1;
    }
    default:  // groups, which protobuf gave up
      return result(malformed(wire, "a field has an unknown type"));
  }
}

bool on_wire_copy(on_wire *wire, uint64_t start, void *out, size_t size) {
  uint64_t offset = start - wire->window_start;  // large where start lies before the window
  if (size <= wire->window_size && offset <= wire->window_size - size) {
    memcpy(out, wire->window + offset, size);
    return true;
  }
  return on_data_read(wire->source, start, out, size) || unreadable(wire);
}
