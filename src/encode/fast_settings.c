// Settings of the fast encoder: read with every bound of the document, written only where they differ
// from the defaults; and the tables and parameters that they imply.
#include "encode/fast_settings.h"

#include <stdio.h>

#include "encode/attributes.h"

typedef struct setting {
  const char *key;
  int64_t min, max, absent;
  bool required;
  size_t offset;  // of a uint32_t in on_fast
} setting;

#define MAX_ROWS 4194304
#define MAX_VALUES 33554432u
#define AT(field) offsetof(on_fast, field)

// In the order of the document; our own at the end.
static const setting SETTINGS[] = {
    {"width", 8, 2048, 0, true, AT(width)},
    {"depth", 0, ON_FAST_MAX_DEPTH, 0, true, AT(depth)},
    {"normRows", 1, MAX_ROWS, 0, true, AT(norm_rows)},
    {"prefixRows", 1, MAX_ROWS, 0, true, AT(prefix_rows)},
    {"suffixRows", 1, MAX_ROWS, 0, true, AT(suffix_rows)},
    {"shapeRows", 1, MAX_ROWS, 0, true, AT(shape_rows)},
    {"prefixLength", 1, 8, 1, false, AT(prefix_length)},
    {"suffixLength", 1, 8, 3, false, AT(suffix_length)},
    {"casedRows", 0, MAX_ROWS, 0, false, AT(cased_rows)},
    {"embedWidth", 8, 2048, 0, false, AT(embed_width)},
    {"hashes", 1, ON_FAST_MAX_HASHES, 2, false, AT(hashes)},
    {"neighbourRows", 0, MAX_ROWS, 0, false, AT(neighbour_rows)},
    {"contextRows", 0, MAX_ROWS, 0, false, AT(context_rows)},
    {"bigramRows", 0, MAX_ROWS, 0, false, AT(bigram_rows)},
    {"recurrentLayers", 0, ON_LSTM_MAX_LAYERS, 0, false, AT(recurrent_layers)},
    {"recurrentSize", 0, 2048, 0, false, AT(recurrent_size)},
    {"prefix2Length", 1, 8, 2, false, AT(prefix2_length)},
    {"prefix2Rows", 0, MAX_ROWS, 0, false, AT(prefix2_rows)},
    {"suffix2Length", 1, 8, 2, false, AT(suffix2_length)},
    {"suffix2Rows", 0, MAX_ROWS, 0, false, AT(suffix2_rows)},
    {"suffix3Length", 1, 8, 4, false, AT(suffix3_length)},
    {"suffix3Rows", 0, MAX_ROWS, 0, false, AT(suffix3_rows)},
    {"ngramRows", 0, MAX_ROWS, 0, false, AT(ngrams.rows)},
    {"ngramMin", 1, ON_NGRAM_LENGTH, 3, false, AT(ngrams.min)},
    {"ngramMax", 1, ON_NGRAM_LENGTH, 5, false, AT(ngrams.max)},
};

enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

static uint32_t *field(on_fast *fast, const setting *s) { return (uint32_t *)(void *)((char *)fast + s->offset); }

static bool read_flag(const on_json *settings, const char *path, const char *key, bool *out, on_error *error) {
  int64_t value;
  if (!on_json_int(settings, path, key, false, 0, 1, 0, &value, error)) return false;
  *out = value != 0;
  return true;
}

bool on_fast_read_settings(on_fast *fast, on_arena *arena, const on_json *settings, const char *path,
                           on_error *error) {
  for (size_t i = 0; i < SETTING_COUNT; i++) {
    const setting *s = &SETTINGS[i];
    int64_t value;
    if (!on_json_int(settings, path, s->key, s->required, s->min, s->max, s->absent, &value, error)) return false;
    *field(fast, s) = (uint32_t)value;
  }
  if (fast->embed_width == 0) fast->embed_width = fast->width;
  int64_t seed;
  if (!on_json_int(settings, path, "seed", true, 0, ((int64_t)1 << 53) - 1, 0, &seed, error)) return false;
  fast->seed = (uint64_t)seed;
  if (fast->ngrams.rows && fast->ngrams.min > fast->ngrams.max) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.ngramMin: %u is more than ngramMax %u", path, fast->ngrams.min,
                   fast->ngrams.max);
  }
  return on_words_read(&fast->words, arena, settings, path, error) &&
         read_flag(settings, path, "plain", &fast->plain, error) &&
         read_flag(settings, path, "relu", &fast->relu, error) &&
         read_flag(settings, path, "turkicCase", &fast->turkic_case, error);
}

