// The vector kernels, written once for any lane count with the compilers' vector types; each row of the
// table includes this file (no include guard). Defined before:
//   LANES         4, 8 or 16
//   TARGET        function attributes that switch on the instruction set, or nothing
//   BLOCK_ROWS    rows of x that `linear` computes together, one panel at a time
//   BLOCK_PANELS  panels that it computes together for a single row
// Vectors lie over outputs, so each output is summed in the same order as in the scalar row.
#include <stdint.h>
#include <string.h>
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "nn/kernels_tables.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define AS_WRITTEN _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#define AS_WRITTEN _Pragma("GCC unroll 1")
#endif
#define INLINE TARGET static inline __attribute__((always_inline))
// Code for what few matrices have: an engine of WebAssembly compiles a function when it is first called.
#define APART TARGET static __attribute__((noinline))

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
typedef float vf_any __attribute__((vector_size(LANES * 4), aligned(4), may_alias));  // in memory, anywhere

enum { PER_PANEL = ON_PANEL / LANES, BLOCK_VECTORS = BLOCK_PANELS * PER_PANEL };

INLINE vf load(const float *p) { return *(const vf_any *)p; }
INLINE void store(float *p, vf v) { *(vf_any *)p = v; }

INLINE vf load_part(const float *p, size_t n) {
  vf v = {0.0f};
  memcpy(&v, p, n * sizeof *p);
  return v;
}

INLINE void store_part(float *p, vf v, size_t n) { memcpy(p, &v, n * sizeof *p); }

#define ON_F vf
#define ON_U vu
#define ON_FN(name) lanes_##name
#define ON_INLINE INLINE
#define ON_SPLAT(c) ((c) - (vf){0.0f})  // c - 0 is c for every c, and costs nothing
#define ON_BITS(f) ((vu)(f))
#define ON_FLOAT(u) ((vf)(u))
#define ON_LESS(a, b) ((vu)((a) < (b)))
#define ON_IS_NAN(f) ((vu)((f) != (f)))
#ifdef __wasm_simd128__
#define ON_AT_LEAST(f, c) ((vf)wasm_f32x4_pmax((v128_t)(f), (v128_t)(c)))
// A compiler that sees how the mask was made takes a selection for it, which engines make of three instructions.
INLINE vf lanes_without(vf f, vu mask) {
  __asm__("" : "+r"(mask));
  return (vf)((vu)f & ~mask);
}
#define ON_WITHOUT(f, mask) lanes_without(f, mask)
#else
#define ON_AT_LEAST(f, c) lanes_select(ON_LESS(f, c), c, f)
#define ON_WITHOUT(f, mask) ON_FLOAT(ON_BITS(f) & ~(mask))
#endif
#include "nn/math_formulas.h"

// One block of y: `rows` rows of x times `vectors` vectors of weights, all sums in registers. Both counts are constants
// where this is inlined. `left` outputs remain from the first one on; where they do not fill the block, y and bias are
// only touched as far as they go.
INLINE void linear_block(const size_t rows, const size_t vectors, float *y, size_t ldy, const float *x, size_t ldx,
                         const float *w, size_t cols, const float *bias, bool accumulate, size_t left) {
  static const float zeros[BLOCK_VECTORS * LANES];
  const bool partial = left < vectors * LANES;
  vf sum[BLOCK_ROWS][BLOCK_VECTORS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    const float *from = accumulate ? y + r * ldy : bias ? bias : zeros;
    float edge[ON_PANEL] = {0.0f};
    if (partial) {
      memcpy(edge, from, left * sizeof *edge);
      from = edge;
    }
    UNROLL for (size_t v = 0; v < vectors; v++) {
      sum[r][v] = load(from + v * LANES);
    }
  }
  for (size_t c = 0; c < cols; c++) {
    vf xc[BLOCK_ROWS];
    UNROLL for (size_t r = 0; r < rows; r++) {
      xc[r] = ON_SPLAT(x[r * ldx + c]);
    }
    UNROLL for (size_t v = 0; v < vectors; v++) {
      const vf wv = load(w + v / PER_PANEL * cols * ON_PANEL + c * ON_PANEL + v % PER_PANEL * LANES);
      UNROLL for (size_t r = 0; r < rows; r++) {
        sum[r][v] = sum[r][v] + xc[r] * wv;
      }
    }
  }
  UNROLL for (size_t r = 0; r < rows; r++) {
    float edge[ON_PANEL];
    float *to = partial ? edge : y + r * ldy;
    UNROLL for (size_t v = 0; v < vectors; v++) {
      store(to + v * LANES, sum[r][v]);
    }
    if (partial) {
      memcpy(y + r * ldy, edge, left * sizeof *edge);
    }
  }
}

