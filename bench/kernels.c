// How fast the arithmetic is: every row of kernels of inference (GMAC/s, ns per value), and natively the
// products of training (GFLOP/s). Times are processor time, the best of several rounds, so that other
// programs on the machine disturb little. Run by bench/kernels.mjs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nn/linear.h"
#ifndef __wasm__
#include "nn/fastmath_rows.h"
#endif

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *fill(size_t n) {
  float *v = malloc((n + 16) * sizeof *v);
  if (!v) {
    exit(1);
  }
  for (size_t i = 0; i < n; i++) {
    v[i] = (float)(i * 7919 % 1000) * 1e-3f - 0.5f;
  }
  return v;
}

// Seconds for one run of `body`, the best of five rounds of `count` runs.
#define BEST(result, count, body)                        \
  do {                                                   \
    (result) = 1e9;                                      \
    for (int round_ = 0; round_ < 5; round_++) {         \
      const double start_ = seconds();                   \
      for (size_t run_ = 0; run_ < (count); run_++) {    \
        body;                                            \
      }                                                  \
      const double took_ = (seconds() - start_) / (double)(count); \
      (result) = took_ < (result) ? took_ : (result);    \
    }                                                    \
  } while (0)

// What the machine does at most: products and sums on vectors in registers, in twelve independent chains. GMAC/s. A
// round is a function of its own, called many times: an engine of WebAssembly compiles what is called often once more,
// and better, but not a loop that is running.
#define NOINLINE __attribute__((noinline))

// `type` has 32-bit lanes; STEP(s, f, a) is what happens to a sum, with `products` in a lane.
#define PEAK(name, type, attributes, products, STEP)                                                      \
  attributes NOINLINE static void name##_round(type *sums, const type *factors) {                         \
    type s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3], s4 = sums[4], s5 = sums[5];              \
    type s6 = sums[6], s7 = sums[7], s8 = sums[8], s9 = sums[9], s10 = sums[10], s11 = sums[11];          \
    const type f = factors[0], a = factors[1];                                                            \
    (void)a; /* of STEPs without it */                                                                    \
    for (size_t n = 0; n < 1000; n++) {                                                                   \
      s0 = STEP(s0, f, a), s1 = STEP(s1, f, a), s2 = STEP(s2, f, a), s3 = STEP(s3, f, a);                 \
      s4 = STEP(s4, f, a), s5 = STEP(s5, f, a), s6 = STEP(s6, f, a), s7 = STEP(s7, f, a);                 \
      s8 = STEP(s8, f, a), s9 = STEP(s9, f, a), s10 = STEP(s10, f, a), s11 = STEP(s11, f, a);             \
    }                                                                                                     \
    sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3, sums[4] = s4, sums[5] = s5;                   \
    sums[6] = s6, sums[7] = s7, sums[8] = s8, sums[9] = s9, sums[10] = s10, sums[11] = s11;               \
  }                                                                                                       \
  attributes static double name(void) {                                                                   \
    type sums[12], factors[2];                                                                            \
    memset(sums, 1, sizeof sums);                                                                         \
    memset(factors, 1, sizeof factors);                                                                   \
    double best;                                                                                          \
    BEST(best, 1000, name##_round(sums, factors));                                                        \
    return 12000.0 * (double)sizeof(type) / 4 * (products) * 1e-9 / best;                                  \
  }

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
// Two roundings, as inference does them.
#define FLOATS(s, f, a) ((s) * (f) + (a))
PEAK(peak128, f32x4, , 1, FLOATS)
// Two products a lane, then the sum, as kernels_int8.h has them.
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define DOTS128(s, f, a) ((s) + (i32x4)wasm_i32x4_dot_i16x8((v128_t)(s), (v128_t)(f)))
PEAK(whole_peak128, i32x4, , 2, DOTS128)
#elif defined(__SSE2__)
#include <immintrin.h>
#define DOTS128(s, f, a) ((s) + (i32x4)_mm_madd_epi16((__m128i)(s), (__m128i)(f)))
PEAK(whole_peak128, i32x4, , 2, DOTS128)
#else
static double whole_peak128(void) { return 0.0; }
#endif
#if defined(__x86_64__)
typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef float f32x16 __attribute__((vector_size(64)));
typedef int32_t i32x16 __attribute__((vector_size(64)));
#define DOTS256(s, f, a) ((s) + (i32x8)_mm256_madd_epi16((__m256i)(s), (__m256i)(f)))
#define DOTS512(s, f, a) ((i32x16)_mm512_dpbusd_epi32((__m512i)(s), (__m512i)(f), (__m512i)(a)))
PEAK(peak256, f32x8, __attribute__((target("avx2"))), 1, FLOATS)
PEAK(peak512, f32x16, __attribute__((target("avx512f"))), 1, FLOATS)
PEAK(whole_peak256, i32x8, __attribute__((target("avx2"))), 2, DOTS256)
PEAK(whole_peak512, i32x16, __attribute__((target("avx512f,avx512bw,avx512vnni"))), 4, DOTS512)
#endif

static double peak_of(const on_kernels *kernels) {
#if defined(__x86_64__)
  if (strncmp(kernels->name, "avx512", 6) == 0) {
    return peak512();
  }
  if (strcmp(kernels->name, "avx2") == 0) {
    return peak256();
  }
#endif
  (void)kernels;
  return peak128();
}

static double whole_peak_of(const on_kernels *kernels) {
#if defined(__x86_64__)
  if (strcmp(kernels->name, "avx512vnni") == 0) {
    return whole_peak512();
  }
  if (strncmp(kernels->name, "avx", 3) == 0) {
    return whole_peak256();
  }
#endif
  return strcmp(kernels->name, "scalar") == 0 ? 0.0 : whole_peak128();
}

// Products of matrices of whole numbers, the making of whole numbers from x included: steps of an LSTM, its input, heads.
static void whole_numbers(const on_kernels *kernels) {
  const double peak = whole_peak_of(kernels);
  printf("  peak of products of whole numbers in registers %.1f GMAC/s\n", peak);
  static const size_t shapes[][3] = {{1, 640, 160}, {2, 640, 160},  {4, 640, 160}, {7, 640, 160}, {1, 512, 128},
                                     {30, 640, 320}, {64, 128, 384}, {64, 128, 256}, {64, 50, 128}, {30, 1632, 32},
                                     {64, 17, 96}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t m = shapes[s][0], rows = shapes[s][1], cols = shapes[s][2];
    const size_t bytes = on_packed_floats(rows, ON_QUAD * on_quads(cols));
    float *x = fill(m * cols), *y = fill(m * rows), *scale = fill(rows + ON_PANEL);
    int8_t *q = malloc(bytes);
    int16_t *wide = malloc(on_packed_floats(rows, on_wide_cols(cols)) * sizeof *wide);
    if (!q || !wide) {
      exit(1);
    }
    for (size_t i = 0; i < bytes; i++) {
      q[i] = (int8_t)((int)(i * 7919 % 255) - 127);
    }
    on_widen(wide, q, rows, cols);
    const on_packed w = {.rows = (uint32_t)rows, .cols = (uint32_t)cols, .q = q, .wide = wide, .scale = scale};
    double best;
    BEST(best, 30000000 / (m * rows * cols) + 1, on_linear(kernels, y, rows, x, cols, m, &w, NULL, false));
    const double rate = 1e-9 * (double)(m * rows * cols) / best;
    printf("  linear of whole numbers %zux%zux%zu %.1f GMAC/s", m, rows, cols, rate);
    if (peak > 0.0) {
      printf(", %.0f %% of the peak", 100.0 * rate / peak);
    }
    printf("\n");
    free(x);
    free(y);
    free(scale);
    free(q);
    free(wide);
  }
}

static void linear(const on_kernels *kernels) {
  const double peak = peak_of(kernels);
  printf("  peak of products and sums in registers %.1f GMAC/s\n", peak);
  static const size_t shapes[][3] = {{1, 512, 128}, {30, 512, 128}, {64, 128, 384}, {64, 50, 128}, {64, 17, 128}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t m = shapes[s][0], rows = shapes[s][1], cols = shapes[s][2];
    float *data = fill(on_packed_floats(rows, cols)), *x = fill(m * cols), *y = fill(m * rows);
    const on_packed w = {.data = data, .rows = (uint32_t)rows, .cols = (uint32_t)cols};
    double best;
    BEST(best, 30000000 / (m * rows * cols) + 1, kernels->linear(y, rows, x, cols, m, &w, NULL, false));
    const double rate = 1e-9 * (double)(m * rows * cols) / best;
    printf("  linear %zux%zux%zu %.1f GMAC/s, %.0f %% of the peak\n", m, rows, cols, rate, 100.0 * rate / peak);
    free(data);
    free(x);
    free(y);
  }
}

static void functions(const on_kernels *kernels) {
  enum { N = 4096, SIZE = 128, M = 32 };
  const struct {
    const char *name;
    void (*function)(float *, size_t);
  } all[] = {{"relu", kernels->relu},
             {"gelu", kernels->gelu},
             {"tanh", kernels->tanh},
             {"sigmoid", kernels->sigmoid},
             {"exp", kernels->exp}};
  float *from = fill(N), *y = fill(N), *gain = fill(SIZE), *c = fill(SIZE), *h = fill(SIZE);
  double best;
  for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
    BEST(best, 200, memcpy(y, from, N * sizeof *y); all[f].function(y, N));
    printf("  %s %.2f ns/value\n", all[f].name, best / N * 1e9);
  }
  BEST(best, 200, kernels->layer_norm(y, from, M, SIZE, gain, gain));
  printf("  layer_norm %.2f ns/value\n", best / (M * SIZE) * 1e9);
  BEST(best, 2000, kernels->lstm_cell(from, c, h, SIZE));
  printf("  lstm_cell %.2f ns/unit\n", best / SIZE * 1e9);
  free(from);
  free(y);
  free(gain);
  free(c);
  free(h);
}

