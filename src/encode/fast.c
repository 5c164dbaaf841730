#include "encode/fast.h"

#include <string.h>

#include "base/alloc.h"
#include "base/rare.h"
#include "encode/fast_settings.h"
#include "encode/forms.h"

// ---- derived rows ---------------------------------------------------------------------------------
// The join is linear, so each embedding row contributes its product with its table's slice of mix.weight,
// whatever stands beside it. The products are made on first use and kept in the workspace, up to a bound.

enum { SLOTS_PER_BLOCK = 256, MAX_BLOCKS = 192 };

typedef struct derived {
  uint32_t *slot[ON_FAST_MAX_TABLES];  // per table and row: slot number + 1, or 0
  float *blocks[MAX_BLOCKS];           // each SLOTS_PER_BLOCK vectors of `width`
  uint32_t used;                       // slots
  uint32_t capacity;                   // slots there is memory for
  uint32_t forgotten;                  // how often all were given up
  on_forms *forms;
  const float *zeros;                  // a vector of them
} derived;

// A row that hardly any other form reads: what it gives is kept with the form, and nowhere else.
static bool is_of_one_form(const on_fast_table *table) {
  return table->attribute == ON_ATTR_NORM || table->attribute == ON_ATTR_LOWER || table->attribute == ON_ATTR_CASED;
}

