// The arithmetic of training: matrix products that may use fused multiply-add and any order, chosen for
// the machine at run time. Never used in inference. Native builds only.
#ifndef ON_NN_FASTMATH_H
#define ON_NN_FASTMATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
// False where these three round their factors to bfloat16 (ONENLP_BF16_TRAINING on a machine that has AMX).
bool on_gemm_is_exact(void);

// y[n] = beta * y + x[k] * W, W[k][n] (a row vector times a matrix), and y[n] = beta * y + W[n][k] * x.
void on_gemv_n(float *y, const float *x, const float *w, size_t ldw, size_t k, size_t n, float beta);
void on_gemv_t(float *y, const float *w, size_t ldw, const float *x, size_t n, size_t k, float beta);

// B packed once for many products that have few rows each, as the steps of an LSTM: the panels begin at a cache
// line in `space`, which holds on_panels_floats(n, k). transposed: B[n][k], else B[k][n].
size_t on_panels_floats(size_t n, size_t k);
const float *on_pack_panels(float *space, const float *b, size_t ldb, bool transposed, size_t n, size_t k);
// c[i][n] = beta * c[i] + A[i][k] * B for the m rows that c points to.
void on_gemm_panels(float *const *c, const float *a, size_t lda, const float *panels, size_t m, size_t n, size_t k,
                    float beta);

void on_axpy(float *y, float a, const float *x, size_t n);  // y += a * x
void on_multiply(float *y, const float *x, size_t n);       // y *= x
float on_sum_squares(const float *x, size_t n);

// Dropout: mask[i] is 0 with probability `rate`, else 1 / (1 - rate); x[i] *= mask[i] unless x is NULL.
// The draws depend on the seed and i alone. 0 < rate < 1.
void on_dropout(float *mask, float *x, size_t n, float rate, uint64_t seed);

// One row of one step of an LSTM. gates[4 * size] (input, forget, cell, output) go in before their activations
// and come out after them; c_before NULL: zeros. state = h * mask (NULL: h) is what enters the next step.
typedef struct on_lstm_row {
  float *gates, *c, *tanh_c, *h, *state;
  const float *c_before, *mask;
} on_lstm_row;
void on_lstm_row_forward(const on_lstm_row *row, size_t size);
// From dh and the carried dc the gradients of the gates before their activations; dc becomes the gradient of
// the cell before.
typedef struct on_lstm_row_grad {
  float *dgates, *dc;
  const float *dh, *gates, *c_before, *tanh_c;
} on_lstm_row_grad;
void on_lstm_row_backward(const on_lstm_row_grad *row, size_t size);

// One step of Adam with decoupled weight decay (Loshchilov and Hutter 2019) over n values, fused:
// m = b1*m + (1-b1)*g*scale; v = b2*v + (1-b2)*(g*scale)^2;
// w -= rate * (m*correction1 / (sqrt(v*correction2) + eps) + decay * w); then g = 0 and, unless average is
// NULL, average += average_rate * (w - average).
typedef struct on_adam {
  float rate, beta1, beta2, eps, decay, grad_scale, correction1, correction2, average_rate;
} on_adam;
void on_adam_step(float *w, float *g, float *m, float *v, float *average, size_t n, const on_adam *adam);

// From now on denormal results in the calling thread are zero: the moments of rows that are rarely
// touched decay into denormals, which are slow. Call it in every training thread; no effect where the
// processor has no such switch. Returns what restores the state before.
unsigned on_flush_denormals(void);
void on_restore_denormals(unsigned before);

#endif
