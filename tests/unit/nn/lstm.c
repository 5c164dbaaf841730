// The bidirectional LSTM of inference against its definition in double precision, on every row of kernels.
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "base/random.h"
#include "nn/lstm.h"

static on_random rng;

// Fills the parameters with random values that live in `arena`.
static void load(on_params *params, on_arena *arena) {
  for (size_t i = 0; i < params->n; i++) {
    on_param *p = params->list[i];
    float *data = ON_NEW(arena, float, on_param_count(p));
    assert_non_null(data);
    for (size_t j = 0; j < on_param_count(p); j++) {
      data[j] = 0.4f * on_random_normal(&rng);
    }
    p->type = ON_F32;
    p->data = (const uint8_t *)data;
  }
}

static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

static double at(const on_param *p, size_t row, size_t col) {
  return (double)((const float *)(const void *)p->data)[row * p->shape[1] + col];
}

static void define(const on_lstm *lstm, const float *x, size_t n, double *y) {
  const size_t size = lstm->size;
  double *in = malloc((n * (lstm->input + 2 * size) + 1) * sizeof *in), h[64], c[64], g[256];
  for (size_t i = 0; i < n * lstm->input; i++) {
    in[i] = (double)x[i];
  }
  size_t width = lstm->input;
  for (uint32_t k = 0; k < lstm->layers; k++) {
    for (size_t d = 0; d < 2; d++) {
      memset(h, 0, sizeof h);
      memset(c, 0, sizeof c);
      for (size_t t = 0; t < n; t++) {
        const size_t row = d == 0 ? t : n - 1 - t;
        for (size_t r = 0; r < 4 * size; r++) {
          g[r] = at(lstm->bias[k][d], r, 0);
          for (size_t j = 0; j < width; j++) {
            g[r] += at(lstm->weight_ih[k][d], r, j) * in[row * width + j];
          }
          for (size_t j = 0; j < size; j++) {
            g[r] += at(lstm->weight_hh[k][d], r, j) * h[j];
          }
        }
        for (size_t j = 0; j < size; j++) {
          c[j] = logistic(g[size + j]) * c[j] + logistic(g[j]) * tanh(g[2 * size + j]);
          h[j] = logistic(g[3 * size + j]) * tanh(c[j]);
          y[row * 2 * size + d * size + j] = h[j];
        }
      }
    }
    width = 2 * size;
    memcpy(in, y, n * width * sizeof *in);
  }
  free(in);
}

static void check(uint32_t layers, uint32_t input, uint32_t size, size_t n) {
  on_arena arena, scratch;
  on_arena_init(&arena, 0);
  on_arena_init(&scratch, 0);
  on_params params = {0};
  on_lstm lstm;
  assert_true(on_lstm_declare(&lstm, &params, &arena, layers, input, size));
  assert_int_equal(params.n, layers * 6);
  load(&params, &arena);
  assert_true(on_lstm_prepare(&lstm, &arena));
  const size_t outputs = n * 2 * size;
  float *x = malloc((n * input + 1) * sizeof *x), *y = malloc((outputs + 1) * sizeof *y);
  float *first = malloc((outputs + 1) * sizeof *first);
  double *want = malloc((outputs + 1) * sizeof *want);
  for (size_t i = 0; i < n * input; i++) {
    x[i] = on_random_normal(&rng);
  }
  define(&lstm, x, n, want);
  for (size_t k = 0; on_kernels_at(k); k++) {
    on_arena_reset(&scratch);
    assert_true(on_lstm_run(&lstm, on_kernels_at(k), &scratch, y, x, n));
    for (size_t i = 0; i < outputs; i++) {
      assert_true(fabs((double)y[i] - want[i]) < 2e-5);
    }
    if (k == 0) {
      memcpy(first, y, outputs * sizeof *y);
    }
    assert_int_equal(memcmp(first, y, outputs * sizeof *y), 0);
  }
  free(x);
  free(y);
  free(first);
  free(want);
  on_free(params.list);
  on_arena_free(&arena);
  on_arena_free(&scratch);
}

