// The trained tokenizers: what is cut whatever a model says, where it may cut, the bounds of both kinds on both
// sides, config and weights as the document numbers them, failing memory, and time.
#include "characters.h"

#include <time.h>

#include "base/alloc.h"
#include "segment/chars.h"
#include "segment/mwt.h"
#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"

typedef struct run {
  on_pipeline pipeline;
  on_workspace workspace;
  on_arena arena;
  on_str16 text;
  on_pieces pieces;
} run;

static void open_fixed(run *r, const char *config, float begin) {
  *r = (run){0};
  fixed_pipeline(&r->pipeline, config, begin);
  assert_true(on_workspace_init(&r->workspace, r->pipeline.encoder_count, NULL));
}

static void close_run(run *r) {
  on_arena_free(&r->arena);
  on_workspace_free(&r->workspace);
  on_pipeline_free(&r->pipeline);
}

static bool split(run *r, on_str16 text, size_t from, size_t to, on_error *error) {
  r->text = text;
  return r->pipeline.tokenizer.kind->split(&r->pipeline, &r->workspace, &r->arena, text, from, to, &r->pieces, error);
}

// Words joined by "|", those of one surface token by "·".
static void expect_words(run *r, const char *text, const char *want) {
  on_error error;
  on_str16 units;
  on_buf found = {0};
  assert_true(on_utf16_from_utf8(&r->arena, on_str_c(text), &units, &error));
  if (!split(r, units, 0, units.n, &error)) tiny_fail("split", &error);
  for (size_t i = 0; i < r->pieces.n; i++) {
    const on_piece *piece = &r->pieces.list[i];
    bool same = i > 0 && piece->surface == r->pieces.list[i - 1].surface;
    if (i > 0) on_buf_str(&found, same ? ON_STR("·") : ON_STR("|"));
    if (piece->form.p) on_buf_str(&found, piece->form);
    else on_utf8_append(&found, on_str16_sub(units, piece->start, piece->end));
  }
  on_buf_char(&found, 0);
  assert_string_equal(found.p, want);
  on_buf_free(&found);
}

static void test_all_begin(void **state) {
  (void)state;
  run r;
  open_fixed(&r, SEGMENTER_CONFIG, 1);
  expect_words(&r, "", "");
  expect_words(&r, " \n ", "");
  expect_words(&r, "漢字です。", "漢|字|で|す|。");
  // Latin words, numbers and addresses are whole, clusters too.
  expect_words(&r, "我用GPS3查12.5公里", "我|用|GPS3|查|12.5|公|里");
  expect_words(&r, "看https://example.com/a?b=1吧", "看|https://example.com/a?b=1|吧");
  expect_words(&r, "写信jo@example.com。", "写|信|jo@example.com|。");
  expect_words(&r, "C++和C#、3%", "C|+|+|和|C|#|、|3|%");
  expect_words(&r, "e\u0301té", "e\u0301té");
  expect_words(&r, "ก\u0E49ำ𠀀👩\u200D🔬", "ก\u0E49ำ|𠀀|👩\u200D🔬");
  expect_words(&r, "xin chào", "xin|chào");
  close_run(&r);
}

static void test_all_inside(void **state) {
  (void)state;
  run r;
  open_fixed(&r, SEGMENTER_CONFIG, -1);
  expect_words(&r, "漢字です", "漢字です");
  // A word may hold blanks, but never begins or ends with one; line breaks of every kind cut.
  expect_words(&r, "  gia đình  ", "gia đình");
  expect_words(&r, "gia đình\nchúng tôi\r\ncó\u2028thể\xC2\x85x\vy\fz", "gia đình|chúng tôi|có|thể|x|y|z");
  expect_words(&r, "gia \n đình", "gia|đình");
  close_run(&r);
}

