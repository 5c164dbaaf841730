// Every row of the kernel table computes the bits of the scalar row, and the scalar row what is meant.
#include "test.h"

#include <math.h>

#include "base/random.h"
#include "nn/linear.h"

enum { GUARD = 32 };  // floats around every result, which must stay untouched

typedef struct pad {
  float *block, *v;  // v lies `GUARD` floats in, off every alignment but that of a float
  size_t n;
} pad;

static on_random rng;

static pad make(size_t n, size_t offset) {
  pad p = {malloc((n + 2 * GUARD + offset) * sizeof(float)), NULL, n + offset};
  assert_non_null(p.block);
  p.v = p.block + GUARD + offset;
  for (size_t i = 0; i < n + 2 * GUARD + offset; i++) {
    p.block[i] = on_random_normal(&rng);
  }
  return p;
}

static pad copy(const pad *from) {
  pad p = *from;
  p.block = malloc((p.n + 2 * GUARD) * sizeof(float));
  assert_non_null(p.block);
  memcpy(p.block, from->block, (p.n + 2 * GUARD) * sizeof(float));
  p.v = p.block + (from->v - from->block);
  return p;
}

// NaNs are equal whatever their payload: it is not defined where several meet.
static void assert_same(const char *row, const char *what, size_t size, const pad *got, const pad *want) {
  for (size_t i = 0; i < want->n + 2 * GUARD; i++) {
    if (memcmp(&got->block[i], &want->block[i], sizeof(float)) != 0 &&
        !(isnan(got->block[i]) && isnan(want->block[i]))) {
      fail_msg("%s, %s of size %zu: value %d is %.9g, not %.9g", row, what, size,
               (int)((ptrdiff_t)i - (want->v - want->block)), (double)got->block[i], (double)want->block[i]);
    }
  }
}

static const on_kernels *row_at(size_t i) { return on_kernels_at(i); }

// ---- linear

static pad pack(size_t rows, size_t cols, on_packed *packed) {
  float *row = malloc((cols + 1) * sizeof *row);
  pad p = make(on_packed_floats(rows, cols), 0);
  memset(p.v, 0, on_packed_floats(rows, cols) * sizeof *p.v);
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < cols; c++) {
      row[c] = on_random_normal(&rng);
    }
    on_pack_row(p.v, cols, r, row);
  }
  free(row);
  *packed = (on_packed){.data = p.v, .rows = (uint32_t)rows, .cols = (uint32_t)cols};
  return p;
}

static void check_linear(size_t m, size_t rows, size_t cols, size_t ldx, size_t gap, bool with_bias, bool accumulate) {
  on_packed w;
  pad weights = pack(rows, cols, &w), x = make((m + 1) * (ldx > cols ? ldx : cols) + cols, 1), bias = make(rows, 1);
  const size_t ldy = rows + gap;
  pad y = make(m * ldy, 1);
  pad want = copy(&y);
  const float *b = with_bias ? bias.v : NULL;
  on_kernels_scalar()->linear(want.v, ldy, x.v, ldx, m, &w, b, accumulate);
  for (size_t i = 1; row_at(i); i++) {
    pad got = copy(&y);
    row_at(i)->linear(got.v, ldy, x.v, ldx, m, &w, b, accumulate);
    assert_same(row_at(i)->name, "linear", m * 1000000 + rows * 1000 + cols, &got, &want);
    free(got.block);
  }
  // And the scalar row against the sum in the documented order, written from the rows of the matrix.
  for (size_t i = 0; i < m; i++) {
    for (size_t r = 0; r < rows; r++) {
      volatile float sum = accumulate ? y.v[i * ldy + r] : b ? b[r] : 0.0f;
      for (size_t c = 0; c < cols; c++) {
        const volatile float product = x.v[i * ldx + c] * w.data[r / 16 * 16 * cols + c * 16 + r % 16];
        sum = sum + product;
      }
      assert_true(sum == want.v[i * ldy + r]);
    }
  }
  free(weights.block);
  free(x.block);
  free(bias.block);
  free(y.block);
  free(want.block);
}

