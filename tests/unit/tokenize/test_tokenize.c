// The tokenizers: the readable cases of tests/tokenize, what holds for every text, and linear time.
#include "test.h"

#include <time.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/scan.h"
#include "tokenize/tokenize.h"

static void assert_same_pieces(const on_pieces *a, const on_pieces *b) {
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->surfaces, b->surfaces);
  for (size_t i = 0; i < a->n; i++) {
    const on_piece *x = &a->list[i], *y = &b->list[i];
    assert_true(x->start == y->start && x->end == y->end && x->surface == y->surface);
    assert_true((x->form.p == NULL) == (y->form.p == NULL) && on_str_eq(x->form, y->form));
  }
}

// Of `uax` with and without its plain words, which must not make a difference.
static bool tokenize(on_arena *arena, const on_segmentation *data, on_str16 text, size_t from, size_t to,
                     on_pieces *out, on_error *error) {
  if (!data) return on_tokenize_rule(arena, text, from, to, out, error);
  on_plain_words plain;
  on_pieces slowly;
  on_plain_words_find(&plain, data);
  if (!on_tokenize_uax(arena, data, &plain, text, from, to, out, error)) return false;
  assert_true(on_tokenize_uax(arena, data, NULL, text, from, to, &slowly, error));
  assert_same_pieces(out, &slowly);
  return true;
}

static void append_word(on_buf *buf, on_str16 text, const on_piece *piece) {
  on_utf8_append(buf, on_str16_sub(text, piece->start, piece->end));
  if (piece->form.p) {
    on_buf_char(buf, '=');
    on_buf_str(buf, piece->form);
  }
}

// For each line of a case file that is no comment: whether what it says holds.
typedef bool case_check(const on_segmentation *data, const char *file, int line, char *text);

static void run_cases(const char *name, const char *file, case_check *holds) {
  char path[1024];
  char *bytes = test_read_file(test_source_path(path, sizeof path, file), NULL);
  const on_segmentation *data = on_segmentation_find(on_str_c(name));
  assert_true(data || strcmp(name, "rule") == 0);
  int line = 0, cases = 0, failed = 0;
  for (char *at = bytes; *at;) {
    line++;
    char *end = strchr(at, '\n');
    if (end) *end = 0;
    char *next = end ? end + 1 : at + strlen(at);
    bool comment = at[0] == '#' && (at[1] == 0 || at[1] == ' ');
    if (*at && !comment) {
      failed += !holds(data, file, line, at);
      cases++;
    }
    at = next;
  }
  free(bytes);
  assert_true(cases > 0);
  assert_int_equal(failed, 0);
}

// A part of a case as text: "\n" becomes a line break.
static void unescape(on_buf *out, const char *from, const char *to) {
  for (const char *c = from; c < to; c++) {
    bool escape = c[0] == '\\' && c + 1 < to && c[1] == 'n';
    on_buf_char(out, escape ? '\n' : *c);
    c += escape;
  }
}

static bool tokens_hold(const on_segmentation *data, const char *file, int line, char *at) {
  char *arrow = strstr(at, " => ");
  if (!arrow) fail_msg("%s:%d: no \" => \"", file, line);
  on_arena arena = {0};
  on_buf input = {0}, found = {0};
  unescape(&input, at, arrow);
  on_str16 text;
  on_pieces pieces;
  on_error error;
  assert_true(on_utf16_from_utf8(&arena, on_buf_view(&input), &text, &error));
  assert_true(tokenize(&arena, data, text, 0, text.n, &pieces, &error));
  for (size_t i = 0; i < pieces.n; i++) {
    bool same = i > 0 && pieces.list[i].surface == pieces.list[i - 1].surface;
    if (i > 0) on_buf_str(&found, same ? ON_STR("·") : ON_STR(" "));
    append_word(&found, text, &pieces.list[i]);
  }
  on_buf_char(&found, 0);
  assert_false(found.failed);
  bool holds = strcmp(found.p, arrow + 4) == 0;
  if (!holds) {
    print_error("%s:%d: %.*s\n  want  %s\n  found %s\n", file, line, (int)(arrow - at), at, arrow + 4, found.p);
  }
  on_buf_free(&input);
  on_buf_free(&found);
  on_arena_free(&arena);
  return holds;
}

