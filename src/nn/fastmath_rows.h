// The rows behind fastmath: one for each instruction set.
#ifndef ON_NN_FASTMATH_ROWS_H
#define ON_NN_FASTMATH_ROWS_H

#include "nn/fastmath.h"

typedef struct on_fastmath_row {
  on_gemm *gemm_nn, *gemm_nt, *gemm_tn;
  void (*gemv_n)(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta);
  void (*gemv_t)(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta);
  void (*pack_panels)(float *out, const float *b, size_t ldb, bool transposed, size_t n, size_t k);
  void (*gemm_panels)(float *const *c, const float *a, size_t lda, const float *panels, size_t m, size_t n, size_t k,
                      float beta);
  void (*axpy)(float *y, float a, const float *x, size_t n);
  void (*multiply)(float *y, const float *x, size_t n);
  void (*dropout)(float *mask, float *x, size_t n, float rate, uint64_t seed);
  void (*lstm_row_forward)(const on_lstm_row *row, size_t size);
  void (*lstm_row_backward)(const on_lstm_row_grad *row, size_t size);
  float (*sum_squares)(const float *x, size_t n);
  void (*adam_step)(float *w, float *g, float *m, float *v, float *average, size_t n, const on_adam *adam);
} on_fastmath_row;

// Scratch of a thread for blocks of the operands: comes with the thread, of fixed size, no state from call to call.
enum { ON_PACK_A = 192 * 256 + 16, ON_PACK_B = 512 * 256 + 16 };
typedef struct on_fastmath_scratch {
  float a[ON_PACK_A], b[ON_PACK_B];
} on_fastmath_scratch;
on_fastmath_scratch *on_fastmath_thread_scratch(void);

extern const on_fastmath_row on_fastmath_row_lanes4;
#if defined(__x86_64__)
#define ON_HAVE_X86_FASTMATH 1
extern const on_fastmath_row on_fastmath_row_avx2;
extern const on_fastmath_row on_fastmath_row_avx512;
#endif

// nn, nt and tn with factors in bfloat16 on matrix units (fastmath_amx.c). Used where the build wants them
// (ONENLP_BF16_TRAINING) and the machine has them.
#if defined(__x86_64__) && defined(__linux__) && __has_include(<amxbf16intrin.h>)
#define ON_HAVE_AMX_FASTMATH 1
extern on_gemm *const on_fastmath_amx[3];
bool on_fastmath_amx_works(void);
#endif

// Rows that run on this machine, the best one last; returns how many. For tests and benchmarks.
size_t on_fastmath_rows(const on_fastmath_row *rows[3]);

#endif
