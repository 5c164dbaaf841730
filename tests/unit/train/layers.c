// The training layers: forward against plain definitions in double precision, backward against finite
// differences of those definitions.
#include "test.h"

#include <math.h>

#include "base/random.h"
#include "train/layers.h"

// ---- the checker

enum { MAX_BLOCKS = 8 };

// Inputs of a layer: values, and the gradient that the layer's backward wrote.
typedef struct block {
  const char *name;
  size_t n;
  float *value, *grad;
} block;

typedef struct model {
  block in[MAX_BLOCKS];
  size_t count, outputs;
  const float *y, *dy;  // what forward gave, and the gradient that backward was given
  // The definition: writes y[outputs] from the inputs.
  void (*define)(const void *shape, const double *const *in, double *y);
  const void *shape;
} model;

static on_random rng;

static float *randoms(size_t n, float scale) {
  float *v = malloc((n + 1) * sizeof *v);
  assert_non_null(v);
  for (size_t i = 0; i < n; i++) {
    v[i] = scale * on_random_normal(&rng);
  }
  return v;
}

static float *zeros(size_t n) {
  float *v = calloc(n + 1, sizeof *v);
  assert_non_null(v);
  return v;
}

// Gradients start from something: "+=" must not overwrite it.
static const float already = 0.25f;

static void add_input(model *m, const char *name, size_t n, float scale) {
  block *b = &m->in[m->count++];
  *b = (block){name, n, randoms(n, scale), zeros(n)};
  for (size_t i = 0; i < n; i++) {
    b->grad[i] = already;
  }
}

static double objective(const model *m, double *const *in, double *y) {
  const double *view[MAX_BLOCKS];
  for (size_t b = 0; b < m->count; b++) {
    view[b] = in[b];
  }
  m->define(m->shape, view, y);
  double sum = 0.0;
  for (size_t i = 0; i < m->outputs; i++) {
    sum += (double)m->dy[i] * y[i];
  }
  return sum;
}

static void check(const model *m, double tolerance) {
  double *in[MAX_BLOCKS], *y = malloc(m->outputs * sizeof *y);
  for (size_t b = 0; b < m->count; b++) {
    in[b] = malloc((m->in[b].n + 1) * sizeof **in);
    for (size_t i = 0; i < m->in[b].n; i++) {
      in[b][i] = (double)m->in[b].value[i];
    }
  }
  objective(m, in, y);
  for (size_t i = 0; i < m->outputs; i++) {
    if (!(fabs(y[i] - (double)m->y[i]) <= tolerance * (1.0 + fabs(y[i])))) {
      fail_msg("output %zu is %g, not %g", i, (double)m->y[i], y[i]);
    }
  }
  for (size_t b = 0; b < m->count; b++) {
    for (size_t i = 0; i < m->in[b].n; i++) {
      const double h = 1e-5, was = in[b][i];
      in[b][i] = was + h;
      const double up = objective(m, in, y);
      in[b][i] = was - h;
      const double down = objective(m, in, y);
      in[b][i] = was;
      const double want = (up - down) / (2.0 * h), got = (double)m->in[b].grad[i] - (double)already;
      if (!(fabs(want - got) <= tolerance * (1.0 + fabs(want)))) {
        fail_msg("gradient of %s[%zu] is %g, not %g", m->in[b].name, i, got, want);
      }
    }
  }
  for (size_t b = 0; b < m->count; b++) {
    free(in[b]);
  }
  free(y);
}

static void release(model *m) {
  for (size_t b = 0; b < m->count; b++) {
    free(m->in[b].value);
    free(m->in[b].grad);
  }
}

typedef struct sizes {
  size_t m, rows, cols;
} sizes;

// ---- linear

static void define_linear(const void *shape, const double *const *in, double *y) {
  const sizes *s = shape;
  for (size_t i = 0; i < s->m; i++) {
    for (size_t r = 0; r < s->rows; r++) {
      double sum = in[2][r];
      for (size_t c = 0; c < s->cols; c++) {
        sum += in[0][i * s->cols + c] * in[1][r * s->cols + c];
      }
      y[i * s->rows + r] = sum;
    }
  }
}

