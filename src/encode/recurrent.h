// Recurrent layers over the vectors of a document: h + lstm_out(LSTM(h)), what encoders of several kinds end with
// (docs/format.md, "fast", step 4).
#ifndef ON_ENCODE_RECURRENT_H
#define ON_ENCODE_RECURRENT_H

#include "nn/lstm.h"

typedef struct on_recurrent {
  on_lstm lstm;  // layers 0: there are none; its input is as wide as the vectors
  const on_param *out_weight, *out_bias;  // lstm_out; NULL when the two directions make the width
  // set by on_recurrent_prepare
  on_packed out;
  const float *out_b;
} on_recurrent;

// size: of a direction; 0 means half the width. False: out of memory.
bool on_recurrent_declare(on_recurrent *recurrent, on_params *params, on_arena *arena, uint32_t layers, uint32_t width,
                          uint32_t size);
// False: out of memory, here or before (arena->failed).
bool on_recurrent_prepare(on_recurrent *recurrent, on_arena *arena);
// h[n][width] += what the layers make of it: of `count` documents one behind the other, lengths[i] rows each, n in
// all; as many as on_lstm_run_many takes. False: out of memory.
bool on_recurrent_run(const on_recurrent *recurrent, const on_kernels *kernels, on_arena *scratch, float *h,
                      const size_t *lengths, size_t count);

#endif
