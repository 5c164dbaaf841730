#include "train/transformer_block.h"

#include <math.h>
#include <string.h>

#include "transformer/rows.h"

struct on_train_block {
  on_train_block_shape shape;
  size_t m, count;
  const uint32_t *starts;
  const float *x, *attention_mask, *feed_mask;
  float *normed;    // [m][width] what attention reads; x itself where nothing normalizes it
  float *qkv;       // [m][3 * width], queries and keys turned by their positions
  float *shares;    // the attention of every sequence and head, one after another: [length][length]
  float *context;   // [m][width]
  float *middle;    // [m][width] postnorm: x + attention; prenorm: the same, which then is a
  float *feed_in;   // [m][width] what the feed-forward part reads: postnorm a, prenorm norm(a)
  float *up;        // [m][inner], prenorm [m][2 * inner]: before the activation
  float *active;    // [m][inner]
  float *last;      // [m][width] postnorm: a + feed-forward, before its normalization
  float *mean[2], *rstd[2];  // [m], of the two normalizations
};

// --- attention ---

static size_t share_count(const uint32_t *starts, size_t count, size_t heads) {
  size_t floats = 0;
  for (size_t s = 0; s < count; s++) {
    const size_t n = starts[s + 1] - starts[s];
    if (n != 0 && heads * n > (SIZE_MAX / sizeof(float) - floats) / n) return SIZE_MAX;
    floats += heads * n * n;
  }
  return floats;
}

// Turns the pairs (v[i], v[i + half]) of a head at one position; `sign` -1 turns back.
static void rotate(float *v, const float *cos, const float *sin, size_t half, float sign) {
  for (size_t i = 0; i < half; i++) {
    const float a = v[i], b = v[i + half];
    v[i] = a * cos[i] - sign * b * sin[i];
    v[i + half] = b * cos[i] + sign * a * sin[i];
  }
}

// Queries and keys of every row; backward the gradients of both.
static void rotate_all(const on_train_block *block, float *qkv, float sign) {
  const on_train_block_shape *shape = &block->shape;
  const size_t head = shape->width / shape->heads, half = head / 2;
  if (!shape->cos) return;
  for (size_t s = 0; s < block->count; s++) {
    for (size_t i = block->starts[s]; i < block->starts[s + 1]; i++) {
      const size_t at = (i - block->starts[s]) * half;
      for (size_t h = 0; h < 2 * shape->heads; h++) {
        rotate(qkv + i * 3 * shape->width + h * head, shape->cos + at, shape->sin + at, half, sign);
      }
    }
  }
}

// Shares of one query: those of keys outside [from, to) are 0.
static void softmax(const on_kernels *kernels, float *row, size_t n, size_t from, size_t to, float scale) {
  memset(row, 0, from * sizeof *row);
  on_rows_softmax(kernels, row + from, to - from, scale);
  memset(row + to, 0, (n - to) * sizeof *row);
}

// One head of one sequence of n rows, as contiguous copies: the kernels of the linear layer do the products.
typedef struct one_head {
  float *q, *k, *v, *c;  // [n][size]
} one_head;

static void copy_in(float *to, const float *from, size_t ld, size_t n, size_t size) {
  for (size_t i = 0; i < n; i++) memcpy(to + i * size, from + i * ld, size * sizeof *to);
}

static void copy_out(float *to, size_t ld, const float *from, size_t n, size_t size) {
  for (size_t i = 0; i < n; i++) memcpy(to + i * ld, from + i * size, size * sizeof *to);
}

static size_t longest(const on_train_block *block) {
  size_t most = 0;
  for (size_t s = 0; s < block->count; s++) {
    const size_t n = block->starts[s + 1] - block->starts[s];
    if (n > most) most = n;
  }
  return most;
}

static bool head_room(const on_train_block *block, on_arena *arena, one_head *head) {
  const size_t floats = longest(block) * (block->shape.width / block->shape.heads);
  float *room = ON_NEW(arena, float, 4 * floats);
  *head = (one_head){room, room + floats, room + 2 * floats, room + 3 * floats};
  return room != NULL;
}

