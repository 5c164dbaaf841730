// Linear layers, windows, layer normalization, activations, dropout.
#include "train/layers.h"

#include <math.h>
#include <string.h>

#include "nn/fastmath.h"
#include "nn/kernels.h"

// ---- linear

void on_train_linear_forward(float *y, size_t ldy, const float *x, size_t ldx, const float *w, const float *b,
                             size_t m, size_t rows, size_t cols) {
  if (b) {
    for (size_t i = 0; i < m; i++) {
      memcpy(y + i * ldy, b, rows * sizeof *y);
    }
  }
  on_gemm_nt(y, ldy, x, ldx, w, cols, m, rows, cols, b ? 1.0f : 0.0f);
}

void on_train_linear_backward(float *dx, size_t lddx, float *dw, float *db, const float *dy, size_t lddy,
                              const float *x, size_t ldx, const float *w, size_t m, size_t rows, size_t cols) {
  if (dx) {
    on_gemm_nn(dx, lddx, dy, lddy, w, cols, m, cols, rows, 1.0f);
  }
  if (dw) {
    on_gemm_tn(dw, cols, dy, lddy, x, ldx, rows, cols, m, 1.0f);
  }
  if (db) {
    on_train_add_rows(db, dy, lddy, m, rows);
  }
}

void on_train_add_rows(float *y, const float *x, size_t ldx, size_t m, size_t n) {
  for (size_t i = 0; i < m; i++) {
    on_axpy(y, 1.0f, x + i * ldx, n);
  }
}

// ---- window of three

void on_train_window_forward(float *out, const float *x, const uint32_t *starts, size_t count, size_t width) {
  const size_t bytes = width * sizeof *out;
  for (size_t s = 0; s < count; s++) {
    for (size_t i = starts[s]; i < starts[s + 1]; i++) {
      float *to = out + i * 3 * width;
      if (i > starts[s]) {
        memcpy(to, x + (i - 1) * width, bytes);
      } else {
        memset(to, 0, bytes);
      }
      memcpy(to + width, x + i * width, bytes);
      if (i + 1 < starts[s + 1]) {
        memcpy(to + 2 * width, x + (i + 1) * width, bytes);
      } else {
        memset(to + 2 * width, 0, bytes);
      }
    }
  }
}

void on_train_window_backward(float *dx, const float *dout, const uint32_t *starts, size_t count, size_t width) {
  for (size_t s = 0; s < count; s++) {
    for (size_t i = starts[s]; i < starts[s + 1]; i++) {
      const float *from = dout + i * 3 * width;
      if (i > starts[s]) {
        on_axpy(dx + (i - 1) * width, 1.0f, from, width);
      }
      on_axpy(dx + i * width, 1.0f, from + width, width);
      if (i + 1 < starts[s + 1]) {
        on_axpy(dx + (i + 1) * width, 1.0f, from + 2 * width, width);
      }
    }
  }
}

// ---- layer normalization

// Sixteen partial sums, so that the compiler may use vectors without reordering anything.
enum { PARTS = 16 };

static float join(const float s[PARTS]) {
  float sum = 0.0f;
  for (size_t j = 0; j < PARTS; j++) {
    sum += s[j];
  }
  return sum;
}

static float sum(const float *x, size_t n) {
  float s[PARTS] = {0.0f};
  size_t i = 0;
  for (; i + PARTS <= n; i += PARTS) {
    for (size_t j = 0; j < PARTS; j++) {
      s[j] += x[i + j];
    }
  }
  for (size_t j = 0; i < n; i++, j++) {
    s[j] += x[i];
  }
  return join(s);
}

static float sum_squared_distance(const float *x, float mean, size_t n) {
  float s[PARTS] = {0.0f};
  size_t i = 0;
  for (; i + PARTS <= n; i += PARTS) {
    for (size_t j = 0; j < PARTS; j++) {
      const float d = x[i + j] - mean;
      s[j] += d * d;
    }
  }
  for (size_t j = 0; i < n; i++, j++) {
    s[j] += (x[i] - mean) * (x[i] - mean);
  }
  return join(s);
}

