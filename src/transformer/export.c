#include "transformer/export.h"

#include "nn/math.h"

enum { BLOCK = 1 << 16, LAST = -1 };

#define FAR_AWAY (-1e9f)  // added to the scores of what is not seen

typedef struct exporter {
  const on_trainable *t;
  const on_transformer *model;
  on_onnx_writer *w;
  on_arena scratch;        // of one part
  on_onnx_ref ids, mask;   // inputs
  on_onnx_ref places;      // 0, 1, ... up to it
  on_onnx_ref hidden[2];   // what is added to the scores of global and of local layers
  on_onnx_ref heads, flat; // shapes
  on_onnx_ref root;        // of a head's size
  on_onnx_ref half, one, root_two;
  on_onnx_ref cos[2], sin[2];  // global, local
} exporter;

// ---- nodes ------------------------------------------------------------------------------------------

static on_onnx_ref put(const exporter *e, const char *op, const on_onnx_ref *a, const on_onnx_ref *b) {
  return on_onnx_put_node(e->w, op, NULL, 0, a, b, NULL, 1);
}

static on_onnx_ref put_with(const exporter *e, const char *op, const char *name, int64_t value, const on_onnx_ref *a,
                            const on_onnx_ref *b) {
  const on_onnx_setting setting = {.name = name, .type = ON_SETTING_INT, .i = value};
  return on_onnx_put_node(e->w, op, &setting, 1, a, b, NULL, 1);
}

static on_onnx_ref cast(const exporter *e, const on_onnx_ref *a, uint32_t type) {
  return put_with(e, "Cast", "to", type, a, NULL);
}

static on_onnx_ref transpose(const exporter *e, const on_onnx_ref *a, const int64_t *order, size_t count) {
  const on_onnx_setting perm = {.name = "perm", .type = ON_SETTING_INTS, .ints = order, .count = count};
  return on_onnx_put_node(e->w, "Transpose", &perm, 1, a, NULL, NULL, 1);
}

static on_onnx_ref unsqueeze(const exporter *e, const on_onnx_ref *a, const int64_t *axes, size_t count) {
  const on_onnx_ref at = on_onnx_put_ints(e->w, axes, count);
  return put(e, "Unsqueeze", a, &at);
}

// The two halves of the last axis.
static void split(const exporter *e, const on_onnx_ref *a, on_onnx_ref *first, on_onnx_ref *second) {
  const on_onnx_setting axis = {.name = "axis", .type = ON_SETTING_INT, .i = LAST};
  *first = on_onnx_put_node(e->w, "Split", &axis, 1, a, NULL, NULL, 2);
  *second = on_onnx_next(first);
}

// ---- tensors ----------------------------------------------------------------------------------------

// Rows [first, first + rows) of a parameter as they are stored; whole numbers with a scale are widened.
static on_onnx_ref tensor(exporter *e, const on_param *param, uint32_t first, uint32_t rows) {
  const size_t cols = param->shape[1];
  const uint32_t type = param->type == ON_F16 ? ON_ONNX_FLOAT16 : ON_ONNX_FLOAT;
  const size_t row = cols * on_onnx_type_size(type);
  const on_onnx_ref ref = on_onnx_put_tensor(e->w, type, param->rank, rows, cols);
  if (param->type != ON_I8) {
    on_onnx_put_bytes(e->w, param->data + first * row, rows * row);
    return ref;
  }
  if (on_onnx_skip_bytes(e->w, (uint64_t)rows * row)) return ref;
  on_arena_reset(&e->scratch);
  float *values = ON_NEW(&e->scratch, float, cols);
  if (!values) {
    on_fail_memory(on_onnx_writer_error(e->w));
    on_onnx_put_failure(e->w);
  }
  for (uint32_t i = 0; i < rows && values; i++) {
    on_param_row(param, first + i, values);
    on_onnx_put_bytes(e->w, values, row);
  }
  return ref;
}

static on_onnx_ref constant(exporter *e, const on_param *param, uint32_t first, uint32_t rows) {
  const on_onnx_ref ref = tensor(e, param, first, rows);
  return param->type == ON_F16 ? cast(e, &ref, ON_ONNX_FLOAT) : ref;
}

static on_onnx_ref whole(exporter *e, const on_param *param) { return constant(e, param, 0, param->shape[0]); }

