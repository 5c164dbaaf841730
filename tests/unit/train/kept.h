// What a training hands on: the file of its best epoch and the scores, if there are any.
#ifndef ONENLP_TESTS_TRAIN_KEPT_H
#define ONENLP_TESTS_TRAIN_KEPT_H

#include "train/train.h"

typedef struct kept {
  on_buf file;
  on_dev_scores dev;
} kept;

// on_train_listener.better; the context begins with a kept.
static bool keep(void *context, on_str file, const on_dev_scores *dev, on_error *error) {
  (void)error;
  kept *k = context;
  on_buf_clear(&k->file);
  on_buf_str(&k->file, file);
  if (dev) k->dev = *dev;
  return true;
}

#endif
