// Training of `transformer-trainable`.
#ifndef ON_TRAIN_TRAINABLE_H
#define ON_TRAIN_TRAINABLE_H

#include "train/kinds.h"

extern const on_encoder_trainer on_trainable_trainer;

#endif
