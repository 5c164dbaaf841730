// Settings of the fast encoder: read with every bound of the document, written only where they differ
// from the defaults; and the tables and parameters that they imply.
#include "encode/fast_settings.h"

#include "base/name.h"
#include "encode/attributes.h"

typedef struct setting {
  const char *key;
  int64_t min, max, absent;
  bool required;
  size_t offset;  // of a uint32_t in on_fast
} setting;

#define AT(field) offsetof(on_fast, field)

// In the order of the document; our own at the end.
static const setting SETTINGS[] = {
    {"width", 8, 2048, 0, true, AT(width)},
    {"depth", 0, ON_FAST_MAX_DEPTH, 0, true, AT(depth)},
    {"normRows", 1, ON_MAX_TABLE_ROWS, 0, true, AT(norm_rows)},
    {"prefixRows", 1, ON_MAX_TABLE_ROWS, 0, true, AT(prefix_rows)},
    {"suffixRows", 1, ON_MAX_TABLE_ROWS, 0, true, AT(suffix_rows)},
    {"shapeRows", 1, ON_MAX_TABLE_ROWS, 0, true, AT(shape_rows)},
    {"prefixLength", 1, 8, 1, false, AT(prefix_length)},
    {"suffixLength", 1, 8, 3, false, AT(suffix_length)},
    {"casedRows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(cased_rows)},
    {"embedWidth", 8, 2048, 0, false, AT(embed_width)},
    {"hashes", 1, ON_FAST_MAX_HASHES, 2, false, AT(hashes)},
    {"neighbourRows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(neighbour_rows)},
    {"contextRows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(context_rows)},
    {"bigramRows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(bigram_rows)},
    {"recurrentLayers", 0, ON_LSTM_MAX_LAYERS, 0, false, AT(recurrent_layers)},
    {"recurrentSize", 0, 2048, 0, false, AT(recurrent_size)},
    {"prefix2Length", 1, 8, 2, false, AT(prefix2_length)},
    {"prefix2Rows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(prefix2_rows)},
    {"suffix2Length", 1, 8, 2, false, AT(suffix2_length)},
    {"suffix2Rows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(suffix2_rows)},
    {"suffix3Length", 1, 8, 4, false, AT(suffix3_length)},
    {"suffix3Rows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(suffix3_rows)},
    {"ngramRows", 0, ON_MAX_TABLE_ROWS, 0, false, AT(ngrams.rows)},
    {"ngramMin", 1, ON_NGRAM_LENGTH, 3, false, AT(ngrams.min)},
    {"ngramMax", 1, ON_NGRAM_LENGTH, 5, false, AT(ngrams.max)},
};

enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

static uint32_t *field(on_fast *fast, const setting *s) { return (uint32_t *)(void *)((char *)fast + s->offset); }

static uint32_t value_at(const on_fast *fast, size_t offset) {
  return *(const uint32_t *)(const void *)((const char *)fast + offset);
}

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
    uint32_t value = value_at(fast, s->offset);
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

// A table's fields of the settings; 0 (the width's place) where it has no length.
typedef struct table_kind {
  const char *name;
  on_fast_group group;
  on_fast_attribute attribute;
  size_t length, rows;  // offsets of a uint32_t in on_fast
} table_kind;

// In their order in mix.weight (open point 4). An attribute's number, its place here, does not depend on which other
// tables there are.
static const table_kind TABLES[] = {
    {"embed_norm", ON_GROUP_OWN, ON_ATTR_NORM, 0, AT(norm_rows)},
    {"embed_prefix", ON_GROUP_OWN, ON_ATTR_PREFIX, AT(prefix_length), AT(prefix_rows)},
    {"embed_suffix", ON_GROUP_OWN, ON_ATTR_SUFFIX, AT(suffix_length), AT(suffix_rows)},
    {"embed_shape", ON_GROUP_OWN, ON_ATTR_SHAPE, 0, AT(shape_rows)},
    {"embed_cased", ON_GROUP_OWN, ON_ATTR_CASED, 0, AT(cased_rows)},
    {"embed_prev_norm", ON_GROUP_PREV, ON_ATTR_LOWER, 0, AT(neighbour_rows)},
    {"embed_next_norm", ON_GROUP_NEXT, ON_ATTR_LOWER, 0, AT(neighbour_rows)},
    {"embed_prev_suffix", ON_GROUP_PREV, ON_ATTR_SUFFIX, AT(suffix_length), AT(neighbour_rows)},
    {"embed_next_suffix", ON_GROUP_NEXT, ON_ATTR_SUFFIX, AT(suffix_length), AT(neighbour_rows)},
    {"embed_prev2_norm", ON_GROUP_PREV2, ON_ATTR_LOWER, 0, AT(context_rows)},
    {"embed_next2_norm", ON_GROUP_NEXT2, ON_ATTR_LOWER, 0, AT(context_rows)},
    {"embed_prev_shape", ON_GROUP_PREV, ON_ATTR_SHAPE, 0, AT(context_rows)},
    {"embed_next_shape", ON_GROUP_NEXT, ON_ATTR_SHAPE, 0, AT(context_rows)},
    {"embed_bigram_prev", ON_GROUP_BIGRAM_PREV, ON_ATTR_BIGRAM, 0, AT(bigram_rows)},
    {"embed_bigram_next", ON_GROUP_BIGRAM_NEXT, ON_ATTR_BIGRAM, 0, AT(bigram_rows)},
    {"embed_prefix2", ON_GROUP_OWN, ON_ATTR_PREFIX, AT(prefix2_length), AT(prefix2_rows)},
    {"embed_suffix2", ON_GROUP_OWN, ON_ATTR_SUFFIX, AT(suffix2_length), AT(suffix2_rows)},
    {"embed_suffix3", ON_GROUP_OWN, ON_ATTR_SUFFIX, AT(suffix3_length), AT(suffix3_rows)},
};

enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

static void list_tables(on_fast *fast) {
  for (unsigned number = 0; number < TABLE_COUNT; number++) {
    const table_kind *kind = &TABLES[number];
    uint32_t rows = value_at(fast, kind->rows);
    if (rows == 0) continue;
    fast->tables[fast->table_count++] = (on_fast_table){.name = kind->name,
                                                        .number = number,
                                                        .group = kind->group,
                                                        .attribute = kind->attribute,
                                                        .length = kind->length ? value_at(fast, kind->length) : 0,
                                                        .rows = rows,
                                                        .start = on_attr_start(fast->seed, number)};
  }
  fast->ngrams.start = on_attr_start(fast->seed, TABLE_COUNT);
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
  if (values > ON_MAX_TABLE_VALUES) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: the embedding tables have %llu values together, at most %u are allowed",
                   path, (unsigned long long)values, ON_MAX_TABLE_VALUES);
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
    on_name(name, sizeof name, "window%u", i);
    ok = declare_linear(encoder, arena, width, 3 * width, name, &fast->window_weight[i], &fast->window_bias[i]);
    on_name(name, sizeof name, "window_norm%u", i);
    ok = ok && declare_norm(encoder, arena, width, name, &fast->window_gain[i], &fast->window_shift[i]);
  }
  ok = ok && on_recurrent_declare(&fast->recurrent, &encoder->params, arena, fast->recurrent_layers, width,
                                  fast->recurrent_size);
  return ok || on_fail_memory(error);
}
