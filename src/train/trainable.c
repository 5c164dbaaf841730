// Training of the layers of a transformer: the same computation as transformer/run.c, kept for the backward pass. The
// token table is not trained.
//
// The pieces of a step are computed in groups of whole sequences, at most maxBatchPieces each (or one sequence). What
// the last group computed is kept for the backward pass, which computes the others again: memory does not grow with the
// batch, and a batch of one group costs nothing more.
#include "train/trainable.h"

#include <string.h>

#include "nn/fastmath.h"
#include "train/transformer_block.h"
#include "train/view.h"
#include "train/word_layers.h"
#include "transformer/rows.h"
#include "transformer/trainable.h"

// ---- first weights: those of the model ---------------------------------------------------------------

static bool unpack(const on_param *param, const on_packed *from) {
  if (!from->data || from->rows != param->shape[0] || from->cols != param->shape[1]) return false;
  float *to = on_value_mutable(param);
  for (size_t r = 0; r < from->rows; r++) {
    const float *panel = from->data + r / ON_PANEL * ON_PANEL * from->cols + r % ON_PANEL;
    for (size_t c = 0; c < from->cols; c++) *to++ = panel[c * ON_PANEL];
  }
  return true;
}

static bool copy(const on_param *param, const float *from) {
  if (param && from) memcpy(on_value_mutable(param), from, on_param_count(param) * sizeof *from);
  return !param == !from;
}

static bool take_dense(const on_param *weight, const on_param *bias, const on_dense *from) {
  return unpack(weight, &from->w) && copy(bias, from->b);
}

static bool take_norm(const on_param *gain, const on_param *bias, const on_norm *from) {
  return copy(gain, from->gain) && copy(bias, from->bias);
}

static bool take_layer(const on_trainable_layer *to, const on_transformer_layer *from) {
  return take_dense(to->qkv, to->qkv_bias, &from->qkv) && take_dense(to->out, to->out_bias, &from->out) &&
         take_dense(to->up, to->up_bias, &from->up) && take_dense(to->down, to->down_bias, &from->down) &&
         take_norm(to->attention_gain, to->attention_bias, &from->attention_norm) &&
         take_norm(to->feed_gain, to->feed_bias, &from->feed_norm);
}

// False where `from` is not of the shape of t's model.
static bool take_weights(const on_trainable *t, const on_transformer *from) {
  const on_transformer *model = &t->model.transformer;
  bool ok = from->family == model->family && from->width == model->width && from->heads == model->heads &&
            from->inner == model->inner && from->vocabulary == model->vocabulary &&
            from->layer_count == model->layer_count &&
            from->position_count == model->position_count && copy(t->positions, from->positions) &&
            take_norm(t->embedding_gain, t->embedding_bias, &from->embedding_norm) &&
            take_norm(t->final_gain, t->final_bias, &from->final_norm);
  for (uint32_t i = 0; ok && i < from->layer_count; i++) ok = take_layer(&t->layers[i], &from->layers[i]);
  return ok;
}

static bool load(const on_encoder *encoder, on_error *error) {
  const on_trainable *t = encoder->state;
  on_arena scratch = {0};
  on_onnx_encoder found;
  on_transformer from;
  bool ok = on_trainable_has_gelu(t, error) &&
            on_frozen_load(&t->model, true, &from, &found, &scratch, &scratch, error) &&
            (take_weights(t, &from) || on_fail(error, ON_INVALID_DATA, -1, "%.*s has changed since it was opened",
                                               ON_SHOW(t->model.settings.model)));
  on_arena_free(&scratch);
  return ok;
}

// What was fine-tuned is saved as a model in files of its own, which is frozen, and what was learned over it. Where
// there is nothing over it, that starts anew.
static bool take(const on_encoder *encoder, const on_encoder *from, bool all) {
  const on_trainable *t = encoder->state;
  const on_frozen *frozen = from->state;
  if (from->kind != &on_transformer_kind || frozen->engine || !take_weights(t, &frozen->transformer)) return false;
  const on_params over = on_word_layers_params(&t->model.over, &encoder->params);
  return (from->params.n == 0 && !all) || (over.n == from->params.n && !on_take_params(&over, &from->params));
}

