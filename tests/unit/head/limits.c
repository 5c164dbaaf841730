// The bounds of label sets and output layers on both sides, the labels that each kind refuses, two-level outputs
// and labelBilinear: what tests/conformance.md asks of the heads of saved-pipelines.md.
#include "heads.h"

#include "base/buffer.h"
#include "head/labels.h"
#include "head/output.h"

// before [label, ...] after, with n labels that `format` makes of a number.
static void label_config(on_buf *out, const char *before, const char *format, size_t n, const char *after) {
  char label[64];
  on_buf_clear(out);
  on_buf_str(out, on_str_c(before));
  on_buf_str(out, ON_STR("\"labels\": ["));
  for (size_t i = 0; i < n; i++) {
    int length = snprintf(label, sizeof label, format, (unsigned)i);
    assert_true(length > 0 && (size_t)length < sizeof label);
    if (i) on_buf_char(out, ',');
    on_buf_char(out, '"');
    on_buf_add(out, label, (size_t)length);
    on_buf_char(out, '"');
  }
  on_buf_char(out, ']');
  on_buf_str(out, on_str_c(after));
  on_buf_char(out, 0);
  assert_false(out->failed);
}

// `most` labels are taken, one more is refused.
static void check_most(const char *kind, const char *before, const char *format, size_t most, uint32_t width,
                       const char *message) {
  on_buf config = {0};
  label_config(&config, before, format, most, "}");
  takes(kind, config.p, width);
  label_config(&config, before, format, most + 1, "}");
  refuses(kind, config.p, width, message);
  on_buf_free(&config);
}

// 1,048,576 labels; at width 64 these are also exactly the 67,108,864 weights of an output layer.
static void label_sets(void **state) {
  (void)state;
  check_most("tagger", "{\"column\": \"Tag\", ", "%x", 1048576, 64, "1048577 labels, want 1 to 1048576");
}

static void label_lengths(void **state) {
  (void)state;
  // Units count, not bytes: U+00E4 is two bytes and one unit, U+1F600 four and two.
  static const struct {
    const char *text;
    size_t units;
  } kinds[] = {{"x", 1}, {"\xC3\xA4", 1}, {"\xF0\x9F\x98\x80", 2}};
  for (size_t k = 0; k < 3; k++) {
    for (size_t extra = 0; extra < 2; extra++) {
      on_buf config = {0};
      on_buf_str(&config, ON_STR("{\"column\": \"Morph\", \"labels\": [\"\\u0041\", \""));
      for (size_t i = 0; i < 4096 / kinds[k].units; i++) on_buf_str(&config, on_str_c(kinds[k].text));
      if (extra) on_buf_char(&config, 'y');
      on_buf_str(&config, ON_STR("\"]}"));
      on_buf_char(&config, 0);
      if (extra) refuses("tagger", config.p, 8, "config.labels[1]: longer than 4096 UTF-16 units");
      else takes("tagger", config.p, 8);
      on_buf_free(&config);
    }
  }
}

static void output_weights(void **state) {
  (void)state;
  static const struct {
    uint32_t width, labels, head_classes;
    bool ok;
  } cases[] = {
      {64, 1048576, 0, true},       // exactly 67,108,864
      {2048, 32768, 0, true},       // the same
      {2048, 32769, 0, false},
      {2047, 32784, 0, true},       // 67,108,848
      {2047, 32785, 0, false},      // 67,110,895
      {2048, 32767, 4096, true},    // "other" is an output too
      {2048, 32768, 4096, false},
      {2048, 1048576, 0, false},    // the product passes 32 bits
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_arena arena = {0};
    on_params params = {0};
    on_output output;
    on_error error = {0};
    bool ok = on_output_declare(&output, &params, &arena, cases[i].width, cases[i].labels, cases[i].head_classes,
                                "config", &error);
    if (ok != cases[i].ok) fail_msg("case %zu: %s", i, ok ? "taken" : error.text);
    if (!ok) assert_int_equal(error.code, ON_INVALID_DATA);
    on_free(params.list);
    on_arena_free(&arena);
  }
}

