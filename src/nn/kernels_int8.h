// Products of whole numbers for 128-bit and 256-bit vectors, for files that have included kernels_lanes.h with
// LANES 4 or 8 (no include guard). A vector of weights, widened to 16 bits, holds LANES / 2 outputs with ON_QUAD
// columns each; its product with the four numbers of x is LANES sums of two products, added in pairs at the end.
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef int16_t vh __attribute__((vector_size(LANES * 4)));
typedef int16_t vh_any __attribute__((vector_size(LANES * 4), aligned(2), may_alias));

enum { PER_VECTOR = LANES / 2, VECTORS = ON_PANEL / PER_VECTOR };  // outputs of a vector, vectors of a panel

// WIDEN(p): 2 * LANES numbers from p on. FOUR(p): four 16-bit numbers, again and again. DOT: sums of two products.
// NARROW: two vectors to 16 bits. PAIRS: sums of neighbours of two vectors. MOST(m, a): the larger whole numbers.
#if LANES == 8
#include <immintrin.h>
#define WIDEN(p) ((vh)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p))))
#define FOUR(p) ((vh)_mm256_castpd_si256(_mm256_broadcast_sd((const double *)(const void *)(p))))
#define DOT(a, b) ((vi)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#define NARROW(a, b) ((vh)_mm256_permute4x64_epi64(_mm256_packs_epi32((__m256i)(a), (__m256i)(b)), 0xD8))
#define PAIRS(a, b) ((vi)_mm256_permute4x64_epi64(_mm256_hadd_epi32((__m256i)(a), (__m256i)(b)), 0xD8))
#define MOST(m, a) ((vi)_mm256_max_epi32((__m256i)(m), (__m256i)(a)))
#define TO_FLOAT(a) ((vf)_mm256_cvtepi32_ps((__m256i)(a)))
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define DOT(a, b) ((vi)wasm_i32x4_dot_i16x8((v128_t)(a), (v128_t)(b)))
#define NARROW(a, b) ((vh)wasm_i16x8_narrow_i32x4((v128_t)(a), (v128_t)(b)))
#define MOST(m, a) ((vi)wasm_i32x4_max((v128_t)(m), (v128_t)(a)))
#define TO_FLOAT(a) ((vf)wasm_f32x4_convert_i32x4((v128_t)(a)))
#elif defined(__SSE2__)
#include <emmintrin.h>
INLINE vh widen(const int8_t *p) {
  const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)p);
  return (vh)_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
}
INLINE __m128i sums_of_pairs(__m128 a, __m128 b) {
  return _mm_add_epi32(_mm_castps_si128(_mm_shuffle_ps(a, b, 0x88)), _mm_castps_si128(_mm_shuffle_ps(a, b, 0xDD)));
}
#define WIDEN(p) widen(p)
#define FOUR(p) ((vh)_mm_castpd_si128(_mm_load1_pd((const double *)(const void *)(p))))
#define DOT(a, b) ((vi)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#define NARROW(a, b) ((vh)_mm_packs_epi32((__m128i)(a), (__m128i)(b)))
#define PAIRS(a, b) ((vi)sums_of_pairs((__m128)(a), (__m128)(b)))
#define TO_FLOAT(a) ((vf)_mm_cvtepi32_ps((__m128i)(a)))
#else
INLINE vh widen(const int8_t *p) {
  vh v;
  for (size_t i = 0; i < 8; i++) v[i] = p[i];
  return v;
}
INLINE vh four(const int16_t *p) { return (vh){p[0], p[1], p[2], p[3], p[0], p[1], p[2], p[3]}; }
INLINE vi dot_pairs(vh a, vh b) {
  vi v;
  for (size_t i = 0; i < 4; i++) v[i] = (int32_t)a[2 * i] * b[2 * i] + (int32_t)a[2 * i + 1] * b[2 * i + 1];
  return v;
}
INLINE vh narrow(vi a, vi b) {
  return (vh){(int16_t)a[0], (int16_t)a[1], (int16_t)a[2], (int16_t)a[3],
              (int16_t)b[0], (int16_t)b[1], (int16_t)b[2], (int16_t)b[3]};
}
INLINE vf to_float(vi a) { return (vf){(float)a[0], (float)a[1], (float)a[2], (float)a[3]}; }
#define WIDEN(p) widen(p)
#define FOUR(p) four(p)
#define DOT(a, b) dot_pairs(a, b)
#define NARROW(a, b) narrow(a, b)
#define PAIRS(a, b) ((vi){(a)[0] + (a)[1], (a)[2] + (a)[3], (b)[0] + (b)[1], (b)[2] + (b)[3]})
#define TO_FLOAT(a) to_float(a)
#endif

#ifndef MOST
#define MOST(m, a) ((((m) < (a)) & (a)) | (~((m) < (a)) & (m)))
#endif

#define SHIFTER 12582912.0f  // 1.5 * 2^23: added, it rounds to a whole number that stands in the low bits

INLINE vi round_lanes(vf x, vf factor) {
  return (vi)(ON_BITS(x * factor + ON_SPLAT(SHIFTER)) - ON_BITS(ON_SPLAT(SHIFTER)));
}

enum { BLOCK = 16 };  // numbers that are quantized together

// The larger ones of `most` and of a block, without their signs and as their bits.
INLINE vi most_of(vi most, const float *x) {
  UNROLL for (size_t v = 0; v < BLOCK; v += LANES) {
    most = MOST(most, (vi)(ON_BITS(load(x + v)) & 0x7FFFFFFFu));
  }
  return most;
}

