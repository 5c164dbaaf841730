// The scalar row: the definition of every kernel, one operation after the other.
#include "nn/kernels_tables.h"
#include "nn/math.h"

static void linear(float *y, size_t ldy, const float *x, size_t ldx, size_t m, const on_packed *w, const float *bias,
                   bool accumulate) {
  for (size_t i = 0; i < m; i++, x += ldx, y += ldy) {
    for (size_t r = 0; r < w->rows; r++) {
      const float *wr = w->data + r / ON_PANEL * ON_PANEL * w->cols + r % ON_PANEL;
      float sum = accumulate ? y[r] : bias ? bias[r] : 0.0f;
      for (size_t c = 0; c < w->cols; c++) {
        sum = sum + x[c] * wr[c * ON_PANEL];
      }
      y[r] = sum;
    }
  }
}

void on_quantize_scalar(int16_t *q, on_quantized *row, const float *x, size_t n) {
  float most = 0.0f;
  for (size_t i = 0; i < n; i++) {
    const float a = x[i] < 0.0f ? -x[i] : x[i];
    most = most < a ? a : most;
  }
  const bool some = most >= ON_QUANTIZED_LEAST;
  const float factor = some ? 127.0f / most : 0.0f, shifter = 12582912.0f;  // 1.5 * 2^23
  *row = (on_quantized){some ? most / 127.0f : 0.0f, 0};
  for (size_t i = 0; i < ON_QUAD * on_quads(n); i++) {
    const float t = i < n ? x[i] * factor + shifter : shifter;
    q[i] = (int16_t)(t == t ? (int16_t)(t - shifter) : 0);
  }
}

static void quantize(int16_t *q, on_quantized *rows, const float *x, size_t ldx, size_t m, size_t n) {
  for (size_t i = 0; i < m; i++) {
    on_quantize_scalar(q + i * ON_QUAD * on_quads(n), rows + i, x + i * ldx, n);
  }
}

void on_linear_quantized_scalar(float *y, size_t ldy, const int16_t *q, size_t ldq, const on_quantized *x, size_t m,
                                const on_packed *w, const float *bias, bool accumulate) {
  const size_t quads = on_quads(w->cols);
  for (size_t i = 0; i < m; i++, q += ldq, y += ldy) {
    for (size_t r = 0; r < w->rows; r++) {
      const int8_t *wr = w->q + (r / ON_PANEL * quads * ON_PANEL + r % ON_PANEL) * ON_QUAD;
      int32_t sum = 0;
      for (size_t c = 0; c < w->cols; c++) {
        sum += q[c] * wr[c / ON_QUAD * ON_PANEL * ON_QUAD + c % ON_QUAD];
      }
      const float start = accumulate ? y[r] : bias ? bias[r] : 0.0f, step = x[i].scale * w->scale[r];
      y[r] = start + (float)sum * step;
    }
  }
}

static void add(float *y, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = y[i] + x[i];
  }
}

static void add_all(float *y, const float *const *x, size_t count, size_t n) {
  for (size_t k = 0; k < count; k++) {
    add(y, x[k], n);
  }
}

static void relu(float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = 0.0f < y[i] ? y[i] : 0.0f;
  }
}

static void gelu(float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = on_gelu(y[i]);
  }
}

static void tanh_all(float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = on_tanh(y[i]);
  }
}

static void sigmoid(float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = on_sigmoid(y[i]);
  }
}

static void exp_all(float *y, size_t n) {
  for (size_t i = 0; i < n; i++) {
    y[i] = on_exp(y[i]);
  }
}

static void layer_norm(float *y, const float *x, size_t m, size_t width, const float *gain, const float *bias) {
  for (size_t i = 0; i < m; i++, x += width, y += width) {
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f}, q[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (size_t j = 0; j < width; j++) {
      s[j % 4] = s[j % 4] + x[j];
    }
    const float mean = ((s[0] + s[1]) + (s[2] + s[3])) / (float)width;
    for (size_t j = 0; j < width; j++) {
      const float d = x[j] - mean;
      q[j % 4] = q[j % 4] + d * d;
    }
    const float variance = ((q[0] + q[1]) + (q[2] + q[3])) / (float)width;
    const float rstd = 1.0f / on_sqrt(variance + 1e-5f);
    for (size_t j = 0; j < width; j++) {
      y[j] = (x[j] - mean) * rstd * gain[j] + bias[j];
    }
  }
}

static void window(float *y, const float *const *of, const float *zeros, size_t m, size_t width,
                   const on_layer_end *end) {
  (void)zeros;
  for (size_t i = 0; i < m; i++, y += width) {
    for (size_t j = 0; j < width; j++) {
      float z = end->bias[j];
      z = i > 0 ? z + of[i - 1][width + j] : z;
      z = z + of[i][2 * width + j];
      y[j] = i + 1 < m ? z + of[i + 1][3 * width + j] : z;
    }
    if (end->relu) {
      relu(y, width);
    } else {
      gelu(y, width);
    }
    layer_norm(y, y, 1, width, end->gain, end->shift);
    for (size_t j = 0; j < width; j++) {
      y[j] = of[i][j] + y[j];
    }
  }
}

static void lstm_cell(const float *gates, float *c, float *h, size_t size) {
  for (size_t j = 0; j < size; j++) {
    const float in = on_sigmoid(gates[j]), forget = on_sigmoid(gates[size + j]);
    const float cell = on_tanh(gates[2 * size + j]), out = on_sigmoid(gates[3 * size + j]);
    c[j] = forget * c[j] + in * cell;
    h[j] = out * on_tanh(c[j]);
  }
}

static float dot(const float *a, const float *b, size_t n) {
  float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (size_t i = 0; i < n; i++) {
    s[i % 4] = s[i % 4] + a[i] * b[i];
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

static size_t argmax(const float *x, size_t n) {
  size_t best = 0;
  for (size_t i = 1; i < n; i++) {
    if (x[i] > x[best]) {
      best = i;
    }
  }
  return best;
}

static void argmax_rows(uint32_t *best, const float *x, size_t m, size_t n) {
  for (size_t i = 0; i < m; i++) {
    best[i] = (uint32_t)argmax(x + i * n, n);
  }
}

const on_kernels on_kernels_row_scalar = {.name = "scalar",
                                          .linear = linear,
                                          .quantize = quantize,
                                          .linear_quantized = on_linear_quantized_scalar,
                                          .add = add,
                                          .add_all = add_all,
                                          .relu = relu,
                                          .gelu = gelu,
                                          .tanh = tanh_all,
                                          .sigmoid = sigmoid,
                                          .exp = exp_all,
                                          .layer_norm = layer_norm,
                                          .window = window,
                                          .lstm_cell = lstm_cell,
                                          .dot = dot,
                                          .argmax = argmax,
                                          .argmax_rows = argmax_rows};
