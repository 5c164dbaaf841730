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

// What the machine does at most: products and sums (two roundings, as inference does them) on vectors in registers, twelve
// chains, which hide the latency of both. GMAC/s. The loop is a function of its own that is called again and again,
// because an engine of WebAssembly compiles a function anew for speed between two calls of it.
enum { CHAINS = 12, STEPS = 1000 };

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#define LANES_PEAK(name, bits, attributes)                                                              \
  attributes __attribute__((noinline)) static void name##_steps(float *state) {                         \
    typedef float v __attribute__((vector_size(bits / 8)));                                             \
    v sum[CHAINS], factor, add;                                                                         \
    memcpy(&factor, state, sizeof factor);                                                              \
    memcpy(&add, state + bits / 32, sizeof add);                                                        \
    memcpy(sum, state + bits / 16, sizeof sum);                                                         \
    for (size_t n = 0; n < STEPS; n++) {                                                                \
      UNROLL for (size_t i = 0; i < CHAINS; i++) {                                                      \
        sum[i] = sum[i] * factor + add;                                                                 \
      }                                                                                                 \
    }                                                                                                   \
    memcpy(state + bits / 16, sum, sizeof sum);                                                         \
  }                                                                                                     \
  static double name(void) {                                                                            \
    static float state[(CHAINS + 2) * bits / 32];                                                       \
    for (size_t i = 0; i < sizeof state / sizeof *state; i++) {                                         \
      state[i] = i < bits / 32 ? 0.99f : 1e-2f;                                                         \
    }                                                                                                   \
    double best;                                                                                        \
    BEST(best, 1000, name##_steps(state));                                                              \
    return 1e-9 * CHAINS * STEPS * (bits / 32) / best;                                                  \
  }

LANES_PEAK(peak128, 128, )
#if defined(__x86_64__)
LANES_PEAK(peak256, 256, __attribute__((target("avx2"))))
LANES_PEAK(peak512, 512, __attribute__((target("avx512f"))))
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

// Products of files with matrices of whole numbers: against those of floats, whose peak they may pass.
static void whole_numbers(const on_kernels *kernels) {
  static const size_t shapes[][3] = {{1, 640, 160}, {30, 640, 320}, {64, 128, 384}, {64, 50, 128}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t m = shapes[s][0], rows = shapes[s][1], cols = shapes[s][2];
    const size_t bytes = on_packed_floats(rows, ON_QUAD * on_quads(cols));
    float *x = fill(m * cols), *y = fill(m * rows), *scale = fill(rows + ON_PANEL);
    int8_t *q = malloc(bytes);
    if (!q) {
      exit(1);
    }
    for (size_t i = 0; i < bytes; i++) {
      q[i] = (int8_t)(i * 7919 % 255);
    }
    const on_packed w = {.rows = (uint32_t)rows, .cols = (uint32_t)cols, .q = q, .scale = scale};
    double best;
    BEST(best, 30000000 / (m * rows * cols) + 1, on_linear(kernels, y, rows, x, cols, m, &w, NULL, false));
    printf("  linear of whole numbers %zux%zux%zu %.1f GMAC/s\n", m, rows, cols, 1e-9 * (double)(m * rows * cols) / best);
    free(x);
    free(y);
    free(scale);
    free(q);
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