// A tie goes to the label that stands first.
static void test_label_order(void **state) {
  (void)state;
  run r;
  open_fixed(&r, TOKENIZER_ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", "
                                "\"labels\": [\"I\", \"B\"]}}", CHARACTER_ENCODER), 1);
  expect_words(&r, "漢字", "漢字");
  close_run(&r);
}

// What holds for every text and every model.
static void check(run *r, on_str16 text, size_t from, size_t to) {
  on_error error;
  on_arena_reset(&r->arena);
  if (!split(r, text, from, to, &error)) tiny_fail("split", &error);
  size_t end = from;
  for (size_t i = 0; i < r->pieces.n; i++) {
    const on_piece *piece = &r->pieces.list[i];
    assert_true(piece->start >= end && piece->start < piece->end && piece->end <= to);
    assert_int_equal(piece->surface, i);
    for (size_t k = end; k < piece->start; k++) assert_true(on_is_space(text.p[k]));
    assert_false(on_is_space(text.p[piece->start]) || on_is_space(text.p[piece->end - 1]));
    for (size_t k = piece->start; k < piece->end; k++) assert_false(on_is_line_break(text.p[k]));
    end = piece->end;
  }
  for (size_t k = end; k < to; k++) assert_true(on_is_space(text.p[k]));
  // No cut inside a grapheme cluster, but for a mark behind white space.
  on_str16 range = on_str16_sub(text, from, to);
  size_t boundary = 0;
  for (size_t i = 0; i < r->pieces.n; i++) {
    size_t start = r->pieces.list[i].start - from;
    while (boundary < start) boundary = on_next_grapheme_break(range, boundary);
    assert_true(boundary == start || on_is_space(range.p[start - 1]));
  }
}

