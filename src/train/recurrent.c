#include "train/recurrent.h"

#include <string.h>

void on_recurrent_init(const on_recurrent *recurrent, on_random *random) {
  const on_lstm *lstm = &recurrent->lstm;
  for (uint32_t k = 0; k < lstm->layers; k++) {
    for (int d = 0; d < 2; d++) {
      on_init_glorot(lstm->weight_ih[k][d], random);
      on_init_glorot(lstm->weight_hh[k][d], random);
      on_init_constant(lstm->bias[k][d], 0);
      float *forget = on_value_mutable(lstm->bias[k][d]) + lstm->size;
      for (uint32_t i = 0; i < lstm->size; i++) forget[i] = 1;
    }
  }
  if (recurrent->out_weight) {
    on_init_glorot(recurrent->out_weight, random);
    on_init_constant(recurrent->out_bias, 0);
  }
}

static on_train_lstm_weights layer_weights(const on_lstm *lstm, uint32_t layer) {
  on_train_lstm_weights w;
  for (int d = 0; d < 2; d++) {
    w.ih[d] = on_value(lstm->weight_ih[layer][d]);
    w.hh[d] = on_value(lstm->weight_hh[layer][d]);
    w.b[d] = on_value(lstm->bias[layer][d]);
  }
  return w;
}

static on_train_lstm_grads layer_grads(const on_train_step *step, const on_lstm *lstm, uint32_t layer) {
  on_train_lstm_grads g;
  for (int d = 0; d < 2; d++) {
    g.ih[d] = on_grad(step, lstm->weight_ih[layer][d]);
    g.hh[d] = on_grad(step, lstm->weight_hh[layer][d]);
    g.b[d] = on_grad(step, lstm->bias[layer][d]);
  }
  return g;
}

bool on_train_recurrent_forward(const on_recurrent *recurrent, on_train_step *step, on_train_recurrent *kept,
                                float *h) {
  const on_lstm *lstm = &recurrent->lstm;
  if (lstm->layers == 0) return true;
  size_t both = 2 * (size_t)lstm->size, n = step->m * lstm->input;
  bool ok = true;
  float *x = ON_NEW(&step->arena, float, n);
  if (!x) return false;
  memcpy(x, h, n * sizeof *x);
  for (uint32_t l = 0; l < lstm->layers; l++) {
    size_t input = l == 0 ? lstm->input : both;
    float *y = ON_NEW(&step->arena, float, step->m * both);
    float *hh_mask = NULL;
    if (step->rates->recurrent > 0) {
      hh_mask = ON_NEW(&step->arena, float, 2 * step->doc_count * lstm->size);
      if (!hh_mask) return false;
      on_train_dropout_mask(hh_mask, 2 * step->doc_count * lstm->size, step->rates->recurrent, &step->random);
    }
    if (!y) return false;
    kept->in_mask[l] = on_step_dropout(step, x, step->m * input, step->rates->encoder, &ok);
    on_train_lstm_weights weights = layer_weights(lstm, l);
    if (!ok || !on_train_lstm_forward(&kept->lstm[l], &step->arena, y, x, step->starts, step->doc_count, input,
                                      lstm->size, &weights, hh_mask)) {
      return false;
    }
    // y must stay as it is for the backward pass, so that what goes on is a copy
    x = ON_NEW(&step->arena, float, step->m * both);
    if (!x) return false;
    memcpy(x, y, step->m * both * sizeof *x);
  }
  kept->states = x;
  kept->states_mask = on_step_dropout(step, x, step->m * both, step->rates->encoder, &ok);
  float *mapped = x;
  if (recurrent->out_weight) {
    mapped = ON_NEW(&step->arena, float, n);
    if (!mapped) return false;
    on_step_linear_forward(mapped, x, recurrent->out_weight, recurrent->out_bias, step->m);
  }
  for (size_t j = 0; j < n; j++) h[j] += mapped[j];
  return ok;
}

bool on_train_recurrent_backward(const on_recurrent *recurrent, on_train_step *step, const on_train_recurrent *kept,
                                 float *dh) {
  const on_lstm *lstm = &recurrent->lstm;
  if (lstm->layers == 0) return true;
  size_t both = 2 * (size_t)lstm->size, n = step->m * lstm->input;
  float *dy = ON_NEW0(&step->arena, float, step->m * both);
  if (!dy) return false;
  if (recurrent->out_weight) {
    on_step_linear_backward(step, dy, dh, kept->states, recurrent->out_weight, recurrent->out_bias, step->m);
  } else {
    memcpy(dy, dh, n * sizeof *dy);
  }
  if (kept->states_mask) on_train_apply_mask(dy, kept->states_mask, step->m * both);
  for (uint32_t l = lstm->layers; l-- > 0;) {
    size_t input = l == 0 ? lstm->input : both;
    float *dx = ON_NEW0(&step->arena, float, step->m * input);
    on_train_lstm_weights weights = layer_weights(lstm, l);
    on_train_lstm_grads grads = layer_grads(step, lstm, l);
    if (!dx || !on_train_lstm_backward(&kept->lstm[l], &step->arena, dx, &grads, dy, &weights)) return false;
    if (kept->in_mask[l]) on_train_apply_mask(dx, kept->in_mask[l], step->m * input);
    dy = dx;
  }
  for (size_t j = 0; j < n; j++) dh[j] += dy[j];
  return true;
}
