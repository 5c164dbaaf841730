// Every setting of both encoder kinds: its bounds on both sides, its default, and that it is written where it differs
// and nowhere else; and what turkicCase leaves alone.
#include "encode/fast.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "encode/hash_embedding.h"
#include "test.h"
#include "text/utf.h"

typedef struct made {
  on_arena arena;
  on_json *json;
  on_encoder encoder;
} made;

static bool create(made *m, const on_encoder_kind *kind, const char *settings, on_error *error) {
  *m = (made){0};
  m->json = on_json_parse(on_str_c(settings), 8, error);
  if (!m->json) fail_msg("%s: %s", settings, error->text);
  m->encoder.kind = kind;
  return kind->create(&m->encoder, &m->arena, m->json, "encoders[0].settings", error);
}

static void destroy(made *m) {
  on_json_free(m->json);
  on_free(m->encoder.params.list);
  on_arena_free(&m->arena);
}

// part NULL: taken; else refused with a message that holds it.
static void check(const on_encoder_kind *kind, const char *settings, const char *part) {
  made m;
  on_error error = {0};
  bool ok = create(&m, kind, settings, &error);
  if (ok != !part) fail_msg("%s: %s", settings, ok ? "taken" : error.text);
  if (part && !strstr(error.text, part)) fail_msg("%s: \"%s\" does not say %s", settings, error.text, part);
  if (part) assert_int_equal(error.code, ON_INVALID_DATA);
  destroy(&m);
}

// A setting of the fast encoder. `optional`: `absent` is its default. A table of `most` rows passes the bound of all
// tables together, which the message then names.
static const struct {
  const char *key;
  long least, most, absent;
  bool optional, table;
} SETTINGS[] = {
    {"width", 8, 2048, 0, false, false},
    {"depth", 0, 32, 0, false, false},
    {"normRows", 1, 4194304, 0, false, true},
    {"prefixRows", 1, 4194304, 0, false, true},
    {"suffixRows", 1, 4194304, 0, false, true},
    {"shapeRows", 1, 4194304, 0, false, true},
    {"prefixLength", 1, 8, 1, true, false},
    {"suffixLength", 1, 8, 3, true, false},
    {"casedRows", 0, 4194304, 0, true, true},
    {"embedWidth", 8, 2048, 16, true, false},  // the width
    {"hashes", 1, 4, 2, true, false},
    {"plain", 0, 1, 0, true, false},
    {"relu", 0, 1, 0, true, false},
    {"neighbourRows", 0, 4194304, 0, true, true},
    {"contextRows", 0, 4194304, 0, true, true},
    {"bigramRows", 0, 4194304, 0, true, true},
    {"turkicCase", 0, 1, 0, true, false},
    {"recurrentLayers", 0, 4, 0, true, false},
    {"recurrentSize", 0, 2048, 0, true, false},
    {"ngramRows", 0, 4194304, 0, true, true},
    {"ngramMin", 1, 8, 3, true, false},
    {"ngramMax", 1, 8, 5, true, false},
};

enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

// The smallest settings, with one of them set to `value`.
static const char *with(char out[512], size_t setting, const char *value) {
  static const struct {
    const char *key, *value;
  } base[] = {{"width", "16"},    {"depth", "0"},      {"normRows", "1"}, {"prefixRows", "1"},
              {"suffixRows", "1"}, {"shapeRows", "1"}, {"seed", "3"}};
  int n = snprintf(out, 512, "{");
  for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
    if (strcmp(base[i].key, SETTINGS[setting].key) == 0) continue;
    n += snprintf(out + n, 512 - (size_t)n, "\"%s\": %s, ", base[i].key, base[i].value);
  }
  snprintf(out + n, 512 - (size_t)n, "\"%s\": %s}", SETTINGS[setting].key, value);
  return out;
}

