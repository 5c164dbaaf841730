// Training that goes on from a pipeline: its weights in place of random ones.
#ifndef ON_TRAIN_START_FROM_H
#define ON_TRAIN_START_FROM_H

#include "pipeline/pipeline.h"

// Copies into the parameters of `pipeline` (floats) those of `from`, whatever they are stored as: of its encoders (of
// fine-tuned models in files of their own, too) and trained tokenizer, and of the components that have the same name
// there. Others stay as they are, or are errors where all are wanted. ON_INVALID_DATA names what is missing, or has
// another shape or other labels.
bool on_train_start_from(const on_pipeline *pipeline, const on_pipeline *from, bool all, on_error *error);

#endif
