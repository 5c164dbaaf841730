#include "encode/fast.h"

#include <string.h>

#include "base/alloc.h"
#include "encode/fast_settings.h"

// ---- derived rows ---------------------------------------------------------------------------------
// The join is linear, so each embedding row contributes its product with its table's slice of mix.weight,
// whatever stands beside it. The products are made on first use and kept in the workspace, up to a bound.

enum { SLOTS_PER_BLOCK = 1024, MAX_BLOCKS = 48 };

typedef struct derived {
  uint32_t *slot[ON_FAST_MAX_TABLES];  // per table and row: slot number + 1, or 0
  float *blocks[MAX_BLOCKS];           // each SLOTS_PER_BLOCK vectors of `width`
  uint32_t used;                       // slots
  uint32_t capacity;                   // slots there is memory for
} derived;

static derived *derived_of(const on_fast *fast, on_workspace *workspace, void **cache) {
  if (*cache) return *cache;
  derived *d = ON_NEW0(&workspace->kept, derived, 1);
  if (!d) return NULL;
  for (uint32_t t = 0; t < fast->table_count; t++) {
    d->slot[t] = ON_NEW0(&workspace->kept, uint32_t, fast->tables[t].rows);
    if (!d->slot[t]) return NULL;
  }
  *cache = d;
  return d;
}

static float *slot_vector(const on_fast *fast, const derived *d, uint32_t slot) {
  return d->blocks[slot / SLOTS_PER_BLOCK] + (size_t)(slot % SLOTS_PER_BLOCK) * fast->width;
}

// When every slot is taken all are given up: the rows of the text at hand come back at once.
static void forget_all(const on_fast *fast, derived *d) {
  for (uint32_t t = 0; t < fast->table_count; t++) memset(d->slot[t], 0, fast->tables[t].rows * sizeof(uint32_t));
  d->used = 0;
}

static const float *derived_row(const on_fast *fast, on_workspace *workspace, derived *d, uint32_t t, uint32_t row) {
  uint32_t known = d->slot[t][row];
  if (known) return slot_vector(fast, d, known - 1);
  if (d->used == d->capacity) {
    if (d->capacity == MAX_BLOCKS * SLOTS_PER_BLOCK) {
      forget_all(fast, d);
    } else {
      float *block = ON_NEW(&workspace->kept, float, (size_t)SLOTS_PER_BLOCK * fast->width);
      if (!block) return NULL;
      d->blocks[d->capacity / SLOTS_PER_BLOCK] = block;
      d->capacity += SLOTS_PER_BLOCK;
    }
  }
  const on_fast_table *table = &fast->tables[t];
  float embedding[2048];
  on_param_row(table->param, row, embedding);
  float *vector = slot_vector(fast, d, d->used);
  workspace->kernels->linear(vector, fast->width, embedding, fast->embed_width, 1, &table->mix, NULL, false);
  d->slot[t][row] = ++d->used;
  return vector;
}

// x[n][width] = mix of all tables. For each token: bias, then the sum of each group in the groups' order.
static bool join(const on_fast *fast, on_workspace *workspace, void **cache, const on_doc *doc, float *x) {
  derived *d = derived_of(fast, workspace, cache);
  size_t per_token = (size_t)fast->table_count * fast->hashes;
  uint32_t *rows = ON_NEW(&workspace->scratch, uint32_t, doc->n * per_token);
  float *sum = ON_NEW(&workspace->scratch, float, fast->width);
  if (!d || !rows || !sum || !on_fast_rows(fast, doc, &workspace->scratch, rows)) return false;
  const on_kernels *k = workspace->kernels;
  size_t bytes = fast->width * sizeof(float);
  for (size_t i = 0; i < doc->n; i++, rows += per_token, x += fast->width) {
    memcpy(x, fast->mix_b, bytes);
    for (int group = 0; group < ON_FAST_GROUPS; group++) {
      bool any = false;
      for (uint32_t t = 0; t < fast->table_count; t++) {
        if (fast->tables[t].group != (on_fast_group)group) continue;
        for (uint32_t f = 0; f < fast->hashes; f++) {
          const float *vector = derived_row(fast, workspace, d, t, rows[t * fast->hashes + f]);
          if (!vector) return false;
          if (any) k->add(sum, vector, fast->width);
          else memcpy(sum, vector, bytes);
          any = true;
        }
      }
      if (any) k->add(x, sum, fast->width);
    }
  }
  return true;
}

// ---- the kind -------------------------------------------------------------------------------------

