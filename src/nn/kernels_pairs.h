// Products of whole numbers of plain WebAssembly, for kernels_lanes4.c (no include guard), which has kernels_int8.h
// before. Weights of 16 bits lie in pairs of columns (kernels.h, `wide`): a vector holds those of LANES outputs, and
// its product with a pair of x is LANES sums, one an output, so that nothing is left to add up at the end. ON_WIDE
// columns a step, since an engine's first code keeps in memory what goes through a loop.
enum { PAIR = 2, PAIR_VECTORS = ON_PANEL / LANES };

// `rows` rows of x times the first `vectors` vectors of a panel; both counts are constants where this is inlined.
// Where that is `partial`, `left` outputs are there; y, bias and scale are at the first of them.
INLINE void pairs_block(const size_t rows, const size_t vectors, float *y, size_t ldy, const int16_t *q, size_t ldq,
                        const on_quantized *x, const int16_t *w, size_t cols, const float *scale, const float *bias,
                        bool accumulate, const bool partial, size_t left) {
  vi sum[2][PAIR_VECTORS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    UNROLL for (size_t v = 0; v < vectors; v++) {
      sum[r][v] = (vi){0};
    }
  }
  for (size_t c = 0; c < cols; c += ON_WIDE, w += ON_WIDE * ON_PANEL, q += ON_WIDE) {
    UNROLL for (size_t pair = 0; pair < ON_WIDE; pair += PAIR) {
      vh numbers[2];
      UNROLL for (size_t r = 0; r < rows; r++) {
        numbers[r] = (vh)wasm_v128_load32_splat(q + r * ldq + pair);
      }
      UNROLL for (size_t v = 0; v < vectors; v++) {
        const vh weights = (vh)wasm_v128_load(w + pair * ON_PANEL + v * PAIR * LANES);
        UNROLL for (size_t r = 0; r < rows; r++) {
          sum[r][v] = sum[r][v] + DOT(weights, numbers[r]);
        }
      }
    }
  }
  UNROLL for (size_t r = 0; r < rows; r++) {
    float edge[ON_PANEL] = {0.0f};
    float *const to = y + r * ldy;
    const float *from = accumulate ? to : bias;
    if (partial) {
      for (size_t o = 0; o < left; o++) {
        edge[o] = from[o];
      }
      from = edge;
    }
    const vf factor = ON_SPLAT(x[r].scale);
    UNROLL for (size_t v = 0; v < vectors; v++) {
      const vf step = factor * load(scale + v * LANES);
      store((partial ? edge : to) + v * LANES, load(from + v * LANES) + TO_FLOAT(sum[r][v]) * step);
    }
    if (partial) {
      for (size_t o = 0; o < left; o++) {
        to[o] = edge[o];
      }
    }
  }
}

// What is left of the outputs behind the last whole panel, row by row. Apart, and few of them apart from more: an
// engine compiles what is called, and what is small is compiled well earlier.
#define PART(name, vectors)                                                                                         \
  APART void name(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,             \
                  const int16_t *w, size_t cols, const float *scale, const float *bias, bool accumulate,           \
                  size_t left) {                                                                                    \
    for (size_t i = 0; i < m; i++, y += ldy, q += ldq, x++) {                                                       \
      pairs_block(1, vectors, y, ldy, q, ldq, x, w, cols, scale, bias, accumulate, true, left);                     \
    }                                                                                                               \
  }
PART(pairs_few, 1)
PART(pairs_part, PAIR_VECTORS)
#undef PART

// A whole panel, two rows at a time.
INLINE void pairs_panel(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                        const int16_t *w, size_t cols, const float *scale, const float *bias, bool accumulate) {
  size_t i = 0;
  for (; i + 2 <= m; i += 2) {
    pairs_block(2, PAIR_VECTORS, y + i * ldy, ldy, q + i * ldq, ldq, x + i, w, cols, scale, bias, accumulate, false,
                0);
  }
  if (i < m) {
    pairs_block(1, PAIR_VECTORS, y + i * ldy, ldy, q + i * ldq, ldq, x + i, w, cols, scale, bias, accumulate, false,
                0);
  }
}

// A single output: vectors lie over its columns.
APART void pairs_one(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                     const int16_t *w, size_t cols, float scale, const float *from, size_t ld_from) {
  AS_WRITTEN for (size_t i = 0; i < m; i++, y += ldy, q += ldq, from += ld_from) {
    vi sum = {0};
    AS_WRITTEN for (size_t c = 0; c < cols; c += ON_WIDE) {
      sum = sum + DOT(wasm_v128_load(w + c), wasm_v128_load(q + c));
    }
    *y = *from + (float)((sum[0] + sum[1]) + (sum[2] + sum[3])) * (x[i].scale * scale);
  }
}

static void linear_pairs(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                         const on_packed *w, const float *bias, bool accumulate) {
  static const float zeros[ON_PANEL];
  const size_t cols = on_wide_cols(w->cols);
  if (w->rows == 1) {
    pairs_one(y, ldy, q, ldq, x, m, w->wide, cols, *w->scale, accumulate ? y : bias ? bias : zeros,
              accumulate ? ldy : 0);
    return;
  }
  for (size_t first = 0; first < w->rows; first += ON_PANEL) {
    const int16_t *weights = w->wide + first * cols;
    const float *b = bias ? bias + first : zeros, *scale = w->scale + first;
    const size_t left = w->rows - first;
    if (left >= ON_PANEL) {
      pairs_panel(y + first, ldy, q, ldq, x, m, weights, cols, scale, b, accumulate);
    } else if (left > LANES) {
      pairs_part(y + first, ldy, q, ldq, x, m, weights, cols, scale, b, accumulate, left);
    } else {
      pairs_few(y + first, ldy, q, ldq, x, m, weights, cols, scale, b, accumulate, left);
    }
  }
}
