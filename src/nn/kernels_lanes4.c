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

static void quantize(int16_t *q, on_quantized *row, const float *x, size_t n) { quantize_body(q, row, x, n); }

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

// z becomes layer_norm(z), added to own; s holds the four partial sums of z.
INLINE void add_normalized(float *z, const float *own, vf s, size_t width, const on_layer_end *end) {
  vf q = {0.0f};
  const vf mean = ON_SPLAT(join(s) / (float)width);
  for (size_t j = 0; j < width; j += LANES) {
    const vf d = load(z + j) - mean;
    q = q + d * d;
  }
  const vf rstd = ON_SPLAT(1.0f / on_sqrt(join(q) / (float)width + 1e-5f));
  for (size_t j = 0; j < width; j += LANES) {
    store(z + j, load(own + j) + ((load(z + j) - mean) * rstd * load(end->gain + j) + load(end->shift + j)));
  }
}

// Any number of summands, any activation and any width.
APART void add_norm_any(float *y, const float *own, const float *const *x, size_t count, size_t width,
                        const on_layer_end *end) {
  if (width % LANES != 0) {
    on_add_norm_scalar(y, own, x, count, width, end);
    return;
  }
  vf s = {0.0f};
  for (size_t j = 0; j < width; j += LANES) {
    vf sum = load(end->bias + j);
    for (size_t k = 0; k < count; k++) {
      sum = sum + load(x[k] + j);
    }
    sum = end->relu ? lanes_relu(sum) : lanes_gelu(sum);
    s = s + sum;
    store(y + j, sum);
  }
  add_normalized(y, own, s, width, end);
}

void on_add_norm_lanes4(float *y, const float *own, const float *const *x, size_t count, size_t width,
                        const on_layer_end *end) {
  if (count != 3 || !end->relu || width % LANES != 0) {
    add_norm_any(y, own, x, count, width, end);
    return;
  }
  const float *const bias = end->bias, *const x0 = x[0], *const x1 = x[1], *const x2 = x[2];
  vf s = {0.0f};
  for (size_t j = 0; j < width; j += LANES) {
    const vf sum = lanes_relu(load(bias + j) + load(x0 + j) + load(x1 + j) + load(x2 + j));
    s = s + sum;
    store(y + j, sum);
  }
  add_normalized(y, own, s, width, end);
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
