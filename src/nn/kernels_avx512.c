// 512-bit vectors. Without FMA: a fused product would round once where the definition rounds twice.
#include "nn/kernels_tables.h"

#if ON_HAVE_X86_ROWS
#define LANES 16
#define TARGET __attribute__((target("avx512f")))
#define BLOCK_ROWS 8
#define BLOCK_PANELS 8
#include "nn/kernels_lanes.h"

const on_kernels on_kernels_row_avx512 = ROW("avx512", on_quantize_avx2, on_linear_quantized_avx2);
// The same with the dot products of VNNI: 64 products of bytes and their sums in one instruction. It takes one side
// without a sign, so 128 is added to the weights, and 128 times the sum of the numbers taken off at the end.
#include <immintrin.h>

#define VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define VNNI_INLINE VNNI static inline __attribute__((always_inline))

// Sixteen numbers, or those of a part.
VNNI_INLINE __m512 magnitudes(__mmask16 part, const float *x, __m512 most) {
  return _mm512_max_ps(_mm512_abs_ps(_mm512_maskz_loadu_ps(part, x)), most);  // of a NaN and m: m
}

VNNI_INLINE __m512i whole_numbers(__mmask16 part, const float *x, __m512 factor) {
  const __m512 shifter = _mm512_set1_ps(12582912.0f);
  const __m512 t = _mm512_add_ps(_mm512_mul_ps(_mm512_maskz_loadu_ps(part, x), factor), shifter);
  const __mmask16 number = _mm512_cmp_ps_mask(t, t, _CMP_ORD_Q);
  return _mm512_maskz_sub_epi32(number, _mm512_castps_si512(t), _mm512_castps_si512(shifter));
}

VNNI_INLINE void quantize_row(int8_t *q, on_quantized *row, const float *x, size_t n) {
  const size_t whole = n / 16 * 16;
  const __mmask16 all = 0xFFFF, rest = (__mmask16)((1u << (n - whole)) - 1);
  __m512 lanes = magnitudes(rest, x + whole, _mm512_setzero_ps()), more = _mm512_setzero_ps();
  size_t i = 0;
  for (; i + 32 <= whole; i += 32) {
    lanes = magnitudes(all, x + i, lanes);
    more = magnitudes(all, x + i + 16, more);
  }
  if (i < whole) {
    more = magnitudes(all, x + i, more);
  }
  const float most = _mm512_reduce_max_ps(_mm512_max_ps(lanes, more));
  const bool some = most >= ON_QUANTIZED_LEAST;
  const __m512 factor = _mm512_set1_ps(some ? 127.0f / most : 0.0f);
  __m512i sum = _mm512_setzero_si512();
  for (i = 0; i < whole; i += 16) {
    const __m512i v = whole_numbers(all, x + i, factor);
    sum = _mm512_add_epi32(sum, v);
    _mm_storeu_si128((__m128i *)(void *)(q + i), _mm512_cvtepi32_epi8(v));
  }
  if (whole < n) {
    const __m512i v = whole_numbers(rest, x + whole, factor);
    sum = _mm512_add_epi32(sum, v);
    const __m128i narrow = _mm512_cvtepi32_epi8(v);
    memcpy(q + whole, &narrow, ON_QUAD * on_quads(n) - whole);
  }
  *row = (on_quantized){some ? most / 127.0f : 0.0f, _mm512_reduce_add_epi32(sum)};
}

VNNI static void quantize_bytes(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  for (size_t i = 0; i < m; i++) {
    quantize_row((int8_t *)(q + i * ON_QUAD * on_quads(n)), rows + i, x + i * ldx, n);
  }
}