static void load_head(const on_train_block *block, one_head *head, size_t s, size_t h) {
  const size_t width = block->shape.width, size = width / block->shape.heads;
  const size_t n = block->starts[s + 1] - block->starts[s];
  const float *qkv = block->qkv + (size_t)block->starts[s] * 3 * width + h * size;
  copy_in(head->q, qkv, 3 * width, n, size);
  copy_in(head->k, qkv + width, 3 * width, n, size);
  copy_in(head->v, qkv + 2 * width, 3 * width, n, size);
}

static bool attention_forward(on_train_block *block, on_arena *arena) {
  const on_train_block_shape *shape = &block->shape;
  const size_t size = shape->width / shape->heads;
  const float scale = 1.0f / sqrtf((float)size);
  const on_kernels *kernels = on_kernels_best();
  one_head head;
  if (!head_room(block, arena, &head)) return false;
  float *p = block->shares;
  for (size_t s = 0; s < block->count; s++) {
    const size_t n = block->starts[s + 1] - block->starts[s];
    for (size_t h = 0; h < shape->heads; h++, p += n * n) {
      load_head(block, &head, s, h);
      on_train_linear_forward(p, n, head.q, size, head.k, NULL, n, n, size);
      for (size_t i = 0; i < n; i++) {
        const size_t from = shape->window && i > shape->window ? i - shape->window : 0;
        const size_t to = shape->window && i + shape->window + 1 < n ? i + shape->window + 1 : n;
        softmax(kernels, p + i * n, n, from, to, scale);
      }
      memset(head.c, 0, n * size * sizeof *head.c);
      on_train_linear_backward(head.c, size, NULL, NULL, p, n, head.q, size, head.v, n, n, size);  // c = p * v
      copy_out(block->context + block->starts[s] * shape->width + h * size, shape->width, head.c, n, size);
    }
  }
  return true;
}

// dqkv[m][3 * width] from dcontext[m][width]
static bool attention_backward(const on_train_block *block, on_arena *arena, float *dqkv, const float *dcontext) {
  const on_train_block_shape *shape = &block->shape;
  const size_t width = shape->width, size = width / shape->heads, most = longest(block);
  const float scale = 1.0f / sqrtf((float)size);
  one_head head, d;
  float *dp = ON_NEW(arena, float, most * most);
  if (!head_room(block, arena, &head) || !head_room(block, arena, &d) || !dp) return false;
  const float *p = block->shares;
  for (size_t s = 0; s < block->count; s++) {
    const size_t n = block->starts[s + 1] - block->starts[s];
    for (size_t h = 0; h < shape->heads; h++, p += n * n) {
      float *to = dqkv + (size_t)block->starts[s] * 3 * width + h * size;
      load_head(block, &head, s, h);
      copy_in(d.c, dcontext + block->starts[s] * width + h * size, width, n, size);
      memset(d.q, 0, n * size * sizeof *d.q);
      memset(d.k, 0, n * size * sizeof *d.k);
      memset(d.v, 0, n * size * sizeof *d.v);
      on_train_linear_backward(NULL, 0, d.v, NULL, p, n, d.c, size, NULL, n, n, size);  // dv = p^T * dc
      on_train_linear_forward(dp, n, d.c, size, head.v, NULL, n, n, size);
      // Softmax: ds = p * (dp - sum of p * dp); the scale belongs to the scores.
      for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += (double)(p[i * n + j] * dp[i * n + j]);
        for (size_t j = 0; j < n; j++) dp[i * n + j] = p[i * n + j] * (dp[i * n + j] - (float)sum) * scale;
      }
      on_train_linear_backward(d.q, size, d.k, NULL, dp, n, head.q, size, head.k, n, n, size);
      copy_out(to, 3 * width, d.q, n, size);
      copy_out(to + width, 3 * width, d.k, n, size);
      copy_out(to + 2 * width, 3 * width, d.v, n, size);
    }
  }
  rotate_all(block, dqkv, -1.0f);
  return true;
}

// --- the block ---

static float *add(float *to, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] += x[i];
  return to;
}

// active = gelu(u), or gelu(u) * g
static void activate(const on_train_block *block) {
  const size_t inner = block->shape.inner;
  if (!block->shape.prenorm) {
    on_train_gelu_forward(block->active, block->up, block->m * inner);
    return;
  }
  for (size_t i = 0; i < block->m; i++) {
    const float *gate = block->up + (2 * i + 1) * inner;
    on_train_gelu_forward(block->active + i * inner, block->up + 2 * i * inner, inner);
    for (size_t j = 0; j < inner; j++) block->active[i * inner + j] *= gate[j];
  }
}