static derived *derived_of(const on_fast *fast, on_workspace *workspace, void **cache) {
  if (*cache) return *cache;
  derived *d = ON_NEW0(&workspace->kept, derived, 1);
  if (!d) return NULL;
  d->forms = on_forms_new(&workspace->kept, fast->form_floats);
  d->zeros = ON_NEW0(&workspace->kept, float, fast->width);
  if (!d->forms || !d->zeros) return NULL;
  for (uint32_t t = 0; t < fast->table_count; t++) {
    if (is_of_one_form(&fast->tables[t])) continue;
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
  for (uint32_t t = 0; t < fast->table_count; t++) {
    if (d->slot[t]) memset(d->slot[t], 0, fast->tables[t].rows * sizeof(uint32_t));
  }
  d->used = 0;
  d->forgotten++;
}

// The product of a row of a table, into vector[width].
static void multiply_row(const on_fast *fast, const on_kernels *k, const on_fast_table *table, uint32_t row,
                         float *vector) {
  float embedding[ON_FAST_MAX_WIDTH];
  on_param_row(table->param, row, embedding);
  on_linear(k, vector, fast->width, embedding, fast->embed_width, 1, &table->mix, NULL, false);
}

// The product of a row that is not there.
ON_APART static const float *derive_row(const on_fast *fast, on_workspace *workspace, derived *d, uint32_t t,
                                        uint32_t row) {
  const on_fast_table *table = &fast->tables[t];
  if (is_of_one_form(table)) {
    float *vector = ON_NEW(&workspace->scratch, float, fast->width);
    if (vector) multiply_row(fast, workspace->kernels, table, row, vector);
    return vector;
  }
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
  float *vector = slot_vector(fast, d, d->used);
  multiply_row(fast, workspace->kernels, table, row, vector);
  d->slot[t][row] = ++d->used;
  return vector;
}

// sum[width] = the contributions of the tables of a group that has some; rows[tables][hashes] of the token.
static bool group_sum(const on_fast *fast, on_workspace *workspace, derived *d, on_fast_group group,
                      const uint32_t *rows, float *sum) {
  const float *all[ON_FAST_MAX_TABLES * ON_FAST_MAX_HASHES];
  size_t count;
  uint32_t forgotten;
  do {  // once more where the first vectors were given up for the last ones
    forgotten = d->forgotten;
    count = 0;
    for (uint32_t t = 0; t < fast->table_count; t++) {
      if (fast->tables[t].group != group) continue;
      for (uint32_t f = 0; f < fast->hashes; f++) {
        const uint32_t row = rows[t * fast->hashes + f], slot = d->slot[t] ? d->slot[t][row] : 0;
        all[count] = slot ? slot_vector(fast, d, slot - 1) : derive_row(fast, workspace, d, t, row);
        if (!all[count++]) return false;
      }
    }
  } while (d->forgotten != forgotten);
  if (count > 0) {
    memcpy(sum, all[0], fast->width * sizeof *sum);
    workspace->kernels->add_all(sum, all + 1, count - 1, fast->width);
  }
  return true;
}

// sum[width] += the contribution of the form's n-grams. Their rows are summed first: they are too many to keep the
// product of each.
ON_APART static bool add_ngrams(const on_fast *fast, on_workspace *workspace, on_str16 form, float *sum) {
  const on_kernels *k = workspace->kernels;
  size_t e = fast->embed_width, count;
  uint32_t *rows = ON_NEW(&workspace->scratch, uint32_t, ON_NGRAM_MOST);
  float *vector = ON_NEW0(&workspace->scratch, float, e);
  float *product = ON_NEW(&workspace->scratch, float, fast->width);
  if (!rows || !vector || !product || !on_fast_ngram_rows(fast, form, &workspace->scratch, rows, &count)) return false;
  for (size_t i = 0; i < count; i++) on_param_add_row(fast->ngram_param, rows[i], vector);
  float scale = on_ngram_scale(count);
  for (size_t j = 0; j < e; j++) vector[j] *= scale;
  on_linear(k, product, fast->width, vector, e, 1, &fast->ngram_mix, NULL, false);
  k->add(sum, product, fast->width);
  return true;
}

// ---- word forms -----------------------------------------------------------------------------------
// What depends on a form alone is kept in the workspace (forms.h). Of an encoder with tables that look at neighbours:
// the sum of each group of tables where the form is the token that the group looks at (bigrams left out). Of others: h
// after the join, and what it gives to the first layer: its three products of a window layer, else the gates of both
// directions of an LSTM.

static void activate(const on_fast *fast, const on_kernels *k, float *x, size_t n) {
  if (fast->relu) k->relu(x, n);
  else k->gelu(x, n);
}

// h[n][width] after the join's sums.
static void finish_join(const on_fast *fast, const on_kernels *k, float *h, size_t n) {
  if (fast->plain) {
    k->relu(h, n * fast->width);
  } else {
    activate(fast, k, h, n * fast->width);
    k->layer_norm(h, h, n, fast->width, fast->mix_g, fast->mix_s);
  }
}

static bool fill_form(const on_fast *fast, on_workspace *workspace, derived *d, on_str16 form, float *kept) {
  const on_kernels *k = workspace->kernels;
  size_t width = fast->width;
  uint32_t rows[ON_FAST_MAX_TABLES * ON_FAST_MAX_HASHES];
  if (!on_fast_form_rows(fast, form, &workspace->scratch, rows)) return false;
  if (!fast->form_only) {
    for (uint32_t group = 0; group < fast->group_count; group++) {
      float *to = kept + fast->group_at[group];
      if (fast->has_group[group] && !group_sum(fast, workspace, d, (on_fast_group)group, rows, to)) return false;
    }
    return fast->ngrams.rows == 0 || add_ngrams(fast, workspace, form, kept + fast->group_at[ON_GROUP_OWN]);
  }
  if (!group_sum(fast, workspace, d, ON_GROUP_OWN, rows, kept)) return false;
  if (fast->ngrams.rows > 0 && !add_ngrams(fast, workspace, form, kept)) return false;
  k->add(kept, fast->mix_b, width);
  finish_join(fast, k, kept, 1);
  if (fast->depth > 0) {
    on_linear(k, kept + width, 3 * width, kept, width, 1, &fast->shares, NULL, false);
  } else if (fast->recurrent_layers > 0) {
    float *gates = kept + width;
    for (int direction = 0; direction < 2; direction++, gates += 4 * (size_t)fast->recurrent.lstm.size) {
      on_lstm_gates(&fast->recurrent.lstm, k, direction, gates, kept, 1);
    }
  }
  return true;
}

// What is kept of a form that was not found: in the store, or where that does not keep it, in `space`, or where there
// is none and the form is too long for the store, in scratch memory. NULL: no memory.
ON_RARE static const float *new_form(const on_fast *fast, on_workspace *workspace, derived *d, on_str16 form,
                                      float *space) {
  float *kept = on_forms_add(d->forms, &workspace->kept, form);
  if (!kept) kept = space;
  if (!kept && form.n > ON_FORM_UNITS) kept = ON_NEW(&workspace->scratch, float, fast->form_floats);
  if (!kept || fill_form(fast, workspace, d, form, kept)) return kept;
  on_forms_clear(d->forms);  // the new one has nothing in it
  return NULL;
}

// of[n]: what is kept of forms, text[start[i], end[i]): in the store, or where `copies` is not NULL, there. False: no
// memory.
static bool find_forms(const on_fast *fast, on_workspace *workspace, derived *d, const uint16_t *text,
                       const uint32_t *start, const uint32_t *end, size_t n, float *copies, const float **of) {
  const size_t floats = fast->form_floats;
  for (size_t i = 0; i < n;) {
    const size_t asked = copies ? 1 : n - i;
    const size_t at = i + on_forms_find(d->forms, text, start + i, end + i, asked, of + i);  // the first that is new
    float *space = copies ? copies + i * floats : NULL;
    if (at < i + asked) {
      of[at] = new_form(fast, workspace, d, (on_str16){text + start[at], end[at] - start[at]}, space);
      if (!of[at]) return false;
    }
    if (copies && of[i] != space) memcpy(space, of[i], floats * sizeof *space);
    if (copies) of[i] = space;
    i = at < i + asked ? at + 1 : at;
  }
  return true;
}

enum { EDGE = 2 };  // empty tokens before and behind a Doc that tables may look at

// Docs whose rows stand one behind the other.
typedef struct batch {
  const on_doc *const *docs;
  const size_t *lengths;
  size_t count, n;  // Docs, rows
} batch;

static size_t count_of(const batch *b) { return ON_LSTM_TOGETHER > 1 ? b->count : 1; }

// The same of every token and of the empty ones around, of all Docs, one behind the other. False also where the store
// was emptied meanwhile.
static bool try_forms(const on_fast *fast, on_workspace *workspace, derived *d, const batch *b, size_t edge,
                      float *copies, const float **of) {
  static const uint16_t no_units[1];
  static const uint32_t nowhere[EDGE];
  const uint32_t emptied = on_forms_emptied(d->forms);
  for (size_t i = 0; i < count_of(b); i++) {
    const on_doc *doc = b->docs[i];
    for (int part = 0; part < 3; part++) {  // before, the Doc, behind
      const bool inside = part == 1;
      const size_t n = inside ? doc->n : edge;
      if (!find_forms(fast, workspace, d, inside ? doc->text.p : no_units, inside ? doc->start : nowhere,
                      inside ? doc->end : nowhere, n, copies, of)) {
        return false;
      }
      of += n;
      if (copies) copies += n * fast->form_floats;
    }
  }
  return copies || on_forms_emptied(d->forms) == emptied;
}

// The same, kept at least until the Docs are done, or NULL without memory.
static const float **all_forms(const on_fast *fast, on_workspace *workspace, derived *d, const batch *b, size_t edge) {
  size_t n = b->n + 2 * edge * count_of(b);
  const float **of = ON_NEW(&workspace->scratch, const float *, n);
  if (!of) return NULL;
  // A store that is emptied on the way has room for all of them then, unless memory is short: it is tried twice.
  // NOLINTNEXTLINE(misc-redundant-expression)
  if (try_forms(fast, workspace, d, b, edge, NULL, of) || try_forms(fast, workspace, d, b, edge, NULL, of)) return of;
  bool fits = n <= SIZE_MAX / 4 / (fast->form_floats + 1u);
  float *copies = fits ? ON_NEW(&workspace->scratch, float, n * fast->form_floats) : NULL;
  return copies && try_forms(fast, workspace, d, b, edge, copies, of) ? of : NULL;
}

// The token that a group looks at, counted from the token itself.
static const int group_offset[ON_FAST_GROUPS] = {[ON_GROUP_PREV] = -1, [ON_GROUP_NEXT] = 1, [ON_GROUP_PREV2] = -2,
                                                 [ON_GROUP_NEXT2] = 2};

// x[n][width] += the contributions of the words of lists that stand in the Doc: of each token the rows of all matches
// that it is part of.
ON_APART static bool add_words(const on_fast *fast, on_workspace *workspace, const on_doc *doc, float *x) {
  size_t n = doc->n, e = fast->embed_width;
  on_word_match found[ON_MAX_WORD_TOKENS];
  float *vectors = ON_NEW0(&workspace->scratch, float, n * e);
  uint32_t *count = ON_NEW0(&workspace->scratch, uint32_t, n);
  float *product = ON_NEW(&workspace->scratch, float, n * fast->width);
  if (!vectors || !count || !product) return false;
  for (size_t i = 0; i < n; i++) {
    size_t matches = on_words_match(&fast->words, doc, i, found);
    for (size_t m = 0; m < matches; m++) {
      uint32_t list = fast->words.list[found[m].word].list, tokens = found[m].tokens;
      for (uint32_t at = 0; at < tokens; at++) {
        on_param_add_row(fast->word_param, on_word_row(&fast->words, list, tokens, at), vectors + (i + at) * e);
        count[i + at]++;
      }
    }
  }
  for (size_t i = 0; i < n; i++) {
    float scale = on_ngram_scale(count[i]);
    for (size_t j = i * e; j < (i + 1) * e; j++) vectors[j] *= scale;
  }
  on_linear(workspace->kernels, product, fast->width, vectors, e, n, &fast->word_mix, NULL, false);
  workspace->kernels->add(x, product, n * fast->width);
  return true;
}

// x[n][width] = mix of all tables. For each token: bias, then the sum of each group in the groups' order; then words.
static bool join(const on_fast *fast, on_workspace *workspace, derived *d, const on_doc *doc, float *x) {
  const on_kernels *k = workspace->kernels;
  size_t n = doc->n, width = fast->width, per_token = (size_t)fast->table_count * fast->hashes;
  bool bigrams = fast->has_group[ON_GROUP_BIGRAM_PREV] || fast->has_group[ON_GROUP_BIGRAM_NEXT];
  uint32_t *rows = bigrams ? ON_NEW(&workspace->scratch, uint32_t, n * per_token) : NULL;
  const float **of = all_forms(fast, workspace, d, &(const batch){&doc, &doc->n, 1, n}, EDGE);
  float *sum = ON_NEW(&workspace->scratch, float, 2 * width);
  if (!of || !sum || (bigrams && (!rows || !on_fast_bigram_rows(fast, doc, &workspace->scratch, rows)))) return false;
  for (size_t i = 0; i < n; i++) {
    const float *all[ON_FAST_GROUPS];
    size_t count = 0;
    for (int group = 0; group < ON_FAST_GROUPS; group++) {
      if (!fast->has_group[group]) continue;
      if (group < (int)fast->group_count) {
        all[count++] = of[(size_t)((ptrdiff_t)(i + EDGE) + group_offset[group])] + fast->group_at[group];
        continue;
      }
      float *here = sum + (group - ON_GROUP_BIGRAM_PREV) * width;
      if (!group_sum(fast, workspace, d, (on_fast_group)group, rows + i * per_token, here)) return false;
      all[count++] = here;
    }
    memcpy(x + i * width, fast->mix_b, width * sizeof *x);
    k->add_all(x + i * width, all, count, width);
  }
  return fast->words.tokens == 0 || add_words(fast, workspace, doc, x);
}

// ---- the kind -------------------------------------------------------------------------------------

static void write_settings(const on_encoder *encoder, on_buf *out) { on_fast_write_settings(encoder->state, out); }

static void lay_out_forms(on_fast *fast) {
  fast->form_only = fast->words.tokens == 0;
  fast->group_count = ON_GROUP_BIGRAM_PREV;
  memset(fast->has_group, 0, sizeof fast->has_group);
  for (uint32_t t = 0; t < fast->table_count; t++) {
    fast->has_group[fast->tables[t].group] = true;
    fast->form_only = fast->form_only && fast->tables[t].group == ON_GROUP_OWN;
  }
  fast->form_floats = 0;
  for (uint32_t group = 0; group < fast->group_count; group++) {
    fast->group_at[group] = fast->form_floats;
    if (fast->has_group[group]) fast->form_floats += fast->width;
  }
  if (fast->form_only && fast->depth > 0) fast->form_floats += 3 * fast->width;
  else if (fast->form_only && fast->recurrent_layers > 0) fast->form_floats += 8 * fast->recurrent.lstm.size;
}

static bool prepare(on_encoder *encoder, on_arena *arena, on_error *error) {
  on_fast *fast = encoder->state;
  for (uint32_t t = 0; t < fast->table_count; t++) {
    fast->tables[t].mix =
        on_param_pack_floats(fast->mix_weight, arena, t * fast->embed_width, (t + 1) * fast->embed_width);
  }
  if (fast->ngrams.rows) {
    uint32_t from = fast->table_count * fast->embed_width;
    fast->ngram_mix = on_param_pack_floats(fast->mix_weight, arena, from, from + fast->embed_width);
  }
  if (fast->words.tokens) {
    uint32_t from = fast->joined - fast->embed_width;
    fast->word_mix = on_param_pack_floats(fast->mix_weight, arena, from, fast->joined);
  }
  fast->mix_b = on_param_vector(fast->mix_bias, arena);
  if (!fast->plain) {
    fast->mix_g = on_param_vector(fast->mix_gain, arena);
    fast->mix_s = on_param_vector(fast->mix_shift, arena);
  }
  lay_out_forms(fast);
  for (uint32_t i = 0; i < fast->depth; i++) {
    if (i == 0 && fast->form_only) fast->shares = on_param_pack_parts(fast->window_weight[i], arena, 3);
    for (uint32_t part = 0; part < 3 && (i > 0 || !fast->form_only); part++) {
      fast->window[i][part] =
          on_param_pack(fast->window_weight[i], arena, part * fast->width, (part + 1) * fast->width);
    }
    fast->window_b[i] = on_param_vector(fast->window_bias[i], arena);
    fast->window_g[i] = on_param_vector(fast->window_gain[i], arena);
    fast->window_s[i] = on_param_vector(fast->window_shift[i], arena);
  }
  return on_recurrent_prepare(&fast->recurrent, arena) || on_fail_memory(error);
}

// h += norm(act(z)) for window layer i; z is changed.
static void finish_window(const on_fast *fast, const on_kernels *k, uint32_t i, float *z, float *h, size_t n) {
  activate(fast, k, z, n * fast->width);
  k->layer_norm(z, z, n, fast->width, fast->window_g[i], fast->window_s[i]);
  k->add(h, z, n * fast->width);
}

// The window layers from `first` on, which there are. The product of the previous token, of the token itself and of the
// next one are added in this order to the bias; beyond the edge there is none.
ON_APART static bool windows(const on_fast *fast, on_workspace *workspace, uint32_t first, float *h, size_t n) {
  const on_kernels *k = workspace->kernels;
  size_t width = fast->width;
  float *z = ON_NEW(&workspace->scratch, float, n * width);
  float *product = ON_NEW(&workspace->scratch, float, n * width);
  if (!z || !product) return false;
  for (uint32_t i = first; i < fast->depth; i++) {
    for (size_t t = 0; t < n; t++) memcpy(z + t * width, fast->window_b[i], width * sizeof *z);
    for (size_t part = 0; part < 3; part++) {
      size_t rows = part == 1 ? n : n - 1;
      const float *from = part == 2 ? h + width : h;
      on_linear(k, product, width, from, width, rows, &fast->window[i][part], NULL, false);
      k->add(part == 0 ? z + width : z, product, rows * width);
    }
    finish_window(fast, k, i, z, h, n);
  }
  return true;
}

// h += lstm_out(LSTM(h)).
ON_APART static bool recur(const on_fast *fast, on_workspace *workspace, const batch *b, float *h) {
  return on_recurrent_run(&fast->recurrent, workspace->kernels, &workspace->scratch, h, b->lengths, count_of(b));
}

// h = the vectors of the forms `of`, and what an LSTM over them adds, whose input gives to its gates what is kept
// behind each.
ON_APART static bool recur_over_forms(const on_fast *fast, on_workspace *workspace, const batch *b,
                                      const float *const *of, float *h) {
  const on_kernels *k = workspace->kernels;
  const on_recurrent *r = &fast->recurrent;
  size_t both = 2 * (size_t)r->lstm.size, width = fast->width, n = b->n;
  float *states = r->out_weight ? ON_NEW(&workspace->scratch, float, n * both) : h;
  if (!states || !on_lstm_run_gates(&r->lstm, k, &workspace->scratch, states, of, width, b->lengths, count_of(b))) {
    return false;
  }
  if (r->out_weight) on_linear(k, h, width, states, both, n, &r->out, r->out_b, false);
  for (size_t i = 0; i < n; i++) k->add(h + i * width, of[i], width);
  return true;
}

// Tokens that are looked at alone, with a window layer above: three additions in place of its products.
static void window_of_forms(const on_fast *fast, const on_kernels *k, const float *zeros, const float *const *of,
                            float *h, size_t n) {
  const on_layer_end end = {fast->window_b[0], fast->window_g[0], fast->window_s[0], fast->relu};
  k->window(h, of, zeros, n, fast->width, &end);
}

static bool run_forms(const on_fast *fast, on_workspace *workspace, derived *d, const batch *b, float *h) {
  size_t width = fast->width;
  const float **of = all_forms(fast, workspace, d, b, 0);
  if (!of) return false;
  if (fast->depth == 0 && fast->recurrent_layers > 0) return recur_over_forms(fast, workspace, b, of, h);
  if (fast->depth == 0) {
    for (size_t i = 0; i < b->n; i++) memcpy(h + i * width, of[i], width * sizeof *h);
    return true;
  }
  float *at = h;
  for (size_t i = 0; i < count_of(b); of += b->lengths[i], at += b->lengths[i] * width, i++) {
    if (b->lengths[i] == 0) continue;
    window_of_forms(fast, workspace->kernels, d->zeros, of, at, b->lengths[i]);
    if (fast->depth > 1 && !windows(fast, workspace, 1, at, b->lengths[i])) return false;
  }
  return fast->recurrent_layers == 0 || recur(fast, workspace, b, h);
}

ON_APART static bool run_joined(const on_fast *fast, on_workspace *workspace, derived *d, const batch *b, float *h) {
  float *at = h;
  for (size_t i = 0; i < count_of(b); at += b->lengths[i] * fast->width, i++) {
    if (b->lengths[i] == 0) continue;
    if (!join(fast, workspace, d, b->docs[i], at)) return false;
    finish_join(fast, workspace->kernels, at, b->lengths[i]);
    if (fast->depth > 0 && !windows(fast, workspace, 0, at, b->lengths[i])) return false;
  }
  return fast->recurrent_layers == 0 || recur(fast, workspace, b, h);
}

static bool encode(const on_fast *fast, on_workspace *workspace, derived *d, const batch *b, float *const *out) {
  size_t width = fast->width;
  float *h = count_of(b) == 1 ? *out : ON_NEW(&workspace->scratch, float, b->n * width);
  if (!h) return false;
  if (fast->form_only ? !run_forms(fast, workspace, d, b, h) : !run_joined(fast, workspace, d, b, h)) return false;
  for (size_t i = 0; i < count_of(b) && count_of(b) > 1; h += b->lengths[i++] * width) {
    memcpy(out[i], h, b->lengths[i] * width * sizeof *h);
  }
  return true;
}

static bool run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                on_error *error) {
  const on_fast *fast = encoder->state;
  if (doc->n == 0) return true;
  derived *d = derived_of(fast, workspace, cache);
  const batch b = {&doc, &doc->n, 1, doc->n};
  return (d && encode(fast, workspace, d, &b, &out)) || on_fail_memory(error);
}

