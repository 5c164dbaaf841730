// The arithmetic of training, each row of it against sums in double precision.
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "nn/fastmath_rows.h"

static on_random rng;

static float *randoms(size_t n) {
  float *v = malloc((n + 1) * sizeof *v);  // no slack: a sanitizer sees what is read or written beyond
  assert_non_null(v);
  for (size_t i = 0; i < n; i++) {
    v[i] = on_random_normal(&rng);
  }
  return v;
}

typedef enum form { NN, NT, TN } form;

// `off`: how far from the sum of the products' sizes the result may be.
static void check_gemm(on_gemm *gemm, double off, form f, size_t m, size_t n, size_t k, bool add) {
  const size_t lda = (f == TN ? m : k) + m % 3, ldb = (f == NT ? k : n) + k % 3, ldc = n + n % 2;
  float *a = randoms((f == TN ? k : m) * lda), *b = randoms((f == NT ? n : k) * ldb), *c = randoms(m * ldc);
  float *was = malloc((m * ldc + 1) * sizeof *was);
  memcpy(was, c, m * ldc * sizeof *was);
  gemm(c, ldc, a, lda, b, ldb, m, n, k, add ? 1.0f : 0.0f);
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < ldc; j++) {
      double want = (double)was[i * ldc + j], size = 1.0;
      if (j < n) {
        want = add ? want : 0.0;
        for (size_t p = 0; p < k; p++) {
          const double product = (double)(f == TN ? a[p * lda + i] : a[i * lda + p]) *
                                 (double)(f == NT ? b[j * ldb + p] : b[p * ldb + j]);
          want += product;
          size += fabs(product);
        }
      }
      if (!(fabs((double)c[i * ldc + j] - want) <= off * size)) {
        fail_msg("form %d, %zu x %zu x %zu: [%zu][%zu] is %g, not %g", (int)f, m, n, k, i, j,
                 (double)c[i * ldc + j], want);
      }
    }
  }
  // The same inputs give the same bits.
  float *again = malloc((m * ldc + 1) * sizeof *again);
  memcpy(again, was, m * ldc * sizeof *again);
  gemm(again, ldc, a, lda, b, ldb, m, n, k, add ? 1.0f : 0.0f);
  assert_int_equal(memcmp(again, c, m * ldc * sizeof *again), 0);
  free(a);
  free(b);
  free(c);
  free(was);
  free(again);
}

static void check_gemms(on_gemm *const forms[3], double off) {
  const size_t shapes[][3] = {{1, 1, 1},     {0, 5, 3},    {5, 0, 3},     {5, 3, 0},      {1, 17, 3},   {13, 33, 5},
                              {12, 32, 16},  {7, 100, 40}, {200, 37, 9},  {25, 64, 128},  {40, 31, 257}, {4, 16, 17},
                              {6, 530, 20},  {26, 530, 7}, {193, 33, 16}, {11, 7, 600},   {2, 2, 2},    {36, 48, 31},
                              {9, 513, 258}, {48, 1, 5},   {24, 40, 15},  {27, 3, 33},    {8, 8, 8},    {64, 64, 32},
                              {50, 70, 90},  {16, 129, 31}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    for (int f = NN; f <= TN; f++) {
      check_gemm(forms[f], off, (form)f, shapes[s][0], shapes[s][1], shapes[s][2], false);
      check_gemm(forms[f], off, (form)f, shapes[s][0], shapes[s][1], shapes[s][2], true);
    }
  }
}

static void gemm(void **state) {
  (void)state;
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  for (size_t r = 0; r < count; r++) {
    on_gemm *const forms[3] = {rows[r]->gemm_nn, rows[r]->gemm_nt, rows[r]->gemm_tn};
    check_gemms(forms, 1e-6);
  }
}

// Factors of 8 bits: each is off by 2^-9 of itself at most.
static void gemm_bf16(void **state) {
  (void)state;
#if ON_HAVE_AMX_FASTMATH
  if (on_fastmath_amx_works()) {
    check_gemms(on_fastmath_amx, 0.004);
    return;
  }
#endif
  skip();
}

