// The encoder as a whole: from the graph's output back through the layers to the token table.
#include "onnx/encoder.h"

#include "onnx/match.h"

enum { MAX_OUTPUTS = 16, MAX_TERMS = 8 };

typedef struct finder {
  on_match m;
  on_onnx_encoder *out;
  on_onnx_layer layers[ON_MAX_LAYERS];  // the last one first
  uint32_t head_size;
} finder;

static on_str name_of(const finder *f, uint32_t value) {
  return value == ON_ONNX_NONE ? ON_STR("?") : f->m.onnx->values[value].name;
}

// The two operands of a sum, in both orders: the one that a layer made and the one that runs past it.
static bool operands(const finder *f, uint32_t value, uint32_t out[2]) {
  const on_onnx_node *node = on_match_node(&f->m, on_match_skip(&f->m, value));
  if (!on_onnx_is(node, "Add") || node->input_count != 2) return false;
  out[0] = on_match_skip(&f->m, node->inputs[0]);
  out[1] = on_match_skip(&f->m, node->inputs[1]);
  return out[0] != ON_ONNX_NONE && out[1] != ON_ONNX_NONE;
}

// What a sublayer reads: the residual itself (no normalization), or its normalization.
static bool reads(const finder *f, uint32_t input, uint32_t residual, on_onnx_norm *norm) {
  uint32_t under;
  *norm = (on_onnx_norm){.gain = ON_ONNX_NONE, .bias = ON_ONNX_NONE};
  if (input == residual) return true;
  return on_match_norm(&f->m, input, norm, &under) && under == residual;
}

// value = residual + down(activation(up(residual or its normalization)))
static bool feed_forward(const finder *f, uint32_t value, on_onnx_layer *layer, uint32_t *residual, bool *gated) {
  uint32_t both[2], inner, input;
  if (!operands(f, value, both)) return false;
  for (int i = 0; i < 2; i++) {
    if (!on_match_linear(&f->m, both[i], &layer->down, &inner) ||
        !on_match_activation(&f->m, inner, &layer->up, &input, gated, &layer->activation)) {
      continue;
    }
    *residual = both[1 - i];
    if (reads(f, input, *residual, &layer->feed_norm)) return true;
  }
  return false;
}

// value = residual + out(attention(residual or its normalization))
static bool attention(finder *f, uint32_t value, on_onnx_layer *layer, uint32_t *residual) {
  uint32_t both[2], inner;
  on_attention a;
  if (!operands(f, value, both)) return false;
  for (int i = 0; i < 2; i++) {
    if (!on_match_linear(&f->m, both[i], &layer->out, &inner) || !on_match_attention(&f->m, inner, &a)) continue;
    *residual = both[1 - i];
    if (!reads(f, a.input, *residual, &layer->attention_norm)) continue;
    layer->joint = a.joint;
    layer->q = a.q;
    layer->k = a.k;
    layer->v = a.v;
    layer->window = a.window;
    layer->inv_freq = a.inv_freq;
    if (f->head_size && f->head_size != a.head_size) return false;
    f->head_size = a.head_size;
    f->out->heads = a.heads;
    return true;
  }
  return false;
}

// h = norm(h1 + feed(h1)), h1 = norm(h0 + attention(h0)); *value goes from h to h0.
static bool postnorm_layer(finder *f, uint32_t *value, on_onnx_layer *layer) {
  on_onnx_norm feed_norm, attention_norm;
  uint32_t sum, middle, residual;
  bool gated;
  *layer = (on_onnx_layer){.inv_freq = ON_ONNX_NONE};
  if (!on_match_norm(&f->m, *value, &feed_norm, &sum) || !feed_forward(f, sum, layer, &middle, &gated) || gated ||
      layer->feed_norm.gain != ON_ONNX_NONE || !on_match_norm(&f->m, middle, &attention_norm, &sum) ||
      !attention(f, sum, layer, &residual) || layer->attention_norm.gain != ON_ONNX_NONE || layer->window ||
      layer->inv_freq != ON_ONNX_NONE) {
    return false;
  }
  layer->feed_norm = feed_norm;
  layer->attention_norm = attention_norm;
  *value = residual;
  return true;
}

// h = h1 + feed(norm(h1)), h1 = h0 + attention(norm(h0))
static bool modernbert_layer(finder *f, uint32_t *value, on_onnx_layer *layer) {
  uint32_t middle, residual;
  bool gated;
  *layer = (on_onnx_layer){.inv_freq = ON_ONNX_NONE};
  if (!feed_forward(f, *value, layer, &middle, &gated) || !gated || layer->feed_norm.gain == ON_ONNX_NONE ||
      !attention(f, middle, layer, &residual) || layer->inv_freq == ON_ONNX_NONE) {
    return false;
  }
  *value = residual;
  return true;
}

// ---- embeddings ---------------------------------------------------------------------------------------

static bool is_input(const finder *f, uint32_t value, const char *name) {
  value = on_match_skip_shapes(&f->m, value);
  return value != ON_ONNX_NONE && f->m.onnx->values[value].input &&
         on_str_eq(f->m.onnx->values[value].name, on_str_c(name));
}