INLINE void quantize_block(int16_t *q, const float *x, vf factor) {
  UNROLL for (size_t v = 0; v < BLOCK; v += 2 * LANES) {
    *(vh_any *)(q + v) = NARROW(round_lanes(load(x + v), factor), round_lanes(load(x + v + LANES), factor));
  }
}

INLINE void quantize_body(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  const size_t whole = n / BLOCK * BLOCK, size = ON_QUAD * on_quads(n);
  for (; m > 0; m--, q += size, rows++, x += ldx) {
    // Without their signs numbers are in order as their bits are; above all of them are infinity and NaN, which are
    // rare. What is no whole block is followed by zeros.
    float edge[BLOCK];
    if (whole < n) {
      memset(edge, 0, sizeof edge);
      memcpy(edge, x + whole, (n - whole) * sizeof *edge);
    }
    vi lanes = {0};
    for (size_t i = 0; i < whole; i += BLOCK) {
      lanes = most_of(lanes, x + i);
    }
    if (whole < n) {
      lanes = most_of(lanes, edge);
    }
    int32_t bits = 0;
    for (size_t l = 0; l < LANES; l++) {
      bits = bits < lanes[l] ? lanes[l] : bits;
    }
    if (bits >= 0x7F800000) {
      on_quantize_scalar(q, rows, x, n);
      continue;
    }
    float most;
    memcpy(&most, &bits, sizeof most);
    const bool some = most >= ON_QUANTIZED_LEAST;
    const vf factor = ON_SPLAT(some ? 127.0f / most : 0.0f);
    *rows = (on_quantized){some ? most / 127.0f : 0.0f, 0};
    for (size_t i = 0; i < whole; i += BLOCK) {
      quantize_block(q + i, x + i, factor);
    }
    if (whole < n) {
      int16_t last[BLOCK];
      quantize_block(last, edge, factor);
      memcpy(q + whole, last, (size - whole) * sizeof *q);
    }
  }
}

#ifndef __wasm_simd128__  // which has kernels_pairs.h
// `rows` rows of x times `vectors` vectors of weights from w on; both counts are constants where this is inlined.
// `left` outputs are there; y, bias and scale are at the first of them.
INLINE void quantized_block(const size_t rows, const size_t vectors, float *y, size_t ldy, const int16_t *q, size_t ldq,
                            const on_quantized *x, const int8_t *w, size_t quads, const float *scale,
                            const float *bias, bool accumulate, size_t left) {
  vi sum[2][VECTORS];
  UNROLL for (size_t r = 0; r < rows; r++) {
    UNROLL for (size_t v = 0; v < vectors; v++) {
      sum[r][v] = (vi){0};
    }
  }
  for (size_t k = 0; k < quads; k++, w += ON_PANEL * ON_QUAD, q += ON_QUAD) {
    vh numbers[2];
    UNROLL for (size_t r = 0; r < rows; r++) {
      numbers[r] = FOUR(q + r * ldq);
    }
    UNROLL for (size_t v = 0; v < vectors; v++) {
      const vh weights = WIDEN(w + v * 2 * LANES);
      UNROLL for (size_t r = 0; r < rows; r++) {
        sum[r][v] = sum[r][v] + DOT(weights, numbers[r]);
      }
    }
  }
  const bool partial = left < vectors * PER_VECTOR;
  UNROLL for (size_t r = 0; r < rows; r++) {
    float edge[ON_PANEL] = {0.0f};
    float *const to = y + r * ldy;
    const float *from = accumulate ? to : bias;
    if (from && partial) {
      memcpy(edge, from, left * sizeof *edge);
      from = edge;
    }
    UNROLL for (size_t v = 0; v < vectors; v += 2) {
      const vf step = ON_SPLAT(x[r].scale) * load(scale + v * PER_VECTOR);
      const vf start = from ? load(from + v * PER_VECTOR) : ON_SPLAT(0.0f);
      const vf value = start + TO_FLOAT(PAIRS(sum[r][v], sum[r][v + 1])) * step;
      store((partial ? edge : to) + v * PER_VECTOR, value);
    }
    if (partial) {
      memcpy(to, edge, left * sizeof *edge);
    }
  }
}

INLINE void linear_quantized_body(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                                  const on_packed *w, const float *bias, bool accumulate) {
  enum { TOGETHER = VECTORS < 4 ? VECTORS : 4, OUTPUTS = TOGETHER * PER_VECTOR };
  const size_t quads = on_quads(w->cols);
  for (size_t first = 0; first < w->rows; first += ON_PANEL) {
    const int8_t *panel = w->q + first * quads * ON_QUAD;
    const float *b = bias ? bias + first : NULL;
    const size_t left = w->rows - first;
    size_t i = 0;
    for (; i + 2 <= m; i += 2) {
      for (size_t o = 0; o < ON_PANEL && o < left; o += OUTPUTS) {
        quantized_block(2, TOGETHER, y + i * ldy + first + o, ldy, q + i * ldq, ldq, x + i, panel + o * ON_QUAD, quads,
                        w->scale + first + o, b ? b + o : NULL, accumulate, left - o);
      }
    }
    if (i < m) {
      quantized_block(1, VECTORS, y + i * ldy + first, ldy, q + i * ldq, ldq, x + i, panel, quads, w->scale + first, b,
                      accumulate, left);
    }
  }
}
#endif
