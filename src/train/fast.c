// Training of the fast encoder: the same computation as encode/fast.c, kept for the backward pass.
#include "encode/fast.h"

#include <string.h>

#include "nn/fastmath.h"
#include "train/fast.h"
#include "train/recurrent.h"
#include "train/view.h"

static void init_norm(const on_param *gain, const on_param *shift) {
  on_init_constant(gain, 1);
  on_init_constant(shift, 0);
}

static void init(const on_encoder *encoder, on_random *random) {
  const on_fast *fast = encoder->state;
  for (uint32_t t = 0; t < fast->table_count; t++) on_init_normal(fast->tables[t].param, 0.1f, random);
  if (fast->ngram_param) on_init_normal(fast->ngram_param, 0.1f, random);
  if (fast->word_param) on_init_normal(fast->word_param, 0.1f, random);
  on_init_glorot(fast->mix_weight, random);
  on_init_constant(fast->mix_bias, 0);
  if (!fast->plain) init_norm(fast->mix_gain, fast->mix_shift);
  for (uint32_t i = 0; i < fast->depth; i++) {
    on_init_glorot(fast->window_weight[i], random);
    on_init_constant(fast->window_bias[i], 0);
    init_norm(fast->window_gain[i], fast->window_shift[i]);
  }
  on_recurrent_init(&fast->recurrent, random);
}

// ---- what forward keeps ---------------------------------------------------------------------------

// norm(act(z)) of a join or window layer, followed by dropout.
typedef struct block {
  float *z, *a, *mean, *rstd, *mask;
} block;

typedef struct token_ngrams {
  uint32_t *rows;
  size_t count;
} token_ngrams;

// A word of list `list` stands in the rows from `first` on.
typedef struct word_match {
  uint32_t first, tokens, list;
} word_match;

typedef struct kept {
  uint32_t *rows;         // [m][tables * hashes]
  bool *dropped;          // [m]: the word form was replaced
  token_ngrams *ngrams;   // [m], or NULL
  word_match *matches;    // or NULL
  size_t match_count;
  float *word_scale;      // [m]
  float *x, *x_mask;      // [m][joined]
  block join;
  float *wide[ON_FAST_MAX_DEPTH];  // [m][3 * width]
  block window[ON_FAST_MAX_DEPTH];
  on_train_recurrent recurrent;
} kept;

// ---- forward --------------------------------------------------------------------------------------

static bool hides_form(on_fast_attribute attribute) {
  return attribute == ON_ATTR_NORM || attribute == ON_ATTR_LOWER || attribute == ON_ATTR_CASED ||
         attribute == ON_ATTR_BIGRAM;
}

static int distance(on_fast_group group) {
  return group == ON_GROUP_PREV ? -1 : group == ON_GROUP_NEXT ? 1 : group == ON_GROUP_PREV2 ? -2
         : group == ON_GROUP_NEXT2 ? 2 : 0;
}

// True when the table looks at a token whose form was replaced.
static bool row_is_dropped(const on_fast_table *table, const bool *dropped, size_t i, size_t first, size_t end) {
  if (!hides_form(table->attribute)) return false;
  size_t at = i + (size_t)distance(table->group);  // wraps below `first`, and then is not below `end`
  if (at >= first && at < end && dropped[at]) return true;
  if (table->group == ON_GROUP_BIGRAM_PREV) return i > first && dropped[i - 1];
  if (table->group == ON_GROUP_BIGRAM_NEXT) return i + 1 < end && dropped[i + 1];
  return false;
}

#define NO_GRADIENT 0x80000000u  // a row drawn at random, as an unknown word's is

static bool choose_ngrams(const on_fast *fast, on_train_step *step, const on_doc *doc, token_ngrams *tokens) {
  uint32_t rows[ON_NGRAM_MOST];
  size_t count;
  for (size_t i = 0; i < doc->n; i++) {
    if (!on_fast_ngram_rows(fast, on_doc_token(doc, i), &step->arena, rows, &count)) return false;
    tokens[i] = (token_ngrams){ON_NEW(&step->arena, uint32_t, count), count};
    if (!tokens[i].rows) return false;
    memcpy(tokens[i].rows, rows, count * sizeof *rows);
  }
  return true;
}