// `rows` rows of x times `panels` panels; both are constants where this is inlined. `left` outputs are there.
VNNI_INLINE void vnni_block(const size_t rows, const size_t panels, float *y, size_t ldy, const int16_t *q, size_t ldq,
                            const on_quantized *x, const int8_t *w, size_t quads, const float *scale,
                            const float *bias, bool accumulate, size_t left) {
  __m512i sum[7][4];
  UNROLL for (size_t r = 0; r < rows; r++) {
    UNROLL for (size_t p = 0; p < panels; p++) {
      sum[r][p] = _mm512_set1_epi32(-128 * x[r].sum);
    }
  }
  const __m512i high = _mm512_set1_epi8(-128);
  const size_t size = quads * ON_QUAD * ON_PANEL;
  for (size_t k = 0; k < quads; k++) {
    __m512i numbers[7];
    UNROLL for (size_t r = 0; r < rows; r++) {
      int32_t four;
      memcpy(&four, (const int8_t *)(q + r * ldq) + k * ON_QUAD, sizeof four);
      numbers[r] = _mm512_set1_epi32(four);
    }
    UNROLL for (size_t p = 0; p < panels; p++) {
      const __m512i weights = _mm512_xor_si512(_mm512_loadu_si512(w + p * size + k * ON_QUAD * ON_PANEL), high);
      UNROLL for (size_t r = 0; r < rows; r++) {
        sum[r][p] = _mm512_dpbusd_epi32(sum[r][p], weights, numbers[r]);
      }
    }
  }
  UNROLL for (size_t r = 0; r < rows; r++) {
    UNROLL for (size_t p = 0; p < panels; p++) {
      const size_t outputs = left - p * ON_PANEL;
      const __mmask16 here = (__mmask16)(outputs < ON_PANEL ? (1u << outputs) - 1 : 0xFFFF);
      float *to = y + r * ldy + p * ON_PANEL;
      const __m512 start = accumulate ? _mm512_maskz_loadu_ps(here, to)
                           : bias     ? _mm512_maskz_loadu_ps(here, bias + p * ON_PANEL)
                                      : _mm512_setzero_ps();
      const __m512 step = _mm512_mul_ps(_mm512_set1_ps(x[r].scale), _mm512_loadu_ps(scale + p * ON_PANEL));
      const __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(sum[r][p]), step);
      _mm512_mask_storeu_ps(to, here, _mm512_add_ps(start, product));
    }
  }
}

// All panels, `most` at a time, so that each weight is read once for `rows` rows.
VNNI_INLINE void vnni_rows(const size_t rows, const size_t most, float *y, size_t ldy, const int16_t *q, size_t ldq,
                           const on_quantized *x, const on_packed *w, const float *bias, bool accumulate) {
  const size_t quads = on_quads(w->cols), all = (w->rows + ON_PANEL - 1) / ON_PANEL;
  for (size_t p = 0, first = 0; p < all; first = p * ON_PANEL) {
    const int8_t *panel = w->q + first * quads * ON_QUAD;
    const float *from = bias ? bias + first : NULL;
    if (all - p >= most) {
      vnni_block(rows, most, y + first, ldy, q, ldq, x, panel, quads, w->scale + first, from, accumulate,
                 w->rows - first);
      p += most;
    } else {
      vnni_block(rows, 1, y + first, ldy, q, ldq, x, panel, quads, w->scale + first, from, accumulate,
                 w->rows - first);
      p++;
    }
  }
}

VNNI static void linear_vnni(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                             const on_packed *w, const float *bias, bool accumulate) {
  for (size_t i = 0, rows; i < m; i += rows, y += rows * ldy, q += rows * ldq, x += rows) {
    const size_t left = m - i;
    rows = left >= 14 ? 7 : left > 7 ? (left + 1) / 2 : left;
#define ROWS(n, panels) \
  case n: vnni_rows(n, panels, y, ldy, q, ldq, x, w, bias, accumulate); break
    switch (rows) {  // with as many panels as were measured to be best
      ROWS(1, 4);
      ROWS(2, 4);
      ROWS(3, 4);
      ROWS(4, 4);
      ROWS(5, 2);
      ROWS(6, 2);
      ROWS(7, 2);
    }
#undef ROWS
  }
}

const on_kernels on_kernels_row_vnni = ROW("avx512vnni", quantize_bytes, linear_vnni);
#else
typedef int on_kernels_avx512_empty;
#endif