// dup from dactive, which is overwritten
static bool activate_backward(const on_train_block *block, on_arena *arena, float *dup, float *dactive) {
  const size_t inner = block->shape.inner;
  if (!block->shape.prenorm) {
    on_train_gelu_backward(dup, dactive, block->up, block->m * inner);
    return true;
  }
  float *gelu = ON_NEW(arena, float, inner);
  if (!gelu) return false;
  for (size_t i = 0; i < block->m; i++) {
    const float *u = block->up + 2 * i * inner, *gate = u + inner;
    float *da = dactive + i * inner, *du = dup + 2 * i * inner;
    on_train_gelu_forward(gelu, u, inner);
    for (size_t j = 0; j < inner; j++) {
      du[inner + j] = da[j] * gelu[j];
      da[j] *= gate[j];
    }
    on_train_gelu_backward(du, da, u, inner);
  }
  return true;
}

static bool make_room(on_train_block *block, on_arena *arena, size_t shares, bool normalizes) {
  const size_t m = block->m, width = block->shape.width, inner = block->shape.inner;
  block->normed = normalizes ? ON_NEW(arena, float, m * width) : NULL;
  block->qkv = ON_NEW(arena, float, 3 * m * width);
  block->shares = shares == SIZE_MAX ? NULL : ON_NEW(arena, float, shares);
  block->context = ON_NEW(arena, float, m * width);
  block->middle = ON_NEW(arena, float, m * width);
  block->feed_in = ON_NEW(arena, float, m * width);
  block->up = ON_NEW(arena, float, (block->shape.prenorm ? 2 : 1) * m * inner);
  block->active = ON_NEW(arena, float, m * inner);
  block->last = ON_NEW(arena, float, m * width);
  for (size_t i = 0; i < 2; i++) {
    block->mean[i] = ON_NEW(arena, float, m);
    block->rstd[i] = ON_NEW(arena, float, m);
  }
  return (block->normed || !normalizes) && block->qkv && block->shares && block->context && block->middle &&
         block->feed_in && block->up && block->active && block->last && block->mean[0] && block->mean[1] &&
         block->rstd[0] && block->rstd[1];
}

on_train_block *on_train_block_forward(const on_train_block_shape *shape, const on_train_block_params *params,
                                       on_arena *arena, float *y, const float *x, const uint32_t *starts, size_t count,
                                       const float *attention_mask, const float *feed_mask) {
  const size_t m = starts[count], width = shape->width, inner = shape->inner, all = m * width;
  const size_t up_rows = shape->prenorm ? 2 * inner : inner;
  on_train_block *block = ON_NEW0(arena, on_train_block, 1);
  const bool normalizes = shape->prenorm && params->attention_gain;
  if (!block) return NULL;
  *block = (on_train_block){.shape = *shape, .m = m, .count = count, .starts = starts, .x = x};
  block->attention_mask = attention_mask;
  block->feed_mask = feed_mask;
  if (!make_room(block, arena, share_count(starts, count, shape->heads), normalizes)) return NULL;
  if (normalizes) {
    on_train_layer_norm_forward(block->normed, block->mean[0], block->rstd[0], x, params->attention_gain,
                                params->attention_bias, m, width, shape->epsilon);
  }
  on_train_linear_forward(block->qkv, 3 * width, normalizes ? block->normed : x, width, params->qkv, params->qkv_bias, m,
                          3 * width, width);
  rotate_all(block, block->qkv, 1.0f);
  if (!attention_forward(block, arena)) return NULL;
  on_train_linear_forward(block->middle, width, block->context, width, params->out, params->out_bias, m, width, width);
  if (attention_mask) on_train_apply_mask(block->middle, attention_mask, all);
  add(block->middle, x, all);
  const size_t norm = shape->prenorm ? 1 : 0;  // postnorm: the attention's own comes here
  on_train_layer_norm_forward(block->feed_in, block->mean[norm], block->rstd[norm], block->middle,
                              norm ? params->feed_gain : params->attention_gain,
                              norm ? params->feed_bias : params->attention_bias, m, width, shape->epsilon);
  on_train_linear_forward(block->up, up_rows, block->feed_in, width, params->up, params->up_bias, m, up_rows, width);
  activate(block);
  on_train_linear_forward(block->last, width, block->active, inner, params->down, params->down_bias, m, width, inner);
  if (feed_mask) on_train_apply_mask(block->last, feed_mask, all);
  add(block->last, shape->prenorm ? block->middle : block->feed_in, all);
  if (shape->prenorm) {
    memcpy(y, block->last, all * sizeof *y);
  } else {
    on_train_layer_norm_forward(y, block->mean[1], block->rstd[1], block->last, params->feed_gain, params->feed_bias,
                                m, width, shape->epsilon);
  }
  return block;
}

