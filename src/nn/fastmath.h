// The arithmetic of training: matrix products that may use fused multiply-add and any order, chosen for
// the machine at run time. Never used in inference. Native builds only.
#ifndef ON_NN_FASTMATH_H
#define ON_NN_FASTMATH_H

#include <stddef.h>

// C[m][n] = beta * C + op(A) * op(B); beta is 0 or 1; row-major with leading dimensions.
// nn: A[m][k], B[k][n].  nt: A[m][k], B[n][k].  tn: A[k][m], B[k][n].
// No operand overlaps C. Any sizes, also 0 and 1. The same inputs give the same bits on one machine.
typedef void on_gemm(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                     size_t k, float beta);
void on_gemm_nn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta);
void on_gemm_nt(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta);
void on_gemm_tn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n,
                size_t k, float beta);

// y[n] = beta * y + x[k] * W, W[k][n] (a row vector times a matrix), and y[n] = beta * y + W[n][k] * x.
void on_gemv_n(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta);
void on_gemv_t(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta);

void on_axpy(float *y, float a, const float *x, size_t n);  // y += a * x
float on_sum_squares(const float *x, size_t n);

// One step of Adam with decoupled weight decay (Loshchilov and Hutter 2019) over n values, fused:
// m = b1*m + (1-b1)*g*scale; v = b2*v + (1-b2)*(g*scale)^2;
// w -= rate * (m*correction1 / (sqrt(v*correction2) + eps) + decay * w).
typedef struct on_adam {
  float rate, beta1, beta2, eps, decay, grad_scale, correction1, correction2;
} on_adam;
void on_adam_step(float *w, const float *g, float *m, float *v, size_t n, const on_adam *adam);

// From now on denormal results in the calling thread are zero: the moments of rows that are rarely
// touched decay into denormals, which are slow. Call it in every training thread; no effect where the
// processor has no such switch.
void on_flush_denormals(void);

#endif
