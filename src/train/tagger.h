#ifndef ON_TRAIN_TAGGER_H
#define ON_TRAIN_TAGGER_H

#include "train/kinds.h"

extern const on_head_trainer on_tagger_trainer;

#endif