static void gemv(void **state) {
  (void)state;
  const size_t shapes[][2] = {{1, 1}, {0, 4}, {4, 0}, {3, 130}, {128, 33}, {17, 300}, {5, 16}, {64, 512}};
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  for (size_t r = 0; r < count; r++) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      const size_t k = shapes[s][0], n = shapes[s][1];
      for (int add = 0; add < 2; add++) {
        float *w = randoms(k * (n + 1)), *x = randoms(k), *y = randoms(n), *start = randoms(n);
        memcpy(y, start, n * sizeof *y);
        rows[r]->gemv_n(y, x, w, n + 1, k, n, (float)add);
        for (size_t j = 0; j < n; j++) {
          double want = add ? (double)start[j] : 0.0, size = 1.0;
          for (size_t p = 0; p < k; p++) {
            want += (double)x[p] * (double)w[p * (n + 1) + j];
            size += fabs((double)x[p] * (double)w[p * (n + 1) + j]);
          }
          assert_true(fabs((double)y[j] - want) <= 1e-6 * size);
        }
        // The same matrix from the other side: [k][n] times a vector of n.
        float *z = randoms(k), *z_start = randoms(k);
        memcpy(z, z_start, k * sizeof *z);
        rows[r]->gemv_t(z, w, n + 1, start, k, n, (float)add);
        for (size_t i = 0; i < k; i++) {
          double want = add ? (double)z_start[i] : 0.0, size = 1.0;
          for (size_t j = 0; j < n; j++) {
            want += (double)start[j] * (double)w[i * (n + 1) + j];
            size += fabs((double)start[j] * (double)w[i * (n + 1) + j]);
          }
          assert_true(fabs((double)z[i] - want) <= 1e-6 * size);
        }
        free(w);
        free(x);
        free(y);
        free(start);
        free(z);
        free(z_start);
      }
    }
  }
}

static void vectors(void **state) {
  (void)state;
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  const size_t sizes[] = {0, 1, 3, 15, 16, 17, 63, 64, 65, 1000, 10007};
  for (size_t r = 0; r < count; r++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const size_t n = sizes[s];
      float *x = randoms(n), *y = randoms(n), *was = randoms(n);
      memcpy(y, was, n * sizeof *y);
      rows[r]->axpy(y, 0.3f, x, n);
      double squares = 0.0;
      for (size_t i = 0; i < n; i++) {
        assert_true(fabs((double)y[i] - ((double)was[i] + (double)0.3f * (double)x[i])) < 1e-6);
        squares += (double)x[i] * (double)x[i];
      }
      assert_true(fabs((double)rows[r]->sum_squares(x, n) - squares) <= 1e-6 * (1.0 + squares));
      free(x);
      free(y);
      free(was);
    }
  }
}

static void adam(void **state) {
  (void)state;
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  for (size_t r = 0; r < count; r++) {
    for (size_t n = 0; n < 40; n++) {
      float *w = randoms(n), *g = randoms(n), *m = randoms(n), *v = randoms(n), *mean = randoms(n);
      float *given = malloc((n + 1) * sizeof *given);
      double *dw = malloc((n + 1) * sizeof *dw), *dm = malloc((n + 1) * sizeof *dm), *dv = malloc((n + 1) * sizeof *dv);
      double *dmean = malloc((n + 1) * sizeof *dmean);
      memcpy(given, g, n * sizeof *given);
      for (size_t i = 0; i < n; i++) {
        v[i] = fabsf(v[i]);
        dw[i] = (double)w[i];
        dm[i] = (double)m[i];
        dv[i] = (double)v[i];
        dmean[i] = (double)mean[i];
      }
      for (int step = 1; step <= 3; step++) {
        const on_adam a = {0.01f, 0.9f, 0.99f, 1e-6f, 0.1f, 0.5f, (float)(1.0 / (1.0 - pow(0.9, step))),
                           (float)(1.0 / (1.0 - pow(0.99, step))), 0.25f};
        memcpy(g, given, n * sizeof *g);
        const bool averaged = step > 1;
        rows[r]->adam_step(w, g, m, v, averaged ? mean : NULL, n, &a);
        for (size_t i = 0; i < n; i++) {
          const double scaled = (double)given[i] * 0.5;
          dm[i] = 0.9 * dm[i] + 0.1 * scaled;
          dv[i] = 0.99 * dv[i] + 0.01 * scaled * scaled;
          const double change = dm[i] / (1.0 - pow(0.9, step)) / (sqrt(dv[i] / (1.0 - pow(0.99, step))) + 1e-6);
          dw[i] -= 0.01 * (change + 0.1 * dw[i]);
          dmean[i] += averaged ? 0.25 * (dw[i] - dmean[i]) : 0.0;
          assert_true(fabs(dw[i] - (double)w[i]) < 2e-6 * (1.0 + fabs(dw[i]) + fabs(change)));
          assert_true(fabs(dm[i] - (double)m[i]) < 1e-6 && fabs(dv[i] - (double)v[i]) < 1e-6 * (1.0 + dv[i]));
          assert_true(fabs(dmean[i] - (double)mean[i]) < 2e-6 * (1.0 + fabs(dw[i]) + fabs(change)));
          assert_true(g[i] == 0.0f);
        }
      }
      free(w);
      free(g);
      free(m);
      free(v);
      free(mean);
      free(given);
      free(dw);
      free(dm);
      free(dv);
      free(dmean);
    }
  }
}

