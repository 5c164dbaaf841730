// The rows behind fastmath: one for each instruction set.
#ifndef ON_NN_FASTMATH_ROWS_H
#define ON_NN_FASTMATH_ROWS_H

#include "nn/fastmath.h"

typedef struct on_fastmath_row {
  on_gemm *gemm_nn, *gemm_nt, *gemm_tn;
  void (*gemv_n)(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta);
  void (*gemv_t)(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta);
  void (*axpy)(float *y, float a, const float *x, size_t n);
  float (*sum_squares)(const float *x, size_t n);
  void (*adam_step)(float *w, const float *g, float *m, float *v, size_t n, const on_adam *adam);
} on_fastmath_row;

extern const on_fastmath_row on_fastmath_row_lanes4;
#if defined(__x86_64__)
#define ON_HAVE_X86_FASTMATH 1
extern const on_fastmath_row on_fastmath_row_avx2;
extern const on_fastmath_row on_fastmath_row_avx512;
#endif

// Rows that run on this machine, the best one last; returns how many. For tests and benchmarks.
size_t on_fastmath_rows(const on_fastmath_row *rows[3]);

#endif
