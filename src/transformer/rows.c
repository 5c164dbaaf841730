#include "transformer/rows.h"

#include <stdint.h>
#include <string.h>

#include "nn/math.h"

typedef float v4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));
typedef float v4_any __attribute__((vector_size(16), aligned(4), may_alias));

static inline v4 load(const float *p) { return *(const v4_any *)p; }
static inline void store(float *p, v4 v) { *(v4_any *)p = v; }
static inline v4 splat(float f) { return (v4){f, f, f, f}; }
static inline float join(v4 s) { return (s[0] + s[1]) + (s[2] + s[3]); }
static inline v4 select(i4 mask, v4 yes, v4 no) { return (v4)((mask & (i4)yes) | (~mask & (i4)no)); }

static inline v4 load_part(const float *p, size_t n) {
  v4 v = {0};
  memcpy(&v, p, n * sizeof *p);
  return v;
}

static float sum(const float *x, size_t n) {
  v4 s = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) s = s + load(x + i);
  if (i < n) s = s + load_part(x + i, n - i);
  return join(s);
}

static float sum_of_squares(const float *x, size_t n, float mean) {
  v4 s = {0}, all = splat(mean);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const v4 d = load(x + i) - all;
    s = s + d * d;
  }
  for (size_t j = i; j < n; j++) {
    const float d = x[j] - mean;
    s[j - i] = s[j - i] + d * d;
  }
  return join(s);
}

void on_rows_norm(float *x, const float *added, size_t m, size_t width, const float *gain, const float *bias,
                  float epsilon) {
  for (size_t r = 0; r < m; r++, x += width) {
    if (added) {
      for (size_t i = 0; i < width; i++) x[i] = x[i] + added[i];
      added += width;
    }
    const float mean = sum(x, width) / (float)width;
    const float rstd = 1.0f / on_sqrt(sum_of_squares(x, width, mean) / (float)width + epsilon);
    for (size_t i = 0; i < width; i++) x[i] = (x[i] - mean) * rstd * gain[i] + bias[i];
  }
}

static float largest(const float *x, size_t n) {
  v4 most = splat(x[0]);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const v4 v = load(x + i);
    most = select(most < v, v, most);
  }
  float best = most[0];
  for (size_t l = 1; l < 4; l++) best = best < most[l] ? most[l] : best;
  for (; i < n; i++) best = best < x[i] ? x[i] : best;
  return best;
}

void on_rows_softmax(const on_kernels *kernels, float *row, size_t n, float scale) {
  const float most = largest(row, n);
  // exp gives 0 for -100.
  const v4 low = splat(-60.0f), none = splat(-100.0f), top = splat(most), times = splat(scale);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const v4 v = (load(row + i) - top) * times;
    store(row + i, select(v < low, none, v));
  }
  for (; i < n; i++) {
    const float v = (row[i] - most) * scale;
    row[i] = v < -60.0f ? -100.0f : v;
  }
  kernels->exp(row, n);
  const float share = 1.0f / sum(row, n);
  for (i = 0; i < n; i++) row[i] = row[i] * share;
}

void on_rows_gate(float *out, const float *u, size_t m, size_t inner) {
  for (size_t r = 0; r < m; r++, out += inner, u += 2 * inner) {
    for (size_t i = 0; i < inner; i++) out[i] = u[i] * u[inner + i];
  }
}

// cos and sin of x >= 0 with some 15 digits for x below 2^20: x = quarter * pi / 2 + r, |r| <= pi / 4.
static void turn(double x, double *cos, double *sin) {
  const double quarters = x * 0.63661977236758134308;
  const int64_t q = (int64_t)(quarters + 0.5);
  // pi / 2 in two parts, the first with 33 bits, so that its product with q is exact.
  const double r = (x - (double)q * 1.57079632673412561417) - (double)q * 6.07710050650619224932e-11;
  const double z = r * r;
  double s = -1.0 / 1307674368000.0, c = -1.0 / 87178291200.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = r + r * z * s;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = 1.0 + z * c;
  *cos = q & 1 ? -s : c;
  *sin = q & 1 ? c : s;
  if (q & 2) {
    *cos = -*cos;
    *sin = -*sin;
  }
}

void on_rows_angles(float *cos, float *sin, size_t n, const float *inv_freq, size_t half) {
  for (size_t position = 0; position < n; position++) {
    for (size_t i = 0; i < half; i++) {
      // The angle is rounded to a float, as the models were trained.
      const float angle = (float)position * inv_freq[i];
      double c = 1, s = 0;
      if (angle >= 0 && angle < 1048576.0f) turn((double)angle, &c, &s);
      cos[position * half + i] = (float)c;
      sin[position * half + i] = (float)s;
    }
  }
}

void on_rows_rotate(float *x, const float *cos, const float *sin, size_t half) {
  for (size_t i = 0; i < half; i++) {
    const float a = x[i], b = x[i + half];
    x[i] = a * cos[i] - b * sin[i];
    x[i + half] = b * cos[i] + a * sin[i];
  }
}