static bool copy_table(exporter *e, uint64_t size, on_error *error) {
  const on_token_table *table = &e->model->table;
  char *block = ON_NEW(&e->scratch, char, BLOCK);
  if (!block) return on_fail_memory(error);
  for (uint64_t at = 0; at < size; at += BLOCK) {
    const size_t here = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
    if (!on_data_read(table->onnx->source, table->tensor.start + at, block, here)) {
      return on_fail(error, ON_IO, -1, "%.*s cannot be read", ON_SHOW(e->t->model.settings.model));
    }
    on_onnx_put_bytes(e->w, block, here);
  }
  return true;
}

static bool widen_table(exporter *e, on_error *error) {
  float *row = ON_NEW(&e->scratch, float, e->model->width);
  if (!row) return on_fail_memory(error);
  for (uint32_t i = 0; i < e->model->vocabulary; i++) {
    if (!on_transformer_tokens(e->model, &i, 1, row, error)) return false;
    on_onnx_put_bytes(e->w, row, e->model->width * sizeof *row);
  }
  return true;
}

// Rows of the token table for the ids.
static on_onnx_ref tokens(exporter *e) {
  const on_token_table *table = &e->model->table;
  const uint32_t type = table->tensor.type;
  const bool half = type == ON_ONNX_FLOAT16;
  const bool same = (half || type == ON_ONNX_FLOAT) && !table->rows && table->scale == 1.0f && table->zero == 0.0f;
  const uint32_t to = same ? type : ON_ONNX_FLOAT;
  const uint64_t size = (uint64_t)e->model->vocabulary * e->model->width * on_onnx_type_size(to);
  const on_onnx_ref rows = on_onnx_put_tensor(e->w, to, 2, e->model->vocabulary, e->model->width);
  if (!on_onnx_skip_bytes(e->w, size)) {
    on_error *error = on_onnx_writer_error(e->w);
    on_arena_reset(&e->scratch);
    if (!(same ? copy_table(e, size, error) : widen_table(e, error))) on_onnx_put_failure(e->w);
  }
  const on_onnx_ref taken = put(e, "Gather", &rows, &e->ids);
  return same && half ? cast(e, &taken, ON_ONNX_FLOAT) : taken;
}

// ---- layers -----------------------------------------------------------------------------------------

// x W + b for rows [first, first + rows) of the parameters.
static on_onnx_ref linear_part(exporter *e, const on_onnx_ref *x, const on_param *weight, const on_param *bias,
                               uint32_t first, uint32_t rows) {
  static const int64_t swap[] = {1, 0};
  const on_onnx_ref stored = constant(e, weight, first, rows), w = transpose(e, &stored, swap, 2);
  const on_onnx_ref product = put(e, "MatMul", x, &w);
  if (!bias) return product;
  const on_onnx_ref b = constant(e, bias, first, rows);
  return put(e, "Add", &product, &b);
}

static on_onnx_ref linear(exporter *e, const on_onnx_ref *x, const on_param *weight, const on_param *bias) {
  return linear_part(e, x, weight, bias, 0, weight->shape[0]);
}

static on_onnx_ref norm(exporter *e, const on_onnx_ref *x, const on_param *gain, const on_param *bias) {
  const on_onnx_setting settings[] = {{.name = "axis", .type = ON_SETTING_INT, .i = LAST},
                                      {.name = "epsilon", .type = ON_SETTING_FLOAT, .f = e->t->settings.epsilon}};
  const on_onnx_ref g = whole(e, gain);
  if (!bias) return on_onnx_put_node(e->w, "LayerNormalization", settings, 2, x, &g, NULL, 1);
  const on_onnx_ref b = whole(e, bias);
  return on_onnx_put_node(e->w, "LayerNormalization", settings, 2, x, &g, &b, 1);
}

// x / 2 * (1 + erf(x / sqrt(2)))
static on_onnx_ref gelu(const exporter *e, const on_onnx_ref *x) {
  const on_onnx_ref scaled = put(e, "Div", x, &e->root_two), erf = put(e, "Erf", &scaled, NULL);
  const on_onnx_ref more = put(e, "Add", &erf, &e->one), times = put(e, "Mul", x, &more);
  return put(e, "Mul", &times, &e->half);
}

static on_onnx_ref rotated(const exporter *e, const on_onnx_ref *x, bool local) {
  on_onnx_ref first, second;
  split(e, x, &first, &second);
  const on_onnx_ref minus = put(e, "Neg", &second, NULL), turned = put_with(e, "Concat", "axis", LAST, &minus, &first);
  const on_onnx_ref a = put(e, "Mul", x, &e->cos[local]), b = put(e, "Mul", &turned, &e->sin[local]);
  return put(e, "Add", &a, &b);
}