static void fast_bounds(void **state) {
  (void)state;
  for (size_t i = 0; i < SETTING_COUNT; i++) {
    char settings[512], value[32];
    snprintf(value, sizeof value, "%ld", SETTINGS[i].least);
    check(&on_fast_kind, with(settings, i, value), NULL);
    snprintf(value, sizeof value, "%ld", SETTINGS[i].least - 1);
    check(&on_fast_kind, with(settings, i, value), SETTINGS[i].key);
    snprintf(value, sizeof value, "%ld", SETTINGS[i].most);
    check(&on_fast_kind, with(settings, i, value), SETTINGS[i].table ? "values together" : NULL);
    snprintf(value, sizeof value, "%ld", SETTINGS[i].most + 1);
    check(&on_fast_kind, with(settings, i, value), SETTINGS[i].key);
    check(&on_fast_kind, with(settings, i, "1.5"), SETTINGS[i].key);
    check(&on_fast_kind, with(settings, i, "\"8\""), SETTINGS[i].key);
    check(&on_fast_kind, with(settings, i, "null"), SETTINGS[i].key);
  }
}

static void fast_ngram_lengths(void **state) {
  (void)state;
  char settings[512];
  size_t rows = 0;
  while (strcmp(SETTINGS[rows].key, "ngramRows") != 0) rows++;
  check(&on_fast_kind, with(settings, rows, "9, \"ngramMin\": 8, \"ngramMax\": 8"), NULL);
  check(&on_fast_kind, with(settings, rows, "9, \"ngramMin\": 6"), "ngramMin: 6 is more than ngramMax 5");
  check(&on_fast_kind, with(settings, rows, "9, \"ngramMax\": 2"), "ngramMin: 3 is more than ngramMax 2");
}

#define ROWS(norm, more)                                                                                       \
  "{\"width\": 8, \"depth\": 0, \"normRows\": " norm ", \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, " \
  "\"seed\": 0" more "}"

// 33,554,432 values over all tables together, whichever tables they are.
static void fast_values(void **state) {
  (void)state;
  check(&on_fast_kind, ROWS("4194301", ""), NULL);
  check(&on_fast_kind, ROWS("4194302", ""), "33554440 values together, at most 33554432");
  check(&on_fast_kind, ROWS("1", ", \"neighbourRows\": 1048575"), NULL);
  check(&on_fast_kind, ROWS("1", ", \"neighbourRows\": 1048576"), "values together");
  check(&on_fast_kind, ROWS("1", ", \"contextRows\": 1048575"), NULL);
  check(&on_fast_kind, ROWS("1", ", \"contextRows\": 1048576"), "values together");
  check(&on_fast_kind, ROWS("1", ", \"bigramRows\": 2097150"), NULL);
  check(&on_fast_kind, ROWS("1", ", \"bigramRows\": 2097151"), "values together");
  check(&on_fast_kind, ROWS("1", ", \"ngramRows\": 4194300"), NULL);
  check(&on_fast_kind, ROWS("1", ", \"ngramRows\": 4194301"), "values together");
  check(&on_fast_kind, ROWS("16381", ", \"embedWidth\": 2048"), NULL);  // the width of the tables counts
  check(&on_fast_kind, ROWS("16382", ", \"embedWidth\": 2048"), "values together");
}

static void written(const char *settings, on_buf *out) {
  made m;
  on_error error;
  if (!create(&m, &on_fast_kind, settings, &error)) fail_msg("%s: %s", settings, error.text);
  on_buf_clear(out);
  m.encoder.kind->write_settings(&m.encoder, out);
  on_buf_char(out, 0);
  destroy(&m);
}

// An optional setting: absent and default are one and the same file; anything else is written, and read as written.
static void written_only_when_different(void **state) {
  (void)state;
  on_buf plain = {0}, out = {0}, again = {0};
  char settings[512], value[32], member[64];
  written(with(settings, 0, "16"), &plain);
  for (size_t i = 0; i < SETTING_COUNT; i++) {
    if (!SETTINGS[i].optional) continue;
    snprintf(value, sizeof value, "%ld", SETTINGS[i].absent);
    written(with(settings, i, value), &out);
    assert_string_equal(out.p, plain.p);
    long other = SETTINGS[i].absent == SETTINGS[i].least ? SETTINGS[i].least + 1 : SETTINGS[i].least;
    snprintf(value, sizeof value, "%ld", other);
    written(with(settings, i, value), &out);
    snprintf(member, sizeof member, "\"%s\": %ld", SETTINGS[i].key, other);
    if (!strstr(out.p, member)) fail_msg("%s is not in %s", member, out.p);
    written(out.p, &again);
    assert_string_equal(again.p, out.p);
  }
  on_buf_free(&plain);
  on_buf_free(&out);
  on_buf_free(&again);
}