static void linear(void **state) {
  (void)state;
  const sizes shapes[] = {{1, 1, 1}, {3, 5, 7}, {13, 5, 33}, {14, 35, 3}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const sizes *s = &shapes[i];
    model m = {.outputs = s->m * s->rows, .define = define_linear, .shape = s};
    add_input(&m, "x", s->m * s->cols, 1.0f);
    add_input(&m, "w", s->rows * s->cols, 1.0f);
    add_input(&m, "b", s->rows, 1.0f);
    float *y = zeros(m.outputs), *dy = randoms(m.outputs, 1.0f);
    on_train_linear_forward(y, s->rows, m.in[0].value, s->cols, m.in[1].value, m.in[2].value, s->m, s->rows, s->cols);
    on_train_linear_backward(m.in[0].grad, s->cols, m.in[1].grad, m.in[2].grad, dy, s->rows, m.in[0].value, s->cols,
                             m.in[1].value, s->m, s->rows, s->cols);
    m.y = y;
    m.dy = dy;
    check(&m, 1e-4);
    release(&m);
    free(y);
    free(dy);
  }
}

// ---- window

static const uint32_t starts[] = {0, 4, 4, 5, 12, 15};
enum { SEQUENCES = 5, ROWS = 15 };

static void define_window(const void *shape, const double *const *in, double *y) {
  const size_t w = *(const size_t *)shape;
  for (size_t s = 0; s < SEQUENCES; s++) {
    for (int64_t i = starts[s]; i < starts[s + 1]; i++) {
      for (int64_t o = -1; o <= 1; o++) {
        for (size_t j = 0; j < w; j++) {
          const bool inside = i + o >= starts[s] && i + o < starts[s + 1];
          y[(size_t)i * 3 * w + (size_t)(o + 1) * w + j] = inside ? in[0][(size_t)(i + o) * w + j] : 0.0;
        }
      }
    }
  }
}

static void window(void **state) {
  (void)state;
  const size_t width = 5;
  model m = {.outputs = ROWS * 3 * width, .define = define_window, .shape = &width};
  add_input(&m, "x", ROWS * width, 1.0f);
  float *y = randoms(m.outputs, 1.0f), *dy = randoms(m.outputs, 1.0f);
  on_train_window_forward(y, m.in[0].value, starts, SEQUENCES, width);
  on_train_window_backward(m.in[0].grad, dy, starts, SEQUENCES, width);
  m.y = y;
  m.dy = dy;
  check(&m, 1e-4);
  release(&m);
  free(y);
  free(dy);
}

// ---- layer normalization

static void define_norm(const void *shape, const double *const *in, double *y) {
  const sizes *s = shape;
  for (size_t i = 0; i < s->m; i++) {
    const double *x = in[0] + i * s->cols;
    double mean = 0.0, variance = 0.0;
    for (size_t j = 0; j < s->cols; j++) {
      mean += x[j] / (double)s->cols;
    }
    for (size_t j = 0; j < s->cols; j++) {
      variance += (x[j] - mean) * (x[j] - mean) / (double)s->cols;
    }
    for (size_t j = 0; j < s->cols; j++) {
      y[i * s->cols + j] = (x[j] - mean) / sqrt(variance + 1e-5) * in[1][j] + in[2][j];
    }
  }
}

