#ifndef ON_TRAIN_FAST_H
#define ON_TRAIN_FAST_H

#include "train/kinds.h"

extern const on_encoder_trainer on_fast_trainer;

#endif
