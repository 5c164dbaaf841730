// The vector kernels, written once for any lane count with the compilers' vector types; each row of the
// table includes this file (no include guard). Defined before:
//   LANES         4, 8 or 16
//   TARGET        function attributes that switch on the instruction set, or nothing
//   BLOCK_ROWS    rows of x that `linear` computes together, one panel at a time
//   BLOCK_PANELS  panels that it computes together for a single row
// Vectors lie over outputs, so each output is summed in the same order as in the scalar row.
#include <stdint.h>
#include <string.h>

#include "nn/kernels_tables.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define INLINE TARGET static inline __attribute__((always_inline))

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
#include "nn/math_formulas.h"

// One block of y: `rows` rows of x times `panels` panels of weights, all sums in registers. Both counts
// are constants where this is inlined. `left` outputs remain from the first panel on; where they do not
// fill the block (then panels is 1), the y and bias are only touched as far as they go.
INLINE void linear_block(const size_t rows, const size_t panels, float *y, size_t ldy, const float *x, size_t ldx,
                         const float *w, size_t cols, const float *bias, bool accumulate, size_t left) {
  const size_t vectors = panels * PER_PANEL;
  const bool partial = left < panels * ON_PANEL;
  vf sum[BLOCK_ROWS][BLOCK_VECTORS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    const float *from = accumulate ? y + r * ldy : bias;
    float edge[ON_PANEL] = {0.0f};
    if (from && partial) {
      memcpy(edge, from, left * sizeof *edge);
      from = edge;
    }
    UNROLL for (size_t v = 0; v < vectors; v++) {
      sum[r][v] = from ? load(from + v * LANES) : ON_SPLAT(0.0f);
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

TARGET static void linear(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const on_packed *w,
                          const float *bias, bool accumulate) {
  const size_t cols = w->cols, size = cols * ON_PANEL;
  // Several panels together where there are full ones: a single row then still has enough independent sums.
  for (size_t first = 0; first < w->rows;) {
    const size_t left = w->rows - first;
    const size_t panels = left >= BLOCK_PANELS * ON_PANEL ? BLOCK_PANELS : 1;
    const float *wp = w->data + first / ON_PANEL * size, *b = bias ? bias + first : NULL;
    float *yp = y + first;
    size_t i = 0;
    // Rows in large blocks need few panels, single rows many.
    for (; i + BLOCK_ROWS <= m; i += BLOCK_ROWS) {
      for (size_t p = 0; p < panels; p++) {
        linear_block(BLOCK_ROWS, 1, yp + i * ldy + p * ON_PANEL, ldy, x + i * ldx, ldx, wp + p * size, cols,
                     b ? b + p * ON_PANEL : NULL, accumulate, left - p * ON_PANEL);
      }
    }
    for (; i < m; i++) {
      if (panels > 1) {
        linear_block(1, BLOCK_PANELS, yp + i * ldy, ldy, x + i * ldx, ldx, wp, cols, b, accumulate, left);
      } else {
        linear_block(1, 1, yp + i * ldy, ldy, x + i * ldx, ldx, wp, cols, b, accumulate, left);
      }
    }
    first += panels * ON_PANEL;
  }
}

TARGET static void add(float *y, const float *x, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    store(y + i, load(y + i) + load(x + i));
  }
  for (; i < n; i++) {
    y[i] = y[i] + x[i];
  }
}

TARGET static void add_all(float *y, const float *const *x, size_t count, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vf sum = load(y + i);
    for (size_t k = 0; k < count; k++) {
      sum = sum + load(x[k] + i);
    }
    store(y + i, sum);
  }
  for (; i < n; i++) {
    for (size_t k = 0; k < count; k++) {
      y[i] = y[i] + x[k][i];
    }
  }
}

INLINE vf lanes_relu(vf v) { return ON_FLOAT(ON_BITS(v) & ON_LESS(ON_SPLAT(0.0f), v)); }

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

INLINE vf lstm_step(vf in, vf forget, vf cell, vf out, vf *c) {
  *c = lanes_sigmoid(forget) * *c + lanes_sigmoid(in) * lanes_tanh(cell);
  return lanes_sigmoid(out) * lanes_tanh(*c);
}

TARGET static void lstm_cell(const float *gates, float *c, float *h, size_t size) {
  const float *in = gates, *forget = gates + size, *cell = gates + 2 * size, *out = gates + 3 * size;
  size_t j = 0;
  for (; j + LANES <= size; j += LANES) {
    vf state = load(c + j);
    store(h + j, lstm_step(load(in + j), load(forget + j), load(cell + j), load(out + j), &state));
    store(c + j, state);
  }
  if (j < size) {
    const size_t n = size - j;
    vf state = load_part(c + j, n);
    store_part(h + j,
               lstm_step(load_part(in + j, n), load_part(forget + j, n), load_part(cell + j, n),
                         load_part(out + j, n), &state),
               n);
    store_part(c + j, state, n);
  }
}

// Every lane starts from the first value and takes only what is greater, as the scalar row does, so a
// NaN is treated alike; of equal lanes the lowest index wins.
TARGET static size_t argmax(const float *x, size_t n) {
  size_t best = 0;
  float most = x[0];
  if (n >= 2 * LANES && n <= UINT32_MAX) {
    vf top = ON_SPLAT(x[0]);
    vu where = {0}, index;
    for (uint32_t l = 0; l < LANES; l++) {
      index[l] = l;
    }
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
      const vf v = load(x + i);
      const vu greater = ON_LESS(top, v);
      top = lanes_select(greater, v, top);
      where = (greater & index) | (~greater & where);
      index += LANES;
    }
    for (size_t l = 0; l < LANES; l++) {
      if (top[l] > most || (top[l] == most && where[l] < best)) {
        most = top[l];
        best = where[l];
      }
    }
    for (; i < n; i++) {
      if (x[i] > most) {
        most = x[i];
        best = i;
      }
    }
    return best;
  }
  for (size_t i = 1; i < n; i++) {
    if (x[i] > most) {
      most = x[i];
      best = i;
    }
  }
  return best;
}

// The row of the table that this file makes; `quantize` and its products differ among the rows with the same lanes.
#define ROW(name_, quantize_, linear_quantized_) \
  {.name = name_, .linear = linear, .quantize = quantize_, .linear_quantized = linear_quantized_, .add = add, \
   .add_all = add_all, .relu = relu, .gelu = gelu, .tanh = tanh_all, .sigmoid = sigmoid, .exp = exp_all, \
   .layer_norm = on_layer_norm_lanes4, .lstm_cell = lstm_cell, .dot = on_dot_lanes4, .argmax = argmax}
