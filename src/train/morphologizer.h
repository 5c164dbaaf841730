#ifndef ON_TRAIN_MORPHOLOGIZER_H
#define ON_TRAIN_MORPHOLOGIZER_H

#include "train/kinds.h"

extern const on_head_trainer on_morphologizer_trainer;

#endif
