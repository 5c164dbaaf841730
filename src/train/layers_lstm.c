// One bidirectional LSTM layer over a batch. The input's share of the gates and all weight gradients are
// large products over the whole batch; only the recurrence goes step by step, for all sequences that
// still last at that step together.
#include <string.h>

#include "nn/fastmath.h"
#include "nn/kernels.h"
#include "train/layers.h"

// The sequences, longest first, so that those which still last at step t are the first `active[t]`.
typedef struct schedule {
  uint32_t *order;   // [count]
  uint32_t *active;  // [steps]
  size_t steps;
} schedule;

static bool make_schedule(schedule *s, on_arena *arena, const uint32_t *starts, size_t count) {
  s->steps = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t length = starts[i + 1] - starts[i];
    s->steps = length > s->steps ? length : s->steps;
  }
  s->order = ON_NEW(arena, uint32_t, count);
  s->active = ON_NEW0(arena, uint32_t, s->steps + 1);
  uint32_t *place = ON_NEW0(arena, uint32_t, s->steps + 2);
  if (!s->order || !s->active || !place) {
    return false;
  }
  // Counting sort by falling length; place[l] is first the number of longer sequences.
  for (size_t i = 0; i < count; i++) {
    place[starts[i + 1] - starts[i]]++;
  }
  uint32_t longer = 0;
  for (size_t l = s->steps + 1; l-- > 0;) {
    const uint32_t here = place[l];
    place[l] = longer;
    s->active[l] = longer;  // sequences with more than l rows
    longer += here;
  }
  for (size_t i = 0; i < count; i++) {
    s->order[place[starts[i + 1] - starts[i]]++] = (uint32_t)i;
  }
  return true;
}

// The row that sequence s works on at step t.
static size_t row_at(const on_train_lstm *lstm, size_t s, size_t t, int direction) {
  return direction == 0 ? lstm->starts[s] + t : lstm->starts[s + 1] - 1 - t;
}

static void transpose(float *out, const float *in, size_t rows, size_t cols) {
  enum { BLOCK = 16 };
  for (size_t r0 = 0; r0 < rows; r0 += BLOCK) {
    for (size_t c0 = 0; c0 < cols; c0 += BLOCK) {
      for (size_t c = c0; c < c0 + BLOCK && c < cols; c++) {
        for (size_t r = r0; r < r0 + BLOCK && r < rows; r++) {
          out[c * rows + r] = in[r * cols + c];
        }
      }
    }
  }
}

static void forward_row(const on_train_lstm *lstm, const on_kernels *kernels, int direction, size_t row, float *y,
                        const float *before) {
  const size_t size = lstm->size;
  float *g = lstm->gates[direction] + row * 4 * size, *c = lstm->cell[direction] + row * size;
  float *tc = lstm->tanh_cell[direction] + row * size, *h = y + row * 2 * size + (size_t)direction * size;
  kernels->sigmoid(g, 2 * size);
  kernels->tanh(g + 2 * size, size);
  kernels->sigmoid(g + 3 * size, size);
  for (size_t j = 0; j < size; j++) {
    c[j] = g[size + j] * (before ? before[j] : 0.0f) + g[j] * g[2 * size + j];
  }
  memcpy(tc, c, size * sizeof *tc);
  kernels->tanh(tc, size);
  for (size_t j = 0; j < size; j++) {
    h[j] = g[3 * size + j] * tc[j];
  }
}

static bool forward_direction(on_train_lstm *lstm, on_arena *arena, const schedule *plan, int direction, float *y,
                              const on_train_lstm_weights *weights) {
  const size_t size = lstm->size, width = 4 * size;
  const on_kernels *kernels = on_kernels_best();
  lstm->gates[direction] = ON_NEW(arena, float, lstm->m * width);
  lstm->cell[direction] = ON_NEW(arena, float, lstm->m * size);
  lstm->tanh_cell[direction] = ON_NEW(arena, float, lstm->m * size);
  float *hh = ON_NEW(arena, float, size * width);               // the recurrent weights, transposed
  float *state = ON_NEW(arena, float, lstm->count * size);      // [active][size]
  float *recurrent = ON_NEW(arena, float, lstm->count * width); // [active][4 * size]
  if (arena->failed) {
    return false;
  }
  float *gates = lstm->gates[direction];
  transpose(hh, weights->hh[direction], width, size);
  on_train_linear_forward(gates, width, lstm->x, lstm->input, weights->ih[direction], weights->b[direction], lstm->m,
                          width, lstm->input);
  for (size_t t = 0; t < plan->steps; t++) {
    const size_t active = plan->active[t];
    if (t > 0 && active == 1) {
      const size_t row = row_at(lstm, plan->order[0], t, direction);
      on_gemv_n(gates + row * width, state, hh, width, size, width, 1.0f);
    } else if (t > 0) {
      on_gemm_nn(recurrent, width, state, size, hh, width, active, width, size, 0.0f);
    }
    for (size_t a = 0; a < active; a++) {
      const size_t s = plan->order[a], row = row_at(lstm, s, t, direction);
      const float *before = NULL;
      if (t > 0) {
        before = lstm->cell[direction] + row_at(lstm, s, t - 1, direction) * size;
        if (active > 1) {
          on_axpy(gates + row * width, 1.0f, recurrent + a * width, width);
        }
      }
      forward_row(lstm, kernels, direction, row, y, before);
      float *h = state + a * size;
      memcpy(h, y + row * 2 * size + (size_t)direction * size, size * sizeof *h);
      if (lstm->hh_mask) {
        on_train_apply_mask(h, lstm->hh_mask + ((size_t)direction * lstm->count + s) * size, size);
      }
    }
  }
  return true;
}