// Full panels, several together where there are as many: a single row then still has enough independent sums.
TARGET static void linear_panels(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const float *w,
                                 size_t cols, size_t count, const float *bias, bool accumulate) {
  const size_t size = cols * ON_PANEL;
  for (size_t p = 0; p < count;) {
    const size_t panels = count - p >= BLOCK_PANELS ? BLOCK_PANELS : 1;
    size_t i = 0;
    // Rows in large blocks need few panels, single rows many.
    for (; i + BLOCK_ROWS <= m; i += BLOCK_ROWS) {
      for (size_t q = p; q < p + panels; q++) {
        linear_block(BLOCK_ROWS, PER_PANEL, y + i * ldy + q * ON_PANEL, ldy, x + i * ldx, ldx, w + q * size, cols,
                     bias ? bias + q * ON_PANEL : NULL, accumulate, ON_PANEL);
      }
    }
    for (; i < m; i++) {
      float *const to = y + i * ldy + p * ON_PANEL;
      const float *const b = bias ? bias + p * ON_PANEL : NULL;
      if (panels > 1) {
        linear_block(1, BLOCK_VECTORS, to, ldy, x + i * ldx, ldx, w + p * size, cols, b, accumulate,
                     BLOCK_PANELS * ON_PANEL);
      } else {
        linear_block(1, PER_PANEL, to, ldy, x + i * ldx, ldx, w + p * size, cols, b, accumulate, ON_PANEL);
      }
    }
    p += panels;
  }
}

// Outputs that do not fill a panel, `vectors` vectors of them, which is a constant where this is inlined.
INLINE void linear_vectors(const size_t vectors, float *y, size_t ldy, const float *x, size_t ldx, size_t m,
                           const float *w, size_t cols, const float *bias, bool accumulate, size_t left) {
  size_t i = 0;
  for (; i + BLOCK_ROWS <= m; i += BLOCK_ROWS) {
    linear_block(BLOCK_ROWS, vectors, y + i * ldy, ldy, x + i * ldx, ldx, w, cols, bias, accumulate, left);
  }
  for (; i < m; i++) {
    linear_block(1, vectors, y + i * ldy, ldy, x + i * ldx, ldx, w, cols, bias, accumulate, left);
  }
}

APART void linear_part(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const float *w, size_t cols,
                               const float *bias, bool accumulate, size_t left) {
  const size_t vectors = (left + LANES - 1) / LANES;
#define VECTORS_OF(n) linear_vectors(n, y, ldy, x, ldx, m, w, cols, bias, accumulate, left)
  if (PER_PANEL == 1 || vectors == 1) VECTORS_OF(1);
  else if (PER_PANEL == 2 || vectors == 2) VECTORS_OF(PER_PANEL < 2 ? PER_PANEL : 2);
  else VECTORS_OF(PER_PANEL);
#undef VECTORS_OF
}

// Few outputs for many rows of x: with vectors over the rows no lane is idle. The sums stay those of one output, in order
// of cols. x is turned over first, four rows and four columns at a time.
enum { ACROSS = LANES / 4, GROUPS = 4, ROWS_ACROSS = GROUPS * LANES, COLUMNS_ACROSS = 32 };

typedef float v4 __attribute__((vector_size(16)));
typedef float v4_any __attribute__((vector_size(16), aligned(4), may_alias));

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t v4i __attribute__((vector_size(16)));
#define SHUFFLE4(a, b, i, j, k, l) __builtin_shuffle(a, b, (v4i){i, j, k, l})
#endif