// Queries (0), keys (1) or values (2) as [batch, heads, sequence, head size].
static on_onnx_ref projection(exporter *e, const on_trainable_layer *layer, const on_onnx_ref *x, uint32_t part) {
  static const int64_t order[] = {0, 2, 1, 3};
  const uint32_t width = e->model->width;
  const on_onnx_ref all = linear_part(e, x, layer->qkv, layer->qkv_bias, part * width, width);
  const on_onnx_ref cut = put(e, "Reshape", &all, &e->heads);
  return transpose(e, &cut, order, 4);
}

static on_onnx_ref attention(exporter *e, uint32_t i, const on_onnx_ref *x) {
  static const int64_t order[] = {0, 2, 1, 3}, last_two[] = {0, 1, 3, 2};
  const on_trainable_layer *layer = &e->t->layers[i];
  const bool local = e->model->layers[i].window != 0, rotary = e->model->family == ON_MODERNBERT;
  on_onnx_ref q = projection(e, layer, x, 0), k = projection(e, layer, x, 1);
  const on_onnx_ref v = projection(e, layer, x, 2);
  if (rotary) {
    q = rotated(e, &q, local);
    k = rotated(e, &k, local);
  }
  const on_onnx_ref columns = transpose(e, &k, last_two, 4), scores = put(e, "MatMul", &q, &columns);
  const on_onnx_ref scaled = put(e, "Div", &scores, &e->root), masked = put(e, "Add", &scaled, &e->hidden[local]);
  const on_onnx_ref shares = put_with(e, "Softmax", "axis", LAST, &masked, NULL);
  const on_onnx_ref context = put(e, "MatMul", &shares, &v), back = transpose(e, &context, order, 4);
  const on_onnx_ref joined = put(e, "Reshape", &back, &e->flat);
  return linear(e, &joined, layer->out, layer->out_bias);
}

static on_onnx_ref feed(exporter *e, const on_trainable_layer *layer, const on_onnx_ref *x) {
  const on_onnx_ref up = linear(e, x, layer->up, layer->up_bias);
  on_onnx_ref inner;
  if (e->model->family == ON_MODERNBERT) {
    on_onnx_ref active, gate;
    split(e, &up, &active, &gate);
    active = gelu(e, &active);
    inner = put(e, "Mul", &active, &gate);
  } else {
    inner = gelu(e, &up);
  }
  return linear(e, &inner, layer->down, layer->down_bias);
}

static on_onnx_ref postnorm_layer(exporter *e, uint32_t i, on_onnx_ref x) {
  const on_trainable_layer *layer = &e->t->layers[i];
  const on_onnx_ref attended = attention(e, i, &x), sum = put(e, "Add", &attended, &x);
  const on_onnx_ref middle = norm(e, &sum, layer->attention_gain, layer->attention_bias);
  const on_onnx_ref fed = feed(e, layer, &middle), last = put(e, "Add", &fed, &middle);
  return norm(e, &last, layer->feed_gain, layer->feed_bias);
}

static on_onnx_ref modernbert_layer(exporter *e, uint32_t i, on_onnx_ref x) {
  const on_trainable_layer *layer = &e->t->layers[i];
  const on_onnx_ref read = layer->attention_gain ? norm(e, &x, layer->attention_gain, layer->attention_bias) : x;
  const on_onnx_ref attended = attention(e, i, &read), middle = put(e, "Add", &x, &attended);
  const on_onnx_ref normed = norm(e, &middle, layer->feed_gain, layer->feed_bias), fed = feed(e, layer, &normed);
  return put(e, "Add", &middle, &fed);
}

// ---- what the layers share --------------------------------------------------------------------------

static void constants(exporter *e) {
  const int64_t heads[] = {0, 0, e->model->heads, e->model->head_size}, flat[] = {0, 0, e->model->width};
  e->heads = on_onnx_put_ints(e->w, heads, 4);
  e->flat = on_onnx_put_ints(e->w, flat, 3);
  e->root = on_onnx_put_number(e->w, on_sqrt((float)e->model->head_size));
  e->half = on_onnx_put_number(e->w, 0.5f);
  e->one = on_onnx_put_number(e->w, 1.0f);
  e->root_two = on_onnx_put_number(e->w, 1.41421356f);
  const on_onnx_ref none = on_onnx_put_integer(e->w, 0), next = on_onnx_put_integer(e->w, 1);
  const on_onnx_ref shape = put(e, "Shape", &e->ids, NULL), length = put(e, "Gather", &shape, &next);
  e->places = on_onnx_put_node(e->w, "Range", NULL, 0, &none, &length, &next, 1);
}

