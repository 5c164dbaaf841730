// onenlp inspect: what a pipeline file holds.
#include "cli/commands.h"
#include "cli/files.h"
#include "onenlp_internal.h"

enum { JSON };

static const on_option options[] = {
    [JSON] = {0, "json", NULL, "One JSON object: config, tensors, sizes, metadata."},
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
  const char *value;
  int option, count;
  onenlp_style style = ONENLP_TABLE;
  while ((option = on_args_next(&args, &value)) != ON_ARGS_END) {
    if (option != JSON) return on_args_exit(option);
    style = ONENLP_JSON;
  }
  char **paths = on_args_operands(&args, &count);
  if (count != 1) return on_args_fail(&args, "one pipeline file is wanted, not %d", count);
  on_model model;
  if (!on_model_open(&model, paths[0])) return ON_EXIT_FAILED;
  onenlp_buffer out = {{0}};
  onenlp_error error;
  on_error write_error;
  on_output output;
  on_output_open(&output, NULL, NULL);
  int code = ON_EXIT_OK;
  if (!onenlp_inspect(model.pipeline, style, &out, &error)) {
    code = on_say_public_error(paths[0], &error);
  } else if (!on_output_write(&output, on_buf_view(&out.buf), &write_error)) {
    code = on_say_error(NULL, ON_STR_NONE, &write_error);
  }
  on_buf_free(&out.buf);
  on_model_close(&model);
  return code;
}
