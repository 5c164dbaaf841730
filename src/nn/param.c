#include "nn/param.h"

#include <stdarg.h>
#include <string.h>
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "base/alloc.h"
#include "base/half.h"
#include "base/name.h"
#include "base/rare.h"

on_param *on_params_add(on_params *params, on_arena *arena, bool table, uint32_t rows, uint32_t cols,
                        const char *format, ...) {
  on_param *param = ON_NEW0(arena, on_param, 1);
  if (!param) {
    return NULL;
  }
  va_list arguments;
  va_start(arguments, format);
  const size_t length = on_name_list(param->name, sizeof param->name, format, arguments);
  va_end(arguments);
  if (length >= sizeof param->name) {
    return NULL;
  }
  param->rank = cols > 0 ? 2 : 1;
  param->shape[0] = rows;
  param->shape[1] = cols > 0 ? cols : 1;
  param->table = table;
  void *list = params->list;
  if (!on_grow(&list, &params->cap, params->n + 1, sizeof *params->list)) {
    return NULL;
  }
  params->list = list;
  params->list[params->n++] = param;
  return param;
}

static float load_f32(const uint8_t *p) {
  const uint32_t bits = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

enum { AT_ONCE = 16 };

// Sixteen bytes as numbers times scale. A compiler for WebAssembly that sees how the vectors of whole numbers were made
// takes those of floats together number by number.
static inline void widen_bytes(const int8_t *p, float scale, float *out) {
#ifdef __wasm_simd128__
  const v128_t bytes = wasm_v128_load(p), all = wasm_f32x4_splat(scale);
  const v128_t low = wasm_i16x8_extend_low_i8x16(bytes), high = wasm_i16x8_extend_high_i8x16(bytes);
  v128_t four[] = {wasm_i32x4_extend_low_i16x8(low), wasm_i32x4_extend_high_i16x8(low),
                   wasm_i32x4_extend_low_i16x8(high), wasm_i32x4_extend_high_i16x8(high)};
  __asm__("" : "+r"(four[0]), "+r"(four[1]), "+r"(four[2]), "+r"(four[3]));
  for (size_t i = 0; i < AT_ONCE / 4; i++) {
    wasm_v128_store(out + 4 * i, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(four[i]), all));
  }
#else
  typedef int8_t bytes __attribute__((vector_size(AT_ONCE)));
  typedef float floats __attribute__((vector_size(4 * AT_ONCE)));
  bytes b;
  memcpy(&b, p, sizeof b);
  const floats f = __builtin_convertvector(b, floats) * scale;
  memcpy(out, &f, sizeof f);
#endif
}

// Columns [from, to) of a row stored as I8: rows of new words are read in an engine's first, slow code.
ON_APART static void read_whole(const on_param *param, size_t row, size_t from, size_t to, float *out) {
  const int8_t *p = (const int8_t *)param->data + row * param->shape[1] + from;
  const float scale = load_f32(param->scale + row * 4);
  const size_t n = to - from;
  size_t i = 0;
  for (; i + AT_ONCE <= n; i += AT_ONCE) {
    widen_bytes(p + i, scale, out + i);
  }
  if (i < n) {
    int8_t last[AT_ONCE] = {0};
    float numbers[AT_ONCE];
    memcpy(last, p + i, n - i);
    widen_bytes(last, scale, numbers);
    memcpy(out + i, numbers, (n - i) * sizeof *out);
  }
}

// The same of a row stored as F32 or F16.
ON_APART static void read_floats(const on_param *param, size_t row, size_t from, size_t to, float *out) {
  const size_t n = to - from, first = row * param->shape[1] + from;
  if (param->type == ON_F32) {
    const uint8_t *p = param->data + first * 4;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(out, p, n * sizeof *out);
#else
    for (size_t i = 0; i < n; i++) {
      out[i] = load_f32(p + i * 4);
    }
#endif
    return;
  }
  const uint8_t *p = param->data + first * 2;
  for (size_t i = 0; i < n; i++) {
    out[i] = on_half_to_float((uint16_t)(p[2 * i] | p[2 * i + 1] << 8));
  }
}