static void test_random(void **state) {
  (void)state;
  static const uint32_t alphabet[] = {'a', 'Z', '1', '.', ' ', '\n', '\r', 0x301, 0x4E00, 0x3042, 0xE01, 0xE49, 0x1F469,
                                      0x200D, 0x1F1E6, 0xD800, 0xDC00, 0x2028, 0xA0, '@', '/', 0x3000, 0x1100, 0x1161};
  on_random random;
  on_random_seed(&random, 11);
  uint16_t units[1400];
  for (int round = 0; round < 60; round++) {
    on_buf file = tiny_file(SEGMENTER_CONFIG, round % 2 ? ON_I8 : ON_F32);
    run r = {0};
    on_error error;
    if (!on_pipeline_load(&r.pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
    assert_true(on_workspace_init(&r.workspace, 1, NULL));
    size_t n = 0, most = round % 8 ? 40 : 1300, letters = 1 + on_random_below(&random, 24);
    while (n + 2 < most) n += on_utf16_put(units + n, alphabet[on_random_below(&random, (uint32_t)letters)]);
    check(&r, (on_str16){units, n}, 0, n);
    check(&r, (on_str16){units, n}, n / 3, n - n / 4);
    close_run(&r);
    on_buf_free(&file);
  }
}

// Every character that is no line break is decided by exactly one window, with text on both sides of it.
static void check_windows(on_str16 text, size_t from, size_t to, size_t want) {
  on_char_window window = {0};
  size_t windows = 0, at = from;
  for (bool first = true; on_next_char_window(text, from, to, first, &window); first = false) {
    windows++;
    assert_true(window.from <= window.decide_from && window.decide_from < window.decide_to);
    assert_true(window.decide_to <= window.to && window.to <= to);
    size_t characters = 0;
    for (size_t i = window.from; i < window.to; characters++) {
      assert_false(on_is_line_break(on_utf16_next((on_str16){text.p, to}, &i)));
    }
    assert_true(characters <= ON_CHAR_WINDOW);
    for (; at < window.decide_from; at++) assert_true(on_is_line_break(text.p[at]));
    at = window.decide_to;
    if (window.decide_to < window.to) assert_int_equal(characters, ON_CHAR_WINDOW);
  }
  for (; at < to; at++) assert_true(on_is_line_break(text.p[at]));
  if (want != SIZE_MAX) assert_int_equal(windows, want);
}

static void test_windows(void **state) {
  (void)state;
  enum { N = 3000 };
  uint16_t units[N];
  for (size_t i = 0; i < N; i++) units[i] = 0x4E00;
  on_str16 text = {units, N};
  check_windows(text, 0, 0, 0);
  check_windows(text, 5, 6, 1);
  check_windows(text, 0, ON_CHAR_WINDOW, 1);
  check_windows(text, 0, ON_CHAR_WINDOW + 1, 2);
  check_windows(text, 0, N, SIZE_MAX);
  for (size_t i = 0; i + 1 < N; i += 2) {  // pairs: a window's size is in characters
    units[i] = 0xD840;
    units[i + 1] = 0xDC00;
  }
  check_windows(text, 0, 2 * ON_CHAR_WINDOW, 1);
  check_windows(text, 0, 2 * ON_CHAR_WINDOW + 2, 2);
  for (size_t i = 0; i < N; i += 7) units[i] = i % 3 ? '\n' : 0x2029;
  check_windows(text, 0, N, SIZE_MAX);
  check_windows(text, 1, N - 1, SIZE_MAX);
}

// A character is decided alike whether its line is one window or several, where the model looks no further than
// the context reaches.
static void test_window_context(void **state) {
  (void)state;
  static const char config[] = TOKENIZER_ONLY(SEGMENTER, "{\"kind\": \"fast\", \"settings\": {\"width\": 12, "
      "\"depth\": 0, \"plain\": 1, \"normRows\": 64, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, "
      "\"contextRows\": 64, \"bigramRows\": 64, \"seed\": 3}}");
  on_buf file = tiny_file(config, ON_F32);
  run r = {0};
  on_error error;
  if (!on_pipeline_load(&r.pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  assert_true(on_workspace_init(&r.workspace, 1, NULL));
  enum { N = 2000 };
  uint16_t units[N];
  on_random random;
  on_random_seed(&random, 4);
  for (size_t i = 0; i < N; i++) units[i] = (uint16_t)(0x4E00 + on_random_below(&random, 40));
  on_str16 text = {units, N};
  assert_true(split(&r, text, 0, N, &error));
  uint8_t starts[N] = {0};
  for (size_t i = 0; i < r.pieces.n; i++) starts[r.pieces.list[i].start] = 1;
  if (r.pieces.n < 10 || r.pieces.n > N - 10) fail_msg("%zu words show nothing", r.pieces.n);
  for (size_t from = 0; from + 300 < N; from += 100) {  // parts that are one window each
    assert_true(split(&r, text, from, from + 300, &error));
    uint8_t part[N] = {0};
    for (size_t i = 0; i < r.pieces.n; i++) part[r.pieces.list[i].start] = 1;
    for (size_t i = from + 4; i + 4 < from + 300; i++) assert_int_equal(part[i], starts[i]);
  }
  close_run(&r);
  on_buf_free(&file);
}

static void test_mwt_takes(void **state) {
  (void)state;
  struct { const char *text; bool takes; } cases[] = {
      {"", false}, {"ab", false}, {"abc", true}, {"ab1", false}, {"a'b", false}, {"a-b", false}, {"123", false},
      {"a\u0301b", true}, {"\u0301ab", false}, {"ab\u0301", true}, {"çığ", true}, {"漢字", false}, {"漢字語", true},
      {"𐐀a", true}, {"𐐀", false}, {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv", true},
      {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvw", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint16_t units[64];
    on_str16 token = {units, on_utf16_write(units, on_str_c(cases[i].text))};
    if (on_mwt_takes(token) != cases[i].takes) fail_msg("\"%s\"", cases[i].text);
  }
}

static void test_mwt(void **state) {
  (void)state;
  run r;
  open_fixed(&r, MWT_CONFIG(""), 1);
  // What the inner tokenizer divides or respells stays as it is; so does what is too short or no word of letters.
  expect_words(&r, "sol do mar", "s·o·l|de·o|m·a·r");
  expect_words(&r, "ab x 12 a1b", "ab|x|12|a1b");
  expect_words(&r, "diz-se.", "diz·se|.");
  expect_words(&r, "e\u0301tu", "e\u0301·t·u");
  close_run(&r);
  open_fixed(&r, MWT_CONFIG(""), -1);
  expect_words(&r, "sol do mar", "sol|de·o|mar");
  close_run(&r);
}

// B with probability 3/4 cuts at 74 and not at 76; at 50 a tie cuts.
static void test_min_cut(void **state) {
  (void)state;
  run r;
  open_fixed(&r, MWT_CONFIG(", \"minCutPercent\": 74"), 1.0986123f);
  expect_words(&r, "mar", "m·a·r");
  close_run(&r);
  open_fixed(&r, MWT_CONFIG(", \"minCutPercent\": 76"), 1.0986123f);
  expect_words(&r, "mar", "mar");
  close_run(&r);
  open_fixed(&r, MWT_CONFIG(""), 0);
  expect_words(&r, "mar", "m·a·r");
  close_run(&r);
  open_fixed(&r, MWT_CONFIG(", \"minCutPercent\": 51"), 0);
  expect_words(&r, "mar", "mar");
  close_run(&r);
}

static void test_bad_configs(void **state) {
  (void)state;
  static const struct { const char *config; on_code code; const char *says; } cases[] = {
#define ONLY(tokenizer) TOKENIZER_ONLY(tokenizer, CHARACTER_ENCODER)
      {TOKENIZER_ONLY(SEGMENTER, ""), ON_INVALID_DATA, "tokenizer needs an encoder"},
      {ONLY("{\"kind\": \"segmenter\", \"head\": " BI_HEAD "}"), ON_INVALID_DATA, "tokenizer.encoder"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 1, \"head\": " BI_HEAD "}"), ON_INVALID_DATA, "tokenizer.encoder"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": -1, \"head\": " BI_HEAD "}"), ON_INVALID_DATA, "tokenizer.encoder"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0}"), ON_INVALID_DATA, "tokenizer.head"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": []}"), ON_INVALID_DATA, "tokenizer.head"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Pos\", \"labels\": [\"B\", \"I\"]}}"),
       ON_INVALID_DATA, "tokenizer.head.column"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": [\"B\"]}}"),
       ON_INVALID_DATA, "tokenizer.head.labels"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": [\"B\", \"O\"]}}"),
       ON_INVALID_DATA, "tokenizer.head.labels"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": [\"B\", \"I\", \"O\"]}}"),
       ON_INVALID_DATA, "tokenizer.head.labels"},
      {ONLY("{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": [\"B\", \"B\"]}}"),
       ON_INVALID_DATA, "tokenizer.head.labels"},
      {ONLY("{\"kind\": \"mwt\", \"encoder\": 0, \"head\": " BI_HEAD "}"), ON_INVALID_DATA, "tokenizer.inner"},
      {ONLY(MWT("\"uax\"", "")), ON_INVALID_DATA, "tokenizer.inner"},
      {ONLY(MWT("{\"kind\": \"uax\"}", "")), ON_INVALID_DATA, "data"},
      {ONLY(MWT("{\"kind\": \"uax\", \"data\": \"klingon\"}", "")), ON_UNSUPPORTED, "klingon"},
      {ONLY(MWT(SEGMENTER, "")), ON_UNSUPPORTED, "Unsupported tokenizer kind 'segmenter'"},
      {ONLY(MWT("{\"kind\": \"mwt\"}", "")), ON_UNSUPPORTED, "Unsupported tokenizer kind 'mwt'"},
      {ONLY(MWT("{\"kind\": \"bpe\"}", "")), ON_UNSUPPORTED, "Unsupported tokenizer kind 'bpe'"},
      {MWT_CONFIG(", \"minCutPercent\": 49"), ON_INVALID_DATA, "minCutPercent"},
      {MWT_CONFIG(", \"minCutPercent\": 100"), ON_INVALID_DATA, "minCutPercent"},
      {MWT_CONFIG(", \"minCutPercent\": 60.5"), ON_INVALID_DATA, "minCutPercent"},
      {MWT_CONFIG(", \"minCutPercent\": \"60\""), ON_INVALID_DATA, "minCutPercent"},
  };
  size_t before = on_alloc_used();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_pipeline pipeline;
    on_error error = {0};
    if (on_pipeline_from_config(&pipeline, on_str_c(cases[i].config), &error)) fail_msg("case %zu was taken", i);
    if (error.code != cases[i].code || !strstr(error.text, cases[i].says)) {
      fail_msg("case %zu: %s: %s", i, on_code_name(error.code), error.text);
    }
    assert_int_equal(on_alloc_used(), before);
  }
}

