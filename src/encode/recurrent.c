#include "encode/recurrent.h"

bool on_recurrent_declare(on_recurrent *recurrent, on_params *params, on_arena *arena, uint32_t layers, uint32_t width,
                          uint32_t size) {
  *recurrent = (on_recurrent){0};
  if (layers == 0) return true;
  if (size == 0) size = width / 2;
  if (!on_lstm_declare(&recurrent->lstm, params, arena, layers, width, size)) return false;
  if (2 * size == width) return true;
  recurrent->out_weight = on_params_add(params, arena, false, width, 2 * size, "lstm_out.weight");
  recurrent->out_bias = on_params_add(params, arena, false, width, 0, "lstm_out.bias");
  return recurrent->out_weight && recurrent->out_bias;
}

bool on_recurrent_prepare(on_recurrent *recurrent, on_arena *arena) {
  on_lstm_prepare(&recurrent->lstm, arena);
  if (recurrent->out_weight) {
    recurrent->out = on_param_pack(recurrent->out_weight, arena, 0, recurrent->out_weight->shape[1]);
    recurrent->out_b = on_param_vector(recurrent->out_bias, arena);
  }
  return !arena->failed;
}

bool on_recurrent_run(const on_recurrent *recurrent, const on_kernels *kernels, on_arena *scratch, float *h,
                      const size_t *lengths, size_t count) {
  if (recurrent->lstm.layers == 0) return true;
  const size_t both = 2 * (size_t)recurrent->lstm.size, width = recurrent->lstm.input;
  size_t n = 0;
  for (size_t i = 0; i < count; i++) n += lengths[i];
  float *states = ON_NEW(scratch, float, n * both);
  float *mapped = states;
  if (!states || !on_lstm_run_many(&recurrent->lstm, kernels, scratch, states, h, lengths, count)) return false;
  if (recurrent->out_weight) {
    mapped = ON_NEW(scratch, float, n * width);
    if (!mapped) return false;
    on_linear(kernels, mapped, width, states, both, n, &recurrent->out, recurrent->out_b, false);
  }
  kernels->add(h, mapped, n * width);
  return true;
}
