#ifndef ON_TRAIN_LEMMATIZER_H
#define ON_TRAIN_LEMMATIZER_H

#include "train/kinds.h"

extern const on_head_trainer on_lemmatizer_trainer;

#endif