static bool sentences_hold(const on_segmentation *data, const char *file, int line, char *at) {
  static const char bar[] = "‖ ";
  on_arena arena = {0};
  on_buf input = {0}, found = {0}, want = {0};
  unescape(&want, at, at + strlen(at));
  on_buf_char(&want, 0);
  for (const char *c = want.p; *c;) {
    if (strncmp(c, bar, sizeof bar - 1) == 0) c += sizeof bar - 1;
    else on_buf_char(&input, *c++);
  }
  on_str16 text;
  on_pieces pieces;
  on_error error;
  uint8_t starts[512];
  assert_true(on_utf16_from_utf8(&arena, on_buf_view(&input), &text, &error));
  assert_true(tokenize(&arena, data, text, 0, text.n, &pieces, &error));
  assert_true(pieces.n <= sizeof starts);
  assert_true(on_sentencize(data, text, 0, text.n, &pieces, starts, &error));
  size_t end = 0;
  for (size_t i = 0; i < pieces.n; i++) {
    if (pieces.list[i].start < end) {  // another word of the same whole surface token
      assert_false(starts[i]);
      continue;
    }
    on_utf8_append(&found, on_str16_sub(text, end, pieces.list[i].start));
    if (i > 0 && starts[i]) on_buf_str(&found, on_str_c(bar));
    on_utf8_append(&found, on_str16_sub(text, pieces.list[i].start, pieces.list[i].end));
    end = pieces.list[i].end;
  }
  on_buf_char(&found, 0);
  assert_false(found.failed || input.failed || want.failed);
  bool holds = strcmp(found.p, want.p) == 0;
  if (!holds) print_error("%s:%d:\n  want  %s\n  found %s\n", file, line, want.p, found.p);
  on_buf_free(&input);
  on_buf_free(&found);
  on_buf_free(&want);
  on_arena_free(&arena);
  return holds;
}

static void test_english(void **state) {
  (void)state;
  run_cases("english", "tests/tokenize/english.txt", tokens_hold);
}

static void test_neutral(void **state) {
  (void)state;
  run_cases("neutral", "tests/tokenize/neutral.txt", tokens_hold);
}

static void test_none(void **state) {
  (void)state;
  run_cases("none", "tests/tokenize/none.txt", tokens_hold);
}

// Every data set of a language has its cases in tests/tokenize/<name>.txt.
static void test_languages(void **state) {
  (void)state;
  size_t n = 0;
  for (size_t i = 0; on_segmentation_at(i); i++) {
    on_str name = on_segmentation_name(on_segmentation_at(i));
    if (on_str_eq(name, ON_STR("none")) || on_str_eq(name, ON_STR("neutral"))) continue;
    char file[128];
    snprintf(file, sizeof file, "tests/tokenize/%.*s.txt", (int)name.n, name.p);
    run_cases(name.p, file, tokens_hold);
    n++;
  }
  assert_true(n >= 13);
}

static void test_rule(void **state) {
  (void)state;
  run_cases("rule", "tests/tokenize/rule.txt", tokens_hold);
}

static void test_english_sentences(void **state) {
  (void)state;
  run_cases("english", "tests/tokenize/english.sentences.txt", sentences_hold);
}

static void test_language_sentences(void **state) {
  (void)state;
  static const char *const names[] = {"french", "greek", "irish", "italian", "korean", "portuguese", "russian",
                                      "turkish", "ukrainian", "vietnamese", "welsh"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[128];
    snprintf(file, sizeof file, "tests/tokenize/%s.sentences.txt", names[i]);
    run_cases(names[i], file, sentences_hold);
  }
}

