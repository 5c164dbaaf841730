// The forward pass over a packed batch.
#include <string.h>

#include "nn/math.h"
#include "transformer/model.h"
#include "transformer/rows.h"

enum {
  FEED_ROWS = 128,   // rows of the feed-forward at a time: its inner values stay in the cache
  QUERY_ROWS = 64,   // queries at a time: their scores stay in the cache
  TANH_BLOCK = 256
};

// What a run needs, in `scratch`.
typedef struct run {
  const on_transformer *t;
  const on_kernels *k;
  size_t n;
  const on_sequence *sequences;
  size_t sequence_count;
  size_t longest;
  float *normed;   // [n][width]
  float *qkv;      // [n][3 * width]
  float *context;  // [n][width]
  float *inner;    // [FEED_ROWS][up outputs]
  float *keys;     // packed keys of one head
  float *values;   // packed values of one head
  float *scores;   // [QUERY_ROWS][longest]
  // Angles of the last inv_freq that was asked for; models have one or two.
  struct {
    const float *of;
    float *cos, *sin;
  } angles[2];
} run;

static void dense(const run *r, const on_dense *d, float *y, size_t ldy, const float *x, size_t ldx, size_t m) {
  r->k->linear(y, ldy, x, ldx, m, &d->w, d->b, false);
}

// ---- attention --------------------------------------------------------------------------------------

static size_t round_up(size_t n) { return (n + ON_PANEL - 1) / ON_PANEL * ON_PANEL; }

// Keys as the weights of a product that gives scores, values as those of one that sums them by shares.
static void pack_head(const run *r, const float *k, const float *v, size_t n) {
  size_t size = r->t->head_size, stride = 3 * (size_t)r->t->width;
  memset(r->keys + n / ON_PANEL * ON_PANEL * size, 0, (round_up(n) - n / ON_PANEL * ON_PANEL) * size * sizeof(float));
  for (size_t i = 0; i < n; i++) on_pack_row(r->keys, size, i, k + i * stride);
  for (size_t p = 0; p < size; p += ON_PANEL) {
    size_t here = size - p < ON_PANEL ? size - p : ON_PANEL;
    float *to = r->values + p * n;
    for (size_t i = 0; i < n; i++, to += ON_PANEL) {
      memcpy(to, v + i * stride + p, here * sizeof *to);
      memset(to + here, 0, (ON_PANEL - here) * sizeof *to);
    }
  }
}

// Shares of one query over keys [from, to): those outside its window get 0.
static void shares(const run *r, float *row, size_t query, size_t from, size_t to, size_t window, float scale) {
  size_t first = from, last = to;
  if (window) {
    if (query > from + window) first = query - window;
    if (query + window + 1 < to) last = query + window + 1;
  }
  memset(row, 0, (first - from) * sizeof *row);
  on_rows_softmax(r->k, row + (first - from), last - first, scale);
  memset(row + (last - from), 0, (to - last) * sizeof *row);
}

static void attend_head(const run *r, const float *q, float *out, size_t n, size_t window) {
  size_t size = r->t->head_size, width = r->t->width;
  float scale = 1.0f / on_sqrt((float)size);
  for (size_t i = 0; i < n; i += QUERY_ROWS) {
    size_t rows = n - i < QUERY_ROWS ? n - i : QUERY_ROWS;
    // The keys that any of the rows sees, from the start of a panel on.
    size_t from = window && i > window ? (i - window) / ON_PANEL * ON_PANEL : 0;
    size_t to = window && i + rows + window < n ? i + rows + window : n, keys = to - from;
    on_packed k = {.data = r->keys + from * size, .rows = (uint32_t)keys, .cols = (uint32_t)size};
    r->k->linear(r->scores, keys, q + i * 3 * width, 3 * width, rows, &k, NULL, false);
    for (size_t j = 0; j < rows; j++) shares(r, r->scores + j * keys, i + j, from, to, window, scale);
    for (size_t p = 0; p < size; p += ON_PANEL) {
      on_packed v = {.data = r->values + p * n + from * ON_PANEL,
                     .rows = (uint32_t)(size - p < ON_PANEL ? size - p : ON_PANEL),
                     .cols = (uint32_t)keys};
      r->k->linear(out + i * width + p, width, r->scores, keys, rows, &v, NULL, false);
    }
  }
}