static void linear(void **state) {
  (void)state;
  const size_t ms[] = {0, 1, 2, 3, 5, 8, 17}, rows[] = {1, 7, 16, 17, 33, 64, 100, 144, 300}, cols[] = {0, 1, 3, 33};
  for (size_t a = 0; a < sizeof ms / sizeof *ms; a++) {
    for (size_t b = 0; b < sizeof rows / sizeof *rows; b++) {
      for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
        for (int flags = 0; flags < 4; flags++) {
          const size_t ldx = (a + b + c) % 3 == 0 ? cols[c] / 3 : cols[c] + (a + c) % 3;  // also overlapping windows
          check_linear(ms[a], rows[b], cols[c], ldx, b % 3, flags & 1, flags & 2);
        }
      }
    }
  }
}

// ---- whole numbers

// Rows of x of every sort: ordinary, zeros, tiny, huge, with NaNs, infinite.
static void fill_row(float *x, size_t n, size_t sort) {
  const float sizes[] = {1.0f, 0.0f, 1e-31f, 1.1e-30f, 3e37f, 1e-3f, 40.0f};
  for (size_t i = 0; i < n; i++) {
    x[i] = on_random_normal(&rng) * sizes[sort % 7];
  }
  if (n > 0 && sort >= 7) {
    x[on_random_below(&rng, (uint32_t)n)] = sort == 7 ? NAN : sort == 8 ? INFINITY : -NAN;
  }
}

// What the documents say, one number after the other.
static float quantized_sum(const float *x, size_t cols, const int8_t *w, float scale, float start) {
  float most = 0.0f;
  for (size_t c = 0; c < cols; c++) {
    if (fabsf(x[c]) > most) {
      most = fabsf(x[c]);
    }
  }
  if (most < 1e-30f) {
    volatile float nothing = 0.0f * scale;
    nothing = 0.0f * nothing;
    return start + nothing;
  }
  const volatile float factor = 127.0f / most, step = most / 127.0f;
  int64_t sum = 0;
  for (size_t c = 0; c < cols; c++) {
    const volatile float steps = x[c] * factor;
    sum += isnan(steps) ? 0 : (int64_t)nearbyintf(steps) * w[c];
  }
  const volatile float both = step * scale;
  const volatile float product = (float)sum * both;
  return start + product;
}

static void check_quantized(size_t m, size_t rows, size_t cols, bool with_bias, bool accumulate, size_t sort) {
  const size_t quads = (cols + 3) / 4, panels = (rows + 15) / 16, ldy = rows + rows % 3, ldx = cols + cols % 2;
  int8_t *plain = malloc(rows * cols + 1);
  int8_t *packed = calloc(panels * 16 * quads * 4 + 1, sizeof *packed);
  pad x = make(m * ldx + 1, 1), y = make(m * ldy, 1), bias = make(rows, 1), scale = make(panels * 16, 1);
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < cols; c++) {
      plain[r * cols + c] = (int8_t)(sort == 0 ? -128 : (int)on_random_below(&rng, 256) - 128);
    }
    on_pack_quantized_row(packed, cols, r, (const uint8_t *)plain + r * cols);
  }
  for (size_t i = 0; i < m; i++) {
    fill_row(x.v + i * ldx, cols, sort + i);
  }
  const on_packed w = {.rows = (uint32_t)rows, .cols = (uint32_t)cols, .q = packed, .scale = scale.v};
  const float *b = with_bias ? bias.v : NULL;
  pad want = copy(&y);
  for (size_t i = 0; i < m; i++) {
    for (size_t r = 0; r < rows; r++) {
      float *to = want.v + i * ldy + r;
      *to = quantized_sum(x.v + i * ldx, cols, plain + r * cols, scale.v[r], accumulate ? *to : b ? b[r] : 0.0f);
    }
  }
  for (size_t i = 0; row_at(i); i++) {
    pad got = copy(&y);
    on_linear(row_at(i), got.v, ldy, x.v, ldx, m, &w, b, accumulate);
    assert_same(row_at(i)->name, "linear of whole numbers", m * 1000000 + rows * 1000 + cols, &got, &want);
    free(got.block);
  }
  free(plain);
  free(packed);
  free(x.block);
  free(y.block);
  free(want.block);
  free(bias.block);
  free(scale.block);
}