static void test_listing(void **state) {
  (void)state;
  size_t n = 0;
  while (on_segmentation_at(n)) {
    assert_ptr_equal(on_segmentation_find(on_segmentation_name(on_segmentation_at(n))), on_segmentation_at(n));
    n++;
  }
  assert_true(n >= 3);
  assert_null(on_segmentation_at(n + 5));
  assert_null(on_segmentation_find(ON_STR("klingon")));
  const on_segmentation *english = on_segmentation_find(ON_STR("english"));
  assert_ptr_equal(on_segmentation_for_language(ON_STR("en")), english);
  assert_ptr_equal(on_segmentation_for_language(ON_STR("en-GB")), english);
  assert_ptr_equal(on_segmentation_for_language(ON_STR("tlh")), on_segmentation_find(ON_STR("neutral")));
}

// What holds for every tokenizer and text: tokens in order, not empty, all that is not white space in
// exactly one surface token, no cut inside a grapheme cluster.
static void check(const on_segmentation *data, on_str16 text, size_t from, size_t to) {
  on_arena arena = {0};
  on_pieces pieces;
  on_error error;
  assert_true(tokenize(&arena, data, text, from, to, &pieces, &error));
  uint8_t *inside = calloc(text.n + 1, 1), *starts = calloc(pieces.n + 1, 1);
  assert_non_null(inside);
  assert_non_null(starts);
  size_t end = from, surfaces = 0;
  for (size_t i = 0; i < pieces.n; i++) {
    const on_piece *piece = &pieces.list[i];
    bool new_surface = i == 0 || piece->surface != pieces.list[i - 1].surface;
    assert_true(piece->start < piece->end && piece->end <= to);
    if (new_surface) assert_int_equal(piece->surface, surfaces++);
    bool whole = !new_surface && piece->start == pieces.list[i - 1].start && piece->form.p;
    assert_true(piece->start >= end || whole);
    if (!new_surface && !whole) assert_int_equal(piece->start, end);
    end = piece->end;
    for (size_t k = piece->start; k < piece->end; k++) inside[k] = 1;
    assert_false(piece->start > from && on_is_low_surrogate(text.p[piece->start]) &&
                 on_is_high_surrogate(text.p[piece->start - 1]));
  }
  assert_int_equal(surfaces, pieces.surfaces);
  for (size_t i = from; i < to;) {
    size_t start = i;
    bool space = on_is_space(on_utf16_next((on_str16){text.p, to}, &i));
    assert_int_equal(inside[start], !space);
  }
  // Cuts: every piece starts at a cluster, unless white space is before it.
  on_str16 range = on_str16_sub(text, from, to);
  size_t k = 0;
  for (size_t i = 0; i < range.n; i = on_next_grapheme_break(range, i)) {
    while (k < pieces.n && pieces.list[k].start - from < i) k++;
    if (k < pieces.n && pieces.list[k].start - from == i) continue;
    if (k < pieces.n && i + 1 < range.n) {
      size_t next = on_next_grapheme_break(range, i);
      size_t start = pieces.list[k].start - from;
      bool cut = start > i && start < next && !on_is_space(range.p[start - 1]);
      if (cut) {
        for (size_t u = 0; u < range.n; u++) print_error(" %04X%s", range.p[u], u == start ? "<" : "");
        fail_msg("a cut inside a cluster at %zu", start);
      }
    }
  }
  if (data) {
    assert_true(on_sentencize(data, text, from, to, &pieces, starts, &error));
    for (size_t i = 0; i < pieces.n; i++) {
      assert_true(starts[i] <= 1);
      if (i == 0) assert_int_equal(starts[i], 1);
      else if (pieces.list[i].surface == pieces.list[i - 1].surface) assert_int_equal(starts[i], 0);
    }
  }
  free(inside);
  free(starts);
  on_arena_free(&arena);
}

