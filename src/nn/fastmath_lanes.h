// The body of fastmath, written once for any lane count; fastmath_*.c include it with their instruction
// set switched on (no include guard). Defined before:
//   LANES                 4, 8 or 16
//   TARGET                function attributes, or nothing
//   TILE_ROWS             rows of C in one register tile (4, 6, 8 or 12); a tile has 2 vectors of columns
//   FMA(a, b, c)          a * b + c on vectors
//   SQRT(v)               of each lane
//   ROW                   name of the table made here
//
// Products after Goto and van de Geijn (2008): a block of B is packed into panels as wide as a tile and
// stays in the second-level cache, a block of A into tiles; both run through memory in order then.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "nn/fastmath_rows.h"
#include "nn/math.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define UNROLL_IF_ANY  // clang unrolls it unasked, but warns where a loop that is marked has a single round
#else
#define UNROLL _Pragma("GCC unroll 16")
#define UNROLL_IF_ANY UNROLL
#endif
#define INLINE TARGET static inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef float vf_any __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

enum { TILE_COLS = 2 * LANES, DEPTH = 256, BLOCK_COLS = 512, BLOCK_ROWS = 192 / TILE_ROWS * TILE_ROWS };

INLINE vf load(const float *p) { return *(const vf_any *)p; }
INLINE void store(float *p, vf v) { *(vf_any *)p = v; }
INLINE vf splat(float c) { return c - (vf){0.0f}; }

typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
#define ON_F vf
#define ON_U vu
#define ON_FN(name) lanes_##name
#define ON_INLINE INLINE
#define ON_SPLAT(c) splat(c)
#define ON_BITS(f) ((vu)(f))
#define ON_FLOAT(u) ((vf)(u))
#define ON_LESS(a, b) ((vu)((a) < (b)))
#define ON_IS_NAN(f) ((vu)((f) != (f)))
#define ON_AT_LEAST(f, c) lanes_select(ON_LESS(f, c), c, f)
#define ON_WITHOUT(f, mask) ON_FLOAT(ON_BITS(f) & ~(mask))
#include "nn/math_formulas.h"

// ---- moving lanes

// One step of a transposition by halves: the lanes i with (i & step) set are exchanged between two rows.
#define FIRST(i, step) ((i) & (step) ? LANES + (i) - (step) : (i))
#define SECOND(i, step) ((i) & (step) ? LANES + (i) : (i) + (step))
#define FOUR(f, i, s) f(i, s), f((i) + 1, s), f((i) + 2, s), f((i) + 3, s)
#if LANES == 4
#define INDICES(f, s) FOUR(f, 0, s)
#elif LANES == 8
#define INDICES(f, s) FOUR(f, 0, s), FOUR(f, 4, s)
#else
#define INDICES(f, s) FOUR(f, 0, s), FOUR(f, 4, s), FOUR(f, 8, s), FOUR(f, 12, s)
#endif
#if defined(__clang__)
#define SHUFFLE(a, b, f, s) __builtin_shufflevector(a, b, INDICES(f, s))
#else
#define SHUFFLE(a, b, f, s) __builtin_shuffle(a, b, (vi){INDICES(f, s)})
#endif
// The lanes i and i + step (mod LANES) change places.
#define ROTATE(i, step) (((i) + (step)) % LANES)

INLINE float sum_lanes(vf v) {
#if LANES > 8
  v = v + SHUFFLE(v, v, ROTATE, 8);
#endif
#if LANES > 4
  v = v + SHUFFLE(v, v, ROTATE, 4);
#endif
  v = v + SHUFFLE(v, v, ROTATE, 2);
  v = v + SHUFFLE(v, v, ROTATE, 1);
  return v[0];
}

#define EXCHANGE(step)                                             \
  UNROLL for (int i = 0; i < LANES; i++) {                         \
    if (!(i & (step))) {                                           \
      const vf a = row[i], b = row[i + (step)];                    \
      row[i] = SHUFFLE(a, b, FIRST, step);                         \
      row[i + (step)] = SHUFFLE(a, b, SECOND, step);               \
    }                                                              \
  }

