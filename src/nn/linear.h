// Linear layers of inference over packed matrices of either kind (docs/format.md, "Arithmetic").
#ifndef ON_NN_LINEAR_H
#define ON_NN_LINEAR_H

#include "nn/kernels.h"

// A matrix of whole numbers with more columns than this is packed as floats.
enum { ON_QUANTIZED_MAX_COLS = 8192 };

// As kernels->linear; a matrix of whole numbers is multiplied with the rows of x quantized.
void on_linear(const on_kernels *kernels, float *y, size_t ldy, const float *x, size_t ldx, size_t m,
               const on_packed *w, const float *bias, bool accumulate);

#endif
