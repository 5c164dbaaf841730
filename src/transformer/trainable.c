#include "transformer/trainable.h"

// ---- parameters -------------------------------------------------------------------------------------

typedef struct declaration {
  on_params *params;
  on_arena *arena;
  bool ok;
} declaration;

#define DECLARE(d, table, rows, cols, ...) \
  declared(d, on_params_add((d)->params, (d)->arena, table, rows, cols, __VA_ARGS__))

static on_param *declared(declaration *d, on_param *param) {
  d->ok = d->ok && param;
  return param;
}

static bool has_bias(const on_onnx_linear *linear) { return linear->bias != ON_ONNX_NONE; }

static void declare_linear(declaration *d, uint32_t layer, const char *name, uint32_t rows, uint32_t cols, bool biased,
                           on_param **weight, on_param **bias) {
  *weight = DECLARE(d, false, rows, cols, "layers%u.%s.weight", layer, name);
  *bias = biased ? DECLARE(d, false, rows, 0, "layers%u.%s.bias", layer, name) : NULL;
}

static void declare_norm(declaration *d, uint32_t layer, const char *name, uint32_t width, const on_onnx_norm *norm,
                         on_param **gain, on_param **bias) {
  *gain = *bias = NULL;
  if (norm->gain == ON_ONNX_NONE) return;
  *gain = DECLARE(d, false, width, 0, "layers%u.%s.weight", layer, name);
  if (norm->bias != ON_ONNX_NONE) *bias = DECLARE(d, false, width, 0, "layers%u.%s.bias", layer, name);
}

static void declare_layer(declaration *d, const on_transformer *model, uint32_t i, const on_onnx_layer *found,
                          on_trainable_layer *layer) {
  const uint32_t width = model->width, inner = model->inner;
  const bool biased = has_bias(&found->q) || (!found->joint && (has_bias(&found->k) || has_bias(&found->v)));
  declare_norm(d, i, "attention_norm", width, &found->attention_norm, &layer->attention_gain, &layer->attention_bias);
  declare_linear(d, i, "qkv", 3 * width, width, biased, &layer->qkv, &layer->qkv_bias);
  declare_linear(d, i, "out", width, width, has_bias(&found->out), &layer->out, &layer->out_bias);
  declare_norm(d, i, "feed_norm", width, &found->feed_norm, &layer->feed_gain, &layer->feed_bias);
  declare_linear(d, i, "up", model->family == ON_MODERNBERT ? 2 * inner : inner, width, has_bias(&found->up),
                 &layer->up, &layer->up_bias);
  declare_linear(d, i, "down", width, inner, has_bias(&found->down), &layer->down, &layer->down_bias);
}

static bool declare(on_trainable *t, on_encoder *encoder, on_arena *arena, const on_onnx_encoder *found,
                    on_error *error) {
  const on_transformer *model = &t->model.transformer;
  declaration d = {&encoder->params, arena, true};
  t->layers = ON_NEW0(arena, on_trainable_layer, model->layer_count);
  if (!t->layers) return on_fail_memory(error);
  if (model->position_count) {
    t->positions = DECLARE(&d, true, model->position_count, model->width, "positions.weight");
  }
  t->embedding_gain = DECLARE(&d, false, model->width, 0, "embedding_norm.weight");
  if (found->embedding_norm.bias != ON_ONNX_NONE) {
    t->embedding_bias = DECLARE(&d, false, model->width, 0, "embedding_norm.bias");
  }
  for (uint32_t i = 0; i < model->layer_count; i++) declare_layer(&d, model, i, &found->layers[i], &t->layers[i]);
  if (model->family == ON_MODERNBERT) {
    t->final_gain = DECLARE(&d, false, model->width, 0, "final_norm.weight");
    if (found->final_norm.bias != ON_ONNX_NONE) {
      t->final_bias = DECLARE(&d, false, model->width, 0, "final_norm.bias");
    }
  }
  return d.ok || on_fail_memory(error);
}

// ---- creation ---------------------------------------------------------------------------------------

static bool can_be_trained(const on_transformer *model, const on_onnx_encoder *found, const char *path,
                           on_error *error) {
  const uint64_t width = model->width, rows = 2 * (uint64_t)model->inner;
  if (3 * width * width > ON_MAX_MATRIX_VALUES || rows * width > ON_MAX_MATRIX_VALUES ||
      model->position_count * width > ON_MAX_MATRIX_VALUES) {
    return on_fail(error, ON_LIMIT, -1, "%s: a matrix of the model has more than %u values", path,
                   ON_MAX_MATRIX_VALUES);
  }
  if (model->family == ON_MODERNBERT && found->types.tensor != ON_ONNX_NONE) {
    return on_fail(error, ON_UNSUPPORTED, -1, "%s: there are no settings for the model's token types", path);
  }
  return true;
}