static void layer_norm(void **state) {
  (void)state;
  const size_t widths[] = {2, 15, 16, 37};
  for (size_t i = 0; i < 4; i++) {
    const sizes s = {3, 0, widths[i]};
    model m = {.outputs = s.m * s.cols, .define = define_norm, .shape = &s};
    add_input(&m, "x", m.outputs, 2.0f);
    add_input(&m, "gain", s.cols, 1.0f);
    add_input(&m, "bias", s.cols, 1.0f);
    float *y = zeros(m.outputs), *dy = randoms(m.outputs, 1.0f), mean[3], rstd[3];
    on_train_layer_norm_forward(y, mean, rstd, m.in[0].value, m.in[1].value, m.in[2].value, s.m, s.cols, 1e-5f);
    on_train_layer_norm_backward(m.in[0].grad, m.in[1].grad, m.in[2].grad, dy, m.in[0].value, mean, rstd,
                                 m.in[1].value, s.m, s.cols);
    m.y = y;
    m.dy = dy;
    check(&m, 1e-3);
    release(&m);
    free(y);
    free(dy);
  }
}

// ---- activations (backward overwrites: the expected start value is added by hand)

static void define_gelu(const void *shape, const double *const *in, double *y) {
  for (size_t i = 0; i < *(const size_t *)shape; i++) {
    y[i] = 0.5 * in[0][i] * (1.0 + erf(in[0][i] / sqrt(2.0)));
  }
}

static void define_relu(const void *shape, const double *const *in, double *y) {
  for (size_t i = 0; i < *(const size_t *)shape; i++) {
    y[i] = in[0][i] > 0.0 ? in[0][i] : 0.0;
  }
}

static void activations(void **state) {
  (void)state;
  const size_t n = 301;
  for (int kind = 0; kind < 2; kind++) {
    model m = {.outputs = n, .shape = &n};
    add_input(&m, "x", n, 2.0f);
    float *x = m.in[0].value, *y = zeros(n), *dy = randoms(n, 1.0f), *dx = m.in[0].grad;
    if (kind == 0) {
      m.define = define_gelu;
      x[0] = 0.0f;
      x[1] = 30.0f;
      x[2] = -30.0f;
      on_train_gelu_forward(y, x, n);
      on_train_gelu_backward(dx, dy, x, n);
    } else {
      m.define = define_relu;
      on_train_relu_forward(y, x, n);
      on_train_relu_backward(dx, dy, y, n);
    }
    for (size_t i = 0; i < n; i++) {
      dx[i] += already;
    }
    m.y = y;
    m.dy = dy;
    check(&m, 1e-5);
    release(&m);
    free(y);
    free(dy);
  }
}

// ---- LSTM

typedef struct lstm_shape {
  size_t count, input, size;
  const uint32_t *starts;
  const float *mask;  // [2][count][size] or NULL
} lstm_shape;

static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

// Inputs: x, then for each direction ih, hh, b.
static void define_lstm(const void *shape, const double *const *in, double *y) {
  const lstm_shape *s = shape;
  const size_t size = s->size;
  double h[32], c[32], g[128];
  for (size_t d = 0; d < 2; d++) {
    const double *ih = in[1 + 3 * d], *hh = in[2 + 3 * d], *b = in[3 + 3 * d];
    for (size_t q = 0; q < s->count; q++) {
      memset(h, 0, sizeof h);
      memset(c, 0, sizeof c);
      const size_t n = s->starts[q + 1] - s->starts[q];
      for (size_t t = 0; t < n; t++) {
        const size_t row = s->starts[q] + (d == 0 ? t : n - 1 - t);
        for (size_t r = 0; r < 4 * size; r++) {
          g[r] = b[r];
          for (size_t j = 0; j < s->input; j++) {
            g[r] += ih[r * s->input + j] * in[0][row * s->input + j];
          }
          for (size_t j = 0; j < size; j++) {
            g[r] += hh[r * size + j] * h[j] * (s->mask ? (double)s->mask[(d * s->count + q) * size + j] : 1.0);
          }
        }
        for (size_t j = 0; j < size; j++) {
          c[j] = logistic(g[size + j]) * c[j] + logistic(g[j]) * tanh(g[2 * size + j]);
        }
        for (size_t j = 0; j < size; j++) {
          h[j] = logistic(g[3 * size + j]) * tanh(c[j]);
          y[row * 2 * size + d * size + j] = h[j];
        }
      }
    }
  }
}

