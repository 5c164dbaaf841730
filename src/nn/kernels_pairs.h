// Products of whole numbers of plain WebAssembly, for kernels_lanes4.c (no include guard), which has kernels_int8.h
// before. Weights of 16 bits lie in pairs of columns (kernels.h, `wide`): a vector holds those of LANES outputs, and its
// product with a pair of x is LANES sums, one an output, so that nothing is left to add up at the end.
enum { PAIR = 2, PAIR_VECTORS = ON_PANEL / LANES };

// `rows` rows of x times `panels` panels, of each the first `vectors` vectors; the counts are constants where this is
// inlined. `left` outputs are there; y, bias and scale are at the first of them.
INLINE void pairs_block(const size_t rows, const size_t panels, const size_t vectors, float *y, size_t ldy,
                        const int16_t *q, size_t ldq, const on_quantized *x, const int16_t *w, size_t quads,
                        const float *scale, const float *bias, bool accumulate, size_t left) {
  const size_t size = quads * ON_QUAD * ON_PANEL;
  vi sum[4][2 * PAIR_VECTORS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    UNROLL for (size_t v = 0; v < panels * vectors; v++) {
      sum[r][v] = (vi){0};
    }
  }
  for (size_t k = 0; k < quads; k++, w += ON_QUAD * ON_PANEL, q += ON_QUAD) {
    UNROLL for (size_t pair = 0; pair < ON_QUAD; pair += PAIR) {
      vh numbers[4];
      UNROLL for (size_t r = 0; r < rows; r++) {
        numbers[r] = (vh)wasm_v128_load32_splat(q + r * ldq + pair);
      }
      UNROLL for (size_t v = 0; v < panels * vectors; v++) {
        const vh weights = (vh)wasm_v128_load(w + v / vectors * size + pair * ON_PANEL + v % vectors * PAIR * LANES);
        UNROLL for (size_t r = 0; r < rows; r++) {
          sum[r][v] = sum[r][v] + DOT(weights, numbers[r]);
        }
      }
    }
  }
  const bool partial = panels == 1 && left < vectors * LANES;
  UNROLL for (size_t r = 0; r < rows; r++) {
    float edge[ON_PANEL] = {0.0f};
    float *const to = y + r * ldy;
    const float *from = accumulate ? to : bias;
    if (from && partial) {
      for (size_t o = 0; o < left; o++) {
        edge[o] = from[o];
      }
      from = edge;
    }
    UNROLL for (size_t v = 0; v < panels * vectors; v++) {
      const vf step = ON_SPLAT(x[r].scale) * load(scale + v * LANES);
      const vf start = from ? load(from + v * LANES) : ON_SPLAT(0.0f);
      store((partial ? edge : to) + v * LANES, start + TO_FLOAT(sum[r][v]) * step);
    }
    if (partial) {
      for (size_t o = 0; o < left; o++) {
        to[o] = edge[o];
      }
    }
  }
}

// The outputs that fill no panel, `vectors` vectors of them, which is a constant where this is inlined.
INLINE void pairs_part(const size_t vectors, float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x,
                       size_t m, const int16_t *w, size_t quads, const float *scale, const float *bias,
                       bool accumulate, size_t left) {
  enum { TOGETHER = 4 };
  size_t i = 0;
  for (; i + TOGETHER <= m; i += TOGETHER) {
    pairs_block(TOGETHER, 1, vectors, y + i * ldy, ldy, q + i * ldq, ldq, x + i, w, quads, scale, bias, accumulate, left);
  }
  for (; i < m; i++) {
    pairs_block(1, 1, vectors, y + i * ldy, ldy, q + i * ldq, ldq, x + i, w, quads, scale, bias, accumulate, left);
  }
}

APART void linear_pairs_part(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                             const int16_t *w, size_t quads, const float *scale, const float *bias, bool accumulate,
                             size_t left) {
#define PART_OF(n) pairs_part(n, y, ldy, q, ldq, x, m, w, quads, scale, bias, accumulate, left)
  if (left <= LANES) PART_OF(1);
  else PART_OF(PAIR_VECTORS - 1);
#undef PART_OF
}

// A single row has two panels together, so that it reads the numbers of x half as often; but not where the weights come
// from the second cache, which gives one stream faster than two.
enum { BOTH_MOST = 22 * 1024 };  // weights

static void linear_pairs(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                         const on_packed *w, const float *bias, bool accumulate) {
  const size_t quads = on_quads(w->cols), size = quads * ON_QUAD * ON_PANEL;
  for (size_t first = 0, count; first < w->rows; first += count) {
    const int16_t *weights = w->wide + first / ON_PANEL * size;
    const float *b = bias ? bias + first : NULL, *scale = w->scale + first;
    const size_t left = w->rows - first;
    if (left <= ON_PANEL - LANES) {
      linear_pairs_part(y + first, ldy, q, ldq, x, m, weights, quads, scale, b, accumulate, left);
      return;
    }
    size_t i = 0;
    count = m % 2 && left >= 2 * ON_PANEL && w->rows * quads * ON_QUAD <= BOTH_MOST ? 2 * ON_PANEL : ON_PANEL;
    for (size_t at = 0; at < count; at += ON_PANEL) {
      for (i = 0; i + 2 <= m; i += 2) {
        pairs_block(2, 1, PAIR_VECTORS, y + i * ldy + first + at, ldy, q + i * ldq, ldq, x + i, weights + at / ON_PANEL * size,
                    quads, scale + at, b ? b + at : NULL, accumulate, left - at);
      }
    }
    if (i == m) continue;
    float *const to = y + i * ldy + first;
    if (count > ON_PANEL) {
      pairs_block(1, 2, PAIR_VECTORS, to, ldy, q + i * ldq, ldq, x + i, weights, quads, scale, b, accumulate, left);
    } else {
      pairs_block(1, 1, PAIR_VECTORS, to, ldy, q + i * ldq, ldq, x + i, weights, quads, scale, b, accumulate, left);
    }
  }
}
