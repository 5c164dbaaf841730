#include "nn/vectors.h"

#include <string.h>

#include "base/rare.h"
#include "nn/linear.h"

enum { GATHERED = 16, SPACE = 4096 };  // rows brought together at a time; their numbers that there is room for

static size_t row_size(size_t width) { return ON_QUAD * on_quads(width); }

// Makes the whole numbers of all rows. False: there is no memory for them, which the arena then forgets.
static bool make_whole(on_workspace *workspace, on_vectors *v) {
  if (v->q) return true;
  const size_t size = row_size(v->width);
  const bool failed = workspace->scratch.failed;
  int16_t *q = v->n > SIZE_MAX / 4 / size ? NULL : ON_NEW(&workspace->scratch, int16_t, v->n * size + ON_QUAD);
  v->rows = ON_NEW(&workspace->scratch, on_quantized, v->n);
  workspace->scratch.failed = failed;
  if (!q || !v->rows) return false;
  workspace->kernels->quantize(q, v->rows, v->h, v->width, v->n, v->width);
  v->q = q;
  return true;
}

// The number of the row of v that x is, or v->n where x is none.
static size_t row_of(const on_vectors *v, const float *x) {
  const uintptr_t start = (uintptr_t)v->h, at = (uintptr_t)x, bytes = v->width * sizeof *x;
  if (at < start || at >= start + v->n * bytes || (at - start) % bytes != 0) return v->n;
  return (at - start) / bytes;
}

// Without whole numbers that are kept.
ON_APART static void multiply_anew(const on_kernels *k, float *y, const float *x, const uint32_t *which, size_t m,
                                   const on_packed *w, const float *bias) {
  const size_t cols = w->cols, rows = w->rows;
  for (size_t i = 0, run; i < m; i += run) {
    for (run = 1; i + run < m && (!which || which[i + run] == which[i] + run);) run++;
    on_linear(k, y + i * rows, rows, x + (which ? which[i] : i) * cols, cols, run, w, bias, false);
  }
}

void on_vectors_linear(on_workspace *workspace, float *y, const float *x, const uint32_t *which, size_t m,
                       const on_packed *w, const float *bias) {
  const on_kernels *k = workspace->kernels;
  on_vectors *v = workspace->vectors;
  const size_t cols = w->cols, rows = w->rows, size = row_size(cols);
  const bool may = w->q && v && v->width == cols && cols > 0;
  const size_t first = may ? row_of(v, x) : 0;
  if (!may || first == v->n || !make_whole(workspace, v)) {
    multiply_anew(k, y, x, which, m, w, bias);
    return;
  }
  const int16_t *q = v->q + first * size;
  if (!which) {
    k->linear_quantized(y, rows, q, size, v->rows + first, m, w, bias, false);
    return;
  }
  // One row as it lies, several brought together.
  int16_t space[SPACE + ON_QUAD];
  on_quantized gathered[GATHERED];
  const size_t fit = SPACE / size, most = fit < 1 ? 1 : fit < GATHERED ? fit : GATHERED;
  for (size_t from = 0; from < m; from += most) {
    const size_t here = m - from < most ? m - from : most;
    const uint32_t *of = which + from;
    for (size_t i = 0; here > 1 && i < here; i++) {
      memcpy(space + i * size, q + of[i] * size, size * sizeof *q);
      gathered[i] = v->rows[first + of[i]];
    }
    k->linear_quantized(y + from * rows, rows, here > 1 ? space : q + of[0] * size, size,
                        here > 1 ? gathered : v->rows + first + of[0], here, w, bias, false);
  }
}