// An LSTM and room for `rows` rows.
typedef struct batch {
  on_lstm lstm;
  on_params params;
  on_arena arena, scratch;
  float *x, *y, *alone, *gates;
  const float **of;
} batch;

// Weights as floats, or as whole numbers with a scale a row.
static void load_batch(batch *b, uint32_t layers, uint32_t input, uint32_t size, bool whole, size_t rows) {
  *b = (batch){0};
  assert_true(on_lstm_declare(&b->lstm, &b->params, &b->arena, layers, input, size));
  load(&b->params, &b->arena);
  for (size_t i = 0; whole && i < b->params.n; i++) {
    on_param *p = b->params.list[i];
    if (p->rank < 2) {
      continue;
    }
    uint8_t *data = ON_NEW(&b->arena, uint8_t, on_param_count(p));
    float *scale = ON_NEW(&b->arena, float, p->shape[0]);
    for (size_t j = 0; j < on_param_count(p); j++) {
      data[j] = (uint8_t)on_random_u64(&rng);
    }
    for (size_t j = 0; j < p->shape[0]; j++) {
      scale[j] = 0.004f + 0.002f * on_random_unit(&rng);
    }
    p->type = ON_I8;
    p->data = data;
    p->scale = (const uint8_t *)scale;
  }
  assert_true(on_lstm_prepare(&b->lstm, &b->arena));
  b->x = ON_NEW(&b->arena, float, rows * input);
  b->y = ON_NEW(&b->arena, float, rows * 2 * size);
  b->alone = ON_NEW(&b->arena, float, rows * 2 * size);
  b->gates = ON_NEW(&b->arena, float, rows * 8 * size);
  b->of = ON_NEW(&b->arena, const float *, rows);
  for (size_t i = 0; i < rows * input; i++) {
    b->x[i] = on_random_normal(&rng);
  }
}

static void free_batch(batch *b) {
  on_free(b->params.list);
  on_arena_free(&b->arena);
  on_arena_free(&b->scratch);
}

// A batch of `count` sequences gives what each gives alone, bit by bit, from x and from gates that are there.
static void check_batch(batch *b, const on_kernels *kernels, const size_t *lengths, size_t count) {
  const size_t input = b->lstm.input, both = 2 * (size_t)b->lstm.size;
  size_t n = 0;
  for (size_t i = 0; i < count; n += lengths[i++]) {
    on_arena_reset(&b->scratch);
    assert_true(on_lstm_run(&b->lstm, kernels, &b->scratch, b->alone + n * both, b->x + n * input, lengths[i]));
  }
  on_arena_reset(&b->scratch);
  assert_true(on_lstm_run_many(&b->lstm, kernels, &b->scratch, b->y, b->x, lengths, count));
  assert_memory_equal(b->y, b->alone, n * both * sizeof(float));
  memset(b->y, 0xFF, n * both * sizeof(float));
  for (size_t t = 0; t < n; t++) {  // what is kept of a row: both directions' gates, and something before
    b->of[t] = b->gates + t * 4 * both;
    on_lstm_gates(&b->lstm, kernels, 0, b->gates + t * 4 * both, b->x + t * input, 1);
    on_lstm_gates(&b->lstm, kernels, 1, b->gates + t * 4 * both + 2 * both, b->x + t * input, 1);
  }
  assert_true(on_lstm_run_gates(&b->lstm, kernels, &b->scratch, b->y, b->of, 0, lengths, count));
  assert_memory_equal(b->y, b->alone, n * both * sizeof(float));
}

