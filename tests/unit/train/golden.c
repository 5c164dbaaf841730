// The training layers, Adam, and the LSTM of inference against values that PyTorch computed
// (tools/golden_nn.py).
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "nn/fastmath.h"
#include "nn/lstm.h"
#include "train/layers.h"

enum { MOST_VALUES = 64, MOST_LINES = 80 };

typedef struct line {
  char name[32];
  size_t n;
  float v[MOST_VALUES];
} line;

static line lines[MOST_LINES];
static size_t line_count;

static int read_golden(void **state) {
  (void)state;
  char path[1024];
  FILE *file = fopen(test_source_path(path, sizeof path, "tests/unit/train/golden/layers.txt"), "r");
  assert_non_null(file);
  while (line_count < MOST_LINES && fscanf(file, "%31s %zu", lines[line_count].name, &lines[line_count].n) == 2) {
    line *l = &lines[line_count++];
    assert_in_range(l->n, 1, MOST_VALUES);
    for (size_t i = 0; i < l->n; i++) {
      assert_int_equal(fscanf(file, "%f", &l->v[i]), 1);
    }
  }
  assert_true(feof(file));
  fclose(file);
  return 0;
}

static const line *find(const char *name) {
  for (size_t i = 0; i < line_count; i++) {
    if (strcmp(lines[i].name, name) == 0) {
      return &lines[i];
    }
  }
  fail_msg("no %s in the golden file", name);
  return NULL;
}

static const float *want(const char *name) { return find(name)->v; }

static void same(const char *name, const float *got) {
  const line *l = find(name);
  for (size_t i = 0; i < l->n; i++) {
    if (!(fabsf(got[i] - l->v[i]) <= 2e-5f * (1.0f + fabsf(l->v[i])))) {
      fail_msg("%s[%zu] is %.9g, not %.9g", name, i, (double)got[i], (double)l->v[i]);
    }
  }
}

static const uint32_t starts[] = {0, 5, 8};

static void lstm(void **state) {
  (void)state;
  const on_train_lstm_weights w = {{want("lstm.ih"), want("lstm.ih_reverse")},
                                   {want("lstm.hh"), want("lstm.hh_reverse")},
                                   {want("lstm.b"), want("lstm.b_reverse")}};
  float y[64], dx[24] = {0.0f}, ih[2][48] = {{0.0f}}, hh[2][64] = {{0.0f}}, b[2][16] = {{0.0f}};
  const on_train_lstm_grads g = {{ih[0], ih[1]}, {hh[0], hh[1]}, {b[0], b[1]}};
  on_arena arena;
  on_arena_init(&arena, 0);
  on_train_lstm layer;
  assert_true(on_train_lstm_forward(&layer, &arena, y, want("lstm.x"), starts, 2, 3, 4, &w, NULL));
  same("lstm.y", y);
  assert_true(on_train_lstm_backward(&layer, &arena, dx, &g, want("lstm.dy"), &w));
  same("lstm.dx", dx);
  same("lstm.dih", ih[0]);
  same("lstm.dhh", hh[0]);
  same("lstm.db", b[0]);
  same("lstm.dih_reverse", ih[1]);
  same("lstm.dhh_reverse", hh[1]);
  same("lstm.db_reverse", b[1]);
  on_arena_free(&arena);
}

static void lstm_of_inference(void **state) {
  (void)state;
  on_arena arena;
  on_arena_init(&arena, 0);
  on_params params = {0};
  on_lstm layer;
  assert_true(on_lstm_declare(&layer, &params, &arena, 1, 3, 4));
  const char *names[] = {"lstm.ih", "lstm.hh", "lstm.b", "lstm.ih_reverse", "lstm.hh_reverse", "lstm.b_reverse"};
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(on_param_count(params.list[i]), find(names[i])->n);
    params.list[i]->data = (const uint8_t *)want(names[i]);
  }
  assert_true(on_lstm_prepare(&layer, &arena));
  float y[64];
  for (size_t s = 0; s < 2; s++) {
    assert_true(on_lstm_run(&layer, on_kernels_best(), &arena, y + starts[s] * 8, want("lstm.x") + starts[s] * 3,
                            starts[s + 1] - starts[s]));
  }
  same("lstm.y", y);
  on_free(params.list);
  on_arena_free(&arena);
}

