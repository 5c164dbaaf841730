// From the weights of an ONNX graph to those that the kernels read.
#include <string.h>

#include "transformer/model.h"
#include "transformer/rows.h"

typedef struct loader {
  const on_onnx *onnx;
  on_arena *arena;   // of the transformer
  on_arena scratch;  // emptied after each tensor
  on_error *error;
} loader;

static const on_onnx_tensor *tensor_at(const loader *l, uint32_t i) { return &l->onnx->tensors[i]; }

static const float *keep(const loader *l, const float *values, size_t n) {
  float *kept = ON_NEW(l->arena, float, n);
  if (!kept) return on_fail_memory(l->error), NULL;
  memcpy(kept, values, n * sizeof *kept);
  return kept;
}

// A vector of n numbers, or NULL with no error where there is none.
static bool vector(loader *l, uint32_t tensor, size_t n, const float **out) {
  *out = NULL;
  if (tensor == ON_ONNX_NONE) return true;
  if (tensor_at(l, tensor)->count != n) {
    return on_fail(l->error, ON_INVALID_DATA, -1, "ONNX: tensor %.*s: %llu values, want %zu",
                   ON_SHOW(tensor_at(l, tensor)->name), (unsigned long long)tensor_at(l, tensor)->count, n);
  }
  const float *values = on_onnx_floats(l->onnx, tensor_at(l, tensor), &l->scratch, l->error);
  if (values) *out = keep(l, values, n);
  on_arena_reset(&l->scratch);
  return *out != NULL;
}

static bool norm(loader *l, const on_onnx_norm *from, size_t width, on_norm *to) {
  if (from->gain == ON_ONNX_NONE) return true;
  if (!vector(l, from->gain, width, &to->gain) || !vector(l, from->bias, width, &to->bias)) return false;
  if (!to->bias) to->bias = ON_NEW0(l->arena, float, width);
  return to->bias || on_fail_memory(l->error);
}

// Scales and zero points of a quantized constant: *count is 1 or the number of columns. Without: count 0.
typedef struct quantization {
  const float *scale, *zero;
  size_t scale_count, zero_count;
} quantization;

static bool quantization_of(loader *l, const on_onnx_constant *c, quantization *q) {
  *q = (quantization){0};
  if (c->scale == ON_ONNX_NONE) return true;
  q->scale_count = (size_t)tensor_at(l, c->scale)->count;
  q->scale = on_onnx_floats(l->onnx, tensor_at(l, c->scale), &l->scratch, l->error);
  if (q->scale && c->zero != ON_ONNX_NONE) {
    q->zero_count = (size_t)tensor_at(l, c->zero)->count;
    q->zero = on_onnx_floats(l->onnx, tensor_at(l, c->zero), &l->scratch, l->error);
    return q->zero != NULL;
  }
  return q->scale != NULL;
}

static bool fits(const loader *l, const on_onnx_constant *c, const quantization *q, size_t columns) {
  bool ok = (q->scale_count <= 1 || q->scale_count == columns) && (q->zero_count <= 1 || q->zero_count == columns) &&
            (q->scale_count > 0 || c->scale == ON_ONNX_NONE) && (q->zero_count > 0 || c->zero == ON_ONNX_NONE);
  return ok || on_fail(l->error, ON_UNSUPPORTED, -1,
                       "ONNX: tensor %.*s: scales that belong to neither all of it nor its columns",
                       ON_SHOW(tensor_at(l, c->tensor)->name));
}

// One output's weights without their quantization.
static void widen(const quantization *q, size_t column, float *row, size_t n) {
  if (!q->scale) return;
  float scale = q->scale[q->scale_count == 1 ? 0 : column];
  float zero = q->zero ? q->zero[q->zero_count == 1 ? 0 : column] : 0.0f;
  for (size_t i = 0; i < n; i++) row[i] = (row[i] - zero) * scale;
}

// Packs the outputs of a linear layer as outputs [at, at + out) of `data`.
static bool pack(loader *l, const on_onnx_linear *from, float *data, size_t at) {
  enum { STRIP = 16 };
  const on_onnx_tensor *tensor = tensor_at(l, from->weight.tensor);
  size_t in = from->in, out = from->out;
  quantization q;
  const float *w = on_onnx_floats(l->onnx, tensor, &l->scratch, l->error);
  bool ok = w && quantization_of(l, &from->weight, &q) && fits(l, &from->weight, &q, out);
  float *rows = ok ? ON_NEW(&l->scratch, float, STRIP * in) : NULL;
  if (ok && !rows) ok = on_fail_memory(l->error);
  for (size_t o = 0; o < out && rows; o += STRIP) {
    size_t here = out - o < STRIP ? out - o : STRIP;
    for (size_t i = 0; i < in && !from->weight.transposed; i++) {
      for (size_t j = 0; j < here; j++) rows[j * in + i] = w[i * out + o + j];
    }
    if (from->weight.transposed) memcpy(rows, w + o * in, here * in * sizeof *rows);
    for (size_t j = 0; j < here; j++) {
      widen(&q, o + j, rows + j * in, in);
      on_pack_row(data, in, at + o + j, rows + j * in);
    }
  }
  on_arena_reset(&l->scratch);
  return ok;
}

