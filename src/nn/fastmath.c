#include "nn/fastmath.h"

#include "nn/fastmath_rows.h"
#if ON_HAVE_X86_FASTMATH
#include <immintrin.h>
#endif

on_fastmath_scratch *on_fastmath_thread_scratch(void) {
  static _Thread_local on_fastmath_scratch scratch __attribute__((aligned(64)));
  return &scratch;
}

size_t on_fastmath_rows(const on_fastmath_row *rows[3]) {
  size_t n = 0;
  rows[n++] = &on_fastmath_row_lanes4;
#if ON_HAVE_X86_FASTMATH
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    rows[n++] = &on_fastmath_row_avx2;
    if (__builtin_cpu_supports("avx512f")) {
      rows[n++] = &on_fastmath_row_avx512;
    }
  }
#endif
  return n;
}

static const on_fastmath_row *best(void) {
  const on_fastmath_row *rows[3];
  return rows[on_fastmath_rows(rows) - 1];
}

bool on_gemm_is_exact(void) {
#if ON_HAVE_AMX_FASTMATH && defined(ON_BF16_TRAINING)
  return !on_fastmath_amx_works();
#else
  return true;
#endif
}

// The row's product, or the one with less exact factors.
static void product(int which, on_gemm *exact, float *c, size_t ldc, const float *a, size_t lda, const float *b,
                    size_t ldb, size_t m, size_t n, size_t k, float beta) {
#if ON_HAVE_AMX_FASTMATH
  if (!on_gemm_is_exact()) exact = on_fastmath_amx[which];
#else
  (void)which;
#endif
  exact(c, ldc, a, lda, b, ldb, m, n, k, beta);
}

void on_gemm_nn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta) {
  product(0, best()->gemm_nn, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

void on_gemm_nt(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta) {
  product(1, best()->gemm_nt, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

void on_gemm_tn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta) {
  product(2, best()->gemm_tn, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

void on_gemv_n(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta) {
  best()->gemv_n(y, x, w, ldw, k, n, beta);
}

void on_gemv_t(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta) {
  best()->gemv_t(y, w, ldw, x, n, k, beta);
}

enum { WIDEST_PANEL = 32, LINE = 16 };  // floats

size_t on_panels_floats(size_t n, size_t k) {
  return (n + WIDEST_PANEL - 1) / WIDEST_PANEL * WIDEST_PANEL * k + 2 * LINE;
}

const float *on_pack_panels(float *space, const float *b, size_t ldb, bool transposed, size_t n, size_t k) {
  float *out = space + (LINE - (uintptr_t)space / sizeof(float) % LINE) % LINE;
  best()->pack_panels(out, b, ldb, transposed, n, k);
  return out;
}

void on_gemm_panels(float *const *c, const float *a, size_t lda, const float *panels, size_t m, size_t n, size_t k,
                    float beta) {
  best()->gemm_panels(c, a, lda, panels, m, n, k, beta);
}

void on_axpy(float *y, float a, const float *x, size_t n) { best()->axpy(y, a, x, n); }

void on_multiply(float *y, const float *x, size_t n) { best()->multiply(y, x, n); }

void on_dropout(float *mask, float *x, size_t n, float rate, uint64_t seed) {
  best()->dropout(mask, x, n, rate, seed);
}

void on_lstm_row_forward(const on_lstm_row *row, size_t size) { best()->lstm_row_forward(row, size); }

void on_lstm_row_backward(const on_lstm_row_grad *row, size_t size) { best()->lstm_row_backward(row, size); }

float on_sum_squares(const float *x, size_t n) { return best()->sum_squares(x, n); }

void on_adam_step(float *w, float *g, float *m, float *v, float *average, size_t n, const on_adam *adam) {
  best()->adam_step(w, g, m, v, average, n, adam);
}

unsigned on_flush_denormals(void) {
#if ON_HAVE_X86_FASTMATH
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040u);  // flush to zero, denormals are zero
  return before;
#else
  return 0;
#endif
}

void on_restore_denormals(unsigned before) {
#if ON_HAVE_X86_FASTMATH
  _mm_setcsr(before);
#else
  (void)before;
#endif
}
