/* A layer of a transformer: its forward against a plain definition in double precision, its gradients against finite
 * differences of that definition. */
#include <math.h>

#include "base/random.h"
#include "test.h"
#include "train/transformer_block.h"

enum { WIDTH = 8, HEADS = 2, INNER = 6, ROWS = 9, PARAMS = 12, MOST = 3 * WIDTH * WIDTH };
static const uint32_t starts[] = {0, 5, 6, 6, 9};  /* four sequences, one of them empty */
enum { SEQUENCES = 4, LONGEST = 5, HALF = WIDTH / HEADS / 2 };

typedef struct fixture {
  on_train_block_shape shape;
  size_t sizes[PARAMS];
  float params[PARAMS][MOST], x[ROWS * WIDTH], weight[ROWS * WIDTH], masks[2][ROWS * WIDTH];
  float cos[LONGEST * HALF], sin[LONGEST * HALF];
  bool first;   /* without the first normalization */
  bool biases, dropout;
} fixture;

static on_train_block_params pointers(float (*p)[MOST], const fixture *f) {
  on_train_block_params out = {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]};
  if (!f->biases) out.qkv_bias = out.out_bias = out.up_bias = out.down_bias = NULL;
  if (!f->biases) out.attention_bias = out.feed_bias = NULL;
  if (f->first) out.attention_gain = out.attention_bias = NULL;
  return out;
}

static void fill(fixture *f, bool prenorm, size_t window, bool first, bool biases, bool dropout) {
  const size_t up = (prenorm ? 2 : 1) * INNER;
  const size_t sizes[PARAMS] = {3 * WIDTH * WIDTH, 3 * WIDTH, WIDTH * WIDTH, WIDTH, up * WIDTH, up,
                                WIDTH * INNER,     WIDTH,     WIDTH,         WIDTH, WIDTH,      WIDTH};
  on_random random;
  on_random_seed(&random, 5);
  memset(f, 0, sizeof *f);
  f->shape = (on_train_block_shape){WIDTH, HEADS, INNER, prenorm, window, 1e-3f, NULL, NULL};
  f->first = first;
  f->biases = biases;
  f->dropout = dropout;
  memcpy(f->sizes, sizes, sizeof sizes);
  for (size_t p = 0; p < PARAMS; p++) {
    const float centre = p == 8 || p == 10 ? 1.0f : 0.0f;
    for (size_t i = 0; i < sizes[p]; i++) f->params[p][i] = centre + 0.4f * on_random_normal(&random);
  }
  for (size_t i = 0; i < ROWS * WIDTH; i++) {
    f->x[i] = on_random_normal(&random);
    f->weight[i] = on_random_normal(&random);
    for (size_t k = 0; k < 2; k++) f->masks[k][i] = on_random_unit(&random) < 0.25f ? 0.0f : 1.0f / 0.75f;
  }
  for (size_t i = 0; i < LONGEST * HALF; i++) {
    const float angle = (float)(i / HALF) * (i % HALF ? 0.1f : 1.0f);
    f->cos[i] = cosf(angle);
    f->sin[i] = sinf(angle);
  }
  if (prenorm) f->shape.cos = f->cos;
  if (prenorm) f->shape.sin = f->sin;
}

/* --- the definition --- */

static void norm(const fixture *f, double *y, const double *x, const float *gain, const float *bias) {
  double mean = 0, square = 0;
  for (size_t j = 0; j < WIDTH; j++) mean += x[j] / WIDTH;
  for (size_t j = 0; j < WIDTH; j++) square += (x[j] - mean) * (x[j] - mean) / WIDTH;
  for (size_t j = 0; j < WIDTH; j++) {
    y[j] = (x[j] - mean) / sqrt(square + (double)f->shape.epsilon) * (double)gain[j] + (bias ? (double)bias[j] : 0);
  }
}

static void linear(double *y, const double *x, const float *w, const float *b, size_t rows, size_t cols) {
  for (size_t r = 0; r < rows; r++) {
    y[r] = b ? (double)b[r] : 0;
    for (size_t c = 0; c < cols; c++) y[r] += (double)w[r * cols + c] * x[c];
  }
}

static double gelu(double x) { return x * 0.5 * (1 + erf(x / sqrt(2))); }