static void hash_embedding(void **state) {
  (void)state;
  const on_encoder_kind *kind = &on_hash_embedding_kind;
  check(kind, "{\"width\": 64, \"buckets\": 16384, \"seed\": 1}", NULL);
  check(kind, "{\"width\": 64, \"buckets\": 1048576, \"seed\": 1}", NULL);  // 67,108,864 values
  check(kind, "{\"width\": 64, \"buckets\": 1048577, \"seed\": 1}", "more than 67108864 values");
  check(kind, "{\"width\": 1, \"buckets\": 67108864, \"seed\": 1}", NULL);
  check(kind, "{\"width\": 1, \"buckets\": 67108865, \"seed\": 1}", "buckets");
  check(kind, "{\"width\": 2, \"buckets\": 67108864, \"seed\": 1}", "more than 67108864 values");
  check(kind, "{\"width\": 0, \"buckets\": 1, \"seed\": 1}", "width");
  check(kind, "{\"width\": 8, \"buckets\": 0, \"seed\": 1}", "buckets");
  check(kind, "{\"buckets\": 8, \"seed\": 1}", "width");
  check(kind, "{\"width\": 8, \"seed\": 1}", "buckets");
  check(kind, "{\"width\": 8, \"buckets\": 8}", "seed");
  made m;
  on_error error;
  assert_true(create(&m, kind, "{\"width\": 6, \"buckets\": 50, \"seed\": 1}", &error));
  static const char *const names[] = {"embed.weight", "project.weight", "project.bias"};
  static const uint32_t shapes[][2] = {{50, 6}, {6, 6}, {6, 1}};
  assert_int_equal(m.encoder.params.n, 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(m.encoder.params.list[i]->name, names[i]);
    assert_int_equal(m.encoder.params.list[i]->shape[0], shapes[i][0]);
    assert_int_equal(m.encoder.params.list[i]->shape[1], shapes[i][1]);
  }
  destroy(&m);
}

#define BASE                                                                                                      \
  "\"width\": 8, \"depth\": 1, \"normRows\": 50, \"prefixRows\": 20, \"suffixRows\": 20, \"shapeRows\": 10, \"seed\": 5"

