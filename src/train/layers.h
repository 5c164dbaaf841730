// The layers of training: forward and backward next to each other, over plain pointers and sizes.
// Inference has its own arithmetic (nn/kernels.h); this one is fast, not the same to the last bit on
// every machine. Matrices are row-major; "+=" means that a gradient is added to what is there, so one
// buffer gathers the gradients of a batch. No function keeps a pointer except where it says so.
#ifndef ON_TRAIN_LAYERS_H
#define ON_TRAIN_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/random.h"

// ---- linear: y[m][rows] = x[m][cols] * w[rows][cols]^T + b[rows]

// ldx, ldy: row strides; ldx may be less than cols (overlapping windows over padded rows). b may be NULL.
void on_train_linear_forward(float *y, size_t ldy, const float *x, size_t ldx, const float *w, const float *b,
                             size_t m, size_t rows, size_t cols);
// dx[m][cols] += dy * w; dw[rows][cols] += dy^T * x; db[rows] += column sums of dy. Each of dx, dw and db
// may be NULL. The rows of dx must not overlap (lddx >= cols).
void on_train_linear_backward(float *dx, size_t lddx, float *dw, float *db, const float *dy, size_t lddy,
                              const float *x, size_t ldx, const float *w, size_t m, size_t rows, size_t cols);

// y[n] += column sums of x[m][n]
void on_train_add_rows(float *y, const float *x, size_t ldx, size_t m, size_t n);

// ---- window of three: out[m][3 * width] = [x[i-1]; x[i]; x[i+1]] within each sequence, zeros beyond it.
// Sequence s covers the rows starts[s] .. starts[s+1]-1; starts has count + 1 values, starts[0] = 0.

void on_train_window_forward(float *out, const float *x, const uint32_t *starts, size_t count, size_t width);
void on_train_window_backward(float *dx, const float *dout, const uint32_t *starts, size_t count,
                              size_t width);  // dx[m][width] +=

// ---- layer normalization; rows contiguous; y may be x only if x is not needed afterwards

// Keeps mean[m] and rstd[m] for backward. bias NULL: there is none.
void on_train_layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gain,
                                 const float *bias, size_t m, size_t width, float epsilon);
// dx[m][width] +=; dgain[width] += and dbias[width] += (NULL: left out). x is the input of forward.
void on_train_layer_norm_backward(float *dx, float *dgain, float *dbias, const float *dy, const float *x,
                                  const float *mean, const float *rstd, const float *gain, size_t m, size_t width);

// ---- activations; in forward y may be x, in backward dx may be dy (dx = dy * slope, not added)

void on_train_gelu_forward(float *y, const float *x, size_t n);
void on_train_gelu_backward(float *dx, const float *dy, const float *x, size_t n);  // x: before the activation
void on_train_relu_forward(float *y, const float *x, size_t n);
void on_train_relu_backward(float *dx, const float *dy, const float *y, size_t n);  // y (or x: same signs)

// ---- one bidirectional LSTM layer over a batch of sequences (rows as for the window above)

typedef struct on_train_lstm_weights {
  const float *ih[2], *hh[2], *b[2];  // forward, backward: [4 * size][input], [4 * size][size], [4 * size]
} on_train_lstm_weights;

typedef struct on_train_lstm_grads {
  float *ih[2], *hh[2], *b[2];  // +=, same shapes
} on_train_lstm_grads;

// What forward keeps for backward; the arrays live in the arena given to forward.
typedef struct on_train_lstm {
  size_t count, m, input, size;
  const uint32_t *starts;  // borrowed from the caller
  const float *x, *y;      // borrowed: must stay as they were until backward
  const float *hh_mask;    // borrowed or NULL
  float *gates[2];         // [m][4 * size] after their activations
  float *cell[2];          // [m][size]
  float *tanh_cell[2];     // [m][size]
} on_train_lstm;