static void write_key(on_buf *out, const char *key) {
  if (out->n && out->p[out->n - 1] != '{') on_buf_str(out, ON_STR(", "));
  on_buf_format(out, "\"%s\": ", key);
}

void on_fast_write_settings(const on_fast *fast, on_buf *out) {
  on_buf_char(out, '{');
  for (size_t i = 0; i < SETTING_COUNT; i++) {
    const setting *s = &SETTINGS[i];
    uint32_t value = *(const uint32_t *)(const void *)((const char *)fast + s->offset);
    int64_t absent = s->offset == AT(embed_width) ? fast->width : s->absent;
    if (!s->required && value == absent) continue;
    write_key(out, s->key);
    on_buf_u64(out, value);
  }
  write_key(out, "seed");
  on_buf_u64(out, fast->seed);
  if (fast->plain) on_buf_str(out, ON_STR(", \"plain\": 1"));
  if (fast->relu) on_buf_str(out, ON_STR(", \"relu\": 1"));
  if (fast->turkic_case) on_buf_str(out, ON_STR(", \"turkicCase\": 1"));
  if (fast->words.tokens) {
    write_key(out, "wordTokens");
    on_buf_u64(out, fast->words.tokens);
    write_key(out, "wordLists");
    on_words_write(&fast->words, out);
  }
  on_buf_char(out, '}');
}

static void add_table(on_fast *fast, const char *name, unsigned number, on_fast_group group,
                      on_fast_attribute attribute, uint32_t length, uint32_t rows) {
  if (rows == 0) return;
  fast->tables[fast->table_count++] = (on_fast_table){.name = name,
                                                      .number = number,
                                                      .group = group,
                                                      .attribute = attribute,
                                                      .length = length,
                                                      .rows = rows,
                                                      .start = on_attr_start(fast->seed, number)};
}

// The tables in their order in mix.weight (open point 4). An attribute's number does not depend on which
// other tables there are.
static void list_tables(on_fast *f) {
  add_table(f, "embed_norm", 0, ON_GROUP_OWN, ON_ATTR_NORM, 0, f->norm_rows);
  add_table(f, "embed_prefix", 1, ON_GROUP_OWN, ON_ATTR_PREFIX, f->prefix_length, f->prefix_rows);
  add_table(f, "embed_suffix", 2, ON_GROUP_OWN, ON_ATTR_SUFFIX, f->suffix_length, f->suffix_rows);
  add_table(f, "embed_shape", 3, ON_GROUP_OWN, ON_ATTR_SHAPE, 0, f->shape_rows);
  add_table(f, "embed_cased", 4, ON_GROUP_OWN, ON_ATTR_CASED, 0, f->cased_rows);
  add_table(f, "embed_prev_norm", 5, ON_GROUP_PREV, ON_ATTR_LOWER, 0, f->neighbour_rows);
  add_table(f, "embed_next_norm", 6, ON_GROUP_NEXT, ON_ATTR_LOWER, 0, f->neighbour_rows);
  add_table(f, "embed_prev_suffix", 7, ON_GROUP_PREV, ON_ATTR_SUFFIX, f->suffix_length, f->neighbour_rows);
  add_table(f, "embed_next_suffix", 8, ON_GROUP_NEXT, ON_ATTR_SUFFIX, f->suffix_length, f->neighbour_rows);
  add_table(f, "embed_prev2_norm", 9, ON_GROUP_PREV2, ON_ATTR_LOWER, 0, f->context_rows);
  add_table(f, "embed_next2_norm", 10, ON_GROUP_NEXT2, ON_ATTR_LOWER, 0, f->context_rows);
  add_table(f, "embed_prev_shape", 11, ON_GROUP_PREV, ON_ATTR_SHAPE, 0, f->context_rows);
  add_table(f, "embed_next_shape", 12, ON_GROUP_NEXT, ON_ATTR_SHAPE, 0, f->context_rows);
  add_table(f, "embed_bigram_prev", 13, ON_GROUP_BIGRAM_PREV, ON_ATTR_BIGRAM, 0, f->bigram_rows);
  add_table(f, "embed_bigram_next", 14, ON_GROUP_BIGRAM_NEXT, ON_ATTR_BIGRAM, 0, f->bigram_rows);
  add_table(f, "embed_prefix2", 15, ON_GROUP_OWN, ON_ATTR_PREFIX, f->prefix2_length, f->prefix2_rows);
  add_table(f, "embed_suffix2", 16, ON_GROUP_OWN, ON_ATTR_SUFFIX, f->suffix2_length, f->suffix2_rows);
  add_table(f, "embed_suffix3", 17, ON_GROUP_OWN, ON_ATTR_SUFFIX, f->suffix3_length, f->suffix3_rows);
  f->ngrams.start = on_attr_start(f->seed, 18);
}