// A Doc of the step, whose rows begin at `start`.
static void choose_words(const on_fast *fast, const on_train_step *step, const on_doc *doc, size_t start, kept *k) {
  on_word_match found[ON_MAX_WORD_TOKENS];
  for (size_t i = 0; i < doc->n; i++) {
    size_t n = on_words_match(&fast->words, doc, i, found);
    for (size_t w = 0; w < n; w++) {
      uint32_t list = step->words ? on_word_list_without(step->words, &fast->words, doc, step->characters, &found[w])
                                  : fast->words.list[found[w].word].list;
      if (list == UINT32_MAX) continue;
      k->matches[k->match_count++] = (word_match){(uint32_t)(start + i), found[w].tokens, list};
      for (uint32_t at = 0; at < found[w].tokens; at++) k->word_scale[start + i + at]++;
    }
  }
}

static bool choose_rows(const on_fast *fast, on_train_step *step, kept *k) {
  size_t per_token = (size_t)fast->table_count * fast->hashes;
  k->rows = ON_NEW(&step->arena, uint32_t, step->m * per_token);
  k->dropped = ON_NEW0(&step->arena, bool, step->m);
  if (fast->ngram_param) k->ngrams = ON_NEW(&step->arena, token_ngrams, step->m);
  if (!k->rows || !k->dropped || (fast->ngram_param && !k->ngrams)) return false;
  if (fast->word_param) {
    k->matches = ON_NEW(&step->arena, word_match, step->m * fast->words.tokens);
    k->word_scale = ON_NEW0(&step->arena, float, step->m);
    if (!k->matches || !k->word_scale) return false;
  }
  for (size_t d = 0; d < step->doc_count; d++) {
    on_doc view;
    if (!on_train_view(step, &step->docs[d], &view) ||
        !on_fast_rows(fast, &view, &step->arena, k->rows + step->starts[d] * per_token) ||
        (k->ngrams && !choose_ngrams(fast, step, &view, k->ngrams + step->starts[d]))) {
      return false;
    }
    if (fast->word_param) choose_words(fast, step, &view, step->starts[d], k);
  }
  for (size_t i = 0; fast->word_param && i < step->m; i++) k->word_scale[i] = on_ngram_scale((size_t)k->word_scale[i]);
  if (step->rates->word <= 0) return true;
  for (size_t i = 0; i < step->m; i++) k->dropped[i] = on_random_unit(&step->random) < step->rates->word;
  for (size_t d = 0; d < step->doc_count; d++) {
    for (size_t i = step->starts[d]; i < step->starts[d + 1]; i++) {
      for (uint32_t t = 0; t < fast->table_count; t++) {
        if (!row_is_dropped(&fast->tables[t], k->dropped, i, step->starts[d], step->starts[d + 1])) continue;
        for (uint32_t f = 0; f < fast->hashes; f++) {
          k->rows[i * per_token + (size_t)t * fast->hashes + f] =
              on_random_below(&step->random, fast->tables[t].rows) | NO_GRADIENT;
        }
      }
    }
  }
  return true;
}

// x[e] = the rows' sum, scaled.
static void gather_ngrams(const on_fast *fast, const token_ngrams *token, float *x) {
  size_t e = fast->embed_width;
  float scale = on_ngram_scale(token->count);
  memset(x, 0, e * sizeof *x);
  for (size_t r = 0; r < token->count; r++) on_axpy(x, scale, on_value(fast->ngram_param) + token->rows[r] * e, e);
}

static void scatter_ngrams(const on_fast *fast, const on_train_step *step, const token_ngrams *token, const float *dx) {
  size_t e = fast->embed_width;
  float scale = on_ngram_scale(token->count), *table = on_grad(step, fast->ngram_param);
  for (size_t r = 0; r < token->count; r++) on_axpy(table + token->rows[r] * e, scale, dx, e);
}

// The vectors of words stand at the end of x.
static void gather_words(const on_fast *fast, const on_train_step *step, const kept *k) {
  size_t e = fast->embed_width, joined = fast->joined;
  for (size_t i = 0; i < step->m; i++) memset(k->x + (i + 1) * joined - e, 0, e * sizeof *k->x);
  for (size_t w = 0; w < k->match_count; w++) {
    for (uint32_t at = 0; at < k->matches[w].tokens; at++) {
      size_t i = k->matches[w].first + at;
      uint32_t row = on_word_row(&fast->words, k->matches[w].list, k->matches[w].tokens, at);
      on_axpy(k->x + (i + 1) * joined - e, k->word_scale[i], on_value(fast->word_param) + row * e, e);
    }
  }
}

