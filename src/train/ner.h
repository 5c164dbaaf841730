#ifndef ON_TRAIN_NER_H
#define ON_TRAIN_NER_H

#include "train/kinds.h"

extern const on_head_trainer on_ner_trainer;

#endif