static void rotate_all(const run *r, float *qkv, size_t n, const float *cos, const float *sin) {
  size_t size = r->t->head_size, half = size / 2, heads = r->t->heads;
  for (size_t i = 0; i < n; i++, qkv += 3 * (size_t)r->t->width, cos += half, sin += half) {
    for (size_t h = 0; h < 2 * heads; h++) on_rows_rotate(qkv + h * size, cos, sin, half);
  }
}

static void attend(const run *r, const on_transformer_layer *layer, const float *cos, const float *sin) {
  size_t width = r->t->width, size = r->t->head_size;
  for (size_t s = 0; s < r->sequence_count; s++) {
    size_t first = r->sequences[s].first, n = r->sequences[s].count;
    float *qkv = r->qkv + first * 3 * width;
    if (cos) rotate_all(r, qkv, n, cos, sin);
    for (size_t h = 0; h < r->t->heads; h++) {
      const float *q = qkv + h * size;
      pack_head(r, q + width, q + 2 * width, n);
      attend_head(r, q, r->context + first * width + h * size, n, layer->window);
    }
  }
}

// ---- feed-forward -----------------------------------------------------------------------------------

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
static void gelu_tanh(const on_kernels *k, float *x, size_t n) {
  float t[TANH_BLOCK];
  for (size_t i = 0; i < n; i += TANH_BLOCK, x += TANH_BLOCK) {
    size_t here = n - i < TANH_BLOCK ? n - i : TANH_BLOCK;
    for (size_t j = 0; j < here; j++) t[j] = 0.7978845608f * (x[j] + 0.044715f * x[j] * x[j] * x[j]);
    k->tanh(t, here);
    for (size_t j = 0; j < here; j++) x[j] = 0.5f * x[j] * (1.0f + t[j]);
  }
}

static void activate(const on_kernels *k, on_activation activation, float *x, size_t n) {
  if (activation == ON_GELU_ERF) k->gelu(x, n);
  else if (activation == ON_GELU_TANH) gelu_tanh(k, x, n);
  else k->relu(x, n);
}

// y[m][width] = down(activation(up(x)))
static void feed(const run *r, const on_transformer_layer *layer, float *y, const float *x, size_t m) {
  size_t width = r->t->width, inner = r->t->inner, up = layer->up.w.rows;
  bool gated = up != inner;
  for (size_t i = 0; i < m; i += FEED_ROWS) {
    size_t rows = m - i < FEED_ROWS ? m - i : FEED_ROWS;
    dense(r, &layer->up, r->inner, up, x + i * width, width, rows);
    if (gated) {
      for (size_t j = 0; j < rows; j++) activate(r->k, layer->activation, r->inner + j * up, inner);
      on_rows_gate(r->inner, r->inner, rows, inner);
    } else {
      activate(r->k, layer->activation, r->inner, rows * inner);
    }
    dense(r, &layer->down, y + i * width, width, r->inner, inner, rows);
  }
}

// ---- layers -----------------------------------------------------------------------------------------

static void norm(const run *r, const on_norm *norm, float *x, const float *added) {
  on_rows_norm(x, added, r->n, r->t->width, norm->gain, norm->bias, norm->epsilon);
}

// x = norm(x + attention(x)), then x = norm(x + feed(x))
static void postnorm_layer(run *r, const on_transformer_layer *layer, float *x) {
  size_t width = r->t->width;
  dense(r, &layer->qkv, r->qkv, 3 * width, x, width, r->n);
  attend(r, layer, NULL, NULL);
  dense(r, &layer->out, r->normed, width, r->context, width, r->n);
  norm(r, &layer->attention_norm, x, r->normed);
  feed(r, layer, r->normed, x, r->n);
  norm(r, &layer->feed_norm, x, r->normed);
}

static const float *normed(run *r, const on_norm *n, const float *x) {
  if (!n->gain) return x;
  memcpy(r->normed, x, r->n * r->t->width * sizeof *x);
  norm(r, n, r->normed, NULL);
  return r->normed;
}

