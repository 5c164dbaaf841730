// A trained pipeline on the disk: its file, and the models of its fine-tuned encoders beside it.
#ifndef ON_CLI_SAVE_PIPELINE_H
#define ON_CLI_SAVE_PIPELINE_H

#include "base/error.h"
#include "base/slice.h"
#include "base/source.h"

// Writes the bytes of a pipeline file to `path` ("-": standard output). Each transformer-trainable encoder goes into a
// model <path without extension>.encoder<N>.onnx, and the file refers to it, unless `inside` or the path is a stream:
// then the bytes are written as they are. `files` is where those encoders have their token tables from. All names
// change at the end, one after another; the file says which models it belongs to by their hashes.
bool on_pipeline_file_write(const char *path, on_str file, const on_files *files, bool inside, on_error *error);

#endif
