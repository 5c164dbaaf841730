#include "nn/lstm.h"

#include <string.h>

bool on_lstm_declare(on_lstm *lstm, on_params *params, on_arena *arena, uint32_t layers, uint32_t input,
                     uint32_t size) {
  *lstm = (on_lstm){.layers = layers, .input = input, .size = size};
  if (layers > ON_LSTM_MAX_LAYERS) {
    return false;
  }
  for (uint32_t k = 0; k < layers; k++) {
    const uint32_t in = k == 0 ? input : 2 * size;
    for (int d = 0; d < 2; d++) {
      const char *reverse = d == 0 ? "" : "_reverse";
      lstm->weight_ih[k][d] = on_params_add(params, arena, false, 4 * size, in, "lstm.weight_ih_l%u%s", k, reverse);
      lstm->weight_hh[k][d] = on_params_add(params, arena, false, 4 * size, size, "lstm.weight_hh_l%u%s", k, reverse);
      lstm->bias[k][d] = on_params_add(params, arena, false, 4 * size, 0, "lstm.bias_l%u%s", k, reverse);
      if (!lstm->weight_ih[k][d] || !lstm->weight_hh[k][d] || !lstm->bias[k][d]) {
        return false;
      }
    }
  }
  return true;
}

bool on_lstm_prepare(on_lstm *lstm, on_arena *arena) {
  for (uint32_t k = 0; k < lstm->layers; k++) {
    for (int d = 0; d < 2; d++) {
      lstm->ih[k][d] = on_param_pack(lstm->weight_ih[k][d], arena, 0, lstm->weight_ih[k][d]->shape[1]);
      lstm->hh[k][d] = on_param_pack(lstm->weight_hh[k][d], arena, 0, lstm->size);
      lstm->b[k][d] = on_param_vector(lstm->bias[k][d], arena);
      if (!on_is_packed(&lstm->ih[k][d]) || !on_is_packed(&lstm->hh[k][d]) || !lstm->b[k][d]) {
        return false;
      }
    }
  }
  return true;
}

static void input_share(const on_lstm *lstm, const on_kernels *kernels, uint32_t layer, int direction, float *gates,
                        const float *x, size_t ldx, size_t n) {
  on_linear(kernels, gates, 4 * (size_t)lstm->size, x, ldx, n, &lstm->ih[layer][direction], lstm->b[layer][direction],
            false);
}

// Step by step. What the input gives to the gates of row t is start[t] + at, or the t-th row of `gates`.
typedef struct inputs {
  const float *gates;
  const float *const *start;
  size_t at;
} inputs;

static void run_direction(const on_lstm *lstm, const on_kernels *kernels, uint32_t layer, int direction,
                          const inputs *from, float *step, float *cell, float *y, size_t n) {
  const size_t size = lstm->size, width = 4 * size;
  memset(cell, 0, size * sizeof *cell);
  const float *before = NULL;
  for (size_t t = 0; t < n; t++) {
    const size_t row = direction == 0 ? t : n - 1 - t;
    const float *g = from->start ? from->start[row] + from->at : from->gates + row * width;
    float *h = y + row * 2 * size + (size_t)direction * size;
    if (before) {
      on_linear(kernels, step, width, before, size, 1, &lstm->hh[layer][direction], g, false);
      g = step;
    }
    kernels->lstm_cell(g, cell, h, size);
    before = h;
  }
}

// All layers; of the first one the input's share is in start[n], or is computed from x where that is NULL.
static bool run_layers(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                       const float *const *start, size_t at, size_t n) {
  const size_t size = lstm->size, width = 2 * size;
  if (n > SIZE_MAX / (4 * sizeof(float)) / (width > 0 ? width : 1)) {
    scratch->failed = true;
    return false;
  }
  const bool all_given = start && lstm->layers < 2;
  float *gates = all_given ? NULL : ON_NEW(scratch, float, n * 2 * width);
  float *step = ON_NEW(scratch, float, 2 * width);
  float *cell = ON_NEW(scratch, float, size);
  // A layer reads all of the layer below: two outputs take turns, so that the last one is y.
  float *other = lstm->layers > 1 ? ON_NEW(scratch, float, n * width) : y;
  if ((!gates && !all_given) || !step || !cell || !other) {
    return false;
  }
  for (uint32_t k = 0; k < lstm->layers; k++) {
    float *out = (lstm->layers - 1 - k) % 2 == 0 ? y : other;
    for (int d = 0; d < 2; d++) {
      inputs from = {.gates = gates, .start = k == 0 ? start : NULL, .at = at + (size_t)d * 2 * width};
      if (!from.start) {
        input_share(lstm, kernels, k, d, gates, x, k == 0 ? lstm->input : width, n);
      }
      run_direction(lstm, kernels, k, d, &from, step, cell, out, n);
    }
    x = out;
  }
  return true;
}

bool on_lstm_run(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                 size_t n) {
  return run_layers(lstm, kernels, scratch, y, x, NULL, 0, n);
}

void on_lstm_gates(const on_lstm *lstm, const on_kernels *kernels, int direction, float *gates, const float *x,
                   size_t n) {
  input_share(lstm, kernels, 0, direction, gates, x, lstm->input, n);
}

bool on_lstm_run_gates(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y,
                       const float *const *gates, size_t at, size_t n) {
  return run_layers(lstm, kernels, scratch, y, NULL, gates, at, n);
}
