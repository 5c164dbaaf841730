// The rows of the kernel table. Each is the whole arithmetic of inference for one kind of processor.
#ifndef ON_NN_KERNELS_TABLES_H
#define ON_NN_KERNELS_TABLES_H

#include "nn/kernels.h"

extern const on_kernels on_kernels_row_scalar;
extern const on_kernels on_kernels_row_lanes4;  // 128-bit vectors: SSE2, NEON, wasm SIMD
#if defined(__x86_64__)
#define ON_HAVE_X86_ROWS 1
extern const on_kernels on_kernels_row_avx2;
extern const on_kernels on_kernels_row_avx512;
extern const on_kernels on_kernels_row_vnni;  // AVX-512 with VNNI
#endif
#if defined(__wasm_simd128__)
#define ON_HAVE_RELAXED_ROW 1
extern const on_kernels on_kernels_row_relaxed;  // the same as lanes4 with the integer dot product of relaxed SIMD
#endif

// What the scalar row has and others fall back on. (Whoever names its table links all of it.)
void on_quantize_scalar(int16_t *q, on_quantized *row, const float *x, size_t n);
void on_linear_quantized_scalar(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                                const on_packed *w, const float *bias, bool accumulate);

// Shared by the rows: they compute in four lanes by definition. Of window layers those with ReLU whose width is a
// multiple of ON_WINDOW_STEP.
enum { ON_WINDOW_STEP = 16 };
void on_layer_norm_lanes4(float *y, const float *x, size_t m, size_t width, const float *gain, const float *bias);
void on_window_lanes4(float *y, const float *const *of, const float *zeros, size_t m, size_t width,
                      const on_layer_end *end);
float on_dot_lanes4(const float *a, const float *b, size_t n);

#if ON_HAVE_X86_ROWS
// Of avx2, which avx512 has too.
void on_quantize_avx2(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n);
void on_linear_quantized_avx2(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                              const on_packed *w, const float *bias, bool accumulate);
#endif

#if ON_HAVE_RELAXED_ROW
bool on_relaxed_present(void);   // whether the host has put the function in
size_t onenlp_wasm_relaxed_slot(void);    // its place in the table of functions; exported
void on_quantize_relaxed(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n);
void on_linear_quantized_relaxed(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                                 const on_packed *w, const float *bias, bool accumulate);
#endif

#endif
