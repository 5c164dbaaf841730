#include "train/step.h"

#include <math.h>
#include <string.h>

#include "nn/fastmath.h"

void on_init_normal(const on_param *param, float deviation, on_random *random) {
  float *w = on_value_mutable(param);
  for (size_t i = 0; i < on_param_count(param); i++) w[i] = deviation * on_random_normal(random);
}

void on_init_uniform(const on_param *param, float limit, on_random *random) {
  float *w = on_value_mutable(param);
  for (size_t i = 0; i < on_param_count(param); i++) w[i] = limit * (2 * on_random_unit(random) - 1);
}

void on_init_glorot(const on_param *param, on_random *random) {
  on_init_uniform(param, sqrtf(6.0f / (float)(param->shape[0] + param->shape[1])), random);
}

void on_init_constant(const on_param *param, float value) {
  float *w = on_value_mutable(param);
  for (size_t i = 0; i < on_param_count(param); i++) w[i] = value;
}

const on_param *on_take_params(const on_params *to, const on_params *from) {
  for (size_t i = 0; i < to->n; i++) {
    const on_param *param = to->list[i], *given = i < from->n ? from->list[i] : NULL;
    if (!given || strcmp(given->name, param->name) != 0 || given->shape[0] != param->shape[0] ||
        given->shape[1] != param->shape[1] || from->n != to->n) {
      return param;
    }
    float *values = on_value_mutable(param);
    for (size_t r = 0; r < param->shape[0]; r++) on_param_row(given, r, values + r * param->shape[1]);
  }
  return NULL;
}

float *on_step_dropout(on_train_step *step, float *x, size_t n, float rate, bool *ok) {
  if (rate <= 0) return NULL;
  float *mask = ON_NEW(&step->arena, float, n);
  if (!mask) {
    *ok = false;
    return NULL;
  }
  if (rate < 1) {
    on_dropout(mask, x, n, rate, on_random_u64(&step->random));
  } else {
    on_train_dropout_mask(mask, n, rate, &step->random);
    on_train_apply_mask(x, mask, n);
  }
  return mask;
}

void on_step_linear_forward(float *y, const float *x, const on_param *weight, const on_param *bias, size_t m) {
  on_train_linear_forward(y, weight->shape[0], x, weight->shape[1], on_value(weight), bias ? on_value(bias) : NULL, m,
                          weight->shape[0], weight->shape[1]);
}

void on_step_linear_backward(const on_train_step *step, float *dx, const float *dy, const float *x,
                             const on_param *weight, const on_param *bias, size_t m) {
  size_t rows = weight->shape[0], cols = weight->shape[1];
  on_train_linear_backward(dx, cols, on_grad(step, weight), bias ? on_grad(step, bias) : NULL, dy, rows, x, cols,
                           on_value(weight), m, rows, cols);
}