static void tagger_columns(void **state) {
  (void)state;
  takes("tagger", "{\"column\": \"Tag\", \"labels\": [\"a\"]}", 8);
  takes("tagger", "{\"column\": \"Pos\", \"labels\": [\"a\"]}", 8);
  takes("tagger", "{\"column\": \"Morph\", \"labels\": [\"a\"]}", 8);
  refuses("tagger", "{\"column\": \"Lemma\", \"labels\": [\"a\"]}", 8, "config.column");
  refuses("tagger", "{\"column\": \"tag\", \"labels\": [\"a\"]}", 8, "config.column");
  refuses("tagger", "{\"labels\": [\"a\"]}", 8, "config.column");
}

static void morphologizer_labels(void **state) {
  (void)state;
  check_most("morphologizer", "{", "POS=X|N=%x", 65536, 8, "65537 labels, want 1 to 65536");
  takes("morphologizer", "{\"labels\": [\"POS=NOUN\", \"POS=NOUN|Number=Sing\", \"POS=\"]}", 8);
  refuses("morphologizer", "{\"labels\": [\"POS=NOUN\", \"NOUN\"]}", 8, "labels[1]: \"NOUN\" does not start with POS=");
  refuses("morphologizer", "{\"labels\": [\"pos=NOUN\"]}", 8, "does not start with POS=");
  refuses("morphologizer", "{\"labels\": [\"Number=Sing|POS=NOUN\"]}", 8, "does not start with POS=");
}

static void lemmatizer_labels(void **state) {
  (void)state;
  check_most("lemmatizer", "{", "lS5:%05x0:", 262144, 8, "262145 labels, want 1 to 262144");
  takes("lemmatizer", "{\"labels\": [\"lM0,0()()\", \"rM0,0()()\", \"rS1:a1:b\"]}", 8);
  refuses("lemmatizer", "{\"labels\": [\"lM0,0()()\", \"M0,0()()\"]}", 8, "labels[1]: \"M0,0()()\" does not start");
  refuses("lemmatizer", "{\"labels\": [\"LM0,0()()\"]}", 8, "does not start with l or r");
  refuses("lemmatizer", "{\"labels\": [\"l\"]}", 8, "labels[0]: \"\" is not an edit tree");
  refuses("lemmatizer", "{\"labels\": [\"lM0,0()\"]}", 8, "is not an edit tree");
  refuses("lemmatizer", "{\"labels\": [\"rS2:a0:\"]}", 8, "is not an edit tree");
}

// What goes to a column of CoNLL-U must fit there; entities are escaped in MISC, categories and spans go to JSON.
static void column_labels(void **state) {
  (void)state;
  static const struct {
    const char *kind, *before, *start, *end;
    bool column;
  } kinds[] = {
      {"tagger", "\"column\": \"Tag\", ", "N", "N", true},
      {"morphologizer", "", "POS=X|A=", "", true},
      {"lemmatizer", "", "rS0:1:", "", true},
      {"parser", "\"arcWidth\": 4, \"labelWidth\": 4, ", "de", "p", true},
      {"ner", "", "PE", "R", false},
      {"textcat", "\"multi_label\": true, ", "a", "b", false},
      {"spancat", "\"spans_key\": \"s\", \"sizes\": [1], \"threshold\": 0.5, ", "a", "b", false},
  };
  static const char *const inside[] = {"\\t", "\\n", "\\r", "\\u000b", " "};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
      char config[256];
      snprintf(config, sizeof config, "{%s\"labels\": [\"%s%s%s\"]}", kinds[i].before, kinds[i].start, inside[k],
               kinds[i].end);
      if (kinds[i].column && k < 3) refuses(kinds[i].kind, config, 8, "labels[0]: holds a tab or a line break");
      else takes(kinds[i].kind, config, 8);
    }
  }
}

