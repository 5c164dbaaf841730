// Arithmetic on rows that only transformers need. Like the kernels: each number by one fixed order of operations.
#ifndef ON_TRANSFORMER_ROWS_H
#define ON_TRANSFORMER_ROWS_H

#include <stddef.h>

#include "nn/kernels.h"

// x[m][width] = normalization of x + added (added NULL: of x). Sums run over 4 interleaved partial sums.
void on_rows_norm(float *x, const float *added, size_t m, size_t width, const float *gain, const float *bias,
                  float epsilon);

// row[n] = softmax(row * scale). Shares below 2^-86 become 0, so that nothing gets denormal.
void on_rows_softmax(const on_kernels *kernels, float *row, size_t n, float scale);

// out[m][inner] = first half of each row of u[m][2 * inner] times its second half; out may be u.
void on_rows_gate(float *out, const float *u, size_t m, size_t inner);

// cos and sin of position * inv_freq[i] for position < n: both [n][half].
void on_rows_angles(float *cos, float *sin, size_t n, const float *inv_freq, size_t half);

// Turns each pair (x[i], x[i + half]) of a head by its angle.
void on_rows_rotate(float *x, const float *cos, const float *sin, size_t half);

#endif
