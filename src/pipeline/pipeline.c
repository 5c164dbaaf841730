#include "pipeline/pipeline.h"

#include <string.h>

#include "base/alloc.h"
#include "base/name.h"
#include "nn/vectors.h"
#include "pipeline/builtin.h"

void on_pipeline_free(on_pipeline *pipeline) {
  for (size_t i = 0; i < pipeline->encoder_count; i++) on_free(pipeline->encoders[i].params.list);
  for (size_t i = 0; i < pipeline->component_count; i++) on_free(pipeline->components[i].head.params.list);
  on_free(pipeline->tokenizer.head.params.list);
  on_arena_free(&pipeline->arena);
  on_json_free(pipeline->config);
  *pipeline = (on_pipeline){0};
}

bool on_pipeline_verify_files(const on_pipeline *pipeline, on_error *error) {
  for (size_t i = 0; i < pipeline->encoder_count; i++) {
    const on_encoder *encoder = &pipeline->encoders[i];
    if (encoder->kind->verify && !encoder->kind->verify(encoder, error)) return false;
  }
  return true;
}

typedef bool visitor(void *context, const char *full_name, on_param *param);

static bool visit_params(const on_params *params, const char *prefix, size_t number, visitor *visit, void *context) {
  for (size_t i = 0; i < params->n; i++) {
    char name[ON_MAX_PARAM_NAME];
    on_name(name, sizeof name, "%s%zu.%s", prefix, number, params->list[i]->name);
    if (!visit(context, name, params->list[i])) return false;
  }
  return true;
}

bool on_pipeline_each_param(const on_pipeline *pipeline, visitor *visit, void *context) {
  for (size_t i = 0; i < pipeline->encoder_count; i++) {
    if (!visit_params(&pipeline->encoders[i].params, "encoder", i, visit, context)) return false;
  }
  size_t heads = 0;
  const on_tokenizer *tokenizer = &pipeline->tokenizer;
  if (tokenizer->trained && !visit_params(&tokenizer->head.params, "head", heads++, visit, context)) return false;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    const on_component *component = &pipeline->components[i];
    if (component->type != ON_COMPONENT_HEAD) continue;
    if (!visit_params(&component->head.params, "head", heads++, visit, context)) return false;
  }
  return true;
}

bool on_pipeline_prepare(on_pipeline *pipeline, on_error *error) {
  on_arena *arena = &pipeline->arena;
  for (size_t i = 0; i < pipeline->encoder_count; i++) {
    on_encoder *encoder = &pipeline->encoders[i];
    if (!encoder->kind->prepare(encoder, arena, error)) return false;
  }
  on_tokenizer *tokenizer = &pipeline->tokenizer;
  if (tokenizer->trained && !tokenizer->head.kind->prepare(&tokenizer->head, arena, error)) return false;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    on_component *component = &pipeline->components[i];
    if (component->type != ON_COMPONENT_HEAD) continue;
    if (!component->head.kind->prepare(&component->head, arena, error)) return false;
  }
  return true;
}

const on_json *on_pipeline_head_config(const on_pipeline *pipeline, size_t component) {
  if (component >= pipeline->component_count || pipeline->components[component].type != ON_COMPONENT_HEAD) return NULL;
  const on_json *value = on_json_first(on_json_get(pipeline->config, "components"));
  for (size_t i = 0; i < component && value; i++) value = on_json_next(value);
  return value ? on_json_get(value, "config") : NULL;
}

on_str on_component_kind_name(const on_component *component) {
  return on_str_c(component->type == ON_COMPONENT_HEAD ? component->head.kind->name : component->builtin->name);
}

static bool is_senter(const on_component *component) {
  return component->type == ON_COMPONENT_HEAD && on_str_eq(on_str_c(component->head.kind->name), ON_STR("senter"));
}

bool on_component_sets_sentences(const on_component *component) {
  return component->type == ON_COMPONENT_BUILTIN ? component->builtin->sets_sentences : is_senter(component);
}

const on_segmentation *on_pipeline_sentence_data(const on_pipeline *pipeline) {
  for (size_t i = 0; i < pipeline->component_count; i++) {
    if (pipeline->components[i].data) return pipeline->components[i].data;
  }
  return on_segmentation_for_language(pipeline->language);
}

static bool is_on(const uint8_t *components, size_t i) { return !components || components[i]; }

