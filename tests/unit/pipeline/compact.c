// Compact storage: what is saved can be loaded, and every value is within half a step of what it was.
#include "pipeline/compact.h"

#include <math.h>

#include "tiny.h"

typedef struct comparison {
  const on_pipeline *compact;
  on_dtype type;
  double most;  // largest difference over what the type allows
} comparison;

typedef struct search {
  const char *name;
  const on_param *found;
} search;

static bool find(void *context, const char *name, on_param *param) {
  search *s = context;
  if (strcmp(name, s->name) == 0) s->found = param;
  return true;
}

static bool compare(void *context, const char *name, on_param *param) {
  comparison *c = context;
  search s = {name, NULL};
  on_pipeline_each_param(c->compact, find, &s);
  assert_non_null(s.found);
  assert_int_equal(s.found->type, param->rank == 2 ? c->type : ON_F32);
  float before[64], after[64];
  for (size_t r = 0; r < param->shape[0]; r++) {
    assert_true(param->shape[1] <= 64);
    on_param_row(param, r, before);
    on_param_row(s.found, r, after);
    float most = 0;
    for (size_t i = 0; i < param->shape[1]; i++) most = fmaxf(most, fabsf(before[i]));
    for (size_t i = 0; i < param->shape[1]; i++) {
      double allowed = param->rank == 1 || c->type == ON_F32 ? 0
                       : c->type == ON_F16                   ? fabs((double)before[i]) / 2048 + 1e-7
                                                             : (double)most / 254 * 1.0001;
      double difference = fabs((double)before[i] - (double)after[i]);
      assert_true(difference <= allowed);
      c->most = fmax(c->most, difference);
    }
  }
  return true;
}

// percent: how large the file may be, of what it was. (Rows are short here, so that scales weigh much.)
static void check(on_dtype type, size_t percent) {
  on_buf file = tiny_file(TINY_CONFIG, ON_F32), out = {0};
  on_pipeline original, pipeline, reloaded;
  on_error error;
  assert_true(on_pipeline_load(&original, on_buf_view(&file), &error));
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&file), &error));
  if (!on_pipeline_compact(&pipeline, type, &error)) tiny_fail("compact", &error);
  assert_true(on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &out, &error));
  if (!on_pipeline_load(&reloaded, on_buf_view(&out), &error)) tiny_fail("load", &error);
  comparison c = {&reloaded, type, 0};
  on_pipeline_each_param(&original, compare, &c);
  assert_int_equal(c.most > 0, type != ON_F32);
  assert_true(out.n * 100 <= file.n * percent);
  on_pipeline_free(&reloaded);
  on_pipeline_free(&pipeline);
  on_pipeline_free(&original);
  on_buf_free(&out);
  on_buf_free(&file);
}

static void f32(void **state) {
  (void)state;
  check(ON_F32, 100);
}

static void f16(void **state) {
  (void)state;
  check(ON_F16, 80);
}

static void i8(void **state) {
  (void)state;
  check(ON_I8, 80);
}

static bool spoil(void *context, const char *name, on_param *param) {
  (void)context;
  if (strcmp(name, "encoder1.mix.weight") == 0) {
    float infinite = INFINITY;
    memcpy((uint8_t *)(uintptr_t)param->data + 8, &infinite, sizeof infinite);
  }
  return true;
}

static void not_finite(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  on_pipeline pipeline;
  on_error error;
  assert_true(on_pipeline_load(&pipeline, on_buf_view(&file), &error));
  on_pipeline_each_param(&pipeline, spoil, NULL);
  assert_false(on_pipeline_compact(&pipeline, ON_I8, &error));
  assert_int_equal(error.code, ON_INVALID_DATA);
  assert_non_null(strstr(error.text, "encoder1.mix.weight"));
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(f32), cmocka_unit_test(f16), cmocka_unit_test(i8),
                                     cmocka_unit_test(not_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