static void check_lstm(const lstm_shape *s) {
  const size_t rows = s->starts[s->count];
  model m = {.outputs = rows * 2 * s->size, .define = define_lstm, .shape = s};
  add_input(&m, "x", rows * s->input, 1.0f);
  for (int d = 0; d < 2; d++) {
    add_input(&m, d ? "ih backward" : "ih", 4 * s->size * s->input, 0.5f);
    add_input(&m, d ? "hh backward" : "hh", 4 * s->size * s->size, 0.5f);
    add_input(&m, d ? "b backward" : "b", 4 * s->size, 0.5f);
  }
  const on_train_lstm_weights w = {{m.in[1].value, m.in[4].value},
                                   {m.in[2].value, m.in[5].value},
                                   {m.in[3].value, m.in[6].value}};
  const on_train_lstm_grads g = {{m.in[1].grad, m.in[4].grad},
                                 {m.in[2].grad, m.in[5].grad},
                                 {m.in[3].grad, m.in[6].grad}};
  float *y = randoms(m.outputs, 1.0f), *dy = randoms(m.outputs, 1.0f);
  on_arena arena, scratch;
  on_arena_init(&arena, 0);
  on_arena_init(&scratch, 0);
  on_train_lstm lstm;
  assert_true(on_train_lstm_forward(&lstm, &arena, y, m.in[0].value, s->starts, s->count, s->input, s->size, &w,
                                    s->mask));
  assert_true(on_train_lstm_backward(&lstm, &scratch, m.in[0].grad, &g, dy, &w));
  m.y = y;
  m.dy = dy;
  check(&m, 2e-4);
  on_arena_free(&arena);
  on_arena_free(&scratch);
  release(&m);
  free(y);
  free(dy);
}

static void lstm(void **state) {
  (void)state;
  check_lstm(&(lstm_shape){SEQUENCES, 3, 5, starts, NULL});
  const uint32_t one[] = {0, 6}, single[] = {0, 1}, none[] = {0, 0};
  check_lstm(&(lstm_shape){1, 4, 9, one, NULL});
  check_lstm(&(lstm_shape){1, 1, 1, single, NULL});
  check_lstm(&(lstm_shape){1, 2, 3, none, NULL});
  const uint32_t many[] = {0, 3, 5, 8, 10, 11, 14};
  float *mask = zeros(2 * 6 * 4);
  on_train_dropout_mask(mask, 2 * 6 * 4, 0.4f, &rng);
  check_lstm(&(lstm_shape){6, 3, 4, many, mask});
  check_lstm(&(lstm_shape){1, 3, 4, one, mask});
  free(mask);
}

// ---- losses

typedef struct entropy_shape {
  size_t m, n;
  const int32_t *target;
  const float *rows;  // NULL, or how many times each counts
  double smoothing;
} entropy_shape;

// One output, the sum of the losses.
static void define_entropy(const void *shape, const double *const *in, double *y) {
  const entropy_shape *s = shape;
  *y = 0.0;
  for (size_t i = 0; i < s->m; i++) {
    const double *x = in[0] + i * s->n;
    double total = 0.0;
    for (size_t j = 0; j < s->n; j++) {
      total += exp(x[j]);
    }
    for (size_t j = 0; s->target[i] >= 0 && j < s->n; j++) {
      const double wanted = (j == (size_t)s->target[i] ? 1.0 - s->smoothing : 0.0) + s->smoothing / (double)s->n;
      *y -= (s->rows ? (double)s->rows[i] : 1.0) * wanted * (x[j] - log(total));
    }
  }
}

