// Saving to a file: fine-tuned encoders become ONNX models beside it, and the pipeline refers to them by their names.
// What is saved to a stream keeps them inside (on_pipeline_save).
#ifndef ON_PIPELINE_EXPORT_H
#define ON_PIPELINE_EXPORT_H

#include "onnx/write.h"
#include "pipeline/pipeline.h"

// Whether encoder i is written as a model of its own.
bool on_pipeline_exports(const on_pipeline *pipeline, size_t i);
// Its name: "<stem>.encoder<i>.onnx". The stem is the file's name without its extension.
void on_pipeline_export_name(on_str stem, size_t i, on_buf *out);
// Writes it, and its SHA-256 as 64 digits and a NUL into `hash`.
bool on_pipeline_export(const on_pipeline *pipeline, size_t i, const on_sink *sink, char hash[65], on_error *error);
// on_pipeline_save with those encoders as `transformer` encoders that are named by `stem`, without weights. hashes[i]
// is that of encoder i.
bool on_pipeline_save_exported(const on_pipeline *pipeline, on_str stem, char (*hashes)[65], const on_meta *meta,
                               size_t meta_count, on_buf *out, on_error *error);

#endif
