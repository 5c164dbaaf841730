// Prints a hash of what each row of kernels computes from fixed inputs: "<row> <hash>" a line. All rows
// on all machines must print the same hash; tests/js/bits.test.mjs compares this program as a
// native one and as a WebAssembly module. Exits with 1 where the rows differ among themselves.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "nn/lstm.h"
#include "nn/math.h"

enum { MOST = 4096 };

typedef struct bits {
  on_random random;
  uint64_t hash;
} bits;

static void add(bits *b, const float *v, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t u;
    memcpy(&u, &v[i], sizeof u);
    u = v[i] == v[i] ? u : 0x7FC00000u;  // one NaN is as good as another
    b->hash = (b->hash ^ u) * 0x100000001B3u;
  }
}

static void uniform(bits *b, float *v, size_t n, float scale) {
  for (size_t i = 0; i < n; i++) {
    v[i] = (on_random_unit(&b->random) * 2.0f - 1.0f) * scale;
  }
}

static void hash_linear(bits *b, const on_kernels *kernels, size_t m, size_t rows, size_t cols, size_t ldx) {
  static float x[MOST], y[MOST], bias[MOST], row[MOST], packed[4 * MOST];
  memset(packed, 0, on_packed_floats(rows, cols) * sizeof *packed);
  for (size_t r = 0; r < rows; r++) {
    uniform(b, row, cols, 1.0f);
    on_pack_row(packed, cols, r, row);
  }
  uniform(b, x, m * (ldx > cols ? ldx : cols) + cols, 1.0f);
  uniform(b, bias, rows, 1.0f);
  const on_packed w = {.data = packed, .rows = (uint32_t)rows, .cols = (uint32_t)cols};
  kernels->linear(y, rows, x, ldx, m, &w, bias, false);
  add(b, y, m * rows);
  kernels->linear(y, rows, x, ldx, m, &w, NULL, true);
  add(b, y, m * rows);
  kernels->linear(y, rows, x, ldx, m, &w, NULL, false);
  add(b, y, m * rows);
}

static void hash_quantized(bits *b, const on_kernels *kernels, size_t m, size_t rows, size_t cols) {
  static float x[MOST], y[MOST], bias[MOST], scale[MOST];
  static int8_t packed[16 * MOST];
  static int16_t wide[16 * MOST];
  static uint8_t row[MOST];
  memset(packed, 0, on_packed_floats(rows, ON_QUAD * on_quads(cols)));
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = 0; c < cols; c++) {
      row[c] = (uint8_t)on_random_u64(&b->random);
    }
    on_pack_quantized_row(packed, cols, r, row);
  }
  uniform(b, x, m * cols, 3.0f);
  uniform(b, bias, rows, 1.0f);
  uniform(b, scale, on_packed_floats(rows, 1), 0.01f);
  const on_packed w = {.rows = (uint32_t)rows, .cols = (uint32_t)cols, .q = packed, .wide = wide, .scale = scale};
  on_widen(wide, packed, rows, cols);
  on_linear(kernels, y, rows, x, cols, m, &w, bias, false);
  add(b, y, m * rows);
  on_linear(kernels, y, rows, x, cols, m, &w, NULL, true);
  add(b, y, m * rows);
}