static void check_entropy(const float *rows, float smoothing, float scale) {
  const int32_t target[] = {2, -1, 0, 3};
  const entropy_shape s = {4, 300, target, rows, (double)smoothing};
  model m = {.outputs = 1, .define = define_entropy, .shape = &s};
  add_input(&m, "logits", s.m * s.n, scale);
  const float dy = 0.7f;
  float *d = m.in[0].grad;
  on_train_loss loss, without;
  if (rows) {
    loss = on_train_cross_entropy_of_rows(d, m.in[0].value, s.n, target, rows, s.m, s.n, smoothing, dy);
    without = on_train_cross_entropy_of_rows(NULL, m.in[0].value, s.n, target, rows, s.m, s.n, smoothing, dy);
  } else {
    loss = on_train_cross_entropy(d, m.in[0].value, s.n, target, s.m, s.n, smoothing, dy);
    without = on_train_cross_entropy(NULL, m.in[0].value, s.n, target, s.m, s.n, smoothing, dy);
  }
  assert_int_equal(loss.count, 3);
  assert_true(loss.sum == without.sum && without.count == 3 && without.correct == loss.correct);
  // In place gives the same.
  float *same = zeros(s.m * s.n);
  memcpy(same, m.in[0].value, s.m * s.n * sizeof *same);
  on_train_cross_entropy_of_rows(same, same, s.n, target, rows, s.m, s.n, smoothing, dy);
  assert_memory_equal(same, d, s.m * s.n * sizeof *same);
  free(same);
  for (size_t i = 0; i < s.m * s.n; i++) {
    d[i] += already;
  }
  const float y = (float)loss.sum;
  m.y = &y;
  m.dy = &dy;
  check(&m, 1e-5);
  release(&m);
}

static void cross_entropy(void **state) {
  (void)state;
  check_entropy(NULL, 0.0f, 1.0f);
  check_entropy(NULL, 0.1f, 3.0f);
  const float rows[] = {2.0f, 5.0f, 0.25f, 1.0f};
  check_entropy(rows, 0.1f, 1.0f);
  // Which answers are right, and logits that would overflow exp.
  float logits[] = {1000.0f, -1000.0f, 0.0f, 900.0f, 1.0f, 2.0f, -1e30f, -1e30f, 3.0f}, d[9];
  const int32_t target[] = {0, 2, 2};
  const on_train_loss loss = on_train_cross_entropy(d, logits, 3, target, 3, 3, 0.0f, 1.0f);
  assert_int_equal(loss.correct, 2);
  assert_true(fabs(loss.sum - 898.0) < 1e-3);
  assert_true(d[0] == 0.0f && d[1] == 0.0f && d[3] == 1.0f && d[5] == -1.0f && d[8] == 0.0f);
}

static void define_binary(const void *shape, const double *const *in, double *y) {
  const entropy_shape *s = shape;
  *y = 0.0;
  for (size_t i = 0; i < s->n; i++) {
    const double t = (double)((const float *)(const void *)s->target)[i];
    if (t == t) {
      *y -= t * log(logistic(in[0][i])) + (1.0 - t) * log(1.0 - logistic(in[0][i]));
    }
  }
}

static void binary_cross_entropy(void **state) {
  (void)state;
  const float target[] = {0.0f, 1.0f, 0.25f, NAN, 1.0f, 0.0f};
  const entropy_shape s = {1, 6, (const int32_t *)(const void *)target, NULL, 0.0};
  model m = {.outputs = 1, .define = define_binary, .shape = &s};
  add_input(&m, "logits", s.n, 2.0f);
  const float dy = 0.5f;
  const on_train_loss loss = on_train_binary_cross_entropy(m.in[0].grad, m.in[0].value, target, s.n, dy);
  for (size_t i = 0; i < s.n; i++) {
    m.in[0].grad[i] += already;
  }
  const float y = (float)loss.sum;
  m.y = &y;
  m.dy = &dy;
  check(&m, 1e-5);
  assert_int_equal(loss.count, 5);
  release(&m);
  const float logits[] = {-200.0f, 200.0f}, targets[] = {1.0f, 0.0f};
  const on_train_loss wrong = on_train_binary_cross_entropy(NULL, logits, targets, 2, 1.0f);
  assert_true(wrong.sum == 400.0 && wrong.correct == 0);
}

