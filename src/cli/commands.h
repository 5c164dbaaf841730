// The subcommands, one file each.
#ifndef ON_CLI_COMMANDS_H
#define ON_CLI_COMMANDS_H

#include "base/buffer.h"
#include "base/error.h"
#include "cli/args.h"
#include "cli/model_files.h"
#include "onenlp.h"

extern const on_command on_command_annotate;
extern const on_command on_command_convert;
extern const on_command on_command_evaluate;
extern const on_command on_command_inspect;
extern const on_command on_command_train;

// Says "onenlp: <path>: <message>" on standard error (path NULL: none). For bytes that are not UTF-8, `bytes`
// tells the line: "onenlp: a.txt: line 3: ...". Returns ON_EXIT_FAILED.
int on_say_error(const char *path, on_str bytes, const on_error *error);
// The same for an error of the public interface.
int on_say_public_error(const char *path, const onenlp_error *error);

// A pipeline file, read and loaded with the files that it names (`folder`: where those with relative names are; NULL:
// the current one). False after saying what is wrong.
typedef struct on_model {
  on_buf bytes;
  on_model_files files;
  onenlp_pipeline *pipeline;
} on_model;
bool on_model_open(on_model *model, const char *path, const char *folder);
void on_model_close(on_model *model);

// The option of every command that loads a pipeline.
#define ON_MODELS_OPTION \
  {0, "models", "DIR", "Where the encoder files are that a pipeline names without a path; the current folder by default."}

#endif