void on_train_layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gain,
                                 const float *bias, size_t m, size_t width, float epsilon) {
  for (size_t i = 0; i < m; i++, x += width, y += width) {
    const float mu = sum(x, width) / (float)width;
    const float r = 1.0f / sqrtf(sum_squared_distance(x, mu, width) / (float)width + epsilon);
    mean[i] = mu;
    rstd[i] = r;
    if (bias) {
      for (size_t j = 0; j < width; j++) y[j] = (x[j] - mu) * r * gain[j] + bias[j];
    } else {
      for (size_t j = 0; j < width; j++) y[j] = (x[j] - mu) * r * gain[j];
    }
  }
}

// With z = (x - mean) * rstd and e = dy * gain: dx = rstd * (e - mean(e) - z * mean(e * z)).
void on_train_layer_norm_backward(float *dx, float *dgain, float *dbias, const float *dy, const float *x,
                                  const float *mean, const float *rstd, const float *gain, size_t m, size_t width) {
  for (size_t i = 0; i < m; i++, dx += width, dy += width, x += width) {
    const float mu = mean[i], r = rstd[i];
    float se[PARTS] = {0.0f}, sez[PARTS] = {0.0f};
    size_t j = 0;
    for (; j + PARTS <= width; j += PARTS) {
      for (size_t p = 0; p < PARTS; p++) {
        const float e = dy[j + p] * gain[j + p];
        se[p] += e;
        sez[p] += e * ((x[j + p] - mu) * r);
      }
    }
    for (size_t p = 0; j < width; j++, p++) {
      const float e = dy[j] * gain[j];
      se[p] += e;
      sez[p] += e * ((x[j] - mu) * r);
    }
    const float mean_e = join(se) / (float)width, mean_ez = join(sez) / (float)width;
    for (j = 0; j < width; j++) {
      dx[j] += r * (dy[j] * gain[j] - mean_e - (x[j] - mu) * r * mean_ez);
    }
    if (dgain) {
      for (j = 0; j < width; j++) {
        dgain[j] += dy[j] * ((x[j] - mu) * r);
      }
    }
    if (dbias) {
      on_axpy(dbias, 1.0f, dy, width);
    }
  }
}

// ---- activations

void on_train_gelu_forward(float *y, const float *x, size_t n) {
  if (y != x) {
    memcpy(y, x, n * sizeof *y);
  }
  on_kernels_best()->gelu(y, n);
}

// gelu(x) = x * P(x), P the normal distribution: the slope is P(x) + x * p(x), where P(x) = gelu(x) / x
// and p(x) = exp(-x^2 / 2) / sqrt(2 pi).
void on_train_gelu_backward(float *dx, const float *dy, const float *x, size_t n) {
  const on_kernels *kernels = on_kernels_best();
  float value[256], density[256];
  for (size_t i = 0; i < n; i += 256) {
    const size_t here = n - i < 256 ? n - i : 256;
    for (size_t j = 0; j < here; j++) {
      value[j] = x[i + j];
      density[j] = -0.5f * x[i + j] * x[i + j];
    }
    kernels->gelu(value, here);
    kernels->exp(density, here);
    for (size_t j = 0; j < here; j++) {
      const float v = x[i + j];
      const float p = fabsf(v) < 1e-20f ? 0.5f : value[j] / v;
      dx[i + j] = dy[i + j] * (p + v * 0.3989422804f * density[j]);
    }
  }
}

void on_train_relu_forward(float *y, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = x[i] > 0.0f ? x[i] : 0.0f;
  }
}

void on_train_relu_backward(float *dx, const float *dy, const float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    dx[i] = y[i] > 0.0f ? dy[i] : 0.0f;
  }
}

// ---- dropout

void on_train_dropout_mask(float *mask, size_t n, float rate, on_random *random) {
  if (!(rate > 0.0f)) {
    for (size_t i = 0; i < n; i++) {
      mask[i] = 1.0f;
    }
    return;
  }
  if (rate >= 1.0f) {
    memset(mask, 0, n * sizeof *mask);
    return;
  }
  on_dropout(mask, NULL, n, rate, on_random_u64(random));
}

void on_train_apply_mask(float *x, const float *mask, size_t n) {
  on_multiply(x, mask, n);
}
