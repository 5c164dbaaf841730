// Descriptions of a pipeline: what it is made of, its tensors and their sizes, its metadata.
#ifndef ON_PIPELINE_INSPECT_H
#define ON_PIPELINE_INSPECT_H

#include "pipeline/pipeline.h"

// Both append; failure shows in the buffer. file_size 0: not from a file.
void on_inspect_table(const on_pipeline *pipeline, size_t file_size, on_buf *out);
// One object with a line end: the config as it would be saved, tensors, sizes, metadata.
void on_inspect_json(const on_pipeline *pipeline, size_t file_size, on_buf *out);

#endif