static bool angles(run *r, on_arena *scratch, const float *inv_freq, const float **cos, const float **sin) {
  size_t half = r->t->head_size / 2, i = r->angles[0].of && r->angles[0].of != inv_freq;
  if (r->angles[i].of != inv_freq) {
    if (!r->angles[i].cos) {
      r->angles[i].cos = ON_NEW(scratch, float, r->longest * half);
      r->angles[i].sin = ON_NEW(scratch, float, r->longest * half);
    }
    if (!r->angles[i].cos || !r->angles[i].sin) return false;
    r->angles[i].of = inv_freq;
    on_rows_angles(r->angles[i].cos, r->angles[i].sin, r->longest, inv_freq, half);
  }
  *cos = r->angles[i].cos;
  *sin = r->angles[i].sin;
  return true;
}

// x = x + attention(norm(x)), then x = x + feed(norm(x))
static bool modernbert_layer(run *r, on_arena *scratch, const on_transformer_layer *layer, float *x) {
  size_t width = r->t->width, all = r->n * width;
  const float *cos, *sin;
  if (!angles(r, scratch, layer->inv_freq, &cos, &sin)) return false;
  dense(r, &layer->qkv, r->qkv, 3 * width, normed(r, &layer->attention_norm, x), width, r->n);
  attend(r, layer, cos, sin);
  dense(r, &layer->out, r->normed, width, r->context, width, r->n);
  r->k->add(x, r->normed, all);
  feed(r, layer, r->context, normed(r, &layer->feed_norm, x), r->n);
  r->k->add(x, r->context, all);
  return true;
}

static bool prepare(run *r, on_arena *scratch) {
  const on_transformer *t = r->t;
  size_t width = t->width, up = 0;
  for (size_t s = 0; s < r->sequence_count; s++) {
    if (r->sequences[s].count > r->longest) r->longest = r->sequences[s].count;
  }
  for (uint32_t i = 0; i < t->layer_count; i++) up = t->layers[i].up.w.rows > up ? t->layers[i].up.w.rows : up;
  size_t queries = r->longest < QUERY_ROWS ? r->longest : QUERY_ROWS, rows = r->n < FEED_ROWS ? r->n : FEED_ROWS;
  r->normed = ON_NEW(scratch, float, r->n * width);
  r->qkv = ON_NEW(scratch, float, r->n * 3 * width);
  r->context = ON_NEW(scratch, float, r->n * width);
  r->inner = ON_NEW(scratch, float, rows * up);
  r->keys = ON_NEW(scratch, float, on_packed_floats(r->longest, t->head_size));
  r->values = ON_NEW(scratch, float, on_packed_floats(t->head_size, r->longest));
  r->scores = ON_NEW(scratch, float, queries * r->longest);
  return r->normed && r->qkv && r->context && r->inner && r->keys && r->values && r->scores;
}

static bool embed(const run *r, const uint32_t *ids, float *x, on_error *error) {
  const on_transformer *t = r->t;
  if (!on_transformer_tokens(t, ids, r->n, x, error)) return false;
  for (size_t s = 0; s < r->sequence_count && t->positions; s++) {
    size_t first = r->sequences[s].first * (size_t)t->width;
    r->k->add(x + first, t->positions, r->sequences[s].count * (size_t)t->width);
  }
  for (size_t i = 0; i < r->n && t->added; i++) r->k->add(x + i * t->width, t->added, t->width);
  norm(r, &t->embedding_norm, x, NULL);
  return true;
}

bool on_transformer_run(const on_transformer *t, const on_kernels *kernels, on_arena *scratch, const uint32_t *ids,
                        size_t n, const on_sequence *sequences, size_t sequence_count, float *x, on_error *error) {
  run r = {.t = t, .k = kernels, .n = n, .sequences = sequences, .sequence_count = sequence_count};
  // So that no product of sizes overflows where a size has 32 bits.
  if (n > SIZE_MAX / 64 / ((size_t)t->width + t->inner)) return on_fail_memory(error);
  if (n == 0) return true;
  if (!prepare(&r, scratch)) return on_fail_memory(error);
  if (!embed(&r, ids, x, error)) return false;
  for (uint32_t i = 0; i < t->layer_count; i++) {
    if (t->family == ON_POSTNORM) postnorm_layer(&r, &t->layers[i], x);
    else if (!modernbert_layer(&r, scratch, &t->layers[i], x)) return on_fail_memory(error);
  }
  if (t->final_norm.gain) norm(&r, &t->final_norm, x, NULL);
  return true;
}