static void quantized(void **state) {
  (void)state;
  const size_t ms[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 17, 70}, rows[] = {1, 7, 8, 16, 17, 33, 64, 140};
  const size_t cols[] = {0, 1, 3, 4, 15, 33, 500};
  size_t sort = 0;
  for (size_t a = 0; a < sizeof ms / sizeof *ms; a++) {
    for (size_t b = 0; b < sizeof rows / sizeof *rows; b++) {
      for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
        check_quantized(ms[a], rows[b], cols[c], (a + b + c) % 3 == 1, (a + b + c) % 3 == 2, sort++ % 10);
      }
    }
  }
  check_quantized(3, 5, 8192, true, false, 0);
}

static void packing(void **state) {
  (void)state;
  assert_int_equal(on_packed_floats(16, 3), 48);
  assert_int_equal(on_packed_floats(17, 3), 96);
  assert_int_equal(on_packed_floats(0, 3), 0);
  float data[2 * 16 * 2] = {0.0f};
  const float row[] = {5.0f, 6.0f};
  on_pack_row(data, 2, 0, row);
  on_pack_row(data, 2, 17, row);
  for (size_t i = 0; i < 64; i++) {
    const float want = i == 0 || i == 33 ? 5.0f : i == 16 || i == 49 ? 6.0f : 0.0f;
    assert_true(data[i] == want);
  }
}

// ---- functions of one array

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF, 0xFF7FFFFF,
    0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x42B17218, 0x42B17217, 0xC2AEAC50, 0xC2AEAC4F,
    0xC2AEA8F6, 0xC2AEA8F5, 0x40800000, 0x407FFFFF, 0x3F800000, 0xBF800000, 0x33800000, 0xC1200000,
};

static void one_array(void **state) {
  (void)state;
  for (size_t n = 0; n < 70; n++) {
    for (int round = 0; round < 6; round++) {
      pad y = make(n, (size_t)round % 3);
      for (size_t i = 0; i < n; i++) {
        const uint32_t draw = (uint32_t)on_random_u64(&rng);
        if (round == 0) {
          memcpy(&y.v[i], &special[(i + n) % (sizeof special / sizeof *special)], sizeof(float));
        } else if (round == 1) {
          memcpy(&y.v[i], &draw, sizeof(float));  // any bits
        } else {
          y.v[i] *= round == 2 ? 60.0f : (float)round;
        }
      }
      for (int f = 0; f < 5; f++) {
        void (*const functions[])(float *, size_t) = {on_kernels_scalar()->relu, on_kernels_scalar()->gelu,
                                                      on_kernels_scalar()->tanh, on_kernels_scalar()->sigmoid,
                                                      on_kernels_scalar()->exp};
        pad want = copy(&y);
        functions[f](want.v, n);
        for (size_t k = 1; row_at(k); k++) {
          const on_kernels *row = row_at(k);
          void (*const others[])(float *, size_t) = {row->relu, row->gelu, row->tanh, row->sigmoid, row->exp};
          const char *const names[] = {"relu", "gelu", "tanh", "sigmoid", "exp"};
          pad got = copy(&y);
          others[f](got.v, n);
          assert_same(row->name, names[f], n, &got, &want);
          free(got.block);
        }
        free(want.block);
      }
      free(y.block);
    }
  }
}

static void add_and_dot(void **state) {
  (void)state;
  for (size_t n = 0; n < 70; n++) {
    pad x = make(n, n % 4), y = make(n, (n + 1) % 4);
    pad want = copy(&y);
    on_kernels_scalar()->add(want.v, x.v, n);
    const float dot = on_kernels_scalar()->dot(x.v, y.v, n);
    volatile float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (size_t i = 0; i < n; i++) {
      const volatile float product = x.v[i] * y.v[i];
      s[i % 4] = s[i % 4] + product;
    }
    assert_true(dot == (s[0] + s[1]) + (s[2] + s[3]));
    for (size_t k = 1; row_at(k); k++) {
      pad got = copy(&y);
      row_at(k)->add(got.v, x.v, n);
      assert_same(row_at(k)->name, "add", n, &got, &want);
      free(got.block);
      const float other = row_at(k)->dot(x.v, y.v, n);
      assert_memory_equal(&other, &dot, sizeof dot);
    }
    for (size_t i = 0; i < n; i++) {
      assert_true(want.v[i] == y.v[i] + x.v[i]);
    }
    free(x.block);
    free(y.block);
    free(want.block);
  }
}