static const uint32_t CHARACTERS[] = {
  'a', 'B', 'I', 's', 't', 'n', '1', '9', ' ', ' ', '\n', '\r', '\t', '.', '.', ',', '\'', '"', '-', '/', ':', ')', '(',
  '@', '#', '$', '%', '&', '*', '_', '+', '=', '<', '>', '!', '?', ';', '|', 0xA0, 0xAD, 0xE9, 0x130, 0x300, 0x301,
  0x600, 0x5D0, 0x627, 0x915, 0x94D, 0x937, 0x1100, 0x1161, 0x11A8, 0x200B, 0x200D, 0x2019, 0x2018, 0x2026, 0x2028,
  0x3000, 0x3042, 0x30AB, 0x4E00, 0xFE0F, 0xFEFF, 0x1F1E6, 0x1F1E7, 0x1F469, 0x1F3FD, 0x1F600, 0x110BD, 0xD800, 0xDC00,
};
static const char *const SNIPPETS[] = {
  "http://", "www.", "a@b.com", "don't", "U.S.", "Mr. ", "e.g.", "5pm", "$3M", ":)", "cannot", "12/31/2001", "x.doc",
  "non-", "'s", "...", "\n\n", "dogs' ", "A&B", "J. ", "’", "can’t've", "10:30",
};

static void test_random(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 20260101);
  uint16_t units[512];
  for (int round = 0; round < 600; round++) {
    size_t n = 0, goal = on_random_below(&random, 120);
    while (n < goal) {
      if (on_random_below(&random, 3) == 0) {
        const char *snippet = SNIPPETS[on_random_below(&random, sizeof SNIPPETS / sizeof *SNIPPETS)];
        n += on_utf16_write(units + n, on_str_c(snippet));
      } else {
        n += on_utf16_put(units + n, CHARACTERS[on_random_below(&random, sizeof CHARACTERS / sizeof *CHARACTERS)]);
      }
    }
    on_str16 text = {units, n};
    size_t from = n > 0 ? on_random_below(&random, (uint32_t)n) : 0;
    for (size_t i = 0; on_segmentation_at(i); i++) {
      check(on_segmentation_at(i), text, 0, n);
      check(on_segmentation_at(i), text, from, n);
    }
    check(NULL, text, 0, n);
  }
  check(NULL, (on_str16){NULL, 0}, 0, 0);
  check(on_segmentation_find(ON_STR("english")), (on_str16){NULL, 0}, 0, 0);
}

static void test_no_memory(void **state) {
  (void)state;
  uint16_t units[64];
  on_str16 text = {units, on_utf16_write(units, ON_STR("We can't go to the U.S. now, Mr. Smith. No?"))};
  const on_segmentation *data = on_segmentation_find(ON_STR("english"));
  size_t before = on_alloc_used();
  for (size_t n = 1; n < 100; n++) {
    on_arena arena = {0};
    on_pieces pieces;
    on_error error;
    uint8_t starts[64];
    on_alloc_fail_at(n, 1);
    bool ok = on_tokenize_uax(&arena, data, NULL, text, 0, text.n, &pieces, &error) &&
              on_sentencize(data, text, 0, text.n, &pieces, starts, &error);
    on_alloc_fail_at(0, 0);
    on_arena_free(&arena);
    assert_int_equal(on_alloc_used(), before);
    if (ok) {
      assert_true(n > 2);
      return;
    }
    assert_int_equal(error.code, ON_OUT_OF_MEMORY);
  }
  fail_msg("it never succeeded");
}

static double seconds(const on_segmentation *data, on_str16 text) {
  on_arena arena = {0};
  on_pieces pieces;
  on_error error;
  clock_t start = clock();
  assert_true(tokenize(&arena, data, text, 0, text.n, &pieces, &error));
  uint8_t *starts = malloc(pieces.n + 1);
  assert_non_null(starts);
  if (data) assert_true(on_sentencize(data, text, 0, text.n, &pieces, starts, &error));
  double time = (double)(clock() - start) / CLOCKS_PER_SEC;
  free(starts);
  on_arena_free(&arena);
  return time;
}

