// Training of the hash-embedding encoder.
#include "encode/hash_embedding.h"

#include <string.h>

#include "train/hash_embedding.h"

typedef struct kept {
  uint32_t *rows;  // [m]
  float *x;        // [m][width]
} kept;

static void init(const on_encoder *encoder, on_random *random) {
  const on_hash_embedding *state = encoder->state;
  on_init_normal(state->embed, 0.1f, random);
  on_init_glorot(state->weight, random);
  on_init_constant(state->bias, 0);
}

static bool forward(const on_encoder *encoder, on_train_step *step, float **h, void **out) {
  const on_hash_embedding *state = encoder->state;
  size_t width = state->width;
  kept *k = ON_NEW0(&step->arena, kept, 1);
  *h = ON_NEW(&step->arena, float, step->m * width);
  *out = k;
  if (!k || !*h) return false;
  k->rows = ON_NEW(&step->arena, uint32_t, step->m);
  k->x = ON_NEW(&step->arena, float, step->m * width);
  if (!k->rows || !k->x) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    if (!on_hash_embedding_rows(state, &step->docs[d], &step->arena, k->rows + step->starts[d])) return false;
  }
  for (size_t i = 0; i < step->m; i++) {
    memcpy(k->x + i * width, on_value(state->embed) + k->rows[i] * width, width * sizeof(float));
  }
  on_step_linear_forward(*h, k->x, state->weight, state->bias, step->m);
  return true;
}

static bool backward(const on_encoder *encoder, on_train_step *step, void *in, float *dh) {
  const on_hash_embedding *state = encoder->state;
  const kept *k = in;
  size_t width = state->width;
  float *dx = ON_NEW0(&step->arena, float, step->m * width);
  if (!dx) return false;
  on_step_linear_backward(step, dx, dh, k->x, state->weight, state->bias, step->m);
  float *table = on_grad(step, state->embed);
  for (size_t i = 0; i < step->m; i++) {
    for (size_t j = 0; j < width; j++) table[k->rows[i] * width + j] += dx[i * width + j];
  }
  return true;
}

const on_encoder_trainer on_hash_embedding_trainer = {.name = "hash-embedding", .init = init, .forward = forward,
                                                      .backward = backward};
