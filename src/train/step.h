// One training step of one shard of a batch: what encoders and heads see while they compute gradients.
#ifndef ON_TRAIN_STEP_H
#define ON_TRAIN_STEP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "doc/doc.h"
#include "nn/param.h"
#include "train/layers.h"
#include "train/names.h"
#include "train/vector_cache.h"
#include "train/word_counts.h"

// Dropout rates and the like; 0 switches each off.
typedef struct on_regularization {
  float word;       // a token's word form is replaced by an unknown one
  float lower;      // the encoder sees a document in lower case
  float names;      // the encoder sees other names in place of an entity's
  float input;      // on the joined embeddings
  float encoder;    // on the output of the join, of each window layer and between recurrent layers
  float recurrent;  // on the hidden state inside the LSTM, one mask per sequence
  float head;       // on the vectors that a head reads
  float projection; // on the parser's projections
  float smoothing;  // label smoothing
} on_regularization;

typedef struct on_train_step {
  on_arena arena;    // reset after every step
  on_random random;
  const on_regularization *rates;
  const on_names *names;  // what stands in for names, or NULL
  const on_word_counts *words;  // how the training data writes the words of lists, or NULL
  on_vector_cache *cache; // of encoders that are not trained, or NULL
  on_error error;         // why the step failed; ON_OK: out of memory
  // All parameters of a pipeline lie in one block of floats, their gradients in a block of the same shape.
  const float *values;
  float *grads;
  // The shard: docs with their gold columns; the rows of doc d are starts[d] .. starts[d + 1] - 1.
  on_doc *docs;
  size_t doc_count;
  uint32_t *starts;  // doc_count + 1
  size_t m;          // rows
  bool characters;   // the docs are characters; their column tag says which begin a word (B), and which go on (I)
} on_train_step;

// A parameter's values and its gradient, [shape[0]][shape[1]].
static inline const float *on_value(const on_param *param) { return (const float *)(const void *)param->data; }
static inline float *on_grad(const on_train_step *step, const on_param *param) {
  return step->grads + (on_value(param) - step->values);
}

// For initialisation: the same as on_value, writable.
static inline float *on_value_mutable(const on_param *param) { return (float *)(uintptr_t)param->data; }

void on_init_normal(const on_param *param, float deviation, on_random *random);
void on_init_uniform(const on_param *param, float limit, on_random *random);
void on_init_glorot(const on_param *param, on_random *random);  // Glorot and Bengio 2010, uniform
void on_init_constant(const on_param *param, float value);

// Copies into the parameters `to` (floats) those of `from`, whatever they are stored as, up to the first whose name or
// shape is not the same, which is returned; NULL: there is none.
const on_param *on_take_params(const on_params *to, const on_params *from);

// y = x * mask with a fresh dropout mask, which is returned (arena) for the backward pass; rate 0 gives no
// mask (NULL) and leaves x as it is. *ok turns false without memory.
float *on_step_dropout(on_train_step *step, float *x, size_t n, float rate, bool *ok);

// Linear layers whose parameters carry their shapes. dx may be NULL.
void on_step_linear_forward(float *y, const float *x, const on_param *weight, const on_param *bias, size_t m);
void on_step_linear_backward(const on_train_step *step, float *dx, const float *dy, const float *x,
                             const on_param *weight, const on_param *bias, size_t m);

#endif