// m rows: the same as the single kernels one after the other.
static void check_window(size_t m, size_t width, bool relu) {
  const on_kernels *scalar = on_kernels_scalar();
  pad bias = make(width, 1), gain = make(width, 2), shift = make(width, 3), kept = make(4 * width * m, 1);
  pad zeros = make(width, 1), y = make(width * m, 1);
  memset(zeros.v, 0, width * sizeof(float));
  const float *of[5];
  for (size_t i = 0; i < m; i++) {
    of[i] = kept.v + (i * 2 % m) * 4 * width;  // in any order, also the same again
  }
  pad want = copy(&y);
  for (size_t i = 0; i < m; i++) {
    float *const to = want.v + i * width;
    memcpy(to, bias.v, width * sizeof(float));
    if (i > 0) scalar->add(to, of[i - 1] + width, width);
    scalar->add(to, of[i] + 2 * width, width);
    if (i + 1 < m) scalar->add(to, of[i + 1] + 3 * width, width);
    (relu ? scalar->relu : scalar->gelu)(to, width);
    scalar->layer_norm(to, to, 1, width, gain.v, shift.v);
    scalar->add(to, of[i], width);
  }
  const on_layer_end end = {bias.v, gain.v, shift.v, relu};
  for (size_t k = 0; row_at(k); k++) {
    pad got = copy(&y);
    row_at(k)->window(got.v, of, zeros.v, m, width, &end);
    assert_same(row_at(k)->name, "window", m * 1000 + width, &got, &want);
    free(got.block);
  }
  free(bias.block), free(gain.block), free(shift.block), free(kept.block), free(zeros.block);
  free(y.block), free(want.block);
}

static void window(void **state) {
  (void)state;
  for (size_t width = 1; width < 130; width++) {
    for (size_t m = 0; m <= 5; m++) {
      check_window(m, width, false);
      check_window(m, width, true);
    }
  }
}

static void layer_norm(void **state) {
  (void)state;
  for (size_t width = 1; width < 70; width++) {
    const size_t m = width % 4;
    pad x = make(m * width, width % 3), gain = make(width, 1), bias = make(width, 2), y = make(m * width, 1);
    pad want = copy(&y);
    on_kernels_scalar()->layer_norm(want.v, x.v, m, width, gain.v, bias.v);
    for (size_t i = 0; i < m; i++) {
      double mean = 0.0, variance = 0.0;
      for (size_t j = 0; j < width; j++) {
        mean += (double)x.v[i * width + j] / (double)width;
      }
      for (size_t j = 0; j < width; j++) {
        variance += pow((double)x.v[i * width + j] - mean, 2.0) / (double)width;
      }
      for (size_t j = 0; j < width; j++) {
        const double z = ((double)x.v[i * width + j] - mean) / sqrt(variance + 1e-5);
        assert_true(fabs(z * (double)gain.v[j] + (double)bias.v[j] - (double)want.v[i * width + j]) < 1e-4);
      }
    }
    for (size_t k = 1; row_at(k); k++) {
      pad got = copy(&y);
      row_at(k)->layer_norm(got.v, x.v, m, width, gain.v, bias.v);
      assert_same(row_at(k)->name, "layer_norm", width, &got, &want);
      pad in_place = copy(&x);
      row_at(k)->layer_norm(in_place.v, in_place.v, m, width, gain.v, bias.v);
      assert_int_equal(memcmp(in_place.v, want.v, m * width * sizeof(float)), 0);
      free(in_place.block);
      free(got.block);
    }
    free(x.block);
    free(gain.block);
    free(bias.block);
    free(y.block);
    free(want.block);
  }
}

