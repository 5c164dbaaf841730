#ifndef ON_TRAIN_PARSER_H
#define ON_TRAIN_PARSER_H

#include "train/kinds.h"

extern const on_head_trainer on_parser_trainer;

#endif