static void scatter_words(const on_fast *fast, const on_train_step *step, const kept *k, const float *dx) {
  size_t e = fast->embed_width, joined = fast->joined;
  float *table = on_grad(step, fast->word_param);
  for (size_t w = 0; w < k->match_count; w++) {
    for (uint32_t at = 0; at < k->matches[w].tokens; at++) {
      size_t i = k->matches[w].first + at;
      uint32_t row = on_word_row(&fast->words, k->matches[w].list, k->matches[w].tokens, at);
      on_axpy(table + row * e, k->word_scale[i], dx + (i + 1) * joined - e, e);
    }
  }
}

static void gather(const on_fast *fast, const on_train_step *step, const kept *k) {
  size_t e = fast->embed_width, joined = fast->joined;
  const uint32_t *row = k->rows;
  for (size_t i = 0; i < step->m; i++) {
    for (uint32_t t = 0; t < fast->table_count; t++) {
      float *x = k->x + i * joined + t * e;
      const float *table = on_value(fast->tables[t].param);
      memcpy(x, table + (size_t)(*row++ & ~NO_GRADIENT) * e, e * sizeof *x);
      for (uint32_t f = 1; f < fast->hashes; f++) {
        const float *more = table + (size_t)(*row++ & ~NO_GRADIENT) * e;
        for (size_t j = 0; j < e; j++) x[j] += more[j];
      }
    }
    if (k->ngrams) gather_ngrams(fast, &k->ngrams[i], k->x + i * joined + fast->table_count * e);
  }
  if (fast->word_param) gather_words(fast, step, k);
}

static void scatter(const on_fast *fast, const on_train_step *step, const kept *k, const float *dx) {
  size_t e = fast->embed_width, joined = fast->joined;
  const uint32_t *row = k->rows;
  for (size_t i = 0; i < step->m; i++) {
    for (uint32_t t = 0; t < fast->table_count; t++) {
      const float *from = dx + i * joined + t * e;
      float *table = on_grad(step, fast->tables[t].param);
      for (uint32_t f = 0; f < fast->hashes; f++, row++) {
        if (*row & NO_GRADIENT) continue;
        float *into = table + (size_t)*row * e;
        for (size_t j = 0; j < e; j++) into[j] += from[j];
      }
    }
    if (k->ngrams) scatter_ngrams(fast, step, &k->ngrams[i], dx + i * joined + fast->table_count * e);
  }
  if (fast->word_param) scatter_words(fast, step, k, dx);
}

// out[m][width] = dropout(norm(act(z))).
static bool block_forward(const on_fast *fast, on_train_step *step, block *b, const on_param *gain,
                          const on_param *shift, float *out) {
  size_t n = step->m * fast->width;
  bool ok = true;
  b->a = ON_NEW(&step->arena, float, n);
  b->mean = ON_NEW(&step->arena, float, step->m);
  b->rstd = ON_NEW(&step->arena, float, step->m);
  if (!b->a || !b->mean || !b->rstd) return false;
  if (fast->relu) on_train_relu_forward(b->a, b->z, n);
  else on_train_gelu_forward(b->a, b->z, n);
  on_train_layer_norm_forward(out, b->mean, b->rstd, b->a, on_value(gain), on_value(shift), step->m, fast->width,
                              1e-5f);
  b->mask = on_step_dropout(step, out, n, step->rates->encoder, &ok);
  return ok;
}

// dz[m][width] from dout, which is changed.
static bool block_backward(const on_fast *fast, on_train_step *step, const block *b, const on_param *gain,
                           const on_param *shift, float *dout, float *dz) {
  size_t n = step->m * fast->width;
  if (b->mask) on_train_apply_mask(dout, b->mask, n);
  memset(dz, 0, n * sizeof *dz);
  on_train_layer_norm_backward(dz, on_grad(step, gain), on_grad(step, shift), dout, b->a, b->mean, b->rstd,
                               on_value(gain), step->m, fast->width);
  if (fast->relu) on_train_relu_backward(dz, dz, b->a, n);
  else on_train_gelu_backward(dz, dz, b->z, n);
  return true;
}