static bool makes_types(const on_match *m, const on_onnx_node *node, void *context) {
  (void)context;
  for (uint32_t i = 0; i < node->input_count; i++) {
    if (node->inputs[i] == ON_ONNX_NONE) continue;
    const on_onnx_value *value = &m->onnx->values[node->inputs[i]];
    if (value->input && on_str_eq(value->name, ON_STR("token_type_ids"))) return true;
  }
  return false;
}

// RoBERTa: cumsum(mask) * mask + padding row, so the first token has the row behind that of padding.
static bool position_offset(const finder *f, uint32_t index, uint32_t *offset) {
  *offset = 0;
  if (!on_match_ancestor_is(&f->m, index, "CumSum")) return true;
  const on_onnx_node *node = on_match_node(&f->m, on_match_skip_shapes(&f->m, index));
  if (!on_onnx_is(node, "Add")) return false;
  for (uint32_t i = 0; i < 2; i++) {
    float padding;
    if (!on_match_number(&f->m, on_match_input(node, i), &padding) || !(padding >= 0 && padding < 65536)) continue;
    *offset = (uint32_t)padding + 1;
    return true;
  }
  return false;
}

static uint64_t rows_of(const finder *f, const on_onnx_constant *table) {
  return f->m.onnx->tensors[table->tensor].dims[0];
}

static bool set_table(finder *f, on_onnx_constant table) {
  const on_onnx_tensor *tensor = &f->m.onnx->tensors[table.tensor];
  f->out->table = table;
  f->out->vocabulary = (uint32_t)tensor->dims[0];
  f->out->width = (uint32_t)tensor->dims[1];
  return true;
}

// One term of the sum of embeddings.
static bool embedding(finder *f, uint32_t value) {
  on_onnx_encoder *out = f->out;
  on_onnx_constant table;
  uint32_t index;
  on_onnx_constant constant;
  // A single row for every token, folded into a constant.
  if (on_match_constant(&f->m, value, true, &constant) && out->types.tensor == ON_ONNX_NONE) {
    out->types = constant;
    return true;
  }
  if (!on_match_gather(&f->m, value, &table, &index)) return false;
  if (is_input(f, index, "input_ids")) return out->table.tensor == ON_ONNX_NONE && set_table(f, table);
  bool types = is_input(f, index, "token_type_ids") || rows_of(f, &table) <= 2 ||
               on_match_ancestor(&f->m, index, makes_types, NULL);
  on_onnx_constant *to = types ? &out->types : &out->positions;
  if (to->tensor != ON_ONNX_NONE) return false;
  *to = table;
  return types || position_offset(f, index, &out->position_offset);
}

static bool embeddings(finder *f, uint32_t value) {
  uint32_t terms[MAX_TERMS];
  size_t n = 0;
  if (!on_match_norm(&f->m, value, &f->out->embedding_norm, &terms[n++])) return false;
  for (size_t i = 0; i < n;) {
    uint32_t both[2];
    if (operands(f, terms[i], both)) {
      if (n == MAX_TERMS) return false;
      terms[i] = both[0];
      terms[n++] = both[1];
    } else if (embedding(f, terms[i])) {
      i++;
    } else {
      return false;
    }
  }
  bool has_positions = f->out->positions.tensor != ON_ONNX_NONE;
  return f->out->table.tensor != ON_ONNX_NONE && has_positions == (f->out->family == ON_POSTNORM);
}

// ---- sizes --------------------------------------------------------------------------------------------

static bool is_linear(const on_onnx_linear *linear, uint64_t in, uint64_t out) {
  return linear->in == in && linear->out == out;
}

static uint64_t count_of(const finder *f, uint32_t tensor) { return f->m.onnx->tensors[tensor].count; }

static bool norm_fits(const finder *f, const on_onnx_norm *norm) {
  return norm->gain == ON_ONNX_NONE || count_of(f, norm->gain) == f->out->width;
}

static bool table_fits(const finder *f, const on_onnx_constant *table) {
  if (table->tensor == ON_ONNX_NONE) return true;
  const on_onnx_tensor *tensor = &f->m.onnx->tensors[table->tensor];
  return tensor->rank >= 1 && tensor->dims[tensor->rank - 1] == f->out->width;
}

static bool layer_fits(const finder *f, const on_onnx_layer *layer) {
  uint64_t width = f->out->width;
  bool gated = f->out->family == ON_MODERNBERT;
  bool projections = layer->joint ? is_linear(&layer->q, width, 3 * width)
                                  : is_linear(&layer->q, width, width) && is_linear(&layer->k, width, width) &&
                                        is_linear(&layer->v, width, width);
  return projections && is_linear(&layer->out, width, width) && layer->up.in == width &&
         is_linear(&layer->down, gated ? layer->up.out / 2 : layer->up.out, width) &&
         (!gated || layer->up.out % 2 == 0) && norm_fits(f, &layer->attention_norm) &&
         norm_fits(f, &layer->feed_norm) &&
         (layer->inv_freq == ON_ONNX_NONE ||
          (f->head_size % 2 == 0 && count_of(f, layer->inv_freq) == f->head_size / 2));
}

