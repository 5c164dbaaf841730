#ifndef ON_TRAIN_HASH_EMBEDDING_H
#define ON_TRAIN_HASH_EMBEDDING_H

#include "train/kinds.h"

extern const on_encoder_trainer on_hash_embedding_trainer;

#endif