static void hash_arrays(bits *b, const on_kernels *kernels, size_t n) {
  static float v[MOST], y[MOST], gain[MOST], c[MOST], h[MOST];
  void (*const functions[])(float *, size_t) = {kernels->relu, kernels->gelu, kernels->tanh, kernels->sigmoid,
                                                kernels->exp};
  for (int any = 0; any < 2; any++) {
    uniform(b, v, n, 12.0f);
    for (size_t i = 0; any && i < n; i++) {
      const uint32_t draw = (uint32_t)on_random_u64(&b->random);
      memcpy(&v[i], &draw, sizeof draw);
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
      memcpy(y, v, n * sizeof *y);
      functions[f](y, n);
      add(b, y, n);
    }
  }
  uniform(b, v, n, 3.0f);
  uniform(b, y, n, 3.0f);
  uniform(b, gain, n, 1.0f);
  kernels->add(y, v, n);
  add(b, y, n);
  const float dot = kernels->dot(y, v, n), most = (float)kernels->argmax(v, n);
  add(b, &dot, 1);
  add(b, &most, 1);
  static uint32_t best[MOST];
  kernels->argmax_rows(best, y, n / 5, 5);
  for (size_t i = 0; i < n / 5; i++) {
    const float at = (float)best[i];
    add(b, &at, 1);
  }
  kernels->layer_norm(y, v, 1, n, gain, y);
  add(b, y, n);
  for (int relu = 0; relu < 2; relu++) {
    static float out[MOST];
    const size_t width = n / 4;
    const float *const of[] = {v, gain, y, gain}, zeros[MOST] = {0.0f};
    const on_layer_end end = {y, gain, v, relu};
    kernels->window(out, of, zeros, 4, width, &end);
    add(b, out, 4 * width);
  }
  uniform(b, c, n / 4, 2.0f);
  kernels->lstm_cell(v, c, h, n / 4);
  add(b, c, n / 4);
  add(b, h, n / 4);
}

static void hash_logarithms(bits *b) {
  float v[256];
  uniform(b, v, 256, 1.0f);
  for (size_t i = 0; i < 256; i++) {
    v[i] = on_log(v[i] * v[i] * 1e4f + 1e-6f);
  }
  add(b, v, 256);
}

static bool hash_lstm(bits *b, const on_kernels *kernels) {
  on_arena arena;
  on_arena_init(&arena, 0);
  on_params params = {0};
  on_lstm lstm;
  bool ok = on_lstm_declare(&lstm, &params, &arena, 2, 20, 16);
  for (size_t i = 0; ok && i < params.n; i++) {
    const size_t n = on_param_count(params.list[i]);
    float *data = ON_NEW(&arena, float, n);
    ok = data != NULL;
    if (ok) {
      uniform(b, data, n, 0.5f);
      params.list[i]->data = (const uint8_t *)data;
    }
  }
  static float x[40 * 20], y[40 * 32];
  uniform(b, x, 40 * 20, 2.0f);
  ok = ok && on_lstm_prepare(&lstm, &arena) && on_lstm_run(&lstm, kernels, &arena, y, x, 40);
  if (ok) {
    add(b, y, 40 * 32);
  }
  on_free(params.list);
  on_arena_free(&arena);
  return ok;
}

int main(void) {
  uint64_t first = 0;
  for (size_t i = 0; on_kernels_at(i); i++) {
    const on_kernels *kernels = on_kernels_at(i);
    bits b = {.hash = 0xCBF29CE484222325u};
    on_random_seed(&b.random, 2026);
    for (size_t n = 1; n < 80; n++) {
      hash_arrays(&b, kernels, n);
    }
    hash_arrays(&b, kernels, MOST);
    for (size_t n = 1; n < 60; n++) {
      hash_linear(&b, kernels, n % 7, n, (n * 7) % 50, n % 3 == 0 ? n / 2 : (n * 7) % 50);
    }
    hash_linear(&b, kernels, 5, 300, 37, 40);
    for (size_t n = 1; n < 36; n++) {
      hash_linear(&b, kernels, 60 + n, n, (n * 7) % 41, (n * 7) % 41 + n % 3);  // few outputs of many rows
    }
    hash_linear(&b, kernels, 64, 17, 62, 62);
    for (size_t n = 1; n < 60; n++) {
      hash_quantized(&b, kernels, n % 11, n, (n * 7) % 50);
    }
    for (size_t n = 0; n < 36; n++) {
      hash_quantized(&b, kernels, n % 9, 1, n);
    }
    hash_quantized(&b, kernels, 9, 300, 133);
    hash_logarithms(&b);
    if (!hash_lstm(&b, kernels)) {
      return 1;
    }
    printf("%s %016" PRIx64 "\n", kernels->name, b.hash);
    if (i > 0 && b.hash != first) {
      return 1;
    }
    first = b.hash;
  }
  return 0;
}
