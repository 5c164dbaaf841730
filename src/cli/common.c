// What the commands share.
#include <stdio.h>

#include "cli/commands.h"
#include "cli/files.h"

int on_say_error(const char *path, on_str bytes, const on_error *error) {
  const char *name = !path || path[0] != '-' || path[1] ? path : "standard input";
  fprintf(stderr, "onenlp: %s%s", name ? name : "", name ? ": " : "");
  if (error->code == ON_INVALID_UTF8 && bytes.p && error->position >= 0 && (uint64_t)error->position <= bytes.n) {
    size_t line = 1;
    for (int64_t i = 0; i < error->position; i++) line += bytes.p[i] == '\n';
    fprintf(stderr, "line %zu: ", line);
  }
  fprintf(stderr, "%s\n", error->text);
  return ON_EXIT_FAILED;
}

int on_say_public_error(const char *path, const onenlp_error *error) {
  on_error inner;
  on_fail(&inner, (on_code)error->code, error->position, "%s", error->text);
  return on_say_error(path, ON_STR_NONE, &inner);
}

bool on_model_open(on_model *model, const char *path, const char *folder) {
  *model = (on_model){0};
  on_model_files_init(&model->files, folder, path);
  on_error error;
  onenlp_error load_error;
  if (!on_file_read(path, &model->bytes, &error)) {
    on_say_error(NULL, ON_STR_NONE, &error);
  } else if (!(model->pipeline = onenlp_load_with_files(model->bytes.p, model->bytes.n, ONENLP_BORROW,
                                                        &model->files.files, &load_error))) {
    // What the system says of a file tells more than that it is not there.
    if (load_error.code == ONENLP_IO && model->files.why[0]) {
      on_fail(&error, ON_IO, -1, "%s", model->files.why);
      on_say_error(path, ON_STR_NONE, &error);
    } else {
      on_say_public_error(path, &load_error);
    }
  } else {
    return true;
  }
  on_model_close(model);
  return false;
}

void on_model_close(on_model *model) {
  onenlp_pipeline_free(model->pipeline);
  on_model_files_close(&model->files);
  on_buf_free(&model->bytes);
}