// to[n][ROWS_ACROSS] = ROWS_ACROSS rows of x, n columns
INLINE void turn_over(float *to, const float *x, size_t ldx, size_t n) {
  AS_WRITTEN for (size_t r = 0; r < ROWS_ACROSS; r += 4, x += 4 * ldx, to += 4) {
    size_t c = 0;
    for (; c + 4 <= n; c += 4) {
      const v4 a = *(const v4_any *)(x + c), b = *(const v4_any *)(x + ldx + c);
      const v4 d = *(const v4_any *)(x + 2 * ldx + c), e = *(const v4_any *)(x + 3 * ldx + c);
      const v4 ab = SHUFFLE4(a, b, 0, 4, 1, 5), de = SHUFFLE4(d, e, 0, 4, 1, 5);
      const v4 ab2 = SHUFFLE4(a, b, 2, 6, 3, 7), de2 = SHUFFLE4(d, e, 2, 6, 3, 7);
      *(v4_any *)(to + c * ROWS_ACROSS) = SHUFFLE4(ab, de, 0, 1, 4, 5);
      *(v4_any *)(to + (c + 1) * ROWS_ACROSS) = SHUFFLE4(ab, de, 2, 3, 6, 7);
      *(v4_any *)(to + (c + 2) * ROWS_ACROSS) = SHUFFLE4(ab2, de2, 0, 1, 4, 5);
      *(v4_any *)(to + (c + 3) * ROWS_ACROSS) = SHUFFLE4(ab2, de2, 2, 3, 6, 7);
    }
    AS_WRITTEN for (; c < n; c++) {
      AS_WRITTEN for (size_t k = 0; k < 4; k++) {
        to[c * ROWS_ACROSS + k] = x[k * ldx + c];
      }
    }
  }
}

// `outputs` outputs (a constant where this is inlined, at most ACROSS) of ROWS_ACROSS rows.
INLINE void across_block(const size_t outputs, float *y, size_t ldy, const float *x, size_t ldx, const float *w,
                         size_t cols, const float *bias, bool accumulate) {
  float columns[COLUMNS_ACROSS * ROWS_ACROSS], edge[ACROSS * ROWS_ACROSS];
  vf sum[ACROSS][GROUPS];
  AS_WRITTEN for (size_t o = 0; o < outputs; o++) {
    AS_WRITTEN for (size_t r = 0; r < ROWS_ACROSS; r++) {
      edge[o * ROWS_ACROSS + r] = accumulate ? y[r * ldy + o] : bias ? bias[o] : 0.0f;
    }
  }
  UNROLL for (size_t o = 0; o < outputs; o++) {
    UNROLL for (size_t g = 0; g < GROUPS; g++) {
      sum[o][g] = load(edge + o * ROWS_ACROSS + g * LANES);
    }
  }
  for (size_t from = 0; from < cols; from += COLUMNS_ACROSS) {
    const size_t n = cols - from < COLUMNS_ACROSS ? cols - from : COLUMNS_ACROSS;
    turn_over(columns, x + from, ldx, n);
    for (size_t c = 0; c < n; c++) {
      UNROLL for (size_t g = 0; g < GROUPS; g++) {
        const vf xc = load(columns + c * ROWS_ACROSS + g * LANES);
        UNROLL for (size_t o = 0; o < outputs; o++) {
          sum[o][g] = sum[o][g] + xc * ON_SPLAT(w[(from + c) * ON_PANEL + o]);
        }
      }
    }
  }
  UNROLL for (size_t o = 0; o < outputs; o++) {
    UNROLL for (size_t g = 0; g < GROUPS; g++) {
      store(edge + o * ROWS_ACROSS + g * LANES, sum[o][g]);
    }
  }
  AS_WRITTEN for (size_t o = 0; o < outputs; o++) {
    AS_WRITTEN for (size_t r = 0; r < ROWS_ACROSS; r++) {
      y[r * ldy + o] = edge[o * ROWS_ACROSS + r];
    }
  }
}

APART void linear_across(size_t outputs, float *y, size_t ldy, const float *x, size_t ldx, size_t m, const float *w,
                         size_t cols, const float *bias, bool accumulate) {
  for (size_t i = 0; i + ROWS_ACROSS <= m; i += ROWS_ACROSS) {
#define OUTPUTS_OF(n) across_block(n, y + i * ldy, ldy, x + i * ldx, ldx, w, cols, bias, accumulate)
    if (ACROSS == 1 || outputs == 1) OUTPUTS_OF(1);
    else if (ACROSS == 2 || outputs == 2) OUTPUTS_OF(ACROSS < 2 ? ACROSS : 2);
    else if (outputs == 3) OUTPUTS_OF(ACROSS < 3 ? ACROSS : 3);
    else OUTPUTS_OF(ACROSS);
#undef OUTPUTS_OF
  }
}