static bool all_fits(const finder *f) {
  const on_onnx_encoder *out = f->out;
  bool ok = table_fits(f, &out->positions) && table_fits(f, &out->types) && norm_fits(f, &out->embedding_norm) &&
            norm_fits(f, &out->final_norm) && (uint64_t)f->head_size * out->heads == out->width;
  for (uint32_t i = 0; i < out->layer_count && ok; i++) ok = layer_fits(f, &out->layers[i]);
  return ok;
}

// ---- the search ---------------------------------------------------------------------------------------

static bool layers(finder *f, uint32_t value, on_transformer_family family, uint32_t *stopped) {
  on_onnx_encoder *out = f->out;
  *out = (on_onnx_encoder){.family = family};
  out->table.tensor = out->positions.tensor = out->types.tensor = ON_ONNX_NONE;
  out->final_norm = (on_onnx_norm){.gain = ON_ONNX_NONE, .bias = ON_ONNX_NONE};
  f->head_size = 0;
  uint32_t n = 0;
  *stopped = value;
  if (family == ON_MODERNBERT && !on_match_norm(&f->m, value, &out->final_norm, &value)) return false;
  while (n < ON_MAX_LAYERS) {
    on_onnx_layer *layer = &f->layers[n];
    bool ok = family == ON_POSTNORM ? postnorm_layer(f, &value, layer) : modernbert_layer(f, &value, layer);
    if (!ok) break;
    n++;
  }
  out->layer_count = n;
  *stopped = value;
  return n > 0 && embeddings(f, value);
}

static bool take(finder *f, on_error *error) {
  on_onnx_encoder *out = f->out;
  out->layers = ON_NEW(f->m.arena, on_onnx_layer, out->layer_count);
  if (!out->layers) return on_fail_memory(error);
  for (uint32_t i = 0; i < out->layer_count; i++) out->layers[i] = f->layers[out->layer_count - 1 - i];
  return all_fits(f) ||
         on_fail(error, ON_INVALID_DATA, -1, "ONNX: the sizes of the encoder's weights do not fit together");
}

// Operators of other programs stand for several of ONNX's at once, or for quantized weights that are not read.
static bool refuse_foreign(const on_onnx *onnx, on_error *error) {
  for (size_t i = 0; i < onnx->node_count; i++) {
    const on_onnx_node *node = &onnx->nodes[i];
    bool four = on_str_eq(node->op, ON_STR("MatMulNBits")) || on_str_eq(node->op, ON_STR("GatherBlockQuantized"));
    if (four) {
      return on_fail(error, ON_UNSUPPORTED, -1,
                     "ONNX: the weights have 4 bits (%.*s): take the float32, float16 or 8-bit model", ON_SHOW(node->op));
    }
    if (node->domain.n == 0 || on_str_eq(node->op, ON_STR("Gelu"))) continue;
    return on_fail(error, ON_UNSUPPORTED, -1,
                   "ONNX: the graph was fused or optimized (operator %.*s of %.*s): take the model as it was exported",
                   ON_SHOW(node->op), ON_SHOW(node->domain));
  }
  return true;
}

static bool refuse_external(const on_onnx *onnx, on_error *error) {
  for (size_t i = 0; i < onnx->tensor_count; i++) {
    if (onnx->tensors[i].layout != ON_ONNX_EXTERNAL) continue;
    return on_fail(error, ON_UNSUPPORTED, -1,
                   "ONNX: tensor %.*s lies in a file of its own: save the model with all data inside (below 2 GB)",
                   ON_SHOW(onnx->tensors[i].name));
  }
  return true;
}

static bool search(finder *f, on_error *error) {
  const on_onnx *onnx = f->m.onnx;
  uint32_t deepest = ON_ONNX_NONE, most = 0;
  for (size_t i = 0; i < onnx->output_count && i < MAX_OUTPUTS; i++) {
    for (int family = ON_POSTNORM; family <= ON_MODERNBERT; family++) {
      uint32_t stopped;
      if (layers(f, onnx->outputs[i], (on_transformer_family)family, &stopped)) return take(f, error);
      if (deepest == ON_ONNX_NONE || f->out->layer_count > most) {
        deepest = stopped;
        most = f->out->layer_count;
      }
    }
  }
  return on_fail(error, ON_UNSUPPORTED, -1,
                 "ONNX: the graph is no BERT, RoBERTa, XLM-R or ModernBERT encoder that is known: %u layers, then "
                 "something else at %.*s. Export the encoder alone, its last hidden state as the output",
                 most, ON_SHOW(name_of(f, deepest)));
}

bool on_onnx_encoder_find(const on_onnx *onnx, on_arena *arena, on_onnx_encoder *out, on_error *error) {
  *out = (on_onnx_encoder){.layer_count = 0};
  if (!refuse_foreign(onnx, error) || !refuse_external(onnx, error)) return false;
  finder *f = ON_NEW0(arena, finder, 1);
  if (!f) return on_fail_memory(error);
  f->m = (on_match){.onnx = onnx, .arena = arena, .error = error};
  f->out = out;
  return search(f, error);
}