static void layer_norm(void **state) {
  (void)state;
  float y[18], mean[3], rstd[3], dx[18] = {0.0f}, dgain[6] = {0.0f}, dbias[6] = {0.0f};
  on_train_layer_norm_forward(y, mean, rstd, want("norm.x"), want("norm.gain"), want("norm.bias"), 3, 6, 1e-5f);
  on_train_layer_norm_backward(dx, dgain, dbias, want("norm.dy"), want("norm.x"), mean, rstd, want("norm.gain"), 3, 6);
  same("norm.y", y);
  same("norm.dx", dx);
  same("norm.dgain", dgain);
  same("norm.dbias", dbias);
}

static void gelu(void **state) {
  (void)state;
  float y[20], dx[20];
  on_train_gelu_forward(y, want("gelu.x"), 20);
  on_train_gelu_backward(dx, want("gelu.dy"), want("gelu.x"), 20);
  same("gelu.y", y);
  same("gelu.dx", dx);
}

static void losses(void **state) {
  (void)state;
  float d[28];
  const int32_t target[] = {2, -1, 0, 6};
  const on_train_loss entropy = on_train_cross_entropy(d, want("entropy.logits"), 7, target, 4, 7, 0.1f, 1.0f);
  const float sum = (float)entropy.sum;
  same("entropy.loss", &sum);
  same("entropy.dlogits", d);
  const on_train_loss binary = on_train_binary_cross_entropy(d, want("binary.logits"), want("binary.target"), 6, 1.0f);
  const float binary_sum = (float)binary.sum;
  same("binary.loss", &binary_sum);
  same("binary.dlogits", d);
}

static void labels(void **state) {
  (void)state;
  float y[16], scratch[48], ddep[12] = {0.0f}, dhead[12] = {0.0f}, du[36] = {0.0f}, dw_dep[12] = {0.0f};
  float dw_head[12] = {0.0f}, db[4] = {0.0f};
  assert_int_equal(on_train_label_scratch(4, 4, 3), 48);
  on_train_label_forward(y, want("labels.dep"), want("labels.head"), want("labels.u"), want("labels.w_dep"),
                         want("labels.w_head"), want("labels.b"), 4, 4, 3, scratch);
  on_train_label_backward(ddep, dhead, du, dw_dep, dw_head, db, want("labels.dy"), want("labels.dep"),
                          want("labels.head"), want("labels.u"), want("labels.w_dep"), want("labels.w_head"), 4, 4, 3,
                          scratch);
  same("labels.y", y);
  same("labels.ddep", ddep);
  same("labels.dhead", dhead);
  same("labels.du", du);
  same("labels.dw_dep", dw_dep);
  same("labels.dw_head", dw_head);
  same("labels.db", db);
}

static void adam(void **state) {
  (void)state;
  float w[5], g[5], m[5] = {0.0f}, v[5] = {0.0f};
  memcpy(w, want("adam.start"), sizeof w);
  for (int step = 1; step <= 3; step++) {
    const on_adam settings = {0.01f, 0.9f, 0.99f, 1e-6f, 0.1f, 1.0f, (float)(1.0 / (1.0 - pow(0.9, step))),
                              (float)(1.0 / (1.0 - pow(0.99, step))), 0.0f};
    memcpy(g, want("adam.g"), sizeof g);  // a step clears it
    on_adam_step(w, g, m, v, NULL, 5, &settings);
  }
  same("adam.w", w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lstm),   cmocka_unit_test(lstm_of_inference), cmocka_unit_test(layer_norm),
      cmocka_unit_test(gelu),   cmocka_unit_test(losses),
      cmocka_unit_test(labels), cmocka_unit_test(adam),
  };
  return cmocka_run_group_tests(tests, read_golden, NULL);
}