static void lstm_cell(void **state) {
  (void)state;
  for (size_t size = 0; size < 50; size++) {
    pad gates = make(4 * size, size % 4), c = make(size, 1), h = make(size, 2);
    for (size_t i = 0; i < 4 * size; i++) {
      gates.v[i] *= 3.0f;
    }
    pad want_c = copy(&c), want_h = copy(&h);
    on_kernels_scalar()->lstm_cell(gates.v, want_c.v, want_h.v, size);
    for (size_t j = 0; j < size; j++) {
      const double in = 1.0 / (1.0 + exp(-(double)gates.v[j])), forget = 1.0 / (1.0 + exp(-(double)gates.v[size + j]));
      const double cell = forget * (double)c.v[j] + in * tanh((double)gates.v[2 * size + j]);
      assert_true(fabs(cell - (double)want_c.v[j]) < 1e-6 * (1.0 + fabs(cell)));
      const double out = 1.0 / (1.0 + exp(-(double)gates.v[3 * size + j]));
      assert_true(fabs(out * tanh(cell) - (double)want_h.v[j]) < 2e-6);
    }
    for (size_t k = 1; row_at(k); k++) {
      pad got_c = copy(&c), got_h = copy(&h);
      row_at(k)->lstm_cell(gates.v, got_c.v, got_h.v, size);
      assert_same(row_at(k)->name, "lstm cell state", size, &got_c, &want_c);
      assert_same(row_at(k)->name, "lstm output", size, &got_h, &want_h);
      free(got_c.block);
      free(got_h.block);
    }
    free(gates.block);
    free(c.block);
    free(h.block);
    free(want_c.block);
    free(want_h.block);
  }
}

static void argmax(void **state) {
  (void)state;
  enum { ROUNDS = 8 };
  for (size_t n = 1; n < 200; n++) {
    pad x = make(ROUNDS * n, n % 3);
    uint32_t want[ROUNDS];
    for (size_t round = 0; round < ROUNDS; round++) {
      float *const row = x.v + round * n;
      for (size_t i = 0; i < n; i++) {
        row[i] = (float)on_random_below(&rng, 12);  // many equal values
        if (round == 4) row[i] = row[i] < 6.0f ? -0.0f : row[i] > 10.0f ? 0.0f : -row[i];
      }
      if (round == 6) row[on_random_below(&rng, (uint32_t)n)] = NAN;
      if (round == 7) row[0] = NAN;
      if (round == 5) row[n - 1] = 100.0f;
      want[round] = 0;
      for (size_t i = 1; i < n; i++) {
        if (row[i] > row[want[round]]) want[round] = (uint32_t)i;
      }
      for (size_t k = 0; row_at(k); k++) {
        assert_int_equal(row_at(k)->argmax(row, n), want[round]);
      }
    }
    for (size_t k = 0; row_at(k); k++) {
      for (size_t m = 0; m <= ROUNDS; m++) {
        uint32_t got[ROUNDS + 1];
        memset(got, 0xA5, sizeof got);
        row_at(k)->argmax_rows(got, x.v, m, n);
        assert_memory_equal(got, want, m * sizeof *got);
        assert_int_equal(got[m], 0xA5A5A5A5u);
      }
    }
    free(x.block);
  }
}

static void table(void **state) {
  (void)state;
  assert_ptr_equal(row_at(0), on_kernels_scalar());
  size_t n = 0;
  bool best_listed = false;
  for (; row_at(n); n++) {
    best_listed |= row_at(n) == on_kernels_best();
    print_message("row %s\n", row_at(n)->name);
  }
  assert_true(best_listed && n >= 2);
}

static int seed(void **state) {
  (void)state;
  on_random_seed(&rng, 7);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),       cmocka_unit_test(quantized),
      cmocka_unit_test(packing),    cmocka_unit_test(linear),
      cmocka_unit_test(one_array),   cmocka_unit_test(add_and_dot), cmocka_unit_test(layer_norm),
      cmocka_unit_test(window),
      cmocka_unit_test(lstm_cell),   cmocka_unit_test(argmax),
  };
  return cmocka_run_group_tests(tests, seed, NULL);
}
