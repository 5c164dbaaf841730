#include "train/start_from.h"

#include <stdio.h>

#include "train/kinds.h"

// `part` says in messages whose parameters they are.
static bool copy(const on_params *to, const on_params *from, on_str part, on_error *error) {
  const on_param *other = on_take_params(to, from);
  return !other || on_fail(error, ON_INVALID_DATA, -1, "%.*s: %s is not the same in the pipeline to start from",
                           ON_SHOW(part), other->name);
}

static bool copy_encoders(const on_pipeline *pipeline, const on_pipeline *from, bool all, on_error *error) {
  for (size_t e = 0; e < pipeline->encoder_count; e++) {
    static const on_params none = {0};
    char part[32];
    snprintf(part, sizeof part, "encoders[%zu]", e);
    const on_encoder *to = &pipeline->encoders[e], *given = e < from->encoder_count ? &from->encoders[e] : NULL;
    const on_encoder_trainer *trainer = on_encoder_trainer_find(to->kind->name);
    if (given && trainer && trainer->take && trainer->take(to, given, all)) continue;
    if (!copy(&to->params, given ? &given->params : &none, on_str_c(part), error)) return false;
  }
  return true;
}

// The same labels in the same order, so that rows mean the same.
static bool same_labels(const on_json *a, const on_json *b) {
  const on_json *labels[2] = {a ? on_json_get(a, "labels") : NULL, b ? on_json_get(b, "labels") : NULL};
  on_buf text[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++) {
    if (labels[i]) on_json_write(&text[i], labels[i]);
  }
  bool same = !text[0].failed && !text[1].failed && on_str_eq(on_buf_view(&text[0]), on_buf_view(&text[1]));
  on_buf_free(&text[0]);
  on_buf_free(&text[1]);
  return same;
}

static bool copy_component(const on_pipeline *pipeline, size_t i, const on_pipeline *from, bool all, on_error *error) {
  const on_component *component = &pipeline->components[i];
  for (size_t j = 0; component->type == ON_COMPONENT_HEAD && j < from->component_count; j++) {
    const on_component *given = &from->components[j];
    if (given->type != ON_COMPONENT_HEAD || !on_str_eq(given->name, component->name)) continue;
    if (!same_labels(on_pipeline_head_config(pipeline, i), on_pipeline_head_config(from, j))) {
      return on_fail(error, ON_INVALID_DATA, -1, "%.*s: the labels are not those of the pipeline to start from",
                     ON_SHOW(component->name));
    }
    return copy(&component->head.params, &given->head.params, component->name, error);
  }
  return !all || component->type != ON_COMPONENT_HEAD ||
         on_fail(error, ON_INVALID_DATA, -1, "%.*s: the pipeline to start from has no such component",
                 ON_SHOW(component->name));
}

static bool copy_tokenizer(const on_tokenizer *to, const on_tokenizer *from, bool all, on_error *error) {
  if (!to->trained) return true;
  if (from->trained) return copy(&to->head.params, &from->head.params, ON_STR("tokenizer"), error);
  return !all || on_fail(error, ON_INVALID_DATA, -1, "tokenizer: the pipeline to start from has none that is trained");
}

bool on_train_start_from(const on_pipeline *pipeline, const on_pipeline *from, bool all, on_error *error) {
  if (!copy_encoders(pipeline, from, all, error) ||
      !copy_tokenizer(&pipeline->tokenizer, &from->tokenizer, all, error)) {
    return false;
  }
  for (size_t i = 0; i < pipeline->component_count; i++) {
    if (!copy_component(pipeline, i, from, all, error)) return false;
  }
  return true;
}