static void expect_config(const char *config, const char *tokenizer) {
  on_pipeline pipeline;
  on_error error;
  on_buf out = {0};
  if (!on_pipeline_from_config(&pipeline, on_str_c(config), &error)) tiny_fail("from_config", &error);
  on_pipeline_write_config(&pipeline, &out);
  on_buf_char(&out, 0);
  if (!strstr(out.p, tokenizer)) fail_msg("%s\nlacks\n%s", out.p, tokenizer);
  on_buf_free(&out);
  on_pipeline_free(&pipeline);
}

static void test_written_config(void **state) {
  (void)state;
  expect_config(SEGMENTER_CONFIG, "\"tokenizer\": " SEGMENTER ", ");
#define PT "{\"kind\": \"uax\", \"data\": \"portuguese\"}"
  expect_config(MWT_CONFIG(""), "\"tokenizer\": " MWT(PT, "") ", ");
  expect_config(MWT_CONFIG(", \"minCutPercent\": 50"), "\"tokenizer\": " MWT(PT, "") ", ");
  expect_config(MWT_CONFIG(", \"minCutPercent\": 51"), "\"tokenizer\": " MWT(PT, ", \"minCutPercent\": 51") ", ");
  expect_config(MWT_CONFIG(", \"minCutPercent\": 99"), "\"tokenizer\": " MWT(PT, ", \"minCutPercent\": 99") ", ");
  expect_config(TOKENIZER_ONLY(MWT("{\"kind\": \"rule\"}", ""), CHARACTER_ENCODER), MWT("{\"kind\": \"rule\"}", ""));
}

