// onenlp inspect: what a pipeline file holds.
#include "cli/commands.h"
#include "cli/files.h"
#include "onenlp_internal.h"

enum { JSON, MODELS, VERIFY };

static const on_option options[] = {
    [JSON] = {0, "json", NULL, "One JSON object: config, tensors, sizes, metadata."},
    [MODELS] = ON_MODELS_OPTION,
    [VERIFY] = {0, "verify", NULL, "Compare the encoder files with the SHA-256 that the pipeline gives for them."},
    {0, NULL, NULL, NULL},
};

static int run(int argc, char **argv);

const on_command on_command_inspect = {
    "inspect", "show what a pipeline file holds", "[OPTION...] FILE",
    "Loads a pipeline file, which checks all of it, and shows its language, tokenizer, encoders, components, labels, "
    "tensors, sizes and metadata.",
    options, run,
};

static int run(int argc, char **argv) {
  on_args args = {&on_command_inspect, argc, argv};
  const char *value, *models = NULL;
  int option, count;
  onenlp_style style = ONENLP_TABLE;
  bool verify = false;
  while ((option = on_args_next(&args, &value)) != ON_ARGS_END) {
    switch (option) {
      case JSON: style = ONENLP_JSON; break;
      case MODELS: models = value; break;
      case VERIFY: verify = true; break;
      default: return on_args_exit(option);
    }
  }
  char **paths = on_args_operands(&args, &count);
  if (count != 1) return on_args_fail(&args, "one pipeline file is wanted, not %d", count);
  on_model model;
  if (!on_model_open(&model, paths[0], models)) return ON_EXIT_FAILED;
  onenlp_buffer out = {{0}};
  onenlp_error error;
  on_error write_error;
  on_output output;
  on_output_open(&output, NULL, NULL);
  int code = ON_EXIT_OK;
  if ((verify && !onenlp_verify_files(model.pipeline, &error)) ||
      !onenlp_inspect(model.pipeline, style, &out, &error)) {
    code = on_say_public_error(paths[0], &error);
  } else if (!on_output_write(&output, on_buf_view(&out.buf), &write_error)) {
    code = on_say_error(NULL, ON_STR_NONE, &write_error);
  }
  on_buf_free(&out.buf);
  on_model_close(&model);
  return code;
}
