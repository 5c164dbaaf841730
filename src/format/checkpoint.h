// Named tensors in a safetensors image (docs/format.md, "Weights").
#ifndef ON_FORMAT_CHECKPOINT_H
#define ON_FORMAT_CHECKPOINT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

#define ON_MAX_CHECKPOINT_HEADER ((uint64_t)16 << 20)
#define ON_MAX_TENSOR_NAME 256  // bytes

typedef enum on_dtype { ON_F32, ON_F16, ON_I8 } on_dtype;

typedef struct on_tensor {
  on_str name;
  on_dtype type;
  unsigned rank;         // 1 or 2
  uint32_t shape[2];     // [n], or [rows, columns]; row-major
  const uint8_t *data;   // borrowed; little-endian, any alignment
  size_t size;           // bytes
} on_tensor;

typedef struct on_meta {
  on_str key, value;
} on_meta;

typedef struct on_checkpoint {
  on_tensor *tensors;  // in the order of their data
  size_t count;
  uint32_t *by_name;   // indices of `tensors` in the byte order of their names; NULL: no such index
  on_meta *meta;       // __metadata__, string to string
  size_t meta_count;
} on_checkpoint;

// Reads a checkpoint image; tensors point into `bytes`, names and lists live in `arena`. Checks type,
// extent, overlap, gaps, order (F32, then F16, then I8) and that <name>.scale (F32, [rows]) stands
// beside every I8 tensor and no other. ON_INVALID_DATA names the tensor; the position is an offset in
// `bytes`, or -1.
bool on_checkpoint_read(on_arena *arena, on_str bytes, on_checkpoint *out, on_error *error);

// The tensor of that name, or NULL. Logarithmic time in a checkpoint that was read.
const on_tensor *on_checkpoint_find(const on_checkpoint *checkpoint, on_str name);

// Appends an image; tensors may come in any order and are laid F32, F16, I8, each type in the order
// given. The header is padded so that data starts at a multiple of 64 bytes counted from `file_offset`,
// the image's place in the file. What on_checkpoint_read would refuse is ON_INVALID_ARGUMENT.
bool on_checkpoint_write(on_buf *out, const on_checkpoint *checkpoint, uint64_t file_offset, on_error *error);

const char *on_dtype_name(on_dtype type);  // "F32", "F16", "I8"
size_t on_dtype_size(on_dtype type);       // bytes of one value

#endif