TARGET static void linear(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const on_packed *w,
                          const float *bias, bool accumulate) {
  const size_t cols = w->cols, panels = w->rows / ON_PANEL, whole = panels * ON_PANEL, left = w->rows - whole;
  linear_panels(y, ldy, x, ldx, m, w->data, cols, panels, bias, accumulate);
  if (left == 0) {
    return;
  }
  const float *part = w->data + whole * cols, *b = bias ? bias + whole : NULL;
  const size_t few = left % LANES, rows = few > 0 && few <= ACROSS ? m / ROWS_ACROSS * ROWS_ACROSS : 0;
  const size_t vectors = left - few;
  float *const to = y + whole;
  if (rows > 0) {
    linear_across(few, to + vectors, ldy, x, ldx, rows, part + vectors, cols, b ? b + vectors : NULL, accumulate);
    if (vectors > 0) {
      linear_part(to, ldy, x, ldx, rows, part, cols, b, accumulate, vectors);
    }
  }
  if (rows < m) {
    linear_part(to + rows * ldy, ldy, x + rows * ldx, ldx, m - rows, part, cols, b, accumulate, left);
  }
}

APART void add(float *y, const float *x, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    store(y + i, load(y + i) + load(x + i));
  }
  AS_WRITTEN for (; i < n; i++) {
    y[i] = y[i] + x[i];
  }
}

// Sixteen numbers at a time, which stay in registers for all of x.
TARGET static void add_all(float *y, const float *const *x, size_t count, size_t n) {
  enum { AT_ONCE = 16, VECTORS_AT_ONCE = AT_ONCE / LANES };
  size_t i = 0;
  for (; i + AT_ONCE <= n; i += AT_ONCE) {
    vf sum[VECTORS_AT_ONCE];
    UNROLL for (size_t v = 0; v < VECTORS_AT_ONCE; v++) {
      sum[v] = load(y + i + v * LANES);
    }
    for (size_t k = 0; k < count; k++) {
      UNROLL for (size_t v = 0; v < VECTORS_AT_ONCE; v++) {
        sum[v] = sum[v] + load(x[k] + i + v * LANES);
      }
    }
    UNROLL for (size_t v = 0; v < VECTORS_AT_ONCE; v++) {
      store(y + i + v * LANES, sum[v]);
    }
  }
  AS_WRITTEN for (; i < n; i++) {
    AS_WRITTEN for (size_t k = 0; k < count; k++) {
      y[i] = y[i] + x[k][i];
    }
  }
}

#ifdef __wasm_simd128__
INLINE vf lanes_relu(vf v) { return ON_AT_LEAST(ON_SPLAT(0.0f), v); }
#else
INLINE vf lanes_relu(vf v) { return ON_FLOAT(ON_BITS(v) & ON_LESS(ON_SPLAT(0.0f), v)); }
#endif

// y = f(y), the rest below one vector in a padded one
#define ELEMENTWISE(name, function)                            \
  TARGET static void name(float *y, size_t n) {                \
    size_t i = 0;                                              \
    for (; i + LANES <= n; i += LANES) {                       \
      store(y + i, function(load(y + i)));                     \
    }                                                          \
    if (i < n) {                                               \
      store_part(y + i, function(load_part(y + i, n - i)), n - i); \
    }                                                          \
  }

ELEMENTWISE(relu, lanes_relu)
ELEMENTWISE(gelu, lanes_gelu)
ELEMENTWISE(tanh_all, lanes_tanh)
ELEMENTWISE(sigmoid, lanes_sigmoid)
ELEMENTWISE(exp_all, lanes_exp)

// The window layer step by step: with GELU, and of widths that on_window_lanes4 does not take.
APART void window_any(float *y, const float *const *of, size_t m, size_t width, const on_layer_end *end) {
  for (size_t i = 0; i < m; i++, y += width) {
    memcpy(y, end->bias, width * sizeof *y);
    if (i > 0) add(y, of[i - 1] + width, width);
    add(y, of[i] + 2 * width, width);
    if (i + 1 < m) add(y, of[i + 1] + 3 * width, width);
    (end->relu ? relu : gelu)(y, width);
    on_layer_norm_lanes4(y, y, 1, width, end->gain, end->shift);
    add(y, of[i], width);
  }
}

TARGET static void window(float *y, const float *const *of, const float *zeros, size_t m, size_t width,
                          const on_layer_end *end) {
  if (end->relu && width % ON_WINDOW_STEP == 0) on_window_lanes4(y, of, zeros, m, width, end);
  else window_any(y, of, m, width, end);
}

INLINE vf lstm_state(vf in, vf forget, vf cell, vf c) {
  return lanes_sigmoid(forget) * c + lanes_sigmoid(in) * lanes_tanh(cell);
}

INLINE vf lstm_output(vf out, vf c) { return lanes_sigmoid(out) * lanes_tanh(c); }