// ---- biaffine

typedef struct biaffine_shape {
  size_t n, k, labels;
  bool bilinear;
} biaffine_shape;

// dep, head, w_dep, w_head, b, u
static void define_labels(const void *shape, const double *const *in, double *y) {
  const biaffine_shape *s = shape;
  const size_t k = s->k;
  for (size_t i = 0; i < s->n; i++) {
    const double *dep = in[0] + i * k, *head = in[1] + i * k;
    for (size_t l = 0; l < s->labels; l++) {
      double sum = in[4][l];
      for (size_t a = 0; a < k; a++) {
        sum += in[2][l * k + a] * dep[a] + in[3][l * k + a] * head[a];
        for (size_t c = 0; s->bilinear && c < k; c++) {
          sum += dep[a] * in[5][(l * k + a) * k + c] * head[c];
        }
      }
      y[i * s->labels + l] = sum;
    }
  }
}

static void labels(void **state) {
  (void)state;
  for (int bilinear = 0; bilinear < 2; bilinear++) {
    const biaffine_shape s = {5, 6, 3, bilinear == 1};
    model m = {.outputs = s.n * s.labels, .define = define_labels, .shape = &s};
    add_input(&m, "dep", s.n * s.k, 1.0f);
    add_input(&m, "head", s.n * s.k, 1.0f);
    add_input(&m, "w_dep", s.labels * s.k, 1.0f);
    add_input(&m, "w_head", s.labels * s.k, 1.0f);
    add_input(&m, "b", s.labels, 1.0f);
    add_input(&m, "u", s.labels * s.k * s.k, 1.0f);
    const block *in = m.in;
    float *y = zeros(m.outputs), *dy = randoms(m.outputs, 1.0f);
    float *scratch = zeros(on_train_label_scratch(s.n, s.labels, s.k));
    const float *u = s.bilinear ? in[5].value : NULL;
    on_train_label_forward(y, in[0].value, in[1].value, u, in[2].value, in[3].value, in[4].value, s.n, s.labels, s.k,
                           scratch);
    on_train_label_backward(in[0].grad, in[1].grad, in[5].grad, in[2].grad, in[3].grad, in[4].grad, dy, in[0].value,
                            in[1].value, u, in[2].value, in[3].value, s.n, s.labels, s.k, scratch);
    m.y = y;
    m.dy = dy;
    check(&m, 1e-4);
    release(&m);
    free(y);
    free(dy);
    free(scratch);
  }
}

// ---- dropout

static void dropout(void **state) {
  (void)state;
  enum { N = 100001 };
  float *mask = zeros(N);
  on_train_dropout_mask(mask, N, 0.3f, &rng);
  size_t dropped = 0;
  for (size_t i = 0; i < N; i++) {
    assert_true(mask[i] == 0.0f || mask[i] == 1.0f / (1.0f - 0.3f));
    dropped += mask[i] == 0.0f;
  }
  assert_in_range(dropped, 29400, 30600);  // 4 standard deviations
  on_train_dropout_mask(mask, N, 0.0f, &rng);
  for (size_t i = 0; i < N; i++) {
    assert_true(mask[i] == 1.0f);
  }
  on_train_dropout_mask(mask, N, 1.0f, &rng);
  for (size_t i = 0; i < N; i++) {
    assert_true(mask[i] == 0.0f);
  }
  free(mask);
}

static int seed(void **state) {
  (void)state;
  on_random_seed(&rng, 1);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear),        cmocka_unit_test(window),        cmocka_unit_test(layer_norm),
      cmocka_unit_test(activations),   cmocka_unit_test(lstm),          cmocka_unit_test(cross_entropy),
      cmocka_unit_test(binary_cross_entropy), cmocka_unit_test(labels),
      cmocka_unit_test(dropout),
  };
  return cmocka_run_group_tests(tests, seed, NULL);
}
