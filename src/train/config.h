// The pipeline's config out of a recipe: the label sets are learned from the training data.
#ifndef ON_TRAIN_CONFIG_H
#define ON_TRAIN_CONFIG_H

#include "train/corpus.h"
#include "train/recipe.h"

// Appends the config as JSON. ON_INVALID_DATA for a component whose kind cannot be trained.
bool on_train_config(const on_recipe *recipe, const on_corpus *train, on_buf *out, on_error *error);

#endif