static void init(const on_encoder *encoder, on_random *random) {
  const on_trainable *t = encoder->state;
  on_word_layers_init(&t->model.over, random);
}

static uint32_t height(const on_encoder *encoder, const on_param *param) {
  const on_trainable *t = encoder->state;
  const uint32_t layers = t->model.transformer.layer_count;
  const on_params over = on_word_layers_params(&t->model.over, &encoder->params);
  for (size_t i = 0; i < over.n; i++) {
    if (over.list[i] == param) return ON_NO_HEIGHT;
  }
  if (param == t->final_gain || param == t->final_bias) return 0;
  for (uint32_t i = 0; i < layers; i++) {
    const on_trainable_layer *l = &t->layers[i];
    const on_param *const of[] = {l->qkv,            l->qkv_bias,       l->out,       l->out_bias,
                                  l->up,             l->up_bias,        l->down,      l->down_bias,
                                  l->attention_gain, l->attention_bias, l->feed_gain, l->feed_bias};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
      if (of[k] == param) return layers - 1 - i;
    }
  }
  return layers;
}

// ---- what forward keeps -----------------------------------------------------------------------------

typedef struct group {
  uint32_t count;           // sequences
  size_t row, m;            // its pieces among those of the step
  uint32_t *starts;         // [count + 1] in the group
  on_random random;         // as it was before the group's masks were drawn
  on_train_block **blocks;  // [layers], or NULL: to be computed again
  float *sum, *mean, *rstd; // the embeddings before their normalization
  float *mask;              // of dropout behind it
  float *last, *last_mean, *last_rstd;  // modernbert: what the last normalization reads
} group;

typedef struct angles {
  const float *of;
  float *cos, *sin;
} angles;

typedef struct kept {
  on_word_pieces *docs;  // of the step
  size_t *rows;          // where the pieces of each begin
  size_t n;
  uint32_t *ids;         // [n]
  group *groups;
  size_t group_count;
  angles angles[2];
  on_train_word_layers over;
} kept;

// ---- pieces -----------------------------------------------------------------------------------------

static bool cut(const on_trainable *t, on_train_step *step, kept *k) {
  k->docs = ON_NEW(&step->arena, on_word_pieces, step->doc_count);
  k->rows = ON_NEW(&step->arena, size_t, step->doc_count);
  if (!k->docs || !k->rows) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    on_doc view;
    if (!on_train_view(step, &step->docs[d], &view) ||
        !on_train_word_layers_rows(&t->model.over, step, d, &view, &k->over) ||
        !on_word_pieces_make(t->model.pieces, &view, t->model.settings.max_length, &step->arena, &k->docs[d],
                             &step->error)) {
      return false;
    }
    k->rows[d] = k->n;
    k->n += k->docs[d].windows.id_count;
  }
  k->ids = ON_NEW(&step->arena, uint32_t, k->n);
  for (size_t d = 0; d < step->doc_count && k->ids; d++) {
    memcpy(k->ids + k->rows[d], k->docs[d].windows.ids, k->docs[d].windows.id_count * sizeof *k->ids);
  }
  return k->ids != NULL;
}

static bool make_groups(const on_trainable *t, on_train_step *step, kept *k) {
  size_t sequences = 0;
  for (size_t d = 0; d < step->doc_count; d++) sequences += k->docs[d].windows.count;
  k->groups = ON_NEW0(&step->arena, group, sequences);
  uint32_t *starts = ON_NEW(&step->arena, uint32_t, 2 * sequences);
  if (!k->groups || !starts) return false;
  group *g = NULL;
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_word_pieces *doc = &k->docs[d];
    for (size_t s = 0; s < doc->windows.count; s++) {
      const on_sequence sequence = doc->sequences[s];
      if (!g || g->m + sequence.count > t->settings.max_pieces) {
        if (g) starts += g->count + 1;
        g = &k->groups[k->group_count++];
        g->row = k->rows[d] + sequence.first;
        g->starts = starts;
        starts[0] = 0;
      }
      g->m += sequence.count;
      g->starts[++g->count] = (uint32_t)g->m;
    }
  }
  return true;
}

