// Training of what is learned over the vectors of words (transformer/word_layers.h).
#ifndef ON_TRAIN_WORD_LAYERS_H
#define ON_TRAIN_WORD_LAYERS_H

#include "train/recurrent.h"
#include "transformer/word_layers.h"

// What forward keeps, in the step's arena; zeros at first.
typedef struct on_train_word_layers {
  uint32_t *rows;  // [m][ON_SHAPE_HASHES], or NULL: there are no shapes
  on_train_recurrent recurrent;
} on_train_word_layers;

void on_word_layers_init(const on_word_layers *layers, on_random *random);
// The rows of document d of the step, as the encoder sees it; before forward. False: out of memory.
bool on_train_word_layers_rows(const on_word_layers *layers, on_train_step *step, size_t d, const on_doc *view,
                               on_train_word_layers *kept);
// h[m][width], the words' vectors, becomes what heads read.
bool on_train_word_layers_forward(const on_word_layers *layers, on_train_step *step, on_train_word_layers *kept,
                                  float *h);
// dh[m][width], the gradient of what heads read, becomes that of the words' vectors.
bool on_train_word_layers_backward(const on_word_layers *layers, on_train_step *step, const on_train_word_layers *kept,
                                   float *dh);

#endif