static void read_row(const on_param *param, size_t row, size_t from, size_t to, float *out) {
  if (param->type == ON_I8) read_whole(param, row, from, to, out);
  else read_floats(param, row, from, to, out);
}

void on_param_row(const on_param *param, size_t row, float *out) { read_row(param, row, 0, param->shape[1], out); }

void on_param_add_row(const on_param *param, size_t row, float *out) {
  enum { PART = 64 };
  const size_t cols = param->shape[1];
  float part[PART];
  for (size_t from = 0; from < cols; from += PART) {
    const size_t to = cols - from < PART ? cols : from + PART;
    read_row(param, row, from, to, part);
    for (size_t i = from; i < to; i++) {
      out[i] = out[i] + part[i - from];
    }
  }
}

const float *on_param_vector(const on_param *param, on_arena *arena) {
  float *out = ON_NEW(arena, float, param->shape[0]);
  for (size_t i = 0; out && i < param->shape[0]; i++) {
    out[i] = load_f32(param->data + i * 4);  // vectors are F32
  }
  return out;
}

// `parts` stretches of columns, each `cols` wide, the first one from `from` on; the outputs of each stretch are below
// those of the one before.
static on_packed pack_floats(const on_param *param, on_arena *arena, uint32_t from, uint32_t cols, uint32_t parts) {
  const uint32_t rows = param->shape[0];
  on_packed packed = {.rows = parts * rows, .cols = cols};
  float *row = ON_NEW(arena, float, cols);
  float *data = ON_NEW0(arena, float, on_packed_floats(packed.rows, cols));
  if (row && data) {
    for (size_t i = 0; i < packed.rows; i++) {
      const size_t first = from + i / rows * cols;
      read_row(param, i % rows, first, first + cols, row);
      on_pack_row(data, cols, i, row);
    }
    packed.data = data;
  }
  return packed;
}

static on_packed pack(const on_param *param, on_arena *arena, uint32_t from, uint32_t cols, uint32_t parts) {
  if (param->type != ON_I8 || cols > ON_QUANTIZED_MAX_COLS) {
    return pack_floats(param, arena, from, cols, parts);
  }
  const uint32_t rows = param->shape[0];
  on_packed packed = {.rows = parts * rows, .cols = cols};
  const size_t count = on_packed_floats(packed.rows, ON_QUAD * on_quads(cols));
  int8_t *q = ON_NEW0(arena, int8_t, count);
  const size_t wide_count = on_packed_floats(packed.rows, on_wide_cols(cols));
  int16_t *wide = on_kernels_widen() ? ON_NEW(arena, int16_t, wide_count) : NULL;
  float *scale = ON_NEW0(arena, float, on_packed_floats(packed.rows, 1));
  if (q && scale) {
    for (size_t i = 0; i < packed.rows; i++) {
      const size_t row = i % rows, first = from + i / rows * cols;
      on_pack_quantized_row(q, cols, i, param->data + row * param->shape[1] + first);
      scale[i] = load_f32(param->scale + row * 4);
    }
    packed.q = q;
    packed.wide = wide;
    if (wide) {
      on_widen(wide, q, packed.rows, cols);
    }
    packed.scale = scale;
  }
  return packed;
}

on_packed on_param_pack_floats(const on_param *param, on_arena *arena, uint32_t from, uint32_t to) {
  return pack_floats(param, arena, from, to - from, 1);
}

on_packed on_param_pack(const on_param *param, on_arena *arena, uint32_t from, uint32_t to) {
  return pack(param, arena, from, to - from, 1);
}

on_packed on_param_pack_parts(const on_param *param, on_arena *arena, uint32_t parts) {
  return pack(param, arena, 0, param->shape[1] / parts, parts);
}