/* The sum of weight * y over all rows; y itself where it is asked for. */
static double definition(const fixture *f, double *all) {
  float copy[PARAMS][MOST];
  memcpy(copy, f->params, sizeof copy);
  const on_train_block_params p = pointers(copy, f);
  enum { SIZE = WIDTH / HEADS };
  static double qkv[ROWS][3 * WIDTH];
  double loss = 0;
  for (size_t i = 0, s = 0; i < ROWS; i++) {
    double in[WIDTH];
    while (i >= starts[s + 1]) s++;
    for (size_t j = 0; j < WIDTH; j++) in[j] = (double)f->x[i * WIDTH + j];
    if (f->shape.prenorm && p.attention_gain) norm(f, in, in, p.attention_gain, p.attention_bias);
    linear(qkv[i], in, p.qkv, p.qkv_bias, 3 * WIDTH, WIDTH);
    for (size_t h = 0; f->shape.cos && h < 2 * HEADS; h++) {
      for (size_t k = 0; k < HALF; k++) {
        double *a = &qkv[i][h * SIZE + k], *b = a + HALF, old = *a;
        const double c = (double)f->cos[(i - starts[s]) * HALF + k], d = (double)f->sin[(i - starts[s]) * HALF + k];
        *a = old * c - *b * d;
        *b = *b * c + old * d;
      }
    }
  }
  for (size_t i = 0, s = 0; i < ROWS; i++) {
    double context[WIDTH] = {0}, middle[WIDTH], feed[WIDTH], up[2 * INNER], down[WIDTH], y[WIDTH];
    while (i >= starts[s + 1]) s++;
    for (size_t h = 0; h < HEADS; h++) {
      double share[ROWS] = {0}, sum = 0;
      for (size_t k = starts[s]; k < starts[s + 1]; k++) {
        if (f->shape.window && (k > i ? k - i : i - k) > f->shape.window) continue;
        double score = 0;
        for (size_t d = 0; d < SIZE; d++) score += qkv[i][h * SIZE + d] * qkv[k][WIDTH + h * SIZE + d];
        sum += share[k] = exp(score / sqrt(SIZE));
      }
      for (size_t k = 0; k < ROWS; k++) {
        for (size_t d = 0; d < SIZE; d++) context[h * SIZE + d] += share[k] / sum * qkv[k][2 * WIDTH + h * SIZE + d];
      }
    }
    linear(middle, context, p.out, p.out_bias, WIDTH, WIDTH);
    for (size_t j = 0; j < WIDTH; j++) {
      if (f->dropout) middle[j] *= (double)f->masks[0][i * WIDTH + j];
      middle[j] += (double)f->x[i * WIDTH + j];
    }
    if (f->shape.prenorm) norm(f, feed, middle, p.feed_gain, p.feed_bias);
    else norm(f, feed, middle, p.attention_gain, p.attention_bias);
    linear(up, feed, p.up, p.up_bias, (f->shape.prenorm ? 2 : 1) * INNER, WIDTH);
    for (size_t k = 0; k < INNER; k++) up[k] = gelu(up[k]) * (f->shape.prenorm ? up[INNER + k] : 1);
    linear(down, up, p.down, p.down_bias, WIDTH, INNER);
    for (size_t j = 0; j < WIDTH; j++) {
      if (f->dropout) down[j] *= (double)f->masks[1][i * WIDTH + j];
      y[j] = down[j] + (f->shape.prenorm ? middle[j] : feed[j]);
    }
    if (!f->shape.prenorm) norm(f, y, y, p.feed_gain, p.feed_bias);
    for (size_t j = 0; j < WIDTH; j++) {
      loss += (double)f->weight[i * WIDTH + j] * y[j];
      if (all) all[i * WIDTH + j] = y[j];
    }
  }
  return loss;
}

static void check_value(const char *name, size_t i, fixture *f, float *value, float got) {
  const float kept = *value, step = 1e-3f;
  *value = kept + step;
  const float above = *value;
  const double high = definition(f, NULL);
  *value = kept - step;
  const double low = definition(f, NULL), expected = (high - low) / ((double)above - (double)*value);
  *value = kept;
  if (fabs(expected - (double)got) > 2e-4 + 2e-3 * fabs(expected)) {
    fail_msg("%s[%zu]: gradient %g, finite difference %g", name, i, (double)got, expected);
  }
}

static void check(bool prenorm, size_t window, bool first, bool biases, bool dropout) {
  static const char *const names[] = {"qkv",  "qkv_bias",  "out",            "out_bias",       "up",        "up_bias",
                                      "down", "down_bias", "attention_gain", "attention_bias", "feed_gain", "feed_bias"};
  static fixture f;
  static float grads[PARAMS][MOST];
  static double expected[ROWS * WIDTH];
  on_arena arena = {0};
  float y[ROWS * WIDTH], dx[ROWS * WIDTH] = {0};
  fill(&f, prenorm, window, first, biases, dropout);
  memset(grads, 0, sizeof grads);
  const on_train_block_params p = pointers(f.params, &f), g = pointers(grads, &f);
  on_train_block *block = on_train_block_forward(&f.shape, &p, &arena, y, f.x, starts, SEQUENCES,
                                                 dropout ? f.masks[0] : NULL, dropout ? f.masks[1] : NULL);
  assert_non_null(block);
  definition(&f, expected);
  for (size_t i = 0; i < ROWS * WIDTH; i++) {
    if (fabs((double)y[i] - expected[i]) > 1e-5) fail_msg("y[%zu] is %g, not %g", i, (double)y[i], expected[i]);
  }
  assert_true(on_train_block_backward(block, &p, &g, &arena, dx, f.weight));
  for (size_t i = 0; i < ROWS * WIDTH; i++) check_value("x", i, &f, &f.x[i], dx[i]);
  float *const used[] = {p.qkv,  p.qkv_bias,  p.out,            p.out_bias,       p.up,        p.up_bias,
                         p.down, p.down_bias, p.attention_gain, p.attention_bias, p.feed_gain, p.feed_bias};
  for (size_t k = 0; k < PARAMS; k++) {
    for (size_t i = 0; used[k] && i < f.sizes[k]; i++) check_value(names[k], i, &f, &f.params[k][i], grads[k][i]);
  }
  /* Frozen: without dx and gradients nothing is written, and nothing fails. */
  const on_train_block_params none = {0};
  assert_true(on_train_block_backward(block, &p, &none, &arena, NULL, f.weight));
  on_arena_free(&arena);
}

static void postnorm(void **state) {
  (void)state;
  check(false, 0, false, true, false);
  check(false, 0, false, true, true);
  check(false, 1, false, false, false);
}

static void prenorm(void **state) {
  (void)state;
  check(true, 0, false, false, false);
  check(true, 2, false, true, true);
  check(true, 1, true, false, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(postnorm),
      cmocka_unit_test(prenorm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