typedef struct names {
  char text[2048];
} names;

static bool add_name(void *context, const char *name, on_param *param) {
  (void)param;
  names *n = context;
  strncat(n->text, name, sizeof n->text - strlen(n->text) - 2);
  strncat(n->text, " ", sizeof n->text - strlen(n->text) - 1);
  return true;
}

// The tokenizer's head is head0, whichever encoder it reads; the components' heads follow.
static void test_numbers(void **state) {
  (void)state;
  static const char config[] = TINY_HEAD
      "\"tokenizer\": {\"kind\": \"segmenter\", \"encoder\": 1, \"head\": " BI_HEAD "}, " TINY_ENCODERS ", " TINY_COMPONENTS "}";
  on_buf file = tiny_file(config, ON_F16);
  on_pipeline pipeline;
  on_error error;
  names n = {""};
  if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  assert_true(on_pipeline_each_param(&pipeline, add_name, &n));
  assert_non_null(strstr(n.text, "head0.output.weight head0.output.bias head1.output.weight"));
  assert_non_null(strstr(n.text, "head2.output.weight"));
  assert_null(strstr(n.text, "head3."));
  assert_int_equal(pipeline.tokenizer.head.params.list[0]->shape[0], 2);
  assert_int_equal(pipeline.tokenizer.head.params.list[0]->shape[1], 12);  // the width of encoder 1
  on_buf again = {0};
  assert_true(on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &again, &error));
  assert_true(on_str_eq(on_buf_view(&file), on_buf_view(&again)));
  on_buf_free(&again);
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
}