// All of c first: tanh of it waits for everything before, which is more than a processor looks ahead for other work.
TARGET static void lstm_cell(const float *gates, float *c, float *h, size_t size) {
  const float *in = gates, *forget = gates + size, *cell = gates + 2 * size, *out = gates + 3 * size;
  const size_t whole = size / LANES * LANES, n = size - whole;
  for (size_t j = 0; j < whole; j += LANES) {
    store(c + j, lstm_state(load(in + j), load(forget + j), load(cell + j), load(c + j)));
  }
  for (size_t j = 0; j < whole; j += LANES) {
    store(h + j, lstm_output(load(out + j), load(c + j)));
  }
  if (n > 0) {
    const vf state = lstm_state(load_part(in + whole, n), load_part(forget + whole, n), load_part(cell + whole, n),
                                load_part(c + whole, n));
    store_part(h + whole, lstm_output(load_part(out + whole, n), state), n);
    store_part(c + whole, state, n);
  }
}

// The largest value first, then where it stands: of zeros of both signs, which are equal, at the first. NaN is greater
// than nothing, and nothing greater than a NaN at the start, as in the scalar row.
#ifdef __wasm_simd128__
// Sixteen at a time, the last ones overlapping those before: where there are sixteen no branch depends on the numbers.
APART void argmax_rows(uint32_t *best, const float *x, size_t m, size_t n) {
  enum { AT_ONCE = 16 };
  for (; m > 0; m--, best++, x += n) {
    *best = 0;
    if (n < AT_ONCE) {
      float most = x[0];
      for (uint32_t i = 1; i < n; i++) {
        *best = most < x[i] ? i : *best;
        most = most < x[i] ? x[i] : most;
      }
      continue;
    }
    const size_t last = n - AT_ONCE;
    vf top = ON_SPLAT(x[0]);
    for (size_t i = 0;; i = i + AT_ONCE < last ? i + AT_ONCE : last) {
      UNROLL for (size_t v = 0; v < AT_ONCE; v += LANES) {
        top = ON_AT_LEAST(top, load(x + i + v));
      }
      if (i == last) break;
    }
    top = ON_AT_LEAST(top, SHUFFLE4(top, top, 2, 3, 0, 1));
    top = ON_AT_LEAST(top, SHUFFLE4(top, top, 1, 0, 3, 2));
    for (size_t i = 0;; i = i + AT_ONCE < last ? i + AT_ONCE : last) {
      v128_t equal[AT_ONCE / LANES];
      UNROLL for (size_t v = 0; v < AT_ONCE / LANES; v++) {
        equal[v] = (v128_t)(load(x + i + v * LANES) == top);
      }
      const uint32_t bits = wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(equal[0], equal[1]),
                                                                       wasm_i16x8_narrow_i32x4(equal[2], equal[3])));
      if (bits) *best = (uint32_t)i + (uint32_t)__builtin_ctz(bits);
      if (bits || i == last) break;
    }
  }
}

static size_t argmax(const float *x, size_t n) {
  uint32_t best;
  argmax_rows(&best, x, 1, n);
  return best;
}
#else
// The last vector overlaps the one before.
TARGET static size_t argmax(const float *x, size_t n) {
  size_t i = 0;
  float most = x[0];
  if (n >= LANES) {
    vf top = ON_SPLAT(most);
    for (; i + LANES <= n; i += LANES) {
      top = ON_AT_LEAST(top, load(x + i));
    }
    top = ON_AT_LEAST(top, load(x + n - LANES));
    for (size_t l = 0; l < LANES; l++) {
      most = most < top[l] ? top[l] : most;
    }
    i = n;
  }
  for (; i < n; i++) {
    most = most < x[i] ? x[i] : most;
  }
  for (i = 0; i < n; i++) {
    if (x[i] == most) {
      return i;
    }
  }
  return 0;  // x[0] is NaN
}

TARGET static void argmax_rows(uint32_t *best, const float *x, size_t m, size_t n) {
  for (size_t i = 0; i < m; i++) {
    best[i] = (uint32_t)argmax(x + i * n, n);
  }
}
#endif

// The row of the table that this file makes; `quantize` and its products differ among the rows with the same lanes.
#define ROW(name_, quantize_, linear_quantized_) \
  {.name = name_, .linear = linear, .quantize = quantize_, .linear_quantized = linear_quantized_, .add = add, \
   .add_all = add_all, .relu = relu, .gelu = gelu, .tanh = tanh_all, .sigmoid = sigmoid, .exp = exp_all, \
   .layer_norm = on_layer_norm_lanes4, .window = window, .lstm_cell = lstm_cell, \
   .dot = on_dot_lanes4, .argmax = argmax, \
   .argmax_rows = argmax_rows}