static void repeated_labels(void **state) {
  (void)state;
  static const struct {
    const char *kind, *before, *label;
  } kinds[] = {
      {"tagger", "\"column\": \"Tag\", ", "NN"},
      {"morphologizer", "", "POS=X"},
      {"lemmatizer", "", "lM0,0()()"},
      {"parser", "\"arcWidth\": 4, \"labelWidth\": 4, ", "root"},
      {"ner", "", "PER"},
      {"textcat", "\"multi_label\": true, ", "a"},
      {"spancat", "\"spans_key\": \"s\", \"sizes\": [1], \"threshold\": 0.5, ", "a"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char config[256];
    snprintf(config, sizeof config, "{%s\"labels\": [\"%s\"]}", kinds[i].before, kinds[i].label);
    takes(kinds[i].kind, config, 8);
    snprintf(config, sizeof config, "{%s\"labels\": [\"%s\", \"%s\"]}", kinds[i].before, kinds[i].label,
             kinds[i].label);
    refuses(kinds[i].kind, config, 8, "stands at labels[0] already");
    snprintf(config, sizeof config, "{%s\"labels\": []}", kinds[i].before);
    refuses(kinds[i].kind, config, 8, "0 labels");
    snprintf(config, sizeof config, "{%s\"labels\": [1]}", kinds[i].before);
    refuses(kinds[i].kind, config, 8, "labels[0]: not a string");
  }
}

typedef struct layer {
  const char *name;
  uint32_t rows, cols;
} layer;

static void check_layers(const char *kind, const char *config, uint32_t width, const layer *layers, size_t n) {
  made_head made;
  on_error error;
  if (!make_head(&made, kind, config, width, &error)) fail_msg("%s: %s", config, error.text);
  assert_int_equal(made.head.params.n, n);
  for (size_t i = 0; i < n; i++) {
    const on_param *param = made.head.params.list[i];
    assert_string_equal(param->name, layers[i].name);
    assert_int_equal(param->shape[0], layers[i].rows);
    assert_int_equal(param->shape[1], layers[i].cols);
  }
  free_head(&made);
}

static void check_written(const char *kind, const char *config, const char *part, bool there) {
  made_head made;
  on_buf out = {0};
  assert_true(make_head(&made, kind, config, 8, NULL));
  made.head.kind->write_config(&made.head, &out);
  on_buf_char(&out, 0);
  if (!strstr(out.p, part) == there) fail_msg("%s: %s", part, out.p);
  on_buf_free(&out);
  free_head(&made);
}

#define FOUR "\"labels\": [\"POS=A\", \"POS=B\", \"POS=C\", \"POS=D\"]}"
#define TREES "\"labels\": [\"lM0,0()()\", \"rM0,0()()\", \"lS1:a1:b\", \"lS1:b1:a\"]}"

static void two_level_configs(void **state) {
  (void)state;
  static const layer one[] = {{"output.weight", 4, 8}, {"output.bias", 4, 1}};
  static const layer two[] = {{"head.weight", 2, 8}, {"head.bias", 2, 1}, {"tail.weight", 3, 8}, {"tail.bias", 3, 1}};
  check_layers("morphologizer", "{" FOUR, 8, one, 2);
  check_layers("morphologizer", "{\"headClasses\": 0, " FOUR, 8, one, 2);
  check_layers("morphologizer", "{\"headClasses\": 1, " FOUR, 8, two, 4);
  check_layers("lemmatizer", "{" TREES, 8, one, 2);
  check_layers("lemmatizer", "{\"headClasses\": 0, " TREES, 8, one, 2);
  check_layers("lemmatizer", "{\"headClasses\": 1, " TREES, 8, two, 4);
  static const char *const kinds[] = {"morphologizer", "lemmatizer"};
  for (int i = 0; i < 2; i++) {
    char config[256];
    const char *labels = i ? TREES : FOUR;
    for (int classes = -1; classes <= 4097; classes += classes == 1 ? 4095 : 1) {
      snprintf(config, sizeof config, "{\"headClasses\": %d, %s", classes, labels);
      if (classes < 0 || classes > 4096) refuses(kinds[i], config, 8, "config.headClasses");
      else takes(kinds[i], config, 8);
    }
    // written only when there is one
    snprintf(config, sizeof config, "{\"headClasses\": 0, %s", labels);
    check_written(kinds[i], config, "headClasses", false);
    snprintf(config, sizeof config, "{\"headClasses\": 3, %s", labels);
    check_written(kinds[i], config, "\"headClasses\": 3", true);
  }
}

#define PARSER "\"arcWidth\": 4, \"labelWidth\": 5, \"labels\": [\"root\", \"obj\", \"det\"]}"

static void label_bilinear(void **state) {
  (void)state;
  static const layer without[] = {
      {"arc_dep.weight", 4, 8},  {"arc_dep.bias", 4, 1},    {"arc_head.weight", 4, 8},     {"arc_head.bias", 4, 1},
      {"arc.weight", 4, 4},      {"arc.bias", 4, 1},        {"arc_root", 4, 1},            {"label_dep.weight", 5, 8},
      {"label_dep.bias", 5, 1},  {"label_head.weight", 5, 8}, {"label_head.bias", 5, 1},   {"label_root", 5, 1},
      {"label_linear.weight", 3, 10}, {"label_linear.bias", 3, 1},
  };
  layer with[15];
  memcpy(with, without, 12 * sizeof *with);
  with[12] = (layer){"label_bilinear.weight", 15, 5};
  memcpy(with + 13, without + 12, 2 * sizeof *with);
  check_layers("parser", "{" PARSER, 8, with, 15);
  check_layers("parser", "{\"labelBilinear\": 1, " PARSER, 8, with, 15);
  check_layers("parser", "{\"labelBilinear\": 0, " PARSER, 8, without, 14);
  check_written("parser", "{\"labelBilinear\": 1, " PARSER, "labelBilinear", false);
  check_written("parser", "{\"labelBilinear\": 0, " PARSER, "\"labelBilinear\": 0", true);
  refuses("parser", "{\"labelBilinear\": 2, " PARSER, 8, "config.labelBilinear");
  // The sum of the projections leaves no place for the label biaffine.
  layer sum[14];
  memcpy(sum, without, sizeof sum);
  sum[12].cols = 5;
  check_layers("parser", "{\"labelSum\": 1, " PARSER, 8, sum, 14);
  check_layers("parser", "{\"labelSum\": 0, " PARSER, 8, with, 15);
  check_written("parser", "{\"labelSum\": 1, " PARSER, "\"labelSum\": 1", true);
  check_written("parser", "{\"labelSum\": 1, " PARSER, "labelBilinear", false);
  check_written("parser", "{\"labelSum\": 0, " PARSER, "labelSum", false);
  refuses("parser", "{\"labelSum\": 2, " PARSER, 8, "config.labelSum");
}

// The list is kept as it stands: outputs are numbered by it.
static void label_order(void **state) {
  (void)state;
  check_written("textcat", "{\"multi_label\": false, \"labels\": [\"b\", \"a\", \"c\"]}", "[\"b\", \"a\", \"c\"]", true);
  check_written("spancat", "{\"spans_key\": \"s\", \"sizes\": [1], \"threshold\": 0.5, \"labels\": [\"b\", \"a\"]}",
                "[\"b\", \"a\"]", true);
  check_written("tagger", "{\"column\": \"Tag\", \"labels\": [\"b\", \"a\"]}", "[\"b\", \"a\"]", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(label_sets),        cmocka_unit_test(label_lengths),   cmocka_unit_test(output_weights),
      cmocka_unit_test(tagger_columns),    cmocka_unit_test(morphologizer_labels),
      cmocka_unit_test(lemmatizer_labels), cmocka_unit_test(column_labels),   cmocka_unit_test(repeated_labels),
      cmocka_unit_test(two_level_configs),
      cmocka_unit_test(label_bilinear),    cmocka_unit_test(label_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