static bool make_angles(const on_transformer *model, on_train_step *step, kept *k) {
  size_t longest = 0, half = model->head_size / 2;
  for (size_t i = 0; i < k->group_count; i++) {
    const group *g = &k->groups[i];
    for (uint32_t s = 0; s < g->count; s++) {
      if (g->starts[s + 1] - g->starts[s] > longest) longest = g->starts[s + 1] - g->starts[s];
    }
  }
  for (uint32_t i = 0; i < model->layer_count; i++) {
    const float *of = model->layers[i].inv_freq;
    if (!of || of == k->angles[0].of || of == k->angles[1].of) continue;
    angles *a = &k->angles[k->angles[0].of ? 1 : 0];
    *a = (angles){of, ON_NEW(&step->arena, float, longest * half), ON_NEW(&step->arena, float, longest * half)};
    if (!a->cos || !a->sin) return false;
    on_rows_angles(a->cos, a->sin, longest, of, half);
  }
  return true;
}

// ---- one group --------------------------------------------------------------------------------------

static on_train_block_shape shape_of(const on_trainable *t, const kept *k, uint32_t i) {
  const on_transformer *model = &t->model.transformer;
  const on_transformer_layer *layer = &model->layers[i];
  on_train_block_shape shape = {.width = model->width,
                                .heads = model->heads,
                                .inner = model->inner,
                                .prenorm = model->family == ON_MODERNBERT,
                                .window = layer->window,
                                .epsilon = t->settings.epsilon};
  for (size_t a = 0; a < 2 && layer->inv_freq; a++) {
    if (k->angles[a].of != layer->inv_freq) continue;
    shape.cos = k->angles[a].cos;
    shape.sin = k->angles[a].sin;
  }
  return shape;
}

static float *value(const on_param *param) { return param ? on_value_mutable(param) : NULL; }

static on_train_block_params values_of(const on_trainable_layer *l) {
  return (on_train_block_params){value(l->qkv),  value(l->qkv_bias),  value(l->out),            value(l->out_bias),
                                 value(l->up),   value(l->up_bias),   value(l->down),           value(l->down_bias),
                                 value(l->attention_gain), value(l->attention_bias), value(l->feed_gain),
                                 value(l->feed_bias)};
}

static float *grad(const on_train_step *step, const on_param *param) { return param ? on_grad(step, param) : NULL; }

static on_train_block_params grads_of(const on_train_step *s, const on_trainable_layer *l) {
  return (on_train_block_params){grad(s, l->qkv),  grad(s, l->qkv_bias),  grad(s, l->out),  grad(s, l->out_bias),
                                 grad(s, l->up),   grad(s, l->up_bias),   grad(s, l->down), grad(s, l->down_bias),
                                 grad(s, l->attention_gain), grad(s, l->attention_bias), grad(s, l->feed_gain),
                                 grad(s, l->feed_bias)};
}

// A fresh mask of dropout, or NULL where there is none; *ok turns false without memory.
static float *draw_mask(on_train_step *step, on_arena *arena, size_t n, bool *ok) {
  if (step->rates->encoder <= 0) return NULL;
  float *mask = ON_NEW(arena, float, n);
  if (mask) on_train_dropout_mask(mask, n, step->rates->encoder, &step->random);
  *ok = *ok && mask;
  return mask;
}

