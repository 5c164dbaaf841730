#ifndef ON_TRAIN_TEXTCAT_H
#define ON_TRAIN_TEXTCAT_H

#include "train/kinds.h"

extern const on_head_trainer on_textcat_trainer;

#endif
