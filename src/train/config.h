// The pipeline's config out of a recipe: the label sets are learned from the training data.
#ifndef ON_TRAIN_CONFIG_H
#define ON_TRAIN_CONFIG_H

#include "pipeline/pipeline.h"
#include "train/corpus.h"
#include "train/recipe.h"

// Appends the config as JSON. ON_INVALID_DATA for a component whose kind cannot be trained.
bool on_train_config(const on_recipe *recipe, const on_corpus *train, on_buf *out, on_error *error);

// saved-pipelines.md wants the distinct encoders that are read, in order of first use (the tokenizer reads first).
// ON_INVALID_DATA names one that is out of order, or that nothing reads.
bool on_train_check_encoders(const on_pipeline *pipeline, on_error *error);

#endif
