// Bidirectional LSTM layers for inference (Hochreiter and Schmidhuber 1997; gates in PyTorch's order
// input, forget, cell, output; one bias per direction).
#ifndef ON_NN_LSTM_H
#define ON_NN_LSTM_H

#include "nn/param.h"

enum { ON_LSTM_MAX_LAYERS = 4 };
// Sequences that are run together at most. In WebAssembly a product of one row is as near to what the engine can do as
// one of several (docs/benchmarks.md), so that there is nothing to gain.
#ifdef __wasm__
enum { ON_LSTM_TOGETHER = 1 };
#else
enum { ON_LSTM_TOGETHER = 32 };
#endif

typedef struct on_lstm {
  uint32_t layers, input, size;  // size: hidden units per direction
  // Declared as lstm.weight_ih_l<k>, lstm.weight_hh_l<k>, lstm.bias_l<k> and the same with _reverse, in
  // that order; [4 * size, input or 2 * size], [4 * size, size], [4 * size]
  const on_param *weight_ih[ON_LSTM_MAX_LAYERS][2], *weight_hh[ON_LSTM_MAX_LAYERS][2], *bias[ON_LSTM_MAX_LAYERS][2];
  // set by on_lstm_prepare
  on_packed ih[ON_LSTM_MAX_LAYERS][2], hh[ON_LSTM_MAX_LAYERS][2];
  const float *b[ON_LSTM_MAX_LAYERS][2];
} on_lstm;

bool on_lstm_declare(on_lstm *lstm, on_params *params, on_arena *arena, uint32_t layers, uint32_t input,
                     uint32_t size);
bool on_lstm_prepare(on_lstm *lstm, on_arena *arena);
// y[n][2 * size] (forward half, backward half) from x[n][input], states starting at zero. Scratch memory
// comes from `scratch`, O(n * size). y does not overlap x. False: out of memory.
bool on_lstm_run(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                 size_t n);
// The same for `count` sequences one after another, lengths[i] rows each, with the same bits; count is in
// [1, ON_LSTM_TOGETHER]. A step takes a row of all sequences that are at least that long, so that the recurrent weights
// are read once for all of them.
bool on_lstm_run_many(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y, const float *x,
                      const size_t *lengths, size_t count);

// The same from what the input gives to the gates of the first layer, which need not be computed for every row
// anew: on_lstm_gates writes gates[n][4 * size] of one direction; on_lstm_run_gates reads those of row t at
// gates[t] + at, forward, then backward.
void on_lstm_gates(const on_lstm *lstm, const on_kernels *kernels, int direction, float *gates, const float *x,
                   size_t n);
bool on_lstm_run_gates(const on_lstm *lstm, const on_kernels *kernels, on_arena *scratch, float *y,
                       const float *const *gates, size_t at, const size_t *lengths, size_t count);

#endif