INLINE void transpose(vf row[LANES]) {
  EXCHANGE(1)
  EXCHANGE(2)
#if LANES > 4
  EXCHANGE(4)
#endif
#if LANES > 8
  EXCHANGE(8)
#endif
}

// ---- transposing copies

// out[c * width + r] = in[r * ld + c] for r < rows, c < cols; zeros for rows <= r < width. width is at
// least LANES or a divisor of it; up to LANES floats behind the last row of out may be overwritten.
INLINE void pack_transposed(float *out, const size_t width, const float *in, size_t ld, size_t rows, size_t cols) {
  for (size_t r = 0; r < width; r += LANES) {
    const size_t here = r >= rows ? 0 : rows - r < LANES ? rows - r : LANES;
    const float *from = in + r * ld;
    size_t c = 0;
    for (; c + LANES <= cols; c += LANES) {
      vf row[LANES];
      UNROLL for (size_t i = 0; i < LANES; i++) {
        row[i] = i < here ? load(from + i * ld + c) : splat(0.0f);
      }
      transpose(row);
      // A store may reach into the next row of out, which the next store then sets right: so no vector
      // may reach past `width` except in the last strip of r.
      UNROLL for (size_t i = 0; i < LANES; i++) {
        store(out + (c + i) * width + r, row[i]);
      }
    }
    for (; c < cols; c++) {
      const size_t end = width - r < LANES ? width - r : LANES;
      for (size_t i = 0; i < end; i++) {
        out[c * width + r + i] = i < here ? from[i * ld + c] : 0.0f;
      }
    }
  }
}

// out[r * width + c] = in[r * ld + c] for c < cols, zeros up to width.
INLINE void pack_straight(float *out, const size_t width, const float *in, size_t ld, size_t rows, size_t cols) {
  if (cols == width && width % LANES == 0) {
    for (size_t r = 0; r < rows; r++) {
      UNROLL for (size_t c = 0; c < width; c += LANES) {
        store(out + r * width + c, load(in + r * ld + c));
      }
    }
    return;
  }
  if (cols == width) {
    for (size_t r = 0; r < rows; r++) {
      memcpy(out + r * width, in + r * ld, width * sizeof *out);
    }
    return;
  }
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < width; c++) {
      out[r * width + c] = c < cols ? in[r * ld + c] : 0.0f;
    }
  }
}

// ---- the register tile

// C tile += or = A tile (packed [k][TILE_ROWS]) * B panel ([k] rows of TILE_COLS, ldb apart). `rows` is a
// constant where this is inlined; only `valid` of them and `cols` columns are written.
INLINE void tile(const size_t rows, size_t valid, float *c, size_t ldc, const float *a, const float *b, size_t ldb,
                 size_t k, size_t cols, bool add) {
  vf sum[TILE_ROWS][2];
  UNROLL for (size_t r = 0; r < rows; r++) {
    sum[r][0] = splat(0.0f);
    sum[r][1] = splat(0.0f);
  }
  for (size_t p = 0; p < k; p++, a += TILE_ROWS, b += ldb) {
    const vf b0 = load(b), b1 = load(b + LANES);
    UNROLL for (size_t r = 0; r < rows; r++) {
      const vf ar = splat(a[r]);
      sum[r][0] = FMA(ar, b0, sum[r][0]);
      sum[r][1] = FMA(ar, b1, sum[r][1]);
    }
  }
  if (cols == TILE_COLS) {
    UNROLL for (size_t r = 0; r < rows; r++) {
      if (r < valid) {
        float *to = c + r * ldc;
        store(to, add ? load(to) + sum[r][0] : sum[r][0]);
        store(to + LANES, add ? load(to + LANES) + sum[r][1] : sum[r][1]);
      }
    }
    return;
  }
  float edge[TILE_ROWS][TILE_COLS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    store(edge[r], sum[r][0]);
    store(edge[r] + LANES, sum[r][1]);
  }
  for (size_t r = 0; r < valid; r++) {
    for (size_t j = 0; j < cols; j++) {
      c[r * ldc + j] = add ? c[r * ldc + j] + edge[r][j] : edge[r][j];
    }
  }
}

