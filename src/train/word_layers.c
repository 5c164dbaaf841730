#include "train/word_layers.h"

#include "nn/fastmath.h"

void on_word_layers_init(const on_word_layers *layers, on_random *random) {
  if (layers->shapes) on_init_normal(layers->shapes, 0.1f, random);
  on_recurrent_init(&layers->recurrent, random);
}

bool on_train_word_layers_rows(const on_word_layers *layers, on_train_step *step, size_t d, const on_doc *view,
                               on_train_word_layers *kept) {
  if (!layers->shapes) return true;
  if (!kept->rows) kept->rows = ON_NEW(&step->arena, uint32_t, step->m * ON_SHAPE_HASHES);
  if (!kept->rows) return false;
  uint32_t *rows = kept->rows + (size_t)step->starts[d] * ON_SHAPE_HASHES;
  for (size_t i = 0; i < view->n; i++, rows += ON_SHAPE_HASHES) {
    if (!on_word_layers_rows(layers, on_doc_token(view, i), &step->arena, rows)) return false;
  }
  return true;
}

bool on_train_word_layers_forward(const on_word_layers *layers, on_train_step *step, on_train_word_layers *kept,
                                  float *h) {
  const size_t width = layers->width;
  for (size_t r = 0; kept->rows && r < step->m * ON_SHAPE_HASHES; r++) {
    on_axpy(h + r / ON_SHAPE_HASHES * width, 1, on_value(layers->shapes) + kept->rows[r] * width, width);
  }
  return on_train_recurrent_forward(&layers->recurrent, step, &kept->recurrent, h);
}

bool on_train_word_layers_backward(const on_word_layers *layers, on_train_step *step, const on_train_word_layers *kept,
                                   float *dh) {
  const size_t width = layers->width;
  if (!on_train_recurrent_backward(&layers->recurrent, step, &kept->recurrent, dh)) return false;
  for (size_t r = 0; kept->rows && r < step->m * ON_SHAPE_HASHES; r++) {
    on_axpy(on_grad(step, layers->shapes) + kept->rows[r] * width, 1, dh + r / ON_SHAPE_HASHES * width, width);
  }
  return true;
}
