// 128-bit vectors: SSE2 (part of x86-64), NEON (part of AArch64), wasm SIMD (with -msimd128).
#define LANES 4
#define TARGET
#define BLOCK_ROWS 2
#define BLOCK_PANELS 2
#include "nn/kernels_lanes.h"
#include "nn/kernels_int8.h"
#ifdef __wasm_simd128__
#include "nn/kernels_pairs.h"
#endif
#include "nn/math.h"

static void quantize(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  quantize_body(q, rows, x, ldx, m, n);
}

static void linear_quantized(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                             const on_packed *w, const float *bias, bool accumulate) {
#ifdef __wasm_simd128__
  if (w->wide) {
    linear_pairs(y, ldy, q, ldq, x, m, w, bias, accumulate);
  } else {  // where another row is the best one (kernels.h)
    on_linear_quantized_scalar(y, ldy, q, ldq, x, m, w, bias, accumulate);
  }
#else
  linear_quantized_body(y, ldy, q, ldq, x, m, w, bias, accumulate);
#endif
}

// Four lanes are the four partial sums of the definition.
static float join(vf s) { return (s[0] + s[1]) + (s[2] + s[3]); }

// Rows of `whole` numbers in vectors and `rest` more; `rest` is a constant 0 where there are none.
INLINE void normalize_rows(float *y, const float *x, size_t m, size_t whole, const size_t rest, const float *gain,
                           const float *bias) {
  const size_t width = whole + rest;
  for (size_t i = 0; i < m; i++, x += width, y += width) {
    vf s = {0.0f}, q = {0.0f};
    for (size_t j = 0; j < whole; j += LANES) {
      s = s + load(x + j);
    }
    for (size_t j = 0; j < rest; j++) {
      s[j] = s[j] + x[whole + j];
    }
    const float mean = join(s) / (float)width;
    const vf mean_all = ON_SPLAT(mean);
    for (size_t j = 0; j < whole; j += LANES) {
      const vf d = load(x + j) - mean_all;
      q = q + d * d;
    }
    for (size_t j = 0; j < rest; j++) {
      const float d = x[whole + j] - mean;
      q[j] = q[j] + d * d;
    }
    const vf rstd_all = ON_SPLAT(1.0f / on_sqrt(join(q) / (float)width + 1e-5f));
    for (size_t j = 0; j < whole; j += LANES) {
      store(y + j, (load(x + j) - mean_all) * rstd_all * load(gain + j) + load(bias + j));
    }
    if (rest > 0) {
      const vf v = (load_part(x + whole, rest) - mean_all) * rstd_all;
      store_part(y + whole, v * load_part(gain + whole, rest) + load_part(bias + whole, rest), rest);
    }
  }
}

// A width that is no whole number of vectors is rare.
APART void normalize_uneven(float *y, const float *x, size_t m, size_t width, const float *gain, const float *bias) {
  normalize_rows(y, x, m, width / LANES * LANES, width % LANES, gain, bias);
}

void on_layer_norm_lanes4(float *y, const float *x, size_t m, size_t width, const float *gain, const float *bias) {
  if (width % LANES == 0) normalize_rows(y, x, m, width, 0, gain, bias);
  else normalize_uneven(y, x, m, width, gain, bias);
}

// The sum of the four in each lane, added as `join` does.
INLINE vf join_all(vf s) {
  const vf pairs = s + SHUFFLE4(s, s, 1, 0, 3, 2);
  return pairs + SHUFFLE4(pairs, pairs, 2, 3, 0, 1);
}

INLINE vf lanes_sqrt(vf v) {
#ifdef __wasm_simd128__
  return (vf)wasm_f32x4_sqrt((v128_t)v);
#else
  return ON_SPLAT(on_sqrt(v[0]));  // all lanes are the same
#endif
}

// Four vectors at a time: the first code of an engine of WebAssembly keeps in memory what goes through a loop. Some
// rows together, step by step: the steps of a row wait for each other, but not for those of others.
void on_window_lanes4(float *y, const float *const *of, const float *zeros, size_t m, size_t width,
                      const on_layer_end *end) {
  enum { ROWS = 8 };
  const float *const bias = end->bias, *const gain = end->gain, *const shift = end->shift;
  const vf all = ON_SPLAT((float)width);
  vf means[ROWS], factors[ROWS];
  for (size_t first = 0, rows; first < m; first += rows) {
    rows = m - first < ROWS ? m - first : ROWS;
    float *z = y + first * width;
    for (size_t r = 0; r < rows; r++, z += width) {
      const size_t i = first + r;
      const float *const x0 = i > 0 ? of[i - 1] + width : zeros, *const x1 = of[i] + 2 * width;
      const float *const x2 = i + 1 < m ? of[i + 1] + 3 * width : zeros;
      vf s = {0.0f};  // the four partial sums
      for (size_t j = 0; j < width; j += ON_WINDOW_STEP) {
        UNROLL for (size_t v = 0; v < ON_WINDOW_STEP; v += LANES) {
          const vf sum = lanes_relu(load(bias + j + v) + load(x0 + j + v) + load(x1 + j + v) + load(x2 + j + v));
          s = s + sum;
          store(z + j + v, sum);
        }
      }
      means[r] = join_all(s) / all;
    }
    z = y + first * width;
    for (size_t r = 0; r < rows; r++, z += width) {
      const vf mean = means[r];
      vf q = {0.0f};
      for (size_t j = 0; j < width; j += ON_WINDOW_STEP) {
        UNROLL for (size_t v = 0; v < ON_WINDOW_STEP; v += LANES) {
          const vf d = load(z + j + v) - mean;
          q = q + d * d;
        }
      }
      factors[r] = ON_SPLAT(1.0f) / lanes_sqrt(join_all(q) / all + ON_SPLAT(1e-5f));
    }
    z = y + first * width;
    for (size_t r = 0; r < rows; r++, z += width) {
      const float *const own = of[first + r];
      const vf mean = means[r], rstd = factors[r];
      for (size_t j = 0; j < width; j += ON_WINDOW_STEP) {
        UNROLL for (size_t v = 0; v < ON_WINDOW_STEP; v += LANES) {
          const vf d = load(z + j + v) - mean;
          store(z + j + v, load(own + j + v) + (d * rstd * load(gain + j + v) + load(shift + j + v)));
        }
      }
    }
  }
}

float on_dot_lanes4(const float *a, const float *b, size_t n) {
  const size_t whole = n / LANES * LANES;
  vf s = {0.0f};
  for (size_t i = 0; i < whole; i += LANES) {
    s = s + load(a + i) * load(b + i);
  }
  for (size_t i = whole; i < n; i++) {
    s[i - whole] = s[i - whole] + a[i] * b[i];
  }
  return join(s);
}

#if defined(__SSE2__)
#define NAME "sse2"
#elif defined(__wasm_simd128__)
#define NAME "simd128"
#elif defined(__ARM_NEON)
#define NAME "neon"
#else
#define NAME "lanes4"
#endif

const on_kernels on_kernels_row_lanes4 = ROW(NAME, quantize, linear_quantized);
#if ON_HAVE_RELAXED_ROW
const on_kernels on_kernels_row_relaxed = ROW("relaxed", on_quantize_relaxed, on_linear_quantized_relaxed);
#endif
