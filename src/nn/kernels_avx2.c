// 256-bit vectors. Without FMA: a fused product would round once where the definition rounds twice.
#include "nn/kernels_tables.h"

#if ON_HAVE_X86_ROWS
#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define BLOCK_ROWS 4
#define BLOCK_PANELS 4
#include "nn/kernels_lanes.h"
#include "nn/kernels_int8.h"

TARGET void on_quantize_avx2(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  quantize_body(q, rows, x, ldx, m, n);
}

TARGET void on_linear_quantized_avx2(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x,
                                     size_t m, const on_packed *w, const float *bias, bool accumulate) {
  linear_quantized_body(y, ldy, q, ldq, x, m, w, bias, accumulate);
}

const on_kernels on_kernels_row_avx2 = ROW("avx2", on_quantize_avx2, on_linear_quantized_avx2);
#else
typedef int on_kernels_avx2_empty;
#endif
