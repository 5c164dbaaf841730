// Reading a pipeline file: every declared parameter must be there with the right type and shape, and nothing
// else.
#include <stdio.h>

#include "base/map.h"
#include "base/name.h"
#include "format/container.h"
#include "pipeline/pipeline.h"

typedef struct binding {
  const on_checkpoint *checkpoint;
  on_map index;        // tensor name to its number
  uint8_t *used;       // one byte a tensor
  const char *file;    // for positions
  on_error *error;
} binding;

static int64_t place(const binding *b, const on_tensor *tensor) {
  return (int64_t)((const char *)tensor->data - b->file);
}

static void show_shape(char out[32], unsigned rank, const uint32_t *shape) {
  if (rank == 2) {
    snprintf(out, 32, "[%u, %u]", shape[0], shape[1]);
  } else {
    snprintf(out, 32, "[%u]", shape[0]);
  }
}

static on_tensor *find(binding *b, on_str name) {
  uint32_t *number = on_map_get(&b->index, name);
  if (!number) return NULL;
  b->used[*number] = 1;
  return &b->checkpoint->tensors[*number];
}

static bool bind(void *context, const char *name, on_param *param) {
  binding *b = context;
  const on_tensor *tensor = find(b, on_str_c(name));
  if (!tensor) return on_fail(b->error, ON_INVALID_DATA, -1, "tensor %s: missing", name);
  bool same = tensor->rank == param->rank && tensor->shape[0] == param->shape[0] &&
              (param->rank == 1 || tensor->shape[1] == param->shape[1]);
  if (!same) {
    char is[32], want[32];
    show_shape(is, tensor->rank, tensor->shape);
    show_shape(want, param->rank, param->shape);
    return on_fail(b->error, ON_INVALID_DATA, place(b, tensor), "tensor %s: shape %s, want %s", name, is, want);
  }
  if (param->rank == 1 && tensor->type != ON_F32) {
    return on_fail(b->error, ON_INVALID_DATA, place(b, tensor), "tensor %s: type %s, want F32", name,
                   on_dtype_name(tensor->type));
  }
  param->type = tensor->type;
  param->data = tensor->data;
  param->scale = NULL;
  if (tensor->type != ON_I8) return true;
  char scale_name[ON_MAX_PARAM_NAME + 8];
  on_name(scale_name, sizeof scale_name, "%s.scale", name);
  const on_tensor *scale = find(b, on_str_c(scale_name));
  if (!scale || scale->type != ON_F32 || scale->rank != 1 || scale->shape[0] != param->shape[0]) {
    return on_fail(b->error, ON_INVALID_DATA, -1, "tensor %s: want F32 [%u]", scale_name, param->shape[0]);
  }
  param->scale = scale->data;
  return true;
}

static bool bind_all(on_pipeline *pipeline, const on_checkpoint *checkpoint, on_str file, on_error *error) {
  binding b = {.checkpoint = checkpoint, .file = file.p, .error = error};
  b.used = ON_NEW0(&pipeline->arena, uint8_t, checkpoint->count);
  bool ok = b.used != NULL;
  for (size_t i = 0; i < checkpoint->count && ok; i++) {
    ok = on_map_put(&b.index, checkpoint->tensors[i].name, (uint32_t)i, NULL) != NULL;
  }
  if (!ok) on_fail_memory(error);
  ok = ok && on_pipeline_each_param(pipeline, bind, &b);
  for (size_t i = 0; i < checkpoint->count && ok; i++) {
    const on_tensor *tensor = &checkpoint->tensors[i];
    if (b.used[i]) continue;
    ok = on_fail(error, ON_INVALID_DATA, place(&b, tensor), "tensor %.*s: the config does not declare it",
                 ON_SHOW(tensor->name));
  }
  on_map_free(&b.index);
  return ok;
}

// Errors of a part of the file have positions in that part.
static bool fail_in_part(on_error *error, on_str file, on_str part) {
  if (error && error->position >= 0) error->position += part.p - file.p;
  return false;
}

static bool load_weights(on_pipeline *pipeline, on_str file, on_str weights, on_error *error) {
  on_checkpoint checkpoint;
  if (!on_checkpoint_read(&pipeline->arena, weights, &checkpoint, error)) return fail_in_part(error, file, weights);
  pipeline->meta = checkpoint.meta;
  pipeline->meta_count = checkpoint.meta_count;
  return bind_all(pipeline, &checkpoint, file, error) && on_pipeline_prepare(pipeline, error);
}

bool on_pipeline_load(on_pipeline *pipeline, on_str file, on_error *error) {
  return on_pipeline_load_with(pipeline, file, NULL, error);
}

bool on_pipeline_load_with(on_pipeline *pipeline, on_str file, const on_files *files, on_error *error) {
  *pipeline = (on_pipeline){0};
  on_container container;
  if (!on_container_read(file, &container, error)) return false;
  if (!on_pipeline_from_config_with(pipeline, container.config, files, error)) return fail_in_part(error, file, container.config);
  if (load_weights(pipeline, file, container.weights, error)) return true;
  on_pipeline_free(pipeline);
  return false;
}
