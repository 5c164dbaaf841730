// The arithmetic of inference behind one table of functions. The scalar row is the truth: every other
// row computes the same bits (docs/format.md, "Arithmetic"), because each output is summed in one fixed
// order whatever the lane count, nothing is fused, and exp, tanh, sigmoid and erf are our own (math.h).
#ifndef ON_NN_KERNELS_H
#define ON_NN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ON_PANEL = 16 };  // outputs per packed panel

// A weight matrix [rows, cols] (rows = outputs) packed for `linear`: panels of ON_PANEL outputs, each
// [cols][ON_PANEL], the last one padded with zeros. 16-byte aligned.
//
// Or, of a matrix stored as whole numbers with a scale per row, `q` and `scale` in place of `data`: panels as
// above of [cols rounded up to ON_QUAD / ON_QUAD][ON_PANEL][ON_QUAD] numbers, padded with zeros; scale is padded
// to whole panels. See linear.h, which takes both. Plain WebAssembly multiplies 16-bit numbers: widened once, when they
// are packed, they cost two thirds of the instructions of bytes that are widened at every product. `wide` holds them
// where on_kernels_widen says so, a pair of columns of each output together: [on_wide_cols(cols) / 2][ON_PANEL][2], or,
// where there is but one output, all columns as they lie; the rows that read bytes do not look at it.
typedef struct on_packed {
  const float *data;
  uint32_t rows, cols;
  const int8_t *q;
  const int16_t *wide;
  const float *scale;
} on_packed;

enum { ON_QUAD = 4 };  // columns whose products are summed together where whole numbers are multiplied
enum { ON_WIDE = 8 };  // columns that are multiplied in one step where the weights have 16 bits

#define ON_QUANTIZED_LEAST 1e-30f  // a row whose largest number is below counts as zero

static inline size_t on_quads(size_t cols) { return (cols + ON_QUAD - 1) / ON_QUAD; }
static inline size_t on_wide_cols(size_t cols) { return (cols + ON_WIDE - 1) / ON_WIDE * ON_WIDE; }

// A row of numbers as whole numbers in [-127, 127] times a scale. The numbers lie in a buffer of
// 2 * ON_QUAD * on_quads(n) bytes in the way of the row of kernels that made them.
typedef struct on_quantized {
  float scale;
  int32_t sum;  // of the whole numbers, where a row of kernels needs it
} on_quantized;

// Number of floats that a packed matrix takes.
size_t on_packed_floats(size_t rows, size_t cols);
// Packs one row (output) of the matrix: row[cols] into its place of `data`. Zero `data` before.
void on_pack_row(float *data, size_t cols, size_t index, const float *row);
// The same for bytes of a matrix of whole numbers, into `data` of on_packed_floats(rows, 4 * on_quads(cols)) bytes.
void on_pack_quantized_row(int8_t *data, size_t cols, size_t index, const uint8_t *row);

// How a layer ends: its bias, the activation, the gain and shift of its normalization.
typedef struct on_layer_end {
  const float *bias, *gain, *shift;
  bool relu;
} on_layer_end;

typedef struct on_kernels {
  const char *name;
  // y[m][rows] = b + x[m][cols] * W^T. b is `bias` [rows], or zeros when NULL, or what y holds already
  // with `accumulate` (bias is then ignored). Each output is ((b + x0*w0) + x1*w1) + ... in order of cols.
  // y has row stride ldy, x has ldx (floats; ldx < cols is allowed: overlapping windows).
  void (*linear)(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const on_packed *w, const float *bias,
                 bool accumulate);
  // m rows of n numbers, ldx apart. Of each: most = the largest |x[c]|, NaNs left out. most < 1e-30: scale 0, all
  // numbers 0. Else scale = most / 127 and the numbers are x * (127 / most) to the nearest whole number, ties to
  // even, 0 where that is NaN. The rows of q are ON_QUAD * on_quads(n) apart.
  void (*quantize)(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n);
  // y = b + (sum over c of q[c] * w[r][c]) * (scale of x * scale[r]), the sum exact, the rest one operation at a
  // time; b as in `linear`. q holds m rows, ldq numbers apart, and behind the last one room for ON_QUAD more, which may
  // be read but count for nothing.
  void (*linear_quantized)(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                           const on_packed *w, const float *bias, bool accumulate);
  void (*add)(float *y, const float *x, size_t n);   // y += x
  void (*add_all)(float *y, const float *const *x, size_t count, size_t n);  // y += x[0], then x[1], ...
  void (*relu)(float *y, size_t n);
  void (*gelu)(float *y, size_t n);                  // exact (erf) form
  void (*tanh)(float *y, size_t n);
  void (*sigmoid)(float *y, size_t n);
  void (*exp)(float *y, size_t n);
  // y[m][width] = (x - mean) / sqrt(variance + 1e-5) * gain + bias, rows contiguous; y may be x.
  // Sums run over 4 interleaved partial sums (i mod 4), joined as (s0 + s1) + (s2 + s3).
  void (*layer_norm)(float *y, const float *x, size_t m, size_t width, const float *gain, const float *bias);
  // A window layer over vectors whose products with it are known: of[i] holds h[width] and, behind it, what h gives to
  // the next row, to its own and to the one before. z = bias, then + that of of[i - 1], of[i] and of[i + 1], where they
  // are there; z = gelu(z), or relu(z); y = h + layer_norm(z). m rows; y overlaps nothing; zeros[width] are zeros.
  void (*window)(float *y, const float *const *of, const float *zeros, size_t m, size_t width, const on_layer_end *end);
  // One LSTM step: gates[4 * size] in order input, forget, cell, output (pre-activation);
  // c = sigmoid(f) * c + sigmoid(i) * tanh(g); h = sigmoid(o) * tanh(c).
  void (*lstm_cell)(const float *gates, float *c, float *h, size_t size);
  float (*dot)(const float *a, const float *b, size_t n);  // 4 interleaved partial sums as in layer_norm
  size_t (*argmax)(const float *x, size_t n);              // the first of the largest; n > 0
  void (*argmax_rows)(uint32_t *best, const float *x, size_t m, size_t n);  // that of each of m rows
} on_kernels;

// Whether the best row reads `wide`; fills it, on_packed_floats(rows, on_wide_cols(cols)) numbers, from those of `q`.
bool on_kernels_widen(void);
void on_widen(int16_t *wide, const int8_t *q, size_t rows, size_t cols);

// The best row for this machine (chosen once, thread-safe) and the scalar one.
const on_kernels *on_kernels_best(void);
const on_kernels *on_kernels_scalar(void);
// All rows that run on this machine, scalar first, NULL at the end: for tests and benchmarks.
const on_kernels *on_kernels_at(size_t i);

#endif