// x[m][width]: what the first layer reads.
static bool embed(const on_trainable *t, on_train_step *step, const kept *k, group *g, on_arena *arena, float *x) {
  const on_transformer *model = &t->model.transformer;
  const size_t width = model->width, all = g->m * width;
  bool ok = true;
  g->sum = ON_NEW(arena, float, all);
  g->mean = ON_NEW(arena, float, g->m);
  g->rstd = ON_NEW(arena, float, g->m);
  if (!g->sum || !g->mean || !g->rstd) return false;
  if (!on_transformer_tokens(model, k->ids + g->row, g->m, g->sum, &step->error)) return false;
  for (uint32_t s = 0; s < g->count && t->positions; s++) {
    on_axpy(g->sum + g->starts[s] * width, 1.0f, on_value(t->positions), (g->starts[s + 1] - g->starts[s]) * width);
  }
  on_train_layer_norm_forward(x, g->mean, g->rstd, g->sum, on_value(t->embedding_gain), value(t->embedding_bias), g->m,
                              width, t->settings.epsilon);
  g->mask = draw_mask(step, arena, all, &ok);
  if (g->mask) on_train_apply_mask(x, g->mask, all);
  return ok;
}

// h[m][width] (NULL: not wanted); what backward needs is in the arena.
static bool group_forward(const on_trainable *t, on_train_step *step, const kept *k, group *g, on_arena *arena,
                          float *h) {
  const on_transformer *model = &t->model.transformer;
  const size_t width = model->width, all = g->m * width;
  bool ok = true;
  g->blocks = ON_NEW(arena, on_train_block *, model->layer_count);
  float *x = ON_NEW(arena, float, all);
  if (!g->blocks || !x || !embed(t, step, k, g, arena, x)) return false;
  for (uint32_t i = 0; i < model->layer_count; i++) {
    const on_train_block_shape shape = shape_of(t, k, i);
    const on_train_block_params params = values_of(&t->layers[i]);
    float *y = ON_NEW(arena, float, all);
    const float *attention_mask = draw_mask(step, arena, all, &ok), *feed_mask = draw_mask(step, arena, all, &ok);
    if (!y || !ok) return false;
    g->blocks[i] = on_train_block_forward(&shape, &params, arena, y, x, g->starts, g->count, attention_mask, feed_mask);
    if (!g->blocks[i]) return false;
    x = y;
  }
  if (!t->final_gain) {
    if (h) memcpy(h, x, all * sizeof *h);
    return true;
  }
  g->last = x;
  g->last_mean = ON_NEW(arena, float, g->m);
  g->last_rstd = ON_NEW(arena, float, g->m);
  if (!h) h = ON_NEW(arena, float, all);
  if (!g->last_mean || !g->last_rstd || !h) return false;
  on_train_layer_norm_forward(h, g->last_mean, g->last_rstd, x, on_value(t->final_gain), value(t->final_bias), g->m,
                              width, t->settings.epsilon);
  return true;
}

// dh[m][width] is changed.
static bool group_backward(const on_trainable *t, on_train_step *step, const group *g, on_arena *scratch, float *dh,
                           float *other) {
  const on_transformer *model = &t->model.transformer;
  const size_t width = model->width, all = g->m * width;
  float *dy = dh, *dx = other;
  if (t->final_gain) {
    memset(dx, 0, all * sizeof *dx);
    on_train_layer_norm_backward(dx, on_grad(step, t->final_gain), grad(step, t->final_bias), dy, g->last, g->last_mean,
                                 g->last_rstd, on_value(t->final_gain), g->m, width);
    dy = other;
    dx = dh;
  }
  for (uint32_t i = model->layer_count; i-- > 0;) {
    const on_train_block_params params = values_of(&t->layers[i]), grads = grads_of(step, &t->layers[i]);
    memset(dx, 0, all * sizeof *dx);
    on_arena_reset(scratch);
    if (!on_train_block_backward(g->blocks[i], &params, &grads, scratch, dx, dy)) return false;
    float *swap = dy;
    dy = dx;
    dx = swap;
  }
  if (g->mask) on_train_apply_mask(dy, g->mask, all);
  memset(dx, 0, all * sizeof *dx);
  on_train_layer_norm_backward(dx, on_grad(step, t->embedding_gain), grad(step, t->embedding_bias), dy, g->sum, g->mean,
                               g->rstd, on_value(t->embedding_gain), g->m, width);
  for (uint32_t s = 0; s < g->count && t->positions; s++) {
    on_axpy(on_grad(step, t->positions), 1.0f, dx + g->starts[s] * width, (g->starts[s + 1] - g->starts[s]) * width);
  }
  return true;
}