static bool build(on_trainable *t, on_encoder *encoder, on_arena *arena, on_arena *scratch, const on_json *settings,
                  const char *path, on_error *error) {
  on_onnx_encoder found;
  on_transformer *model = &t->model.transformer;
  if (!on_frozen_load(&t->model, false, model, &found, arena, scratch, error)) return false;
  encoder->width = model->width;
  return can_be_trained(model, &found, path, error) &&
         on_trainable_settings_read(&t->settings, settings, model, found.position_offset, path, error) &&
         on_frozen_fits(&t->model, path, error) && declare(t, encoder, arena, &found, error) &&
         on_word_layers_declare(&t->model.over, &encoder->params, arena, encoder->width, path, error);
}

static bool create(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  on_trainable *t = ON_NEW0(arena, on_trainable, 1);
  if (!t) return on_fail_memory(error);
  encoder->state = t;
  on_arena scratch = {0};  // the graph is not needed once its structure is known
  encoder->run_many = on_frozen_run_many;
  bool ok = on_frozen_open(&t->model, encoder, arena, settings, path, error) &&
            build(t, encoder, arena, &scratch, settings, path, error);
  on_arena_free(&scratch);
  return ok;
}

bool on_trainable_has_gelu(const on_trainable *t, on_error *error) {
  const on_transformer *model = &t->model.transformer;
  for (uint32_t i = 0; i < model->layer_count; i++) {
    if (model->layers[i].activation == ON_GELU_ERF) continue;
    return on_fail(error, ON_UNSUPPORTED, -1, "%.*s: layer %u has another activation than the exact GELU",
                   ON_SHOW(t->model.settings.model), i);
  }
  return true;
}

static void write_settings(const on_encoder *encoder, on_buf *out) {
  const on_trainable *t = encoder->state;
  on_buf_char(out, '{');
  on_trainable_settings_write_family(&t->settings, out);
  on_transformer_settings_write(&t->model.settings, out);
  on_trainable_settings_write(&t->settings, out);
  on_word_layers_write(&t->model.over, out);
  on_buf_char(out, '}');
}

// ---- weights for the forward pass -------------------------------------------------------------------

static bool pack(on_dense *to, const on_param *weight, const on_param *bias, on_arena *arena) {
  to->w = on_param_pack_floats(weight, arena, 0, weight->shape[1]);
  to->b = bias ? on_param_vector(bias, arena) : NULL;
  return on_is_packed(&to->w) && (!bias || to->b);
}

static bool take_norm(on_norm *to, const on_param *gain, const on_param *bias, on_arena *arena) {
  if (!gain) return true;
  to->gain = on_param_vector(gain, arena);
  to->bias = bias ? on_param_vector(bias, arena) : ON_NEW0(arena, float, gain->shape[0]);
  return to->gain && to->bias;
}

static bool take_positions(on_transformer *model, const on_param *positions, on_arena *arena) {
  if (!positions) return true;
  float *rows = ON_NEW(arena, float, on_param_count(positions));
  for (size_t i = 0; rows && i < positions->shape[0]; i++) on_param_row(positions, i, rows + i * model->width);
  model->positions = rows;
  return rows != NULL;
}

static bool prepare(on_encoder *encoder, on_arena *arena, on_error *error) {
  on_trainable *t = encoder->state;
  on_transformer *model = &t->model.transformer;
  bool ok = take_positions(model, t->positions, arena) && on_word_layers_prepare(&t->model.over, arena) &&
            take_norm(&model->embedding_norm, t->embedding_gain, t->embedding_bias, arena) &&
            take_norm(&model->final_norm, t->final_gain, t->final_bias, arena);
  for (uint32_t i = 0; i < model->layer_count && ok; i++) {
    const on_trainable_layer *from = &t->layers[i];
    on_transformer_layer *to = &model->layers[i];
    ok = pack(&to->qkv, from->qkv, from->qkv_bias, arena) && pack(&to->out, from->out, from->out_bias, arena) &&
         pack(&to->up, from->up, from->up_bias, arena) && pack(&to->down, from->down, from->down_bias, arena) &&
         take_norm(&to->attention_norm, from->attention_gain, from->attention_bias, arena) &&
         take_norm(&to->feed_norm, from->feed_gain, from->feed_bias, arena);
  }
  return ok || on_fail_memory(error);
}

const on_encoder_kind on_trainable_kind = {"transformer-trainable", create, write_settings, prepare, on_frozen_run,
                                           on_frozen_verify};
