#ifndef ON_TRAIN_TRANSFORMER_H
#define ON_TRAIN_TRANSFORMER_H

#include "train/kinds.h"

extern const on_encoder_trainer on_transformer_trainer;

#endif