// ---- the step ---------------------------------------------------------------------------------------

static bool all_groups(const on_trainable *t, on_train_step *step, kept *k, float *h) {
  const size_t width = t->model.transformer.width;
  on_arena passing = {0};
  bool ok = true;
  for (size_t i = 0; i < k->group_count && ok; i++) {
    group *g = &k->groups[i];
    const bool keep = i + 1 == k->group_count;
    g->random = step->random;
    ok = group_forward(t, step, k, g, keep ? &step->arena : &passing, h + g->row * width);
    if (!keep) g->blocks = NULL;
    on_arena_reset(&passing);
  }
  on_arena_free(&passing);
  return ok;
}

static bool forward(const on_encoder *encoder, on_train_step *step, float **h, void **state) {
  const on_trainable *t = encoder->state;
  const size_t width = encoder->width;
  kept *k = ON_NEW0(&step->arena, kept, 1);
  *h = ON_NEW(&step->arena, float, step->m * width);
  *state = k;
  if (!k || !*h || !cut(t, step, k) || !make_groups(t, step, k) || !make_angles(&t->model.transformer, step, k)) {
    return false;
  }
  float *pieces = ON_NEW(&step->arena, float, k->n * width);
  if (!pieces || !all_groups(t, step, k, pieces)) return false;
  for (size_t d = 0; d < step->doc_count; d++) {
    on_words_pool(&k->docs[d], step->docs[d].n, pieces + k->rows[d] * width, width, t->model.settings.mean,
                  *h + step->starts[d] * width);
  }
  return on_train_word_layers_forward(&t->model.over, step, &k->over, *h);
}

// dpieces[n][width] += from the gradients of words.
static void pool_backward(const on_trainable *t, const on_train_step *step, const kept *k, const float *dh,
                          float *dpieces) {
  const size_t width = t->model.transformer.width;
  for (size_t d = 0; d < step->doc_count; d++) {
    const on_piece_windows *windows = &k->docs[d].windows;
    for (size_t w = 0; w < step->docs[d].n; w++) {
      const uint32_t count = windows->pieces[w], taken = t->model.settings.mean || count == 0 ? count : 1;
      float *to = dpieces + (k->rows[d] + windows->first[w]) * width;
      for (uint32_t i = 0; i < taken; i++) {
        on_axpy(to + i * width, 1.0f / (float)taken, dh + (step->starts[d] + w) * width, width);
      }
    }
  }
}

static bool backward(const on_encoder *encoder, on_train_step *step, void *state, float *dh) {
  const on_trainable *t = encoder->state;
  const size_t width = encoder->width;
  kept *k = state;
  float *dpieces = ON_NEW0(&step->arena, float, k->n * width);
  float *other = ON_NEW(&step->arena, float, k->n * width);
  if (!dpieces || !other || !on_train_word_layers_backward(&t->model.over, step, &k->over, dh)) return false;
  pool_backward(t, step, k, dh, dpieces);
  const on_random after = step->random;
  on_arena again = {0}, scratch = {0};
  bool ok = true;
  for (size_t i = k->group_count; i-- > 0 && ok;) {
    group *g = &k->groups[i];
    if (!g->blocks) {
      on_arena_reset(&again);
      step->random = g->random;
      ok = group_forward(t, step, k, g, &again, NULL);
    }
    ok = ok && group_backward(t, step, g, &scratch, dpieces + g->row * width, other + g->row * width);
  }
  step->random = after;
  on_arena_free(&again);
  on_arena_free(&scratch);
  return ok;
}

const on_encoder_trainer on_trainable_trainer = {.name = "transformer-trainable",
                                                 .init = init,
                                                 .forward = forward,
                                                 .backward = backward,
                                                 .load = load,
                                                 .take = take,
                                                 .height = height};
