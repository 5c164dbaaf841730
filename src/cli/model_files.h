// The files that a pipeline names: its encoder's model and tokenizer, mapped into memory or read by descriptor.
#ifndef ON_CLI_MODEL_FILES_H
#define ON_CLI_MODEL_FILES_H

#include "base/source.h"
#include "onenlp.h"

typedef struct on_model_file on_model_file;

// Relative names are looked up in `folder` (the current one when NULL), files beside the pipeline in the folder of
// `pipeline` (its path; NULL or "-": a stream, which has no such place).
typedef struct on_model_files {
  const char *folder, *pipeline;
  on_model_file *opened;  // until on_model_files_close
  onenlp_files files;     // for onenlp_load_with_files
  on_files inner;         // for the training
  char why[512];          // why the last one could not be opened
} on_model_files;

void on_model_files_init(on_model_files *files, const char *folder, const char *pipeline);
void on_model_files_close(on_model_files *files);

#endif