// What is added to scores: far below 0 where there is padding, and in local layers beyond the window.
static void masks(exporter *e) {
  static const int64_t inside[] = {1, 2}, first[] = {0}, second[] = {1};
  const on_onnx_ref wide = unsqueeze(e, &e->mask, inside, 2), there = cast(e, &wide, ON_ONNX_FLOAT);
  const on_onnx_ref gone = put(e, "Sub", &e->one, &there), far = on_onnx_put_number(e->w, FAR_AWAY);
  e->hidden[0] = e->hidden[1] = put(e, "Mul", &gone, &far);
  if (e->model->family != ON_MODERNBERT) return;
  const on_onnx_ref row = unsqueeze(e, &e->places, first, 1), column = unsqueeze(e, &e->places, second, 1);
  const on_onnx_ref difference = put(e, "Sub", &column, &row), distance = put(e, "Abs", &difference, NULL);
  const on_onnx_ref window = on_onnx_put_integer(e->w, e->t->settings.local_window / 2);
  const on_onnx_ref seen = put(e, "LessOrEqual", &distance, &window), none = on_onnx_put_number(e->w, 0);
  const on_onnx_ref beyond = on_onnx_put_node(e->w, "Where", NULL, 0, &seen, &none, &far, 1);
  e->hidden[1] = put(e, "Add", &e->hidden[0], &beyond);
}

// cos and sin of each place times each frequency, once for global and once for local layers.
static void angles(exporter *e) {
  static const int64_t last[] = {1};
  const uint32_t half = e->model->head_size / 2;
  if (e->model->family != ON_MODERNBERT) return;
  const on_onnx_ref numbers = cast(e, &e->places, ON_ONNX_FLOAT), column = unsqueeze(e, &numbers, last, 1);
  for (int local = 0; local < 2; local++) {
    const float *inv_freq = NULL;
    for (uint32_t i = 0; i < e->model->layer_count && !inv_freq; i++) {
      if ((e->model->layers[i].window != 0) == local) inv_freq = e->model->layers[i].inv_freq;
    }
    if (!inv_freq) continue;
    const on_onnx_ref steps = on_onnx_put_tensor(e->w, ON_ONNX_FLOAT, 1, half, 0);
    on_onnx_put_bytes(e->w, inv_freq, half * sizeof *inv_freq);
    const on_onnx_ref turn = put(e, "Mul", &column, &steps), both = put_with(e, "Concat", "axis", LAST, &turn, &turn);
    e->cos[local] = put(e, "Cos", &both, NULL);
    e->sin[local] = put(e, "Sin", &both, NULL);
  }
}

static void graph(on_onnx_writer *w, void *context) {
  exporter *e = context;
  e->w = w;
  e->ids = on_onnx_put_input(w, "input_ids");
  e->mask = on_onnx_put_input(w, "attention_mask");
  constants(e);
  masks(e);
  angles(e);
  on_onnx_ref x = tokens(e);
  if (e->t->positions) {
    const on_onnx_ref rows = tensor(e, e->t->positions, 0, e->t->positions->shape[0]);
    on_onnx_ref taken = put(e, "Gather", &rows, &e->places);
    if (e->t->positions->type == ON_F16) taken = cast(e, &taken, ON_ONNX_FLOAT);
    x = put(e, "Add", &x, &taken);
  }
  x = norm(e, &x, e->t->embedding_gain, e->t->embedding_bias);
  for (uint32_t i = 0; i < e->model->layer_count; i++) {
    x = e->model->family == ON_MODERNBERT ? modernbert_layer(e, i, x) : postnorm_layer(e, i, x);
  }
  if (e->t->final_gain) x = norm(e, &x, e->t->final_gain, e->t->final_bias);
  on_onnx_put_output(w, &x, "last_hidden_state", e->model->width);
}

bool on_trainable_export(const on_trainable *t, const on_sink *sink, on_error *error) {
  exporter e = {.t = t, .model = &t->model.transformer};
  bool ok = on_trainable_has_gelu(t, error) && on_onnx_write(sink, graph, &e, error);
  on_arena_free(&e.scratch);
  return ok;
}