static bool run_many(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *const *docs,
                     size_t count, float *const *out, on_error *error) {
  enum { WORDS = 512 };  // of a batch of more than one Doc, so that memory is bounded
  const on_fast *fast = encoder->state;
  derived *d = derived_of(fast, workspace, cache);
  size_t *lengths = ON_NEW(&workspace->scratch, size_t, count);
  bool ok = d && lengths;
  for (size_t first = 0, end; ok && first < count; first = end) {
    batch b = {docs + first, lengths + first, 0, 0};
    for (end = first; end < count && end - first < ON_LSTM_TOGETHER; end++) {
      if (end > first && b.n + docs[end]->n > WORDS) break;
      lengths[end] = docs[end]->n;
      b.n += docs[end]->n;
    }
    b.count = end - first;
    ok = encode(fast, workspace, d, &b, out + first);
  }
  return ok || on_fail_memory(error);
}

static bool create(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  on_fast *fast = ON_NEW0(arena, on_fast, 1);
  if (!fast) return on_fail_memory(error);
  encoder->state = fast;
  if (!on_fast_read_settings(fast, arena, settings, path, error)) return false;
  encoder->width = fast->width;
  encoder->run_many = ON_LSTM_TOGETHER > 1 && fast->recurrent_layers > 0 ? run_many : NULL;
  return on_fast_declare(fast, encoder, arena, path, error);
}

const on_encoder_kind on_fast_kind = {"fast", create, write_settings, prepare, run, NULL};