bool on_train_lstm_forward(on_train_lstm *lstm, on_arena *arena, float *y, const float *x, const uint32_t *starts,
                           size_t count, size_t input, size_t size, const on_train_lstm_weights *weights,
                           const float *hh_mask) {
  *lstm = (on_train_lstm){.count = count,
                          .m = starts[count],
                          .input = input,
                          .size = size,
                          .starts = starts,
                          .x = x,
                          .y = y,
                          .hh_mask = hh_mask};
  schedule plan;
  return make_schedule(&plan, arena, starts, count) && forward_direction(lstm, arena, &plan, 0, y, weights) &&
         forward_direction(lstm, arena, &plan, 1, y, weights);
}

// One row of one step: from dh (with dy already in it) and the carried dc, the gradients of the four
// gates before their activations; dc becomes the gradient of the cell before. c_before NULL: zeros.
static void backward_row(float *restrict dg, float *restrict dc, const float *restrict dh, const float *restrict g,
                         const float *restrict c_before, const float *restrict tc, size_t size) {
  for (size_t j = 0; j < size; j++) {
    const float in = g[j], forget = g[size + j], cell = g[2 * size + j], out = g[3 * size + j];
    const float d = dc[j] + dh[j] * out * (1.0f - tc[j] * tc[j]);
    dg[j] = d * cell * in * (1.0f - in);
    dg[size + j] = c_before ? d * c_before[j] * forget * (1.0f - forget) : 0.0f;
    dg[2 * size + j] = d * in * (1.0f - cell * cell);
    dg[3 * size + j] = dh[j] * tc[j] * out * (1.0f - out);
    dc[j] = d * forget;
  }
}

static bool backward_direction(const on_train_lstm *lstm, on_arena *scratch, const schedule *plan, int direction,
                               float *dx, const on_train_lstm_grads *grads, const float *dy,
                               const on_train_lstm_weights *weights) {
  const size_t size = lstm->size, width = 4 * size;
  float *dgates = ON_NEW(scratch, float, lstm->m * width);
  float *before = ON_NEW(scratch, float, lstm->m * size);           // the state that entered each row
  float *dh = ON_NEW0(scratch, float, lstm->count * size);          // carried from the step after
  float *dc = ON_NEW0(scratch, float, lstm->count * size);
  float *step = ON_NEW(scratch, float, lstm->count * width);        // dgates of one step, together
  if (scratch->failed) {
    return false;
  }
  for (size_t t = plan->steps; t-- > 0;) {
    const size_t active = plan->active[t];
    for (size_t a = 0; a < active; a++) {
      const size_t s = plan->order[a], row = row_at(lstm, s, t, direction);
      const size_t previous = t > 0 ? row_at(lstm, s, t - 1, direction) : 0;
      on_axpy(dh + a * size, 1.0f, dy + row * 2 * size + (size_t)direction * size, size);
      backward_row(dgates + row * width, dc + a * size, dh + a * size, lstm->gates[direction] + row * width,
                   t > 0 ? lstm->cell[direction] + previous * size : NULL, lstm->tanh_cell[direction] + row * size,
                   size);
      float *h = before + row * size;
      if (t == 0) {
        memset(h, 0, size * sizeof *h);
        continue;
      }
      memcpy(h, lstm->y + previous * 2 * size + (size_t)direction * size, size * sizeof *h);
      if (lstm->hh_mask) {
        on_train_apply_mask(h, lstm->hh_mask + ((size_t)direction * lstm->count + s) * size, size);
      }
      if (active > 1) {
        memcpy(step + a * width, dgates + row * width, width * sizeof *step);
      }
    }
    if (t == 0) {
      break;
    }
    if (active == 1) {
      on_gemv_n(dh, dgates + row_at(lstm, plan->order[0], t, direction) * width, weights->hh[direction], size, width,
                size, 0.0f);
    } else {
      on_gemm_nn(dh, size, step, width, weights->hh[direction], size, active, size, width, 0.0f);
    }
    for (size_t a = 0; lstm->hh_mask && a < active; a++) {
      on_train_apply_mask(dh + a * size, lstm->hh_mask + ((size_t)direction * lstm->count + plan->order[a]) * size,
                          size);
    }
  }
  on_train_linear_backward(dx, lstm->input, grads->ih[direction], grads->b[direction], dgates, width, lstm->x,
                           lstm->input, weights->ih[direction], lstm->m, width, lstm->input);
  on_gemm_tn(grads->hh[direction], size, dgates, width, before, size, width, size, lstm->m, 1.0f);
  return true;
}

bool on_train_lstm_backward(const on_train_lstm *lstm, on_arena *scratch, float *dx, const on_train_lstm_grads *grads,
                            const float *dy, const on_train_lstm_weights *weights) {
  schedule plan;
  return make_schedule(&plan, scratch, lstm->starts, lstm->count) &&
         backward_direction(lstm, scratch, &plan, 0, dx, grads, dy, weights) &&
         backward_direction(lstm, scratch, &plan, 1, dx, grads, dy, weights);
}