// Every row of vectors against gemm, which is checked above.
static void panels(void **state) {
  (void)state;
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  const size_t ns[] = {1, 7, 16, 31, 32, 33, 64, 100, 160, 192, 250, 640}, ks[] = {1, 5, 40};
  for (size_t r = 0; r < count; r++) {
    for (size_t m = 1; m <= 14; m++) {
      for (size_t s = 0; s < sizeof ns / sizeof *ns * 3 * 4; s++) {
        const size_t n = ns[s / 12], k = ks[s / 4 % 3], ldb = (s & 1 ? k : n) + 1, lda = k + 2, ldc = n + 1;
        const bool transposed = s & 1, add = s & 2;
        float *b = randoms((transposed ? n : k) * ldb), *a = randoms(m * lda), *c = randoms(m * ldc);
        float *want = malloc(m * ldc * sizeof *want), *packed = randoms(on_panels_floats(n, k)), *to[14];
        memcpy(want, c, m * ldc * sizeof *want);
        for (size_t i = 0; i < m; i++) {
          to[i] = c + (m - 1 - i) * ldc;  // in another order than they lie
        }
        rows[r]->pack_panels(packed, b, ldb, transposed, n, k);
        rows[r]->gemm_panels(to, a, lda, packed, m, n, k, add ? 1.0f : 0.0f);
        on_gemm *const known = transposed ? rows[0]->gemm_nt : rows[0]->gemm_nn;
        for (size_t i = 0; i < m; i++) {
          known(want + (m - 1 - i) * ldc, ldc, a + i * lda, lda, b, ldb, 1, n, k, add ? 1.0f : 0.0f);
        }
        for (size_t i = 0; i < m * ldc; i++) {
          if (!(fabsf(want[i] - c[i]) <= 1e-5f * (1.0f + fabsf(want[i])))) {
            fail_msg("row %zu, %zu x %zu x %zu: value %zu is %g, not %g", r, m, n, k, i, (double)c[i], (double)want[i]);
          }
        }
        free(a);
        free(b);
        free(c);
        free(want);
        free(packed);
      }
    }
  }
}

// The same draws in every row of vectors, the share that the rate says, x multiplied by the mask.
static void dropout(void **state) {
  (void)state;
  enum { N = 10007 };
  const on_fastmath_row *rows[3];
  const size_t count = on_fastmath_rows(rows);
  float *first = randoms(N);
  for (size_t r = 0; r < count; r++) {
    float *x = randoms(N), *was = randoms(N), *mask = randoms(N), *other = randoms(N);
    memcpy(x, was, N * sizeof *x);
    rows[r]->dropout(mask, x, N, 0.3f, 12345);
    rows[r]->dropout(other, NULL, N, 0.3f, 12345 + ((uint64_t)1 << 32));
    double dropped = 0.0, same = 0.0, runs = 0.0;
    for (size_t i = 0; i < N; i++) {
      assert_true(mask[i] == 0.0f || fabsf(mask[i] - 1.0f / 0.7f) < 1e-6f);
      assert_true(x[i] == was[i] * mask[i]);
      dropped += mask[i] == 0.0f;
      same += mask[i] == other[i];
      runs += i > 0 && mask[i] != mask[i - 1];
    }
    assert_true(dropped > N * 0.285 && dropped < N * 0.315);
    assert_true(same > N * 0.56 && same < N * 0.60);  // 0.7^2 + 0.3^2 = 0.58
    assert_true(runs > N * 0.40 && runs < N * 0.44);  // neighbours are independent
    if (r == 0) memcpy(first, mask, N * sizeof *first);
    assert_memory_equal(first, mask, N * sizeof *first);
    free(x);
    free(was);
    free(mask);
    free(other);
  }
  free(first);
}

static int seed(void **state) {
  (void)state;
  on_random_seed(&rng, 3);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gemm),
      cmocka_unit_test(gemm_bf16),
      cmocka_unit_test(gemv),
      cmocka_unit_test(vectors),
      cmocka_unit_test(adam),
      cmocka_unit_test(panels),
      cmocka_unit_test(dropout),
  };
  return cmocka_run_group_tests(tests, seed, NULL);
}