// A quadratic step in any of these would take a minute and more, the linear ones take a tenth of a second.
static void test_linear(void **state) {
  (void)state;
  static const char *const parts[] = {
    "a", "A", "1", "(", ")", ".", "'", "-", "@", "#", "http://", "http://)", "www.a<", "a@", "a.", "A.", "a.b", "1/", "1:",
    "1-", "don't", "n't", "'s", "a-", "non-", "a&", "_", " ", "\n", ". ", "Mr. ", "U.S.", "U.S. ", ":)", "(:", "x.doc", "+1",
    "$", "$1", "e\u0301", "\u0301", "\U0001F1E6", "\U0001F469\u200D", "?!", "s'", "\"", "etc.)", "a.com/", "I. ", "A&B'", "5'", "$1a",
    "http://a\u0600.", ".\u0301", "...\u0301", "a\u0600.b",
  };
  const size_t n = 1u << 18;
  uint16_t *units = malloc(n * sizeof *units);
  assert_non_null(units);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    uint16_t part[16];
    size_t length = on_utf16_write(part, on_str_c(parts[k]));
    for (size_t i = 0; i < n; i++) units[i] = part[i % length];
    if (k % 2) units[n - 2] = 0x600, units[n - 1] = 0x301;  // what extends the last cluster changes where things end
    for (size_t i = 0; i <= 3; i++) {
      const on_segmentation *data = i < 3 ? on_segmentation_at(i) : NULL;
      double all = seconds(data, (on_str16){units, n});
      if (getenv("ONENLP_SHOW_TIMES")) print_error("%zu \"%s\" %.3f s\n", i, parts[k], all);
      if (all > 3) fail_msg("\"%s\": %.2f s for 256 K units", parts[k], all);
    }
  }
  free(units);
}

// ASCII is taken by a short way, and what stands before a combining mark by the long one: the kinds must agree.
static void test_ascii_kinds(void **state) {
  (void)state;
  for (uint16_t c = 0; c < 0x80; c++) {
    uint16_t alone[] = {c, 'x'}, marked[] = {c, 0x301};
    on_arena arena = {0};
    uint16_t *a = on_scan_flags(&arena, alone, 2, false), *b = on_scan_flags(&arena, marked, 2, false);
    assert_true(a && b);
    assert_int_equal(a[0], b[0]);
    bool space = on_is_space(c);
    assert_int_equal((a[0] & ON_F_SPACE) != 0, space);
    assert_int_equal((a[0] & ON_F_UPPER) != 0, on_is_upper(c));
    assert_int_equal((a[0] & ON_F_SIGN) != 0, on_is_punctuation(c) || on_is_symbol(c));
    assert_true((a[1] & ON_F_CLUSTER) != 0);
    // What follows white space is set apart.
    assert_int_equal((b[1] & ON_F_CLUSTER) != 0, space || c < 0x20 || c == 0x7F);
    assert_int_equal((b[1] & ON_F_WORD) != 0, space);
    on_arena_free(&arena);
  }
}

// So are segments of UAX #29.
static void test_ascii_segments(void **state) {
  (void)state;
  static const char often[] = "aB1_'.:,;- \r\n\"";
  on_random random;
  on_random_seed(&random, 3);
  for (int round = 0; round < 4000; round++) {
    uint16_t text[12];
    size_t n = 1 + on_random_below(&random, 12);
    for (size_t i = 0; i < n; i++) {
      uint32_t kind = on_random_below(&random, 12);
      text[i] = kind == 0 ? (uint16_t)on_random_below(&random, 0x80) : kind == 1 ? 0xE9 : kind == 2 ? 0x301
                : (uint16_t)often[on_random_below(&random, sizeof often - 1)];
    }
    bool starts[12] = {false};
    for (size_t i = 0; i < n; i = on_next_word_break((on_str16){text, n}, i)) starts[i] = true;
    on_arena arena = {0};
    uint16_t *flags = on_scan_flags(&arena, text, n, true);
    assert_non_null(flags);
    for (size_t i = 0; i < n; i++) {
      bool apart = on_is_space(text[i]) || (i > 0 && on_is_space(text[i - 1]));
      assert_int_equal((flags[i] & ON_F_WORD) != 0, starts[i] || apart);
    }
    on_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_english), cmocka_unit_test(test_neutral), cmocka_unit_test(test_none),
    cmocka_unit_test(test_rule),    cmocka_unit_test(test_languages), cmocka_unit_test(test_english_sentences),
    cmocka_unit_test(test_language_sentences),
    cmocka_unit_test(test_listing), cmocka_unit_test(test_random),
    cmocka_unit_test(test_ascii_kinds), cmocka_unit_test(test_ascii_segments),
    cmocka_unit_test(test_no_memory), cmocka_unit_test(test_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