// The vectors of an encoder over the Doc, computed at the first call.
static on_vectors *vectors(const on_pipeline *pipeline, on_workspace *workspace, size_t index, const on_doc *doc,
                           on_vectors *computed, on_error *error) {
  if (computed[index].h) return &computed[index];
  const on_encoder *encoder = &pipeline->encoders[index];
  if (doc->n > SIZE_MAX / 8 / (encoder->width + 1u)) {
    on_fail_memory(error);
    return NULL;
  }
  float *h = ON_NEW(&workspace->scratch, float, doc->n * encoder->width);
  if (!h) {
    on_fail_memory(error);
    return NULL;
  }
  if (!encoder->kind->run(encoder, workspace, &workspace->encoder_cache[index], doc, h, error)) return NULL;
  computed[index] = (on_vectors){.h = h, .n = doc->n, .width = encoder->width};
  return &computed[index];
}

static bool is_together(const on_pipeline *pipeline, const uint8_t *components, size_t encoder) {
  for (size_t i = 0; i < pipeline->component_count && pipeline->encoders[encoder].run_many; i++) {
    const on_component *component = &pipeline->components[i];
    if (is_on(components, i) && component->type == ON_COMPONENT_HEAD && component->encoder == encoder) return true;
  }
  return false;
}

bool on_pipeline_encodes_together(const on_pipeline *pipeline, const uint8_t *components) {
  for (size_t e = 0; e < pipeline->encoder_count; e++) {
    if (is_together(pipeline, components, e)) return true;
  }
  return false;
}

on_vectors *on_pipeline_encode(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                               const on_doc *const *docs, size_t count, on_arena *arena) {
  on_arena_reset(arena);
  on_vectors *all = ON_NEW0(arena, on_vectors, count * pipeline->encoder_count);
  float **out = ON_NEW(arena, float *, count);
  for (size_t e = 0; all && out && e < pipeline->encoder_count; e++) {
    const on_encoder *encoder = &pipeline->encoders[e];
    if (!is_together(pipeline, components, e)) continue;
    on_arena_reset(&workspace->scratch);
    for (size_t d = 0; d < count; d++) {
      out[d] = ON_NEW(arena, float, docs[d]->n * encoder->width);
      all[d * pipeline->encoder_count + e] = (on_vectors){.h = out[d], .n = docs[d]->n, .width = encoder->width};
    }
    if (arena->failed ||
        !encoder->run_many(encoder, workspace, &workspace->encoder_cache[e], docs, count, out, NULL)) {
      return NULL;
    }
  }
  return out ? all : NULL;
}

static bool run_head(const on_pipeline *pipeline, const on_component *component, on_workspace *workspace,
                     on_vectors *read, on_doc *doc, on_error *error) {
  const on_head *head = &component->head;
  const float *h = read->h;
  if (!head->kind->conclude) {
    workspace->vectors = read;
    bool ok = head->kind->run(head, workspace, h, doc, error);
    workspace->vectors = NULL;
    return ok;
  }
  if (!doc->text_sums) doc->text_sums = ON_NEW0(&doc->arena, double, pipeline->sum_count);
  if (!doc->text_sums) return on_fail_memory(error);
  double *sums = doc->text_sums + component->sums_at;
  head->kind->sum_up(head, h, doc, sums);
  return head->kind->conclude(head, workspace, sums, doc, error);
}

bool on_pipeline_run(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components, on_doc *doc,
                     on_error *error) {
  on_arena_reset(&workspace->scratch);
  if (doc->n == 0) return true;
  on_vectors *computed = ON_NEW0(&workspace->scratch, on_vectors, pipeline->encoder_count);
  if (!computed) return on_fail_memory(error);
  if (workspace->ahead) memcpy(computed, workspace->ahead, pipeline->encoder_count * sizeof *computed);
  bool senter = false;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    senter = senter || (is_on(components, i) && is_senter(&pipeline->components[i]));
  }
  for (size_t i = 0; i < pipeline->component_count; i++) {
    const on_component *component = &pipeline->components[i];
    if (!is_on(components, i)) continue;
    if (component->type == ON_COMPONENT_BUILTIN) {
      if (senter && component->builtin->sets_sentences) continue;
      if (!component->builtin->run(component, workspace, doc, error)) return false;
    } else {
      on_vectors *read = vectors(pipeline, workspace, component->encoder, doc, computed, error);
      if (!read || !run_head(pipeline, component, workspace, read, doc, error)) return false;
    }
  }
  return true;
}
