#include "cli/save_pipeline.h"

#include <string.h>

#include "base/alloc.h"
#include "cli/files.h"
#include "pipeline/export.h"

static bool write_part(void *context, on_str bytes, on_error *error) { return on_output_write(context, bytes, error); }

// The file's name without folder and extension.
static on_str stem_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  return (on_str){name, dot && dot != name ? (size_t)(dot - name) : strlen(name)};
}

static char *model_path(const char *path, size_t i) {
  const on_str stem = stem_of(path);
  on_buf buf = {0};
  on_buf_str(&buf, (on_str){path, (size_t)(stem.p - path)});
  on_pipeline_export_name(stem, i, &buf);
  on_buf_char(&buf, '\0');
  if (!buf.failed) return buf.p;
  on_buf_free(&buf);
  return NULL;
}

// Outputs 0 .. encoder_count - 1 are the models, where there are such, the last one is the pipeline file.
typedef struct saving {
  const on_pipeline *pipeline;
  on_output *outputs;
  char **paths;         // of the models
  char (*hashes)[65];
} saving;

static bool write_model(const saving *s, size_t i, const char *path, on_error *error) {
  s->paths[i] = model_path(path, i);
  if (!s->paths[i]) return on_fail_memory(error);
  const on_sink sink = {&s->outputs[i], write_part};
  return on_output_open(&s->outputs[i], s->paths[i], error) &&
         on_pipeline_export(s->pipeline, i, &sink, s->hashes[i], error);
}

static bool write_file(const saving *s, const char *path, on_error *error) {
  const on_pipeline *pipeline = s->pipeline;
  on_output *output = &s->outputs[pipeline->encoder_count];
  on_buf file = {0};
  bool ok = on_pipeline_save_exported(pipeline, stem_of(path), s->hashes, pipeline->meta, pipeline->meta_count, &file,
                                      error) &&
            on_output_open(output, path, error) && on_output_write(output, on_buf_view(&file), error);
  on_buf_free(&file);
  return ok;
}

static bool write_all(const saving *s, const char *path, on_error *error) {
  const size_t n = s->pipeline->encoder_count;
  for (size_t i = 0; i < n; i++) {
    if (on_pipeline_exports(s->pipeline, i) && !write_model(s, i, path, error)) return false;
  }
  if (!write_file(s, path, error)) return false;
  for (size_t i = 0; i <= n; i++) {
    if (!on_output_commit(&s->outputs[i], error)) return false;
  }
  return true;
}

static bool write_exported(const on_pipeline *pipeline, const char *path, on_error *error) {
  const size_t n = pipeline->encoder_count;
  saving s = {pipeline, on_calloc(n + 1, sizeof *s.outputs), on_calloc(n + 1, sizeof *s.paths),
              on_calloc(n + 1, sizeof *s.hashes)};
  bool ok = (s.outputs && s.paths && s.hashes) || on_fail_memory(error);
  ok = ok && write_all(&s, path, error);
  for (size_t i = 0; s.outputs && i <= n; i++) on_output_discard(&s.outputs[i]);  // of what was not committed
  for (size_t i = 0; s.paths && i < n; i++) on_free(s.paths[i]);
  on_free(s.outputs);
  on_free(s.paths);
  on_free(s.hashes);
  return ok;
}

bool on_pipeline_file_write(const char *path, on_str file, const on_files *files, bool inside, on_error *error) {
  on_pipeline pipeline;
  if (inside || strcmp(path, "-") == 0) return on_file_write(path, file, error);
  if (!on_pipeline_load_with(&pipeline, file, files, error)) return false;
  bool any = false;
  for (size_t i = 0; i < pipeline.encoder_count; i++) any = any || on_pipeline_exports(&pipeline, i);
  bool ok = any ? write_exported(&pipeline, path, error) : on_file_write(path, file, error);
  on_pipeline_free(&pipeline);
  return ok;
}
