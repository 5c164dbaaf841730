// The arithmetic of transformers against double precision.
#include "transformer/rows.h"

#include <math.h>

#include "test.h"

static void norm(void **state) {
  (void)state;
  enum { M = 3 };
  for (size_t width = 1; width < 40; width++) {
    float x[M * 40], added[M * 40], was[M * 40], gain[40], bias[40];
    for (size_t i = 0; i < M * width; i++) {
      was[i] = x[i] = (float)((i * 7919) % 101) / 17.0f - 3.0f;
      added[i] = (float)((i * 104729) % 97) / 31.0f;
    }
    for (size_t i = 0; i < width; i++) {
      gain[i] = 0.5f + (float)i / 10.0f;
      bias[i] = (float)i / 7.0f - 1.0f;
    }
    on_rows_norm(x, added, M, width, gain, bias, 1e-3f);
    for (size_t r = 0; r < M; r++) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < width; i++) mean += (double)was[r * width + i] + (double)added[r * width + i];
      mean /= (double)width;
      for (size_t i = 0; i < width; i++) {
        double d = (double)was[r * width + i] + (double)added[r * width + i] - mean;
        variance += d * d / (double)width;
      }
      for (size_t i = 0; i < width; i++) {
        double d = (double)was[r * width + i] + (double)added[r * width + i] - mean;
        double want = d / sqrt(variance + 1e-3) * (double)gain[i] + (double)bias[i];
        assert_true(fabs((double)x[r * width + i] - want) < 2e-5);
      }
    }
  }
}

static void softmax(void **state) {
  (void)state;
  for (size_t n = 1; n < 70; n++) {
    float row[70];
    double exact[70], sum = 0;
    for (size_t i = 0; i < n; i++) {
      row[i] = (float)((i * 31) % 23) * 3.0f - 20.0f;
      sum += exact[i] = exp((double)row[i] * 0.25);
    }
    on_rows_softmax(on_kernels_best(), row, n, 0.25f);
    for (size_t i = 0; i < n; i++) assert_true(fabs((double)row[i] - exact[i] / sum) < 1e-6);
  }
  // What is far below the largest becomes 0, not a denormal.
  float row[6] = {0, -200, -85, -61, -59, 1};
  on_rows_softmax(on_kernels_best(), row, 6, 1.0f);
  assert_true(row[1] == 0 && row[2] == 0 && row[3] == 0 && row[4] > 1e-30f);
}

static void angles(void **state) {
  (void)state;
  enum { N = 9000, HALF = 3 };
  const float inv_freq[HALF] = {1.0f, 0.0371f, 1e-4f};
  float *c = malloc(N * HALF * sizeof *c), *s = malloc(N * HALF * sizeof *s);
  on_rows_angles(c, s, N, inv_freq, HALF);
  for (size_t p = 0; p < N; p++) {
    for (size_t i = 0; i < HALF; i++) {
      const float angle = (float)p * inv_freq[i];
      assert_true(fabs((double)c[p * HALF + i] - cos((double)angle)) < 1e-7);
      assert_true(fabs((double)s[p * HALF + i] - sin((double)angle)) < 1e-7);
    }
  }
  free(c);
  free(s);
}

static void rotate_and_gate(void **state) {
  (void)state;
  float x[4] = {1, 2, 3, 4};
  const float c[2] = {0, 1}, s[2] = {1, 0};
  on_rows_rotate(x, c, s, 2);
  assert_true(x[0] == -3 && x[1] == 2 && x[2] == 1 && x[3] == 4);
  float u[8] = {1, 2, 10, 20, 3, 4, 30, 40};
  on_rows_gate(u, u, 2, 2);
  assert_true(u[0] == 10 && u[1] == 40 && u[2] == 90 && u[3] == 160);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(norm), cmocka_unit_test(softmax), cmocka_unit_test(angles),
                                     cmocka_unit_test(rotate_and_gate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
