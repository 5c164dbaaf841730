// Units that a transformer takes together: the same vectors and columns as one by one, whatever fails on the way.
#include "../pipeline/together.h"
#include "folder.h"

typedef struct opened {
  folder folder;
  on_files files;
  char *file;
  on_pipeline pipeline;
  on_workspace workspace;
} opened;

static void open_all(opened *o) {
  size_t size;
  on_error error;
  *o = (opened){0};
  add_file(&o->folder, "bert.onnx", "bert", ".onnx", false);
  add_file(&o->folder, "bert.tokenizer.json", "bert", ".tokenizer.json", false);
  o->files = (on_files){.context = &o->folder, .open = open_file};
  o->file = fixture_file("bert", ".onenlp", &size);
  if (!on_pipeline_load_with(&o->pipeline, (on_str){o->file, size}, &o->files, &error)) fail_msg("%s", error.text);
  assert_true(on_workspace_init(&o->workspace, o->pipeline.encoder_count, NULL));
}

static void close_all(opened *o) {
  on_workspace_free(&o->workspace);
  on_pipeline_free(&o->pipeline);
  close_folder(&o->folder);
  free(o->file);
}

static void same_vectors(void **state) {
  (void)state;
  opened o;
  open_all(&o);
  assert_true(together_same_vectors(&o.pipeline, &o.workspace, 60, false) > 512);  // words: several batches
  close_all(&o);
}

static void same_columns(void **state) {
  (void)state;
  opened o;
  open_all(&o);
  together_same_columns(&o.pipeline, 20);
  close_all(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_vectors), cmocka_unit_test(same_columns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
