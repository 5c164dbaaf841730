// Products of whole numbers with the integer dot product of relaxed SIMD, for WebAssembly. An engine without it rejects
// a module that names it, so the instruction stands in a module of its own (js/core/relaxed.js, some hundred bytes), which
// works on this one's memory: where the host has it, it puts its function `dots` into the table of functions in place of
// `absent` below. A row of kernels that is asked for after that uses it; nothing else in here changes.
//
// i32x4.relaxed_dot_i8x16_i7x16_add_s(a, b, c) is c plus sums of four products of bytes. Engines may take the bytes of b
// with a sign or without, and may sum pairs of products in 16 bits, saturated; so it is exact wherever b is in [0, 127]:
// either reading is the same number, and a pair is at most 2 * 128 * 127 = 32,512 from 0, which 16 bits hold. (So it is for
// VPDPBUSD, which takes b without a sign and sums in 32 bits; for PMADDUBSW and PMADDWD, which saturate in between; for
// SDOT of ARM, which takes both with a sign.) The weights, any byte, are a. The numbers of x, in [-127, 127], are two b:
// those above 0 with zeros elsewhere, and those below 0 with their signs turned. Their sums are subtracted at the end.
#include "nn/kernels_tables.h"

#if ON_HAVE_RELAXED_ROW
#include <wasm_simd128.h>

// sums[panels * ON_PANEL] = products of `q`, a row as on_quantize_relaxed makes it, with the weights of as many panels;
// true. The one here does nothing: false.
typedef bool dots_function(int32_t *sums, const int16_t *q, const int8_t *weights, size_t quads, size_t panels);

static bool absent(int32_t *sums, const int16_t *q, const int8_t *weights, size_t quads, size_t panels) {
  (void)sums, (void)q, (void)weights, (void)quads, (void)panels;
  return false;
}

// Volatile, so that the call goes through the table.
static dots_function *const volatile dots = absent;

size_t onenlp_wasm_relaxed_slot(void) { return (size_t)(uintptr_t)absent; }

bool on_relaxed_present(void) { return dots(NULL, NULL, NULL, 0, 0); }

// The numbers in 16 bits become, four by four, four bytes of those above 0 and four of those below.
void on_quantize_relaxed(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  on_kernels_row_lanes4.quantize(q, rows, x, ldx, m, n);
  const size_t quads = m * on_quads(n);
  size_t k = 0;
  for (; k < quads; k += 2) {
    const bool two = k + 2 <= quads;
    int16_t *at = q + k * ON_QUAD;
    const v128_t v = two ? wasm_v128_load(at) : wasm_v128_load64_zero(at), zero = wasm_i16x8_splat(0);
    const v128_t bytes = wasm_i8x16_narrow_i16x8(wasm_i16x8_max(v, zero), wasm_i16x8_max(wasm_i16x8_neg(v), zero));
    const v128_t parts = wasm_i32x4_shuffle(bytes, bytes, 0, 2, 1, 3);
    if (two) {
      wasm_v128_store(at, parts);
    } else {
      wasm_v128_store64_lane(at, parts, 0);
    }
  }
}

static void finish(float *y, const int32_t *sums, float scale_of_x, const float *scale, const float *bias,
                   bool accumulate, size_t n) {
  const float *from = accumulate ? y : bias;
  const v128_t all = wasm_f32x4_splat(scale_of_x);
  size_t r = 0;
  for (; r + 4 <= n; r += 4) {
    const v128_t step = wasm_f32x4_mul(all, wasm_v128_load(scale + r));
    const v128_t product = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_v128_load(sums + r)), step);
    wasm_v128_store(y + r, wasm_f32x4_add(from ? wasm_v128_load(from + r) : wasm_f32x4_splat(0.0f), product));
  }
  for (; r < n; r++) {
    y[r] = (from ? from[r] : 0.0f) + (float)sums[r] * (scale_of_x * scale[r]);
  }
}

void on_linear_quantized_relaxed(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                                 const on_packed *w, const float *bias, bool accumulate) {
  enum { TOGETHER = 8 };  // panels whose weights stay in the first cache for all rows of x
  int32_t sums[TOGETHER * ON_PANEL];
  const size_t quads = on_quads(w->cols);
  for (size_t first = 0; first < w->rows; first += TOGETHER * ON_PANEL) {
    const size_t left = w->rows - first, n = left < TOGETHER * ON_PANEL ? left : TOGETHER * ON_PANEL;
    for (size_t i = 0; i < m; i++) {
      dots(sums, q + i * ldq, w->q + first * quads * ON_QUAD, quads, (n + ON_PANEL - 1) / ON_PANEL);
      finish(y + i * ldy + first, sums, x[i].scale, w->scale + first, bias ? bias + first : NULL, accumulate, n);
    }
  }
}
#else
typedef int on_kernels_relaxed_empty;
#endif
