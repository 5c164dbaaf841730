// The vectors that the heads of one encoder read. Their whole numbers (docs/format.md, "Arithmetic") are made once,
// when the first head with a matrix of whole numbers asks for them.
#ifndef ON_NN_VECTORS_H
#define ON_NN_VECTORS_H

#include "nn/workspace.h"

typedef struct on_vectors {
  const float *h;      // [n][width]
  size_t n, width;
  int16_t *q;          // [n] rows; NULL: not made yet
  on_quantized *rows;  // [n]
} on_vectors;

// y[m][w->rows] = bias + x W^T for rows of x, w->cols floats each, one behind the other: the rows that `which` numbers,
// or, where it is NULL, the first m. Where x lies in workspace->vectors their whole numbers are used. The same bits as
// on_linear.
void on_vectors_linear(on_workspace *workspace, float *y, const float *x, const uint32_t *which, size_t m,
                       const on_packed *w, const float *bias);

#endif
