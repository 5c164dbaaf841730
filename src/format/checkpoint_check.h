// What must hold for the tensors of a checkpoint, whether it is read or written.
#ifndef ON_FORMAT_CHECKPOINT_CHECK_H
#define ON_FORMAT_CHECKPOINT_CHECK_H

#include "format/checkpoint.h"

// ON_INVALID_DATA with the message "tensor <name>: ...". Returns false.
bool on_fail_tensor(on_error *error, on_str name, const char *format, ...) __attribute__((format(printf, 3, 4)));

// One tensor alone: its name, that its type allows its rank, that its size in bytes fits its shape.
bool on_check_tensor(const on_tensor *tensor, on_error *error);

// All tensors together: no name twice; a scale for every I8 tensor and no other. Makes `by_name`,
// which lives in `arena`.
bool on_check_tensors(on_arena *arena, on_checkpoint *checkpoint, on_error *error);

// Metadata to be written: well-formed UTF-8 without U+0000, no key twice.
bool on_check_meta(on_arena *arena, const on_checkpoint *checkpoint, on_error *error);

#endif