static bool join_forward(const on_fast *fast, on_train_step *step, kept *k, float *h) {
  size_t n = step->m * fast->width, joined = fast->joined;
  bool ok = true;
  k->x = ON_NEW(&step->arena, float, step->m * joined);
  k->join.z = ON_NEW(&step->arena, float, n);
  if (!k->x || !k->join.z || !choose_rows(fast, step, k)) return false;
  gather(fast, step, k);
  k->x_mask = on_step_dropout(step, k->x, step->m * joined, step->rates->input, &ok);
  on_step_linear_forward(k->join.z, k->x, fast->mix_weight, fast->mix_bias, step->m);
  if (!fast->plain) return ok && block_forward(fast, step, &k->join, fast->mix_gain, fast->mix_shift, h);
  on_train_relu_forward(h, k->join.z, n);
  k->join.mask = on_step_dropout(step, h, n, step->rates->encoder, &ok);
  return ok;
}

static bool join_backward(const on_fast *fast, on_train_step *step, kept *k, float *dh) {
  size_t n = step->m * fast->width, joined = fast->joined;
  float *dz = ON_NEW(&step->arena, float, n);
  float *dx = ON_NEW0(&step->arena, float, step->m * joined);
  if (!dz || !dx) return false;
  if (fast->plain) {
    if (k->join.mask) on_train_apply_mask(dh, k->join.mask, n);
    on_train_relu_backward(dz, dh, k->join.z, n);
  } else if (!block_backward(fast, step, &k->join, fast->mix_gain, fast->mix_shift, dh, dz)) {
    return false;
  }
  on_step_linear_backward(step, dx, dz, k->x, fast->mix_weight, fast->mix_bias, step->m);
  if (k->x_mask) on_train_apply_mask(dx, k->x_mask, step->m * joined);
  scatter(fast, step, k, dx);
  return true;
}

static bool window_forward(const on_fast *fast, on_train_step *step, kept *k, uint32_t i, float *h) {
  size_t n = step->m * fast->width;
  block *b = &k->window[i];
  float *out = ON_NEW(&step->arena, float, n);
  k->wide[i] = ON_NEW(&step->arena, float, 3 * n);
  b->z = ON_NEW(&step->arena, float, n);
  if (!out || !k->wide[i] || !b->z) return false;
  on_train_window_forward(k->wide[i], h, step->starts, step->doc_count, fast->width);
  on_step_linear_forward(b->z, k->wide[i], fast->window_weight[i], fast->window_bias[i], step->m);
  if (!block_forward(fast, step, b, fast->window_gain[i], fast->window_shift[i], out)) return false;
  for (size_t j = 0; j < n; j++) h[j] += out[j];
  return true;
}

static bool window_backward(const on_fast *fast, on_train_step *step, kept *k, uint32_t i, float *dh) {
  size_t n = step->m * fast->width;
  float *dout = ON_NEW(&step->arena, float, n);
  float *dz = ON_NEW(&step->arena, float, n);
  float *dwide = ON_NEW0(&step->arena, float, 3 * n);
  if (!dout || !dz || !dwide) return false;
  memcpy(dout, dh, n * sizeof *dh);
  if (!block_backward(fast, step, &k->window[i], fast->window_gain[i], fast->window_shift[i], dout, dz)) return false;
  on_step_linear_backward(step, dwide, dz, k->wide[i], fast->window_weight[i], fast->window_bias[i], step->m);
  on_train_window_backward(dh, dwide, step->starts, step->doc_count, fast->width);
  return true;
}

static bool forward(const on_encoder *encoder, on_train_step *step, float **h, void **state) {
  const on_fast *fast = encoder->state;
  kept *k = ON_NEW0(&step->arena, kept, 1);
  *h = ON_NEW(&step->arena, float, step->m * fast->width);
  *state = k;
  if (!k || !*h || !join_forward(fast, step, k, *h)) return false;
  for (uint32_t i = 0; i < fast->depth; i++) {
    if (!window_forward(fast, step, k, i, *h)) return false;
  }
  return on_train_recurrent_forward(&fast->recurrent, step, &k->recurrent, *h);
}

static bool backward(const on_encoder *encoder, on_train_step *step, void *state, float *dh) {
  const on_fast *fast = encoder->state;
  kept *k = state;
  if (!on_train_recurrent_backward(&fast->recurrent, step, &k->recurrent, dh)) return false;
  for (uint32_t i = fast->depth; i-- > 0;) {
    if (!window_backward(fast, step, k, i, dh)) return false;
  }
  return join_backward(fast, step, k, dh);
}

const on_encoder_trainer on_fast_trainer = {.name = "fast", .init = init, .forward = forward, .backward = backward};
