// One bidirectional LSTM layer over a batch. The input's share of the gates and all weight gradients are
// large products over the whole batch; only the recurrence goes step by step, for all sequences that
// still last at that step together.
#include <string.h>

#include "nn/fastmath.h"
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

static bool forward_direction(on_train_lstm *lstm, on_arena *arena, const schedule *plan, int direction, float *y,
                              const on_train_lstm_weights *weights) {
  const size_t size = lstm->size, width = 4 * size;
  lstm->gates[direction] = ON_NEW(arena, float, lstm->m * width);
  lstm->cell[direction] = ON_NEW(arena, float, lstm->m * size);
  lstm->tanh_cell[direction] = ON_NEW(arena, float, lstm->m * size);
  float *space = ON_NEW(arena, float, on_panels_floats(width, size));
  float *state = ON_NEW(arena, float, lstm->count * size);  // [active][size]
  float **into = ON_NEW(arena, float *, lstm->count);       // the gates of the step
  if (arena->failed) {
    return false;
  }
  float *gates = lstm->gates[direction], *cell = lstm->cell[direction];
  const float *hh = on_pack_panels(space, weights->hh[direction], size, true, width, size);
  on_train_linear_forward(gates, width, lstm->x, lstm->input, weights->ih[direction], weights->b[direction], lstm->m,
                          width, lstm->input);
  for (size_t t = 0; t < plan->steps; t++) {
    const size_t active = plan->active[t];
    for (size_t a = 0; a < active; a++) {
      into[a] = gates + row_at(lstm, plan->order[a], t, direction) * width;
    }
    if (t > 0) {
      on_gemm_panels(into, state, size, hh, active, width, size, 1.0f);
    }
    for (size_t a = 0; a < active; a++) {
      const size_t s = plan->order[a], row = row_at(lstm, s, t, direction);
      const float *mask = lstm->hh_mask;
      const on_lstm_row one = {.gates = into[a],
                               .c = cell + row * size,
                               .tanh_c = lstm->tanh_cell[direction] + row * size,
                               .h = y + row * 2 * size + (size_t)direction * size,
                               .state = state + a * size,
                               .c_before = t > 0 ? cell + row_at(lstm, s, t - 1, direction) * size : NULL,
                               .mask = mask ? mask + ((size_t)direction * lstm->count + s) * size : NULL};
      on_lstm_row_forward(&one, size);
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

static bool backward_direction(const on_train_lstm *lstm, on_arena *scratch, const schedule *plan, int direction,
                               float *dx, const on_train_lstm_grads *grads, const float *dy,
                               const on_train_lstm_weights *weights) {
  const size_t size = lstm->size, width = 4 * size;
  float *dgates = ON_NEW(scratch, float, lstm->m * width);
  float *before = ON_NEW(scratch, float, lstm->m * size);           // the state that entered each row
  float *dh = ON_NEW0(scratch, float, lstm->count * size);          // carried from the step after
  float *dc = ON_NEW0(scratch, float, lstm->count * size);
  float *step = ON_NEW(scratch, float, lstm->count * width);        // dgates of one step, together
  float *space = ON_NEW(scratch, float, on_panels_floats(size, width));
  float **into = ON_NEW(scratch, float *, lstm->count);             // the rows of dh
  if (scratch->failed) {
    return false;
  }
  const float *hh = on_pack_panels(space, weights->hh[direction], size, false, size, width);
  for (size_t a = 0; a < lstm->count; a++) {
    into[a] = dh + a * size;
  }
  for (size_t t = plan->steps; t-- > 0;) {
    const size_t active = plan->active[t];
    for (size_t a = 0; a < active; a++) {
      const size_t s = plan->order[a], row = row_at(lstm, s, t, direction);
      const size_t previous = t > 0 ? row_at(lstm, s, t - 1, direction) : 0;
      on_axpy(dh + a * size, 1.0f, dy + row * 2 * size + (size_t)direction * size, size);
      const on_lstm_row_grad one = {.dgates = dgates + row * width,
                                    .dc = dc + a * size,
                                    .dh = dh + a * size,
                                    .gates = lstm->gates[direction] + row * width,
                                    .c_before = t > 0 ? lstm->cell[direction] + previous * size : NULL,
                                    .tanh_c = lstm->tanh_cell[direction] + row * size};
      on_lstm_row_backward(&one, size);
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
    const bool alone = active == 1;
    on_gemm_panels(into, alone ? dgates + row_at(lstm, plan->order[0], t, direction) * width : step, width, hh, active,
                   size, width, 0.0f);
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