// Several linear layers over the same input as one.
static bool dense(loader *l, const on_onnx_linear *const *from, size_t n, on_dense *to) {
  size_t out = 0, in = from[0]->in, at = 0;
  bool biased = false;
  for (size_t i = 0; i < n; i++) {
    out += from[i]->out;
    biased = biased || from[i]->bias != ON_ONNX_NONE;
  }
  if (out > UINT32_MAX - ON_PANEL || out > SIZE_MAX / 4 / (in + 1) - ON_PANEL) return on_fail_memory(l->error);
  float *data = ON_NEW0(l->arena, float, on_packed_floats(out, in));
  float *bias = biased ? ON_NEW0(l->arena, float, out) : NULL;
  if (!data || (biased && !bias)) return on_fail_memory(l->error);
  for (size_t i = 0; i < n; at += from[i]->out, i++) {
    if (!pack(l, from[i], data, at)) return false;
    const float *values;
    if (from[i]->bias == ON_ONNX_NONE) continue;
    values = on_onnx_floats(l->onnx, tensor_at(l, from[i]->bias), &l->scratch, l->error);
    if (!values) return false;
    memcpy(bias + at, values, from[i]->out * sizeof *bias);
    on_arena_reset(&l->scratch);
  }
  to->w = (on_packed){.data = data, .rows = (uint32_t)out, .cols = (uint32_t)in};
  to->b = bias;
  return true;
}

static bool layer(loader *l, const on_onnx_layer *from, on_transformer *t, on_transformer_layer *to) {
  const on_onnx_linear *qkv[3] = {&from->q, &from->k, &from->v};
  const on_onnx_linear *out[1] = {&from->out}, *up[1] = {&from->up}, *down[1] = {&from->down};
  return dense(l, qkv, from->joint ? 1 : 3, &to->qkv) && dense(l, out, 1, &to->out) && dense(l, up, 1, &to->up) &&
         dense(l, down, 1, &to->down) && norm(l, &from->attention_norm, t->width, &to->attention_norm) &&
         norm(l, &from->feed_norm, t->width, &to->feed_norm);
}

// Layers share their angles when they share the tensor: the forward pass then computes them once.
static void share_angles(const on_onnx_encoder *found, on_transformer *t) {
  for (uint32_t i = 1; i < t->layer_count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (found->layers[i].inv_freq == found->layers[j].inv_freq) t->layers[i].inv_freq = t->layers[j].inv_freq;
    }
  }
}

// ---- tables -----------------------------------------------------------------------------------------

static bool whole_quantization(loader *l, const on_onnx_constant *c, float *scale, float *zero) {
  quantization q;
  if (!quantization_of(l, c, &q)) return false;
  bool ok = q.scale_count <= 1 && q.zero_count <= 1;
  *scale = q.scale_count == 1 ? q.scale[0] : 1.0f;
  *zero = q.zero_count == 1 ? q.zero[0] : 0.0f;
  on_arena_reset(&l->scratch);
  return ok || on_fail(l->error, ON_UNSUPPORTED, -1, "ONNX: tensor %.*s: a table with more than one scale",
                       ON_SHOW(tensor_at(l, c->tensor)->name));
}

static bool token_table(loader *l, const on_onnx_encoder *found, on_transformer *t) {
  const on_onnx_tensor *tensor = tensor_at(l, found->table.tensor);
  on_token_table *table = &t->table;
  table->onnx = l->onnx;
  table->tensor = *tensor;
  table->tensor.name = on_arena_str(l->arena, tensor->name);  // the graph may go before the table
  if (!table->tensor.name.p) return on_fail_memory(l->error);
  if (!whole_quantization(l, &found->table, &table->scale, &table->zero)) return false;
  if (tensor->layout == ON_ONNX_RAW && on_onnx_type_size(tensor->type)) return true;
  // Written otherwise, rows cannot be found without reading what stands before them.
  table->rows = on_onnx_floats(l->onnx, tensor, l->arena, l->error);
  return table->rows != NULL;
}

static bool some_rows(loader *l, const on_onnx_constant *c, size_t first, size_t rows, size_t width, float **out) {
  const on_onnx_tensor *tensor = tensor_at(l, c->tensor);
  float scale, zero;
  *out = NULL;
  if (!whole_quantization(l, c, &scale, &zero)) return false;
  const float *all = on_onnx_floats(l->onnx, tensor, &l->scratch, l->error);
  if (!all) return false;
  *out = ON_NEW(l->arena, float, rows * width);
  if (!*out) return on_fail_memory(l->error);
  for (size_t i = 0; i < rows * width; i++) (*out)[i] = (all[first * width + i] - zero) * scale;
  on_arena_reset(&l->scratch);
  return true;
}