TARGET static void any_tile(size_t valid, float *c, size_t ldc, const float *a, const float *b, size_t ldb, size_t k,
                            size_t cols, bool add) {
  if (valid > 8 && TILE_ROWS > 8) {
    tile(TILE_ROWS, valid, c, ldc, a, b, ldb, k, cols, add);
  } else if (valid > 4 && TILE_ROWS > 4) {
    tile(TILE_ROWS < 8 ? TILE_ROWS : 8, valid, c, ldc, a, b, ldb, k, cols, add);
  } else {
    tile(4, valid, c, ldc, a, b, ldb, k, cols, add);
  }
}

// ---- blocks

_Static_assert(BLOCK_ROWS * DEPTH + LANES <= ON_PACK_A && BLOCK_COLS * DEPTH + LANES <= ON_PACK_B, "scratch");

// C block (m rows, n columns) from panels of B: `panel` floats from one to the next, rows ldb apart.
INLINE void multiply_block(on_fastmath_scratch *scratch, const bool a_transposed, float *c, size_t ldc, const float *a,
                           size_t lda, const float *b, size_t panel, size_t ldb, size_t m, size_t n, size_t k,
                           bool add) {
  for (size_t i0 = 0; i0 < m; i0 += BLOCK_ROWS) {
    const size_t rows = m - i0 < BLOCK_ROWS ? m - i0 : BLOCK_ROWS;
    for (size_t i = 0; i < rows; i += TILE_ROWS) {
      const size_t here = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
      if (a_transposed) {
        pack_straight(scratch->a + i * k, TILE_ROWS, a + i0 + i, lda, k, here);
      } else {
        pack_transposed(scratch->a + i * k, TILE_ROWS, a + (i0 + i) * lda, lda, here, k);
      }
    }
    for (size_t j = 0; j < n; j += TILE_COLS) {
      const size_t cols = n - j < TILE_COLS ? n - j : TILE_COLS;
      for (size_t i = 0; i < rows; i += TILE_ROWS) {
        const size_t here = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
        any_tile(here, c + (i0 + i) * ldc + j, ldc, scratch->a + i * k, b + j / TILE_COLS * panel, ldb, k, cols, add);
      }
    }
  }
}

INLINE void pack_b(const bool b_transposed, float *out, const float *b, size_t ldb, size_t n, size_t k) {
  for (size_t j = 0; j < n; j += TILE_COLS) {
    const size_t cols = n - j < TILE_COLS ? n - j : TILE_COLS;
    if (b_transposed) {
      pack_transposed(out + j * k, TILE_COLS, b + j * ldb, ldb, cols, k);
    } else {
      pack_straight(out + j * k, TILE_COLS, b + j, ldb, k, cols);
    }
  }
}

INLINE void multiply(const bool a_transposed, const bool b_transposed, float *c, size_t ldc, const float *a, size_t lda,
                     const float *b, size_t ldb, size_t m, size_t n, size_t k, float beta) {
  on_fastmath_scratch *scratch = on_fastmath_thread_scratch();
  if (k == 0 && beta == 0.0f) {
    for (size_t i = 0; i < m; i++) {
      memset(c + i * ldc, 0, n * sizeof *c);
    }
  }
  for (size_t j0 = 0; j0 < n; j0 += BLOCK_COLS) {
    const size_t cols = n - j0 < BLOCK_COLS ? n - j0 : BLOCK_COLS;
    for (size_t p0 = 0; p0 < k; p0 += DEPTH) {
      const size_t depth = k - p0 < DEPTH ? k - p0 : DEPTH;
      const float *ab = a_transposed ? a + p0 * lda : a + p0;
      const bool add = p0 > 0 || beta != 0.0f;
      if (!b_transposed && m <= 2 * TILE_ROWS) {  // too few rows to pay for packing
        const size_t whole = cols / TILE_COLS * TILE_COLS;
        const float *bb = b + p0 * ldb + j0;
        multiply_block(scratch, a_transposed, c + j0, ldc, ab, lda, bb, TILE_COLS, ldb, m, whole, depth, add);
        if (whole < cols) {
          pack_straight(scratch->b, TILE_COLS, bb + whole, ldb, depth, cols - whole);
          multiply_block(scratch, a_transposed, c + j0 + whole, ldc, ab, lda, scratch->b, 0, TILE_COLS, m,
                         cols - whole, depth, add);
        }
        continue;
      }
      pack_b(b_transposed, scratch->b, b_transposed ? b + j0 * ldb + p0 : b + p0 * ldb + j0, ldb, cols, depth);
      multiply_block(scratch, a_transposed, c + j0, ldc, ab, lda, scratch->b, depth * TILE_COLS, TILE_COLS, m, cols,
                     depth, add);
    }
  }
}