static bool create(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  on_fast *fast = ON_NEW0(arena, on_fast, 1);
  if (!fast) return on_fail_memory(error);
  encoder->state = fast;
  if (!on_fast_read_settings(fast, settings, path, error)) return false;
  encoder->width = fast->width;
  return on_fast_declare(fast, encoder, arena, path, error);
}

static void write_settings(const on_encoder *encoder, on_buf *out) { on_fast_write_settings(encoder->state, out); }

static bool prepare(on_encoder *encoder, on_arena *arena, on_error *error) {
  on_fast *fast = encoder->state;
  for (uint32_t t = 0; t < fast->table_count; t++) {
    fast->tables[t].mix = on_param_pack(fast->mix_weight, arena, t * fast->embed_width, (t + 1) * fast->embed_width);
  }
  fast->mix_b = on_param_vector(fast->mix_bias, arena);
  if (!fast->plain) {
    fast->mix_g = on_param_vector(fast->mix_gain, arena);
    fast->mix_s = on_param_vector(fast->mix_shift, arena);
  }
  for (uint32_t i = 0; i < fast->depth; i++) {
    fast->window[i] = on_param_pack(fast->window_weight[i], arena, 0, 3 * fast->width);
    fast->window_b[i] = on_param_vector(fast->window_bias[i], arena);
    fast->window_g[i] = on_param_vector(fast->window_gain[i], arena);
    fast->window_s[i] = on_param_vector(fast->window_shift[i], arena);
  }
  if (fast->recurrent_layers) {
    on_lstm_prepare(&fast->lstm, arena);
    if (fast->out_weight) {
      fast->out = on_param_pack(fast->out_weight, arena, 0, fast->out_weight->shape[1]);
      fast->out_b = on_param_vector(fast->out_bias, arena);
    }
  }
  return !arena->failed || on_fail_memory(error);
}

static void activate(const on_fast *fast, const on_kernels *k, float *x, size_t n) {
  if (fast->relu) k->relu(x, n);
  else k->gelu(x, n);
}

// h stands between two rows of zeros, so that the window of token i is one run of 3 * width floats.
static bool windows(const on_fast *fast, on_workspace *workspace, float *h, size_t n) {
  if (fast->depth == 0) return true;
  const on_kernels *k = workspace->kernels;
  size_t width = fast->width;
  float *z = ON_NEW(&workspace->scratch, float, n * width);
  if (!z) return false;
  for (uint32_t i = 0; i < fast->depth; i++) {
    k->linear(z, width, h - width, width, n, &fast->window[i], fast->window_b[i], false);
    activate(fast, k, z, n * width);
    k->layer_norm(z, z, n, width, fast->window_g[i], fast->window_s[i]);
    k->add(h, z, n * width);
  }
  return true;
}

static bool recur(const on_fast *fast, on_workspace *workspace, float *h, size_t n) {
  if (fast->recurrent_layers == 0) return true;
  const on_kernels *k = workspace->kernels;
  size_t both = 2 * (size_t)fast->lstm.size, width = fast->width;
  float *states = ON_NEW(&workspace->scratch, float, n * both);
  float *mapped = states;
  if (!states || !on_lstm_run(&fast->lstm, k, &workspace->scratch, states, h, n)) return false;
  if (fast->out_weight) {
    mapped = ON_NEW(&workspace->scratch, float, n * width);
    if (!mapped) return false;
    k->linear(mapped, width, states, both, n, &fast->out, fast->out_b, false);
  }
  k->add(h, mapped, n * width);
  return true;
}

static bool run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                on_error *error) {
  const on_fast *fast = encoder->state;
  const on_kernels *k = workspace->kernels;
  size_t n = doc->n, width = fast->width;
  float *padded = ON_NEW0(&workspace->scratch, float, (n + 2) * width);
  if (!padded) return on_fail_memory(error);
  float *h = padded + width;
  if (!join(fast, workspace, cache, doc, h)) return on_fail_memory(error);
  if (fast->plain) {
    k->relu(h, n * width);
  } else {
    activate(fast, k, h, n * width);
    k->layer_norm(h, h, n, width, fast->mix_g, fast->mix_s);
  }
  if (!windows(fast, workspace, h, n) || !recur(fast, workspace, h, n)) return on_fail_memory(error);
  memcpy(out, h, n * width * sizeof(float));
  return true;
}

const on_encoder_kind on_fast_kind = {"fast", create, write_settings, prepare, run, NULL};