// A file that holds a segmenter only, and one whose segmenter's weights have been left out.
static void test_files(void **state) {
  (void)state;
  on_buf file = tiny_file(SEGMENTER_CONFIG, ON_F32);
  on_pipeline pipeline;
  on_error error;
  if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  assert_int_equal(pipeline.component_count, 0);
  on_pipeline_free(&pipeline);
  for (size_t i = 0; i + 4 < file.n; i++) {  // rename head0.output.weight where the header names it
    if (memcmp(file.p + i, "head0.output.weight", 19) != 0) continue;
    file.p[i + 4] = '7';
  }
  assert_false(on_pipeline_load(&pipeline, on_buf_view(&file), &error));
  assert_non_null(strstr(error.text, "head0.output.weight"));
  on_buf_free(&file);
}

// Every failed allocation is an error, and nothing leaks.
static void test_no_memory(void **state) {
  (void)state;
  static const char *const configs[] = {SEGMENTER_CONFIG, MWT_CONFIG("")};
  for (int kind = 0; kind < 2; kind++) {
    uint16_t units[64];
    on_str16 text = {units, on_utf16_write(units, ON_STR("casa do 漢字 amar\nsol"))};
    run r;
    open_fixed(&r, configs[kind], 1);
    size_t n = 1;
    for (;; n++) {
      on_error error = {0};
      on_workspace_free(&r.workspace);
      on_arena_free(&r.arena);
      assert_true(on_workspace_init(&r.workspace, 1, NULL));
      size_t before = on_alloc_used();
      on_alloc_fail_at(n, 1);
      bool ok = split(&r, text, 0, text.n, &error);
      on_alloc_fail_at(0, 0);
      if (ok) break;
      assert_int_equal(error.code, ON_OUT_OF_MEMORY);
      on_workspace_free(&r.workspace);
      on_arena_free(&r.arena);
      assert_true(on_alloc_used() <= before);
      assert_true(on_workspace_init(&r.workspace, 1, NULL));
    }
    assert_true(n > 5);
    close_run(&r);
  }
}

static double seconds(run *r, on_str16 text) {
  on_error error;
  on_arena_reset(&r->arena);
  clock_t start = clock();
  if (!split(r, text, 0, text.n, &error)) tiny_fail("split", &error);
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// Twice the text takes about twice the time, and the workspace stays as large as it was.
static void test_linear(void **state) {
  (void)state;
  static const char *const configs[] = {SEGMENTER_CONFIG, MWT_CONFIG("")};
  static const uint16_t characters[] = {0x4E00, 'a', ' ', 0x301};
  enum { N = 1 << 16 };
  uint16_t *units = malloc(N * sizeof *units);
  assert_non_null(units);
  for (int kind = 0; kind < 2; kind++) {
    for (size_t c = 0; c < sizeof characters / sizeof *characters; c++) {
      for (size_t i = 0; i < N; i++) units[i] = characters[c];
      run r;
      open_fixed(&r, configs[kind], -1);
      double time = seconds(&r, (on_str16){units, N});
      if (time > 20) fail_msg("U+%04X: %.1f s", characters[c], time);
      close_run(&r);
    }
  }
  free(units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_begin),   cmocka_unit_test(test_all_inside),     cmocka_unit_test(test_label_order),
      cmocka_unit_test(test_random),      cmocka_unit_test(test_windows),        cmocka_unit_test(test_window_context),
      cmocka_unit_test(test_mwt_takes),   cmocka_unit_test(test_mwt),            cmocka_unit_test(test_min_cut),
      cmocka_unit_test(test_bad_configs), cmocka_unit_test(test_written_config), cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_files),       cmocka_unit_test(test_no_memory),      cmocka_unit_test(test_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