TARGET static void gemm_nn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(false, false, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

TARGET static void gemm_nt(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(false, true, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

TARGET static void gemm_tn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(true, false, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

// ---- products of few rows with a matrix that was packed before

enum { PANEL_ROWS = 6 };  // most rows in registers together

// Rows of A as they lie times one panel of B. Few rows have `steps` sums for each output, so that enough of
// them are under way; the panel is read as one stream. Where only `cols` columns or `valid` of the rows exist,
// the others are computed from what is there and left out.
INLINE void panel_tile(const size_t rows, const size_t steps, size_t valid, float *const *c, size_t column,
                       const float *a, size_t lda, const float *b, size_t k, size_t cols, bool add) {
  vf sum[PANEL_ROWS][8];
  const float *from[PANEL_ROWS];
  UNROLL_IF_ANY for (size_t r = 0; r < rows; r++) {
    from[r] = a + (r < valid ? r : valid - 1) * lda;
    UNROLL for (size_t v = 0; v < 2 * steps; v++) {
      sum[r][v] = splat(0.0f);
    }
  }
  size_t p = 0;
  for (; p + steps <= k; p += steps, b += steps * TILE_COLS) {
    UNROLL_IF_ANY for (size_t q = 0; q < steps; q++) {
      const vf b0 = load(b + q * TILE_COLS), b1 = load(b + q * TILE_COLS + LANES);
      UNROLL_IF_ANY for (size_t r = 0; r < rows; r++) {
        const vf ar = splat(from[r][p + q]);
        sum[r][2 * q] = FMA(ar, b0, sum[r][2 * q]);
        sum[r][2 * q + 1] = FMA(ar, b1, sum[r][2 * q + 1]);
      }
    }
  }
  for (; p < k; p++, b += TILE_COLS) {
    const vf b0 = load(b), b1 = load(b + LANES);
    UNROLL_IF_ANY for (size_t r = 0; r < rows; r++) {
      const vf ar = splat(from[r][p]);
      sum[r][0] = FMA(ar, b0, sum[r][0]);
      sum[r][1] = FMA(ar, b1, sum[r][1]);
    }
  }
  UNROLL_IF_ANY for (size_t r = 0; r < rows; r++) {
    if (r >= valid) {
      break;
    }
    UNROLL_IF_ANY for (size_t q = 1; q < steps; q++) {
      sum[r][0] = sum[r][0] + sum[r][2 * q];
      sum[r][1] = sum[r][1] + sum[r][2 * q + 1];
    }
    float *to = c[r] + column;
    if (cols < TILE_COLS) {
      float edge[TILE_COLS];
      store(edge, sum[r][0]);
      store(edge + LANES, sum[r][1]);
      for (size_t j = 0; j < cols; j++) {
        to[j] = add ? to[j] + edge[j] : edge[j];
      }
      continue;
    }
    store(to, add ? load(to) + sum[r][0] : sum[r][0]);
    store(to + LANES, add ? load(to + LANES) + sum[r][1] : sum[r][1]);
  }
}

TARGET static void gemm_panels(float *const *c, const float *a, size_t lda, const float *panels, size_t m, size_t n,
                               size_t k, float beta) {
  const bool add = beta != 0.0f;
  while (m > 0) {
    const size_t parts = (m + PANEL_ROWS - 1) / PANEL_ROWS, rows = (m + parts - 1) / parts;
    for (size_t j = 0; j < n; j += TILE_COLS) {
      const float *b = panels + j * k;
      const size_t cols = n - j < TILE_COLS ? n - j : TILE_COLS;
      if (rows == 1) {
        panel_tile(1, 4, 1, c, j, a, lda, b, k, cols, add);
      } else if (rows == 2) {
        panel_tile(2, 4, 2, c, j, a, lda, b, k, cols, add);
      } else if (rows <= 4) {
        panel_tile(4, 1, rows, c, j, a, lda, b, k, cols, add);
      } else {
        panel_tile(PANEL_ROWS, 1, rows, c, j, a, lda, b, k, cols, add);
      }
    }
    c += rows;
    a += rows * lda;
    m -= rows;
  }
}

TARGET static void pack_panels(float *out, const float *b, size_t ldb, bool transposed, size_t n, size_t k) {
  if (transposed) {
    pack_b(true, out, b, ldb, n, k);
  } else {
    pack_b(false, out, b, ldb, n, k);
  }
}

// ---- matrix and vector

INLINE void gemv_n_strip(const size_t vectors, float *y, const float *x, const float *w, size_t ldw, size_t k,
                         bool add) {
  vf sum[8];
  UNROLL for (size_t v = 0; v < vectors; v++) {
    sum[v] = add ? load(y + v * LANES) : splat(0.0f);
  }
  for (size_t p = 0; p < k; p++, w += ldw) {
    const vf xp = splat(x[p]);
    UNROLL for (size_t v = 0; v < vectors; v++) {
      sum[v] = FMA(xp, load(w + v * LANES), sum[v]);
    }
  }
  UNROLL for (size_t v = 0; v < vectors; v++) {
    store(y + v * LANES, sum[v]);
  }
}

TARGET static void gemv_n(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta) {
  const bool add = beta != 0.0f;
  size_t j = 0;
  for (; j + 8 * LANES <= n; j += 8 * LANES) {
    gemv_n_strip(8, y + j, x, w + j, ldw, k, add);
  }
  if (j + 4 * LANES <= n) {
    gemv_n_strip(4, y + j, x, w + j, ldw, k, add);
    j += 4 * LANES;
  }
  if (j + 2 * LANES <= n) {
    gemv_n_strip(2, y + j, x, w + j, ldw, k, add);
    j += 2 * LANES;
  }
  if (j + LANES <= n) {
    gemv_n_strip(1, y + j, x, w + j, ldw, k, add);
    j += LANES;
  }
  for (; j < n; j++) {
    float sum = add ? y[j] : 0.0f;
    for (size_t p = 0; p < k; p++) {
      sum += x[p] * w[p * ldw + j];
    }
    y[j] = sum;
  }
}

TARGET static void gemv_t(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta) {
  const size_t whole = k / LANES * LANES;
  for (size_t i = 0; i < n; i += 4) {
    const size_t rows = n - i < 4 ? n - i : 4;
    const float *wr[4];
    for (size_t r = 0; r < 4; r++) {
      wr[r] = w + (i + (r < rows ? r : 0)) * ldw;
    }
    vf sum[4] = {{0.0f}, {0.0f}, {0.0f}, {0.0f}};
    for (size_t p = 0; p < whole; p += LANES) {
      const vf xp = load(x + p);
      UNROLL for (size_t r = 0; r < 4; r++) {
        sum[r] = FMA(load(wr[r] + p), xp, sum[r]);
      }
    }
    for (size_t r = 0; r < rows; r++) {
      float s = sum_lanes(sum[r]);
      for (size_t p = whole; p < k; p++) {
        s += wr[r][p] * x[p];
      }
      y[i + r] = beta != 0.0f ? y[i + r] + s : s;
    }
  }
}

TARGET static void axpy(float *y, float a, const float *x, size_t n) {
  const vf av = splat(a);
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    store(y + i, FMA(av, load(x + i), load(y + i)));
  }
  for (; i < n; i++) {
    y[i] += a * x[i];
  }
}

// Blocks are summed in double precision, so that the norm of millions of values keeps its digits.
TARGET static float sum_squares(const float *x, size_t n) {
  double total = 0.0;
  size_t i = 0;
  while (n - i >= 4 * LANES) {
    const size_t end = n - i > 4096 ? i + 4096 : i + (n - i) / (4 * LANES) * (4 * LANES);
    vf sum[4] = {{0.0f}, {0.0f}, {0.0f}, {0.0f}};
    for (; i < end; i += 4 * LANES) {
      UNROLL for (size_t v = 0; v < 4; v++) {
        const vf xv = load(x + i + v * LANES);
        sum[v] = FMA(xv, xv, sum[v]);
      }
    }
    total += (double)sum_lanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
  for (; i < n; i++) {
    total += (double)x[i] * (double)x[i];
  }
  return (float)total;
}

TARGET static void multiply_all(float *y, const float *x, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    store(y + i, load(y + i) * load(x + i));
  }
  for (; i < n; i++) {
    y[i] *= x[i];
  }
}

// ---- dropout

// A random function of a counter (Ellis 2019: two rounds of xor-shift and multiply) between two halves of the seed.
#define DRAW(x, low, high)  \
  x = x + (low);            \
  x = x ^ (x >> 16);        \
  x = x * 0x7feb352du;      \
  x = x ^ (x >> 15);        \
  x = x * 0x846ca68bu;      \
  x = (x ^ (x >> 16)) + (high); \
  x = x ^ (x >> 17);        \
  x = x * 0xed5ad4bbu;      \
  x = x ^ (x >> 11)

TARGET static void dropout(float *mask, float *x, size_t n, float rate, uint64_t seed) {
  const uint64_t key = on_splitmix64(seed);
  const uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);
  const uint32_t dropped_below = (uint32_t)((double)rate * 4294967296.0);
  const float kept = 1.0f / (1.0f - rate);
  vu counter = {0};
  for (uint32_t l = 0; l < LANES; l++) {
    counter[l] = l;
  }
  size_t i = 0;
  for (; i + LANES <= n; i += LANES, counter += LANES) {
    vu draw = counter;
    DRAW(draw, low, high);
    const vf factor = ON_FLOAT((vu)(draw >= (vu){0} + dropped_below) & ON_BITS(splat(kept)));
    store(mask + i, factor);
    if (x) {
      store(x + i, load(x + i) * factor);
    }
  }
  for (; i < n; i++) {
    uint32_t draw = (uint32_t)i;
    DRAW(draw, low, high);
    mask[i] = draw >= dropped_below ? kept : 0.0f;
    if (x) {
      x[i] *= mask[i];
    }
  }
}

// ---- one row of an LSTM

// One unit, or LANES of them: F is its type, READ and WRITE move it, and the functions are those of the type.
#define LSTM_FORWARD(F, READ, WRITE, SIGMOID, TANH, ZERO, j)                                            \
  {                                                                                                     \
    const F in = SIGMOID(READ(g + (j))), forget = SIGMOID(READ(g + size + (j)));                        \
    const F cell = TANH(READ(g + 2 * size + (j))), out = SIGMOID(READ(g + 3 * size + (j)));             \
    const F c = forget * (row->c_before ? READ(row->c_before + (j)) : ZERO) + in * cell, t = TANH(c);   \
    const F h = out * t;                                                                                \
    WRITE(g + (j), in);                                                                                 \
    WRITE(g + size + (j), forget);                                                                      \
    WRITE(g + 2 * size + (j), cell);                                                                    \
    WRITE(g + 3 * size + (j), out);                                                                     \
    WRITE(row->c + (j), c);                                                                             \
    WRITE(row->tanh_c + (j), t);                                                                        \
    WRITE(row->h + (j), h);                                                                             \
    WRITE(row->state + (j), row->mask ? h * READ(row->mask + (j)) : h);                                 \
  }

#define LSTM_BACKWARD(F, READ, WRITE, ONE, ZERO, j)                                                     \
  {                                                                                                     \
    const F in = READ(g + (j)), forget = READ(g + size + (j));                                          \
    const F cell = READ(g + 2 * size + (j)), out = READ(g + 3 * size + (j));                            \
    const F t = READ(row->tanh_c + (j)), dh = READ(row->dh + (j));                                      \
    const F d = READ(row->dc + (j)) + dh * out * (ONE - t * t);                                         \
    const F before = row->c_before ? READ(row->c_before + (j)) : ZERO;                                  \
    WRITE(dg + (j), d * cell * in * (ONE - in));                                                        \
    WRITE(dg + size + (j), d * before * forget * (ONE - forget));                                       \
    WRITE(dg + 2 * size + (j), d * in * (ONE - cell * cell));                                           \
    WRITE(dg + 3 * size + (j), dh * t * out * (ONE - out));                                             \
    WRITE(row->dc + (j), d * forget);                                                                   \
  }

#define READ_ONE(p) (*(p))
#define WRITE_ONE(p, value) (*(p) = (value))

TARGET static void lstm_row_forward(const on_lstm_row *row, size_t size) {
  float *g = row->gates;
  size_t j = 0;
  for (; j + LANES <= size; j += LANES) {
    LSTM_FORWARD(vf, load, store, lanes_sigmoid, lanes_tanh, splat(0.0f), j)
  }
  for (; j < size; j++) {
    LSTM_FORWARD(float, READ_ONE, WRITE_ONE, on_sigmoid, on_tanh, 0.0f, j)
  }
}

TARGET static void lstm_row_backward(const on_lstm_row_grad *row, size_t size) {
  const float *g = row->gates;
  float *dg = row->dgates;
  size_t j = 0;
  for (; j + LANES <= size; j += LANES) {
    LSTM_BACKWARD(vf, load, store, splat(1.0f), splat(0.0f), j)
  }
  for (; j < size; j++) {
    LSTM_BACKWARD(float, READ_ONE, WRITE_ONE, 1.0f, 0.0f, j)
  }
}

// ---- Adam

INLINE void adam_vector(float *w, float *g, float *m, float *v, float *average, const on_adam *adam) {
  const vf scaled = load(g) * splat(adam->grad_scale);
  const vf mv = FMA(splat(adam->beta1), load(m), splat(1.0f - adam->beta1) * scaled);
  const vf vv = FMA(splat(adam->beta2), load(v), splat(1.0f - adam->beta2) * (scaled * scaled));
  const vf step = mv * splat(adam->correction1) / (SQRT(vv * splat(adam->correction2)) + splat(adam->eps));
  const vf was = load(w), wv = was - splat(adam->rate) * (step + splat(adam->decay) * was);
  store(m, mv);
  store(v, vv);
  store(w, wv);
  store(g, splat(0.0f));
  if (average) {
    const vf mean = load(average);
    store(average, FMA(splat(adam->average_rate), wv - mean, mean));
  }
}

TARGET static void adam_step(float *w, float *g, float *m, float *v, float *average, size_t n, const on_adam *adam) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    adam_vector(w + i, g + i, m + i, v + i, average ? average + i : NULL, adam);
  }
  if (i < n) {
    const size_t rest = (n - i) * sizeof(float);
    float part[5][LANES] = {{0.0f}};
    float *const all[5] = {w + i, g + i, m + i, v + i, average ? average + i : part[4]};
    for (int a = 0; a < 5; a++) {
      memcpy(part[a], all[a], rest);
    }
    adam_vector(part[0], part[1], part[2], part[3], part[4], adam);
    for (int a = 0; a < 5; a++) {
      if (all[a] != part[a]) memcpy(all[a], part[a], rest);
    }
  }
}

const on_fastmath_row ROW = {.gemm_nn = gemm_nn,
                             .gemm_nt = gemm_nt,
                             .gemm_tn = gemm_tn,
                             .gemv_n = gemv_n,
                             .gemv_t = gemv_t,
                             .pack_panels = pack_panels,
                             .gemm_panels = gemm_panels,
                             .axpy = axpy,
                             .multiply = multiply_all,
                             .dropout = dropout,
                             .lstm_row_forward = lstm_row_forward,
                             .lstm_row_backward = lstm_row_backward,
                             .sum_squares = sum_squares,
                             .adam_step = adam_step};
