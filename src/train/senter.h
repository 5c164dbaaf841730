#ifndef ON_TRAIN_SENTER_H
#define ON_TRAIN_SENTER_H

#include "train/kinds.h"

extern const on_head_trainer on_senter_trainer;

#endif