// y[m][2 * size] from x[m][input], m = starts[count]; states start at zero. hh_mask: NULL, or
// [2][count][size], a factor on the hidden state that enters the recurrent product (variational dropout:
// one mask per sequence and direction). Long sequences first is not required. False: out of memory.
bool on_train_lstm_forward(on_train_lstm *lstm, on_arena *arena, float *y, const float *x, const uint32_t *starts,
                           size_t count, size_t input, size_t size, const on_train_lstm_weights *weights,
                           const float *hh_mask);
// dx[m][input] += (NULL: left out); the gradients of the weights +=. Scratch from the arena.
bool on_train_lstm_backward(const on_train_lstm *lstm, on_arena *scratch, float *dx, const on_train_lstm_grads *grads,
                            const float *dy, const on_train_lstm_weights *weights);

// ---- losses: each adds nothing to what others wrote; dlogits is overwritten

typedef struct on_train_loss {
  double sum;     // of the losses of the rows that count
  size_t count;   // rows that count
  size_t correct; // rows whose largest logit is the target (cross entropy), or values on the right side of 0
} on_train_loss;

// Softmax cross entropy of logits[m][n] (row stride ld, also of dlogits) against target[m] (-1: the row is
// ignored, its gradient is zero). smoothing e: the target distribution is (1 - e) * onehot + e / n.
// dlogits = weight * (softmax - target distribution); may be the logits themselves, or NULL.
on_train_loss on_train_cross_entropy(float *dlogits, const float *logits, size_t ld, const int32_t *target, size_t m,
                                     size_t n, float smoothing, float weight);
// The same where row i counts rows[i] times (NULL: once).
on_train_loss on_train_cross_entropy_of_rows(float *dlogits, const float *logits, size_t ld, const int32_t *target,
                                             const float *rows, size_t m, size_t n, float smoothing, float weight);
// Binary cross entropy with logits, target in [0, 1], over n values; NaN targets are ignored (gradient zero).
on_train_loss on_train_binary_cross_entropy(float *dlogits, const float *logits, const float *target, size_t n,
                                            float weight);
// The same over [m][n] where the part of the loss that target t takes part in with t counts positive[n] times
// (NULL: once): the presence of a rare label counts for more than its absence.
on_train_loss on_train_weighted_binary_cross_entropy(float *dlogits, const float *logits, const float *target,
                                                     const float *positive, size_t m, size_t n, float weight);

// ---- biaffine labels (Dozat and Manning 2017) of m pairs (dep[i], head[i]), each [m][k]:
// scores[i][l] = dep[i]^T u_l head[i] + w_dep[l]^T dep[i] + w_head[l]^T head[i] + b[l]
// u[labels * k][k] (row l * k + a holds u_l[a]), w_dep[labels][k], w_head[labels][k], b[labels].
// u NULL: the bilinear part is left out; scratch is then unused. What forward leaves in scratch is what
// backward reads there (and overwrites).

size_t on_train_label_scratch(size_t m, size_t labels, size_t k);  // floats
void on_train_label_forward(float *scores, const float *dep, const float *head, const float *u, const float *w_dep,
                            const float *w_head, const float *b, size_t m, size_t labels, size_t k, float *scratch);
// ddep += [m][k], dhead += [m][k]; du, dw_dep, dw_head, db +=.
void on_train_label_backward(float *ddep, float *dhead, float *du, float *dw_dep, float *dw_head, float *db,
                             const float *dscores, const float *dep, const float *head, const float *u,
                             const float *w_dep, const float *w_head, size_t m, size_t labels, size_t k,
                             float *scratch);

// ---- dropout: masks hold 0 or 1 / (1 - rate), so that x * mask keeps the expected value

// n independent factors.
void on_train_dropout_mask(float *mask, size_t n, float rate, on_random *random);
// x[i] *= mask[i]; forward and backward alike.
void on_train_apply_mask(float *x, const float *mask, size_t n);

#endif
