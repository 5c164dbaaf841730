// Parameters: what encoders and heads declare by name and shape. The declaration is the single truth
// for the loader's check, the saver, the optimizer and `onenlp inspect`.
#ifndef ON_NN_PARAM_H
#define ON_NN_PARAM_H

#include "base/arena.h"
#include "base/error.h"
#include "format/checkpoint.h"
#include "nn/kernels.h"
#include "nn/linear.h"

typedef struct on_param {
  char name[56];         // without the "encoder<i>." or "head<j>." before it
  unsigned rank;         // 1: vector [shape[0]]; 2: matrix [shape[0], shape[1]]
  uint32_t shape[2];     // a vector has shape[1] = 1
  bool table;            // an embedding table: only few rows are read at a time
  on_dtype type;         // storage of data
  const uint8_t *data;   // row-major, little-endian, any alignment; NULL until loaded. Borrowed
  const uint8_t *scale;  // F32 [rows], for I8; else NULL. Borrowed
} on_param;

typedef struct on_params {
  on_param **list;
  size_t n, cap;
} on_params;

// Declares a parameter (cols 0: a vector). The pointer lives as long as the arena. NULL: out of memory,
// or name too long. The formats are those of on_name.
on_param *on_params_add(on_params *params, on_arena *arena, bool table, uint32_t rows, uint32_t cols,
                        const char *format, ...) __attribute__((format(printf, 6, 7)));

static inline size_t on_param_count(const on_param *p) { return (size_t)p->shape[0] * p->shape[1]; }

// Row r as floats: out[shape[1]]. F16 and I8 are widened (I8: value * scale[r]).
void on_param_row(const on_param *param, size_t row, float *out);
// out += row r, the same values.
void on_param_add_row(const on_param *param, size_t row, float *out);
// A whole vector as floats in the arena (aligned). NULL: out of memory.
const float *on_param_vector(const on_param *param, on_arena *arena);
// A matrix packed for on_linear, in the arena; columns [from, to) of it. One that is stored as I8 stays whole
// numbers. data and q NULL: out of memory.
on_packed on_param_pack(const on_param *param, on_arena *arena, uint32_t from, uint32_t to);
// The same as floats whatever it is stored as.
on_packed on_param_pack_floats(const on_param *param, on_arena *arena, uint32_t from, uint32_t to);
// All columns in `parts` stretches of equal width: the outputs of the first stretch, then those of the second, ...
on_packed on_param_pack_parts(const on_param *param, on_arena *arena, uint32_t parts);
static inline bool on_is_packed(const on_packed *packed) { return packed->data || packed->q; }

#endif
