#ifndef ON_TRAIN_SPANCAT_H
#define ON_TRAIN_SPANCAT_H

#include "train/kinds.h"

extern const on_head_trainer on_spancat_trainer;

#endif
