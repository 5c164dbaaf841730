#include <stdio.h>

#include "format/container.h"
#include "pipeline/pipeline.h"

typedef struct collection {
  on_arena *arena;
  on_tensor *list;
  size_t n;
  on_error *error;
} collection;

static bool count_tensors(void *context, const char *name, on_param *param) {
  collection *c = context;
  if (!param->data) return on_fail(c->error, ON_INVALID_ARGUMENT, -1, "tensor %s has no values to save", name);
  c->n += param->type == ON_I8 ? 2 : 1;
  return true;
}

static bool add_tensor(collection *c, on_str name, const on_tensor *shape) {
  on_tensor *tensor = &c->list[c->n++];
  *tensor = *shape;
  tensor->name = on_arena_str(c->arena, name);
  size_t size = shape->type == ON_F32 ? 4 : shape->type == ON_F16 ? 2 : 1;
  tensor->size = (size_t)shape->shape[0] * (shape->rank == 2 ? shape->shape[1] : 1) * size;
  return tensor->name.p || on_fail_memory(c->error);
}

static bool collect(void *context, const char *name, on_param *param) {
  collection *c = context;
  on_tensor tensor = {.type = param->type, .rank = param->rank, .shape = {param->shape[0], param->shape[1]},
                      .data = param->data};
  if (!add_tensor(c, on_str_c(name), &tensor)) return false;
  if (param->type != ON_I8) return true;
  char scale_name[ON_MAX_PARAM_NAME + 8];
  snprintf(scale_name, sizeof scale_name, "%s.scale", name);
  on_tensor scale = {.type = ON_F32, .rank = 1, .shape = {param->shape[0], 1}, .data = param->scale};
  return add_tensor(c, on_str_c(scale_name), &scale);
}

static bool save(const on_pipeline *pipeline, const on_meta *meta, size_t meta_count, on_arena *arena, on_buf *config,
                 on_buf *weights, on_buf *out, on_error *error) {
  collection c = {.arena = arena, .error = error};
  if (!on_pipeline_each_param(pipeline, count_tensors, &c)) return false;
  c.list = ON_NEW(arena, on_tensor, c.n);
  if (!c.list) return on_fail_memory(error);
  c.n = 0;
  if (!on_pipeline_each_param(pipeline, collect, &c)) return false;
  on_pipeline_write_config(pipeline, config);
  if (config->failed) return on_fail_memory(error);
  on_checkpoint checkpoint = {.tensors = c.list, .count = c.n, .meta_count = meta_count};
  checkpoint.meta = ON_NEW(arena, on_meta, meta_count);
  if (!checkpoint.meta) return on_fail_memory(error);
  for (size_t i = 0; i < meta_count; i++) checkpoint.meta[i] = meta[i];
  return on_checkpoint_write(weights, &checkpoint, on_container_weights_offset(config->n), error) &&
         on_container_write(out, on_buf_view(config), on_buf_view(weights), error);
}

bool on_pipeline_save(const on_pipeline *pipeline, const on_meta *meta, size_t meta_count, on_buf *out,
                      on_error *error) {
  on_arena arena = {0};
  on_buf config = {0}, weights = {0};
  bool ok = save(pipeline, meta, meta_count, &arena, &config, &weights, out, error);
  on_arena_free(&arena);
  on_buf_free(&config);
  on_buf_free(&weights);
  return ok;
}