// Of each layer its name and shape, in the order of the file.
static void fast_layers(void **state) {
  (void)state;
  static const struct {
    const char *settings, *layers;
  } cases[] = {
      {"{" BASE "}",
       "embed_norm.weight 50,8 embed_prefix.weight 20,8 embed_suffix.weight 20,8 embed_shape.weight 10,8 "
       "mix.weight 8,32 mix.bias 8 mix_norm.weight 8 mix_norm.bias 8 window0.weight 8,24 window0.bias 8 "
       "window_norm0.weight 8 window_norm0.bias 8 "},
      {"{" BASE ", \"plain\": 1, \"casedRows\": 9, \"embedWidth\": 16}",
       "embed_norm.weight 50,16 embed_prefix.weight 20,16 embed_suffix.weight 20,16 embed_shape.weight 10,16 "
       "embed_cased.weight 9,16 mix.weight 8,80 mix.bias 8 window0.weight 8,24 window0.bias 8 "
       "window_norm0.weight 8 window_norm0.bias 8 "},
      {"{" BASE ", \"plain\": 1, \"suffix3Rows\": 7, \"ngramRows\": 6}",
       "embed_norm.weight 50,8 embed_prefix.weight 20,8 embed_suffix.weight 20,8 embed_shape.weight 10,8 "
       "embed_suffix3.weight 7,8 embed_ngram.weight 6,8 mix.weight 8,48 mix.bias 8 window0.weight 8,24 "
       "window0.bias 8 window_norm0.weight 8 window_norm0.bias 8 "},
      {"{" BASE ", \"plain\": 1, \"recurrentLayers\": 1}",  // half the width: no lstm_out
       "embed_norm.weight 50,8 embed_prefix.weight 20,8 embed_suffix.weight 20,8 embed_shape.weight 10,8 "
       "mix.weight 8,32 mix.bias 8 window0.weight 8,24 window0.bias 8 window_norm0.weight 8 window_norm0.bias 8 "
       "lstm.weight_ih_l0 16,8 lstm.weight_hh_l0 16,4 lstm.bias_l0 16 lstm.weight_ih_l0_reverse 16,8 "
       "lstm.weight_hh_l0_reverse 16,4 lstm.bias_l0_reverse 16 "},
      {"{" BASE ", \"plain\": 1, \"recurrentLayers\": 1, \"recurrentSize\": 3}",
       "embed_norm.weight 50,8 embed_prefix.weight 20,8 embed_suffix.weight 20,8 embed_shape.weight 10,8 "
       "mix.weight 8,32 mix.bias 8 window0.weight 8,24 window0.bias 8 window_norm0.weight 8 window_norm0.bias 8 "
       "lstm.weight_ih_l0 12,8 lstm.weight_hh_l0 12,3 lstm.bias_l0 12 lstm.weight_ih_l0_reverse 12,8 "
       "lstm.weight_hh_l0_reverse 12,3 lstm.bias_l0_reverse 12 lstm_out.weight 8,6 lstm_out.bias 8 "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    made m;
    on_error error;
    on_buf out = {0};
    if (!create(&m, &on_fast_kind, cases[i].settings, &error)) fail_msg("%s", error.text);
    for (size_t k = 0; k < m.encoder.params.n; k++) {
      const on_param *param = m.encoder.params.list[k];
      on_buf_format(&out, "%s %u", param->name, param->shape[0]);
      if (param->rank == 2) on_buf_format(&out, ",%u", param->shape[1]);
      on_buf_char(&out, ' ');
    }
    on_buf_char(&out, 0);
    assert_string_equal(out.p, cases[i].layers);
    on_buf_free(&out);
    destroy(&m);
  }
}

// turkicCase changes the rows of the first attribute, and those of no other table.
static void turkic_case_alone(void **state) {
  (void)state;
  enum { TABLES = 15, HASHES = 2 };
  uint32_t rows[2][TABLES * HASHES];
  for (int turkic = 0; turkic < 2; turkic++) {
    char settings[512];
    snprintf(settings, sizeof settings,
             "{\"width\": 8, \"depth\": 0, \"normRows\": 99991, \"prefixRows\": 99991, \"suffixRows\": 99991, "
             "\"shapeRows\": 99991, \"casedRows\": 99991, \"neighbourRows\": 99991, \"contextRows\": 99991, "
             "\"bigramRows\": 99991, \"prefixLength\": 8, \"suffixLength\": 8, \"seed\": 5, \"turkicCase\": %d}", turkic);
    made m;
    on_error error;
    if (!create(&m, &on_fast_kind, settings, &error)) fail_msg("%s", error.text);
    assert_int_equal(((const on_fast *)m.encoder.state)->table_count, TABLES);
    on_doc doc;
    on_doc_init(&doc);
    assert_true(on_utf16_from_utf8(&doc.arena, ON_STR("KI\xC4\xB0I"), &doc.text, NULL));
    assert_true(on_doc_set_tokens(&doc, 1));
    doc.start[0] = 0;
    doc.end[0] = (uint32_t)doc.text.n;
    assert_true(on_fast_rows(m.encoder.state, &doc, &m.arena, rows[turkic]));
    on_doc_free(&doc);
    destroy(&m);
  }
  assert_true(rows[0][0] != rows[1][0] && rows[0][1] != rows[1][1]);
  assert_memory_equal(rows[0] + HASHES, rows[1] + HASHES, sizeof rows[0] - HASHES * sizeof rows[0][0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_bounds),    cmocka_unit_test(fast_ngram_lengths),
      cmocka_unit_test(fast_values),    cmocka_unit_test(written_only_when_different),
      cmocka_unit_test(hash_embedding), cmocka_unit_test(fast_layers), cmocka_unit_test(turkic_case_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