static bool count_positions(const loader *l, const on_onnx_encoder *found, on_transformer *t) {
  if (found->positions.tensor == ON_ONNX_NONE) return true;
  uint64_t rows = tensor_at(l, found->positions.tensor)->dims[0];
  if (rows <= found->position_offset) {
    return on_fail(l->error, ON_INVALID_DATA, -1, "ONNX: a table of %u positions, the first at %u", (unsigned)rows,
                   found->position_offset);
  }
  t->position_count = (uint32_t)(rows - found->position_offset);
  return true;
}

static bool other_tables(loader *l, const on_onnx_encoder *found, on_transformer *t) {
  size_t width = t->width;
  float *positions = NULL, *added = NULL;
  if (found->types.tensor != ON_ONNX_NONE && !some_rows(l, &found->types, 0, 1, width, &added)) return false;
  t->added = added;
  if (!t->position_count) return true;
  if (!some_rows(l, &found->positions, found->position_offset, t->position_count, width, &positions)) return false;
  for (size_t p = 0; p < t->position_count && added; p++) {
    for (size_t i = 0; i < width; i++) positions[p * width + i] += added[i];
  }
  t->positions = positions;
  t->added = NULL;
  return true;
}

// ---- the whole --------------------------------------------------------------------------------------

// All but the weights.
static bool frame(loader *l, const on_onnx_encoder *found, on_transformer *t) {
  t->layers = ON_NEW0(l->arena, on_transformer_layer, found->layer_count);
  if (!t->layers) return on_fail_memory(l->error);
  t->layer_count = found->layer_count;
  t->embedding_norm.epsilon = found->embedding_norm.epsilon;
  t->final_norm.epsilon = found->final_norm.epsilon;
  if (!token_table(l, found, t) || !count_positions(l, found, t)) return false;
  for (uint32_t i = 0; i < t->layer_count; i++) {
    const on_onnx_layer *from = &found->layers[i];
    on_transformer_layer *to = &t->layers[i];
    to->window = from->window;
    to->activation = from->activation;
    to->attention_norm.epsilon = from->attention_norm.epsilon;
    to->feed_norm.epsilon = from->feed_norm.epsilon;
    if (from->inv_freq != ON_ONNX_NONE && !vector(l, from->inv_freq, t->head_size / 2, &to->inv_freq)) return false;
    if (from->down.in != t->inner) return on_fail(l->error, ON_UNSUPPORTED, -1, "ONNX: layers of different widths");
  }
  share_angles(found, t);
  return true;
}

static bool weights(loader *l, const on_onnx_encoder *found, on_transformer *t) {
  if (!other_tables(l, found, t) || !norm(l, &found->embedding_norm, t->width, &t->embedding_norm) ||
      !norm(l, &found->final_norm, t->width, &t->final_norm)) {
    return false;
  }
  for (uint32_t i = 0; i < t->layer_count; i++) {
    if (!layer(l, &found->layers[i], t, &t->layers[i])) return false;
  }
  return true;
}

static bool load(on_transformer *t, const on_onnx *onnx, const on_onnx_encoder *found, bool whole, on_arena *arena,
                 on_error *error) {
  loader l = {.onnx = onnx, .arena = arena, .error = error};
  *t = (on_transformer){.family = found->family, .width = found->width, .heads = found->heads,
                        .head_size = found->width / found->heads, .inner = found->layers[0].down.in,
                        .vocabulary = found->vocabulary};
  bool ok = frame(&l, found, t) && (!whole || weights(&l, found, t));
  on_arena_free(&l.scratch);
  return ok;
}

bool on_transformer_load(on_transformer *t, const on_onnx *onnx, const on_onnx_encoder *found, on_arena *arena,
                         on_error *error) {
  return load(t, onnx, found, true, arena, error);
}

bool on_transformer_load_frame(on_transformer *t, const on_onnx *onnx, const on_onnx_encoder *found, on_arena *arena,
                               on_error *error) {
  return load(t, onnx, found, false, arena, error);
}

bool on_transformer_tokens(const on_transformer *t, const uint32_t *ids, size_t n, float *out, on_error *error) {
  const on_token_table *table = &t->table;
  size_t width = t->width;
  for (size_t i = 0; i < n; i++, out += width) {
    if (ids[i] >= t->vocabulary) {
      return on_fail(error, ON_INVALID_DATA, -1, "piece %u: the model has %u", ids[i], t->vocabulary);
    }
    if (table->rows) {
      memcpy(out, table->rows + ids[i] * width, width * sizeof *out);
    } else if (!on_onnx_raw_floats(table->onnx, &table->tensor, (uint64_t)ids[i] * width, width, out, error)) {
      return false;
    }
    for (size_t j = 0; j < width; j++) out[j] = (out[j] - table->zero) * table->scale;
  }
  return true;
}