static bool declare_norm(on_encoder *encoder, on_arena *arena, uint32_t width, const char *name,
                         const on_param **gain, const on_param **shift) {
  *gain = on_params_add(&encoder->params, arena, false, width, 0, "%s.weight", name);
  *shift = on_params_add(&encoder->params, arena, false, width, 0, "%s.bias", name);
  return *gain && *shift;
}

static bool declare_linear(on_encoder *encoder, on_arena *arena, uint32_t out, uint32_t in, const char *name,
                           const on_param **weight, const on_param **bias) {
  *weight = on_params_add(&encoder->params, arena, false, out, in, "%s.weight", name);
  *bias = on_params_add(&encoder->params, arena, false, out, 0, "%s.bias", name);
  return *weight && *bias;
}

bool on_fast_declare(on_fast *fast, on_encoder *encoder, on_arena *arena, const char *path, on_error *error) {
  list_tables(fast);
  const size_t word_rows = on_word_rows(&fast->words);
  uint64_t values = ((uint64_t)fast->ngrams.rows + word_rows) * fast->embed_width;
  for (uint32_t t = 0; t < fast->table_count; t++) values += (uint64_t)fast->tables[t].rows * fast->embed_width;
  if (values > MAX_VALUES) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: the embedding tables have %llu values together, at most %u are allowed",
                   path, (unsigned long long)values, MAX_VALUES);
  }
  uint32_t width = fast->width;
  bool ok = true;
  for (uint32_t t = 0; ok && t < fast->table_count; t++) {
    on_fast_table *table = &fast->tables[t];
    table->param = on_params_add(&encoder->params, arena, true, table->rows, fast->embed_width, "%s.weight", table->name);
    ok = table->param != NULL;
  }
  fast->joined = fast->table_count * fast->embed_width;
  if (ok && fast->ngrams.rows) {
    fast->ngram_param = on_params_add(&encoder->params, arena, true, fast->ngrams.rows, fast->embed_width,
                                      "embed_ngram.weight");
    fast->joined += fast->embed_width;
    ok = fast->ngram_param != NULL;
  }
  if (ok && word_rows) {
    fast->word_param = on_params_add(&encoder->params, arena, true, (uint32_t)word_rows, fast->embed_width,
                                     "embed_word.weight");
    fast->joined += fast->embed_width;
    ok = fast->word_param != NULL;
  }
  ok = ok && declare_linear(encoder, arena, width, fast->joined, "mix", &fast->mix_weight, &fast->mix_bias);
  if (!fast->plain) ok = ok && declare_norm(encoder, arena, width, "mix_norm", &fast->mix_gain, &fast->mix_shift);
  for (uint32_t i = 0; ok && i < fast->depth; i++) {
    char name[24];
    snprintf(name, sizeof name, "window%u", i);
    ok = declare_linear(encoder, arena, width, 3 * width, name, &fast->window_weight[i], &fast->window_bias[i]);
    snprintf(name, sizeof name, "window_norm%u", i);
    ok = ok && declare_norm(encoder, arena, width, name, &fast->window_gain[i], &fast->window_shift[i]);
  }
  if (ok && fast->recurrent_layers) {
    uint32_t size = fast->recurrent_size ? fast->recurrent_size : width / 2;
    ok = on_lstm_declare(&fast->lstm, &encoder->params, arena, fast->recurrent_layers, width, size);
    if (2 * size != width) {
      ok = ok && declare_linear(encoder, arena, width, 2 * size, "lstm_out", &fast->out_weight, &fast->out_bias);
    }
  }
  return ok || on_fail_memory(error);
}
