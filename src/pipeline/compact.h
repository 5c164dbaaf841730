// Compact storage of a pipeline's matrices (docs/format.md, "Weights").
#ifndef ON_PIPELINE_COMPACT_H
#define ON_PIPELINE_COMPACT_H

#include "pipeline/pipeline.h"

// Re-encodes every matrix as `type` (ON_F32, ON_F16, or ON_I8 with one scale per row: the largest magnitude
// over 127, values rounded to the nearest step, ties to even); vectors stay F32. New data lives in the pipeline's
// arena. The pipeline can be saved then; to run it, call on_pipeline_prepare. ON_INVALID_DATA names a matrix
// with a value that is not finite; a pipeline that failed in the middle may only be freed.
bool on_pipeline_compact(on_pipeline *pipeline, on_dtype type, on_error *error);

#endif
