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

// A sequence of a batch.
typedef struct sequence {
  size_t first, length;  // rows
} sequence;

static size_t count_of(size_t count) { return ON_LSTM_TOGETHER > 1 ? count : 1; }

// The longest first, so that those that still run are the first ones. Returns the number of rows.
static size_t by_length(sequence *of, const size_t *lengths, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; n += lengths[i++]) {
    size_t at = i;  // few: sorted as they are put in
    for (; at > 0 && of[at - 1].length < lengths[i]; at--) {
      of[at] = of[at - 1];
    }
    of[at] = (sequence){n, lengths[i]};
  }
  return n;
}

// What a direction of a layer works on. What the input gives to the gates of row t is start[t] + at, or the t-th row
// of `gates`.
typedef struct steps {
  const sequence *sequences;
  size_t count;
  const float *gates;
  const float *const *start;
  size_t at;
  float *step, *cell, *before;  // [count][4 * size], [count][size], [count][size]
} steps;

// Step by step, all sequences that have such a step at once. A row alone lies where it is read and written.
static void run_direction(const on_lstm *lstm, const on_kernels *kernels, uint32_t layer, int direction, const steps *s,
                          float *y) {
  const size_t size = lstm->size, width = 4 * size;
  const float *before = s->before;
  memset(s->cell, 0, s->count * size * sizeof *s->cell);
  for (size_t t = 0, left = s->count; t < s->sequences[0].length; t++) {
    while (s->sequences[left - 1].length <= t) {
      left--;
    }
    const size_t count = count_of(left);
    const float *g = s->step;
    size_t rows[ON_LSTM_TOGETHER];
    for (size_t i = 0; i < count; i++) {
      const sequence *at = &s->sequences[i];
      rows[i] = at->first + (direction == 0 ? t : at->length - 1 - t);
      const float *from = s->start ? s->start[rows[i]] + s->at : s->gates + rows[i] * width;
      if (count > 1) {
        memcpy(s->step + i * width, from, width * sizeof *from);
      } else {
        g = from;
      }
    }
    if (t > 0) {
      on_linear(kernels, s->step, width, before, size, count, &lstm->hh[layer][direction], g, count > 1);
      g = s->step;
    }
    before = s->before;
    for (size_t i = 0; i < count; i++) {
      float *const h = y + rows[i] * 2 * size + (size_t)direction * size;
      kernels->lstm_cell(g + i * width, s->cell + i * size, h, size);
      if (count > 1) {
        memcpy(s->before + i * size, h, size * sizeof *h);
      } else {
        before = h;
      }
    }
  }
}

// All layers; of the first one the input's share is in start[n], or is computed from x where that is NULL.
static bool run_layers(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                       const float *const *start, size_t at, const size_t *lengths, size_t count) {
  const size_t size = lstm->size, width = 2 * size, together = count_of(count);
  sequence sequences[ON_LSTM_TOGETHER];
  const size_t n = by_length(sequences, lengths, together);
  if (n > SIZE_MAX / (4 * sizeof(float)) / (width > 0 ? width : 1)) {
    scratch->failed = true;
    return false;
  }
  const bool all_given = start && lstm->layers < 2;
  float *gates = all_given ? NULL : ON_NEW(scratch, float, n * 2 * width);
  float *step = ON_NEW(scratch, float, together * 2 * width);
  float *states = ON_NEW(scratch, float, together * width);
  // A layer reads all of the layer below: two outputs take turns, so that the last one is y.
  float *other = lstm->layers > 1 ? ON_NEW(scratch, float, n * width) : y;
  if ((!gates && !all_given) || !step || !states || !other) {
    return false;
  }
  for (uint32_t k = 0; k < lstm->layers; k++) {
    float *out = (lstm->layers - 1 - k) % 2 == 0 ? y : other;
    for (int d = 0; d < 2; d++) {
      const steps s = {.sequences = sequences, .count = together, .gates = gates, .start = k == 0 ? start : NULL,
                       .at = at + (size_t)d * 2 * width, .step = step, .cell = states,
                       .before = states + together * size};
      if (!s.start) {
        input_share(lstm, kernels, k, d, gates, x, k == 0 ? lstm->input : width, n);
      }
      run_direction(lstm, kernels, k, d, &s, out);
    }
    x = out;
  }
  return true;
}

bool on_lstm_run_many(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                      const size_t *lengths, size_t count) {
  return run_layers(lstm, kernels, scratch, y, x, NULL, 0, lengths, count);
}

bool on_lstm_run(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                 size_t n) {
  return on_lstm_run_many(lstm, kernels, scratch, y, x, &n, 1);
}

void on_lstm_gates(const on_lstm *lstm, const on_kernels *kernels, int direction, float *gates, const float *x,
                   size_t n) {
  input_share(lstm, kernels, 0, direction, gates, x, lstm->input, n);
}

bool on_lstm_run_gates(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y,
                       const float *const *gates, size_t at, const size_t *lengths, size_t count) {
  return run_layers(lstm, kernels, scratch, y, NULL, gates, at, lengths, count);
}
