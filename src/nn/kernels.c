#include "nn/kernels.h"

#include <string.h>

#include "nn/kernels_tables.h"

size_t on_packed_floats(size_t rows, size_t cols) { return (rows + ON_PANEL - 1) / ON_PANEL * ON_PANEL * cols; }

void on_pack_quantized_row(int8_t *data, size_t cols, size_t index, const uint8_t *row) {
  int8_t *out = data + (index / ON_PANEL * ON_PANEL * on_quads(cols) + index % ON_PANEL) * ON_QUAD;
  // The bytes are the numbers in two's complement, as memory has them.
  size_t c = 0;
  for (; c + ON_QUAD <= cols; c += ON_QUAD) {
    memcpy(out + c * ON_PANEL, row + c, ON_QUAD);
  }
  if (c < cols) {
    memcpy(out + c * ON_PANEL, row + c, cols - c);
  }
}

void on_widen(int16_t *wide, const int8_t *q, size_t rows, size_t cols) {
  enum { PAIR = ON_QUAD / 2 };
  const size_t outputs = rows == 1 ? 1 : ON_PANEL, padding = outputs * (on_wide_cols(cols) - ON_QUAD * on_quads(cols));
  for (size_t first = 0; first < rows; first += ON_PANEL, wide += padding) {
    for (size_t c = 0; c < cols; c += ON_QUAD, q += ON_QUAD * ON_PANEL) {
      for (size_t pair = 0; pair < ON_QUAD; pair += PAIR) {
        for (size_t o = 0; o < outputs; o++, wide += PAIR) {
          wide[0] = q[ON_QUAD * o + pair];
          wide[1] = q[ON_QUAD * o + pair + 1];
        }
      }
    }
    memset(wide, 0, padding * sizeof *wide);
  }
}

void on_pack_row(float *data, size_t cols, size_t index, const float *row) {
  float *out = data + index / ON_PANEL * ON_PANEL * cols + index % ON_PANEL;
  for (size_t c = 0; c < cols; c++) {
    out[c * ON_PANEL] = row[c];
  }
}

enum { ON_VECTOR_ROWS = 4 };

// Rows with vectors that this machine runs, the best one last. The processor is asked each time (the compiler's
// run-time library keeps the answer), so nothing here changes and threads need no lock.
static size_t list_rows(const on_kernels *rows[ON_VECTOR_ROWS]) {
  size_t n = 0;
  rows[n++] = &on_kernels_row_lanes4;
#if ON_HAVE_RELAXED_ROW
  if (on_relaxed_present()) {
    rows[n++] = &on_kernels_row_relaxed;
  }
#endif
#if ON_HAVE_X86_ROWS
  if (__builtin_cpu_supports("avx2")) {
    rows[n++] = &on_kernels_row_avx2;
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2")) {
    rows[n++] = &on_kernels_row_avx512;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni")) {
      rows[n++] = &on_kernels_row_vnni;
    }
  }
#endif
  return n;
}

bool on_kernels_widen(void) {
#if ON_HAVE_RELAXED_ROW
  return !on_relaxed_present();
#else
  return false;
#endif
}

// The scalar row is never the best one; what is not named here is not linked into the modules.
const on_kernels *on_kernels_best(void) {
  const on_kernels *rows[ON_VECTOR_ROWS];
  return rows[list_rows(rows) - 1];
}

const on_kernels *on_kernels_scalar(void) { return &on_kernels_row_scalar; }

const on_kernels *on_kernels_at(size_t i) {
  const on_kernels *rows[ON_VECTOR_ROWS];
  if (i == 0) return &on_kernels_row_scalar;
  return i - 1 < list_rows(rows) ? rows[i - 1] : NULL;
}