#ifndef __wasm__
static void products(void) {
  static const size_t shapes[][3] = {{256, 512, 128}, {256, 128, 512}, {64, 128, 384}, {20, 128, 128}, {8, 512, 128}};
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  for (size_t r = 0; r < count; r++) {
    printf("training, row %zu\n", r);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      const size_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2], runs = 100000000 / (m * n * k) + 1;
      float *a = fill(m * k), *b = fill(k * n), *c = fill(m * n);
      const double flops = 2e-9 * (double)(m * n * k);
      double nn, nt, tn;
      BEST(nn, runs, rows[r]->gemm_nn(c, n, a, k, b, n, m, n, k, 0.0f));
      BEST(nt, runs, rows[r]->gemm_nt(c, n, a, k, b, k, m, n, k, 0.0f));
      BEST(tn, runs, rows[r]->gemm_tn(c, n, a, m, b, n, m, n, k, 0.0f));
      printf("  %zux%zux%zu nn %.1f nt %.1f tn %.1f GFLOP/s\n", m, n, k, flops / nn, flops / nt, flops / tn);
      free(a);
      free(b);
      free(c);
    }
  }
}
#endif

int main(void) {
  for (size_t i = 0; on_kernels_at(i); i++) {
    printf("%s\n", on_kernels_at(i)->name);
    linear(on_kernels_at(i));
    whole_numbers(on_kernels_at(i));
    functions(on_kernels_at(i));
  }
#ifndef __wasm__
  products();
#endif
  return 0;
}