bool on_train_block_backward(const on_train_block *block, const on_train_block_params *params,
                             const on_train_block_params *grads, on_arena *scratch, float *dx, const float *dy) {
  const on_train_block_shape *shape = &block->shape;
  const size_t m = block->m, width = shape->width, inner = shape->inner, all = m * width;
  const size_t up_rows = shape->prenorm ? 2 * inner : inner;
  float *dlast = ON_NEW0(scratch, float, all), *dbranch = ON_NEW(scratch, float, all);
  float *dactive = ON_NEW0(scratch, float, m * inner), *dup = ON_NEW(scratch, float, m * up_rows);
  float *dfeed_in = ON_NEW0(scratch, float, all), *dmiddle = ON_NEW0(scratch, float, all);
  float *dcontext = ON_NEW0(scratch, float, all), *dqkv = ON_NEW(scratch, float, 3 * all);
  if (!dlast || !dbranch || !dactive || !dup || !dfeed_in || !dmiddle || !dcontext || !dqkv) return false;

  // The feed-forward part; what it adds to goes on beside it.
  if (shape->prenorm) {
    add(dlast, dy, all);
  } else {
    on_train_layer_norm_backward(dlast, grads->feed_gain, grads->feed_bias, dy, block->last, block->mean[1],
                                 block->rstd[1], params->feed_gain, m, width);
  }
  memcpy(dbranch, dlast, all * sizeof *dbranch);
  if (block->feed_mask) on_train_apply_mask(dbranch, block->feed_mask, all);
  on_train_linear_backward(dactive, inner, grads->down, grads->down_bias, dbranch, width, block->active, inner,
                           params->down, m, width, inner);
  if (!activate_backward(block, scratch, dup, dactive)) return false;
  on_train_linear_backward(dfeed_in, width, grads->up, grads->up_bias, dup, up_rows, block->feed_in, width, params->up,
                           m, up_rows, width);
  add(shape->prenorm ? dmiddle : dfeed_in, dlast, all);
  const size_t norm = shape->prenorm ? 1 : 0;
  on_train_layer_norm_backward(dmiddle, norm ? grads->feed_gain : grads->attention_gain,
                               norm ? grads->feed_bias : grads->attention_bias, dfeed_in, block->middle,
                               block->mean[norm], block->rstd[norm], norm ? params->feed_gain : params->attention_gain,
                               m, width);

  // The attention.
  memcpy(dbranch, dmiddle, all * sizeof *dbranch);
  if (block->attention_mask) on_train_apply_mask(dbranch, block->attention_mask, all);
  on_train_linear_backward(dcontext, width, grads->out, grads->out_bias, dbranch, width, block->context, width,
                           params->out, m, width, width);
  if (!attention_backward(block, scratch, dqkv, dcontext)) return false;
  float *dnormed = block->normed ? memset(dcontext, 0, all * sizeof *dcontext) : dx;
  on_train_linear_backward(dnormed, width, grads->qkv, grads->qkv_bias, dqkv, 3 * width,
                           block->normed ? block->normed : block->x, width, params->qkv, m, 3 * width, width);
  if (dx) add(dx, dmiddle, all);
  if (!block->normed) return true;
  float *into = dx ? dx : dmiddle;  // the gain's gradient is wanted even where dx is not
  on_train_layer_norm_backward(into, grads->attention_gain, grads->attention_bias, dnormed, block->x, block->mean[0],
                               block->rstd[0], params->attention_gain, m, width);
  return true;
}