static void the_same_in_a_batch(void **state) {
  (void)state;
  enum { MOST = ON_LSTM_TOGETHER, LONGEST = 30 };
  static const uint32_t sizes[][3] = {{1, 5, 20}, {2, 12, 16}, {3, 7, 9}, {1, 40, 33}};
  for (int whole = 0; whole < 2; whole++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      batch b;
      load_batch(&b, sizes[s][0], sizes[s][1], sizes[s][2], whole, MOST * LONGEST);
      for (size_t k = 0; on_kernels_at(k); k++) {
        for (size_t count = 1; count <= MOST; count += 1 + count / 4) {
          size_t lengths[MOST];
          for (size_t i = 0; i < count; i++) {  // some are empty, some one row, some alike
            lengths[i] = on_random_below(&rng, i % 3 ? LONGEST + 1 : 3);
          }
          check_batch(&b, on_kernels_at(k), lengths, count);
        }
      }
      free_batch(&b);
    }
  }
}

static void runs(void **state) {
  (void)state;
  check(1, 3, 5, 7);
  check(2, 8, 16, 12);
  check(3, 5, 17, 4);
  check(4, 1, 1, 3);
  check(1, 4, 4, 1);
  check(2, 4, 4, 0);
}

static void names(void **state) {
  (void)state;
  on_arena arena;
  on_arena_init(&arena, 0);
  on_params params = {0};
  on_lstm lstm;
  assert_true(on_lstm_declare(&lstm, &params, &arena, 2, 6, 3));
  const struct {
    const char *name;
    unsigned rank;
    uint32_t rows, cols;
  } wanted[] = {
      {"lstm.weight_ih_l0", 2, 12, 6},         {"lstm.weight_hh_l0", 2, 12, 3},         {"lstm.bias_l0", 1, 12, 1},
      {"lstm.weight_ih_l0_reverse", 2, 12, 6}, {"lstm.weight_hh_l0_reverse", 2, 12, 3}, {"lstm.bias_l0_reverse", 1, 12, 1},
      {"lstm.weight_ih_l1", 2, 12, 6},         {"lstm.weight_hh_l1", 2, 12, 3},         {"lstm.bias_l1", 1, 12, 1},
      {"lstm.weight_ih_l1_reverse", 2, 12, 6}, {"lstm.weight_hh_l1_reverse", 2, 12, 3}, {"lstm.bias_l1_reverse", 1, 12, 1},
  };
  for (size_t i = 0; i < 12; i++) {
    const on_param *p = params.list[i];
    assert_string_equal(p->name, wanted[i].name);
    assert_true(p->rank == wanted[i].rank && p->shape[0] == wanted[i].rows && p->shape[1] == wanted[i].cols);
  }
  assert_false(on_lstm_declare(&lstm, &params, &arena, 5, 6, 3));
  on_free(params.list);
  on_arena_free(&arena);
}

static void failed_allocations_are_errors(void **state) {
  (void)state;
  on_arena arena, scratch;
  on_arena_init(&arena, 0);
  on_params params = {0};
  on_lstm lstm;
  assert_true(on_lstm_declare(&lstm, &params, &arena, 2, 6, 3));
  load(&params, &arena);
  assert_true(on_lstm_prepare(&lstm, &arena));
  float x[60] = {0.0f}, y[60];
  on_arena_init(&scratch, 16);
  on_alloc_fail_at(1, 1);
  assert_false(on_lstm_run(&lstm, on_kernels_best(), &scratch, y, x, 10));
  on_alloc_fail_at(0, 0);
  on_arena_reset(&scratch);
  assert_true(on_lstm_run(&lstm, on_kernels_best(), &scratch, y, x, 10));
  on_arena_reset(&scratch);
  assert_false(on_lstm_run(&lstm, on_kernels_best(), &scratch, y, x, SIZE_MAX / 64));
  on_free(params.list);
  on_arena_free(&arena);
  on_arena_free(&scratch);
}

static int seed(void **state) {
  (void)state;
  on_random_seed(&rng, 5);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs),
      cmocka_unit_test(the_same_in_a_batch),
      cmocka_unit_test(names),
      cmocka_unit_test(failed_allocations_are_errors),
  };
  return cmocka_run_group_tests(tests, seed, NULL);
}
