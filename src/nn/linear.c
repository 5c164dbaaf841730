#include "nn/linear.h"

enum { SPACE = 2 * ON_QUANTIZED_MAX_COLS, MAX_ROWS = 64 };

void on_linear(const on_kernels *kernels, float *y, size_t ldy, const float *x, size_t ldx, size_t m,
               const on_packed *w, const float *bias, bool accumulate) {
  if (!w->q) {
    kernels->linear(y, ldy, x, ldx, m, w, bias, accumulate);
    return;
  }
  // As many rows at a time as the space holds, so that the weights are read seldom.
  int16_t q[SPACE + ON_QUAD];
  on_quantized rows[MAX_ROWS];
  const size_t size = ON_QUAD * on_quads(w->cols);
  size_t most = size > 0 ? SPACE / size : MAX_ROWS;
  most = most > MAX_ROWS ? MAX_ROWS : most;
  for (size_t from = 0; from < m; from += most) {
    const size_t here = m - from < most ? m - from : most;
    kernels->quantize(q, rows, x + from * ldx, ldx, here, w->cols);
    kernels->linear_quantized(y + from * ldy, ldy, q, size, rows, here, w, bias, accumulate);
  }
}
