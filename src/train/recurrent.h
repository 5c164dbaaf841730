// Training of recurrent layers over vectors (encode/recurrent.h): the same computation, kept for the backward pass.
#ifndef ON_TRAIN_RECURRENT_H
#define ON_TRAIN_RECURRENT_H

#include "encode/recurrent.h"
#include "train/step.h"

// What forward keeps, in the step's arena.
typedef struct on_train_recurrent {
  on_train_lstm lstm[ON_LSTM_MAX_LAYERS];
  float *in_mask[ON_LSTM_MAX_LAYERS];
  float *states;       // [m][2 * size], after the last layer's dropout
  float *states_mask;
} on_train_recurrent;

void on_recurrent_init(const on_recurrent *recurrent, on_random *random);
// h[m][width] += what the layers make of it. False: out of memory.
bool on_train_recurrent_forward(const on_recurrent *recurrent, on_train_step *step, on_train_recurrent *kept, float *h);
// Adds to dh[m][width] what comes through the layers, and their gradients.
bool on_train_recurrent_backward(const on_recurrent *recurrent, on_train_step *step, const on_train_recurrent *kept,
                                 float *dh);

#endif
