/* Docs from a tokenizer's words, and units of sentences. */
#include "pipeline/pipeline.h"
#include "pipeline/units.h"
#include "test.h"
#include "text/utf.h"

static on_arena arena;

static on_str16 units_of(const char *text) {
  on_str16 out;
  assert_true(on_utf16_from_utf8(&arena, on_str_c(text), &out, NULL));
  return out;
}

static void expect_utf8(on_str16 s, const char *text) {
  on_str got = on_utf8_from_utf16(&arena, s);
  if (!on_str_eq(got, on_str_c(text))) fail_msg("got '%.*s', want '%s'", (int)got.n, got.p, text);
}

static void expect_form(const on_doc *doc, size_t i, const char *text) {
  on_str got = on_doc_form(doc, i, &arena);
  if (!on_str_eq(got, on_str_c(text))) fail_msg("form %zu is '%.*s', want '%s'", i, (int)got.n, got.p, text);
}

static on_doc doc_of(const char *text, const on_piece *pieces, size_t n) {
  on_doc doc;
  on_doc_init(&doc);
  on_str16 source = units_of(text);
  assert_true(on_doc_from_pieces(&doc, source, 0, (uint32_t)source.n, pieces, n, NULL));
  return doc;
}

static void test_plain(void **state) {
  (void)state;
  on_piece pieces[] = {{1, 3, 4, ON_STR_NONE}, {3, 4, 5, ON_STR_NONE}};
  on_doc doc = doc_of(" Hi! ", pieces, 2);
  assert_int_equal(doc.n, 2);
  assert_int_equal(doc.mwt_count, 0);
  assert_null(doc.form);
  assert_false(doc.respelled);
  assert_int_equal(doc.sent_start[0], 1);
  assert_int_equal(doc.sent_start[1], 0);
  expect_utf8(doc.text, " Hi! ");
  expect_utf8(on_doc_token(&doc, 0), "Hi");
  expect_utf8(on_doc_token(&doc, 1), "!");
  on_doc_free(&doc);
}

/* A unit in the middle of a text: offsets in the Doc's text are its own, source offsets the whole text's. */
static void test_part(void **state) {
  (void)state;
  on_str16 source = units_of("One. Two. Three.");
  on_piece pieces[] = {{5, 8, 2, ON_STR_NONE}, {8, 9, 3, ON_STR_NONE}};
  on_doc doc;
  on_doc_init(&doc);
  assert_true(on_doc_from_pieces(&doc, source, 5, 10, pieces, 2, NULL));
  expect_utf8(doc.text, "Two. ");
  assert_int_equal(doc.start[0], 0);
  assert_int_equal(doc.source_start[0], 5);
  assert_int_equal(doc.end[1], 4);
  assert_int_equal(doc.source_end[1], 9);
  assert_int_equal(doc.unit_start, 5);
  assert_int_equal(doc.unit_end, 10);
  on_doc_free(&doc);
}

static void test_divided(void **state) {
  (void)state;
  /* don't: each word has its slice; won't: the first word is spelled otherwise. */
  on_piece pieces[] = {
      {0, 2, 0, ON_STR_NONE}, {2, 5, 0, ON_STR_NONE}, {6, 8, 1, ON_STR("will")}, {8, 11, 1, ON_STR("n't")}};
  on_doc doc = doc_of("don't won't", pieces, 4);
  assert_int_equal(doc.mwt_count, 2);
  assert_int_equal(doc.mwts[1].first, 2);
  assert_int_equal(doc.mwts[1].count, 2);
  assert_true(on_str_eq(doc.mwts[1].form, ON_STR("won't")));
  assert_int_equal(doc.mwts[1].source_start, 6);
  assert_int_equal(doc.mwts[1].source_end, 11);
  expect_form(&doc, 0, "do");
  expect_form(&doc, 2, "will");
  expect_utf8(on_doc_token(&doc, 2), "wo");
  assert_null(doc.form[3].p);  /* its own form is its slice */
  expect_form(&doc, 3, "n't");
  on_doc_free(&doc);
}

/* Words that all have the surface form's extent: pieces of nearly equal length, longer ones first. */
static void test_shared(void **state) {
  (void)state;
  on_piece pieces[] = {{0, 3, 0, ON_STR("de")}, {0, 3, 0, ON_STR("el")}, {4, 7, 1, ON_STR_NONE}};
  on_doc doc = doc_of("del mar", pieces, 3);
  expect_utf8(on_doc_token(&doc, 0), "de");
  expect_utf8(on_doc_token(&doc, 1), "l");
  expect_form(&doc, 1, "el");
  assert_false(doc.respelled);
  assert_int_equal(doc.source_end[0], 2);
  assert_int_equal(doc.source_start[1], 2);
  assert_int_equal(doc.source_end[1], 3);
  assert_int_equal(doc.mwt_count, 1);
  on_doc_free(&doc);
  /* a form that differs from its slice in the last character only */
  on_piece last[] = {{0, 3, 0, ON_STR("de")}, {0, 3, 0, ON_STR("os")}};
  doc = doc_of("dos", last, 2);
  expect_utf8(on_doc_token(&doc, 0), "do");
  expect_form(&doc, 0, "de");
  expect_form(&doc, 1, "os");
  on_doc_free(&doc);
}

/* A cut never falls inside a surrogate pair. */
static void test_shared_pairs(void **state) {
  (void)state;
  on_piece pieces[] = {{0, 6, 0, ON_STR("x")}, {0, 6, 0, ON_STR("y")}};
  on_doc doc = doc_of("\xF0\x90\x90\x80\xF0\x90\x90\x81\xF0\x90\x90\x82", pieces, 2);
  expect_utf8(on_doc_token(&doc, 0), "\xF0\x90\x90\x80\xF0\x90\x90\x81");
  expect_utf8(on_doc_token(&doc, 1), "\xF0\x90\x90\x82");
  on_doc_free(&doc);
}

/* Fewer characters than words: Doc.Text spells the words, and the map leads back. */
static void test_respelled(void **state) {
  (void)state;
  on_piece pieces[] = {{0, 3, 0, ON_STR_NONE}, {4, 5, 1, ON_STR("a")}, {4, 5, 1, ON_STR("a")}, {6, 9, 2, ON_STR_NONE}};
  on_doc doc = doc_of("Vou \xC3\xA0 rua ", pieces, 4);
  assert_true(doc.respelled);
  expect_utf8(doc.text, "Vou a a rua ");
  expect_utf8(doc.source, "Vou \xC3\xA0 rua ");
  expect_utf8(on_doc_token(&doc, 1), "a");
  expect_utf8(on_doc_token(&doc, 3), "rua");
  assert_int_equal(doc.start[3], 8);
  assert_int_equal(doc.source_start[3], 6);
  assert_int_equal(doc.source_start[1], 4);
  assert_int_equal(doc.source_end[2], 5);
  assert_int_equal(doc.mwt_count, 1);
  assert_true(on_str_eq(doc.mwts[0].form, ON_STR("\xC3\xA0")));
  on_doc_free(&doc);
}

/* ---- units of sentences */

typedef struct sentences {
  on_conllu_sentence list[16];
  const on_conllu_sentence *pointers[16];
  on_str comments[16];
  size_t n;
} sentences;

static void add(sentences *s, size_t words, const char *comment) {
  on_conllu_sentence *sentence = &s->list[s->n];
  *sentence = (on_conllu_sentence){.word_count = words};
  if (comment) {
    s->comments[s->n] = on_str_c(comment);
    sentence->comments = &s->comments[s->n];
    sentence->comment_count = 1;
  }
  s->pointers[s->n++] = sentence;
}

static void expect_units(const sentences *s, const on_unit *want, size_t count) {
  on_unit *units;
  size_t n;
  assert_true(on_units_from_sentences(&arena, s->pointers, s->n, 0, &units, &n, NULL));
  assert_int_equal(n, count);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(units[i].first, want[i].first);
    assert_int_equal(units[i].end, want[i].end);
    assert_int_equal(units[i].words, want[i].words);
    assert_int_equal(units[i].paragraph_start, want[i].paragraph_start);
  }
}

static void test_units(void **state) {
  (void)state;
  sentences s = {.n = 0};
  add(&s, 300, "# newdoc id = a");
  add(&s, 212, NULL);              /* 512 in all: still the same unit */
  add(&s, 1, "# text = newpar");   /* not a mark */
  add(&s, 5, "# newpar");
  add(&s, 5, "# newparagraph");    /* not a mark */
  add(&s, 5, "#newpar id = 3");
  add(&s, 700, NULL);              /* longer than a unit: alone */
  add(&s, 2, NULL);
  expect_units(&s, (const on_unit[]){{0, 2, 512, true}, {2, 3, 1, false}, {3, 5, 10, true}, {5, 6, 5, true},
                                     {6, 7, 700, false}, {7, 8, 2, false}},
               6);
  sentences none = {.n = 0};
  expect_units(&none, NULL, 0);
}

static int free_arena(void **state) {
  (void)state;
  on_arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),        cmocka_unit_test(test_part),      cmocka_unit_test(test_divided),
      cmocka_unit_test(test_shared),       cmocka_unit_test(test_shared_pairs), cmocka_unit_test(test_respelled),
      cmocka_unit_test(test_units),
  };
  return cmocka_run_group_tests(tests, NULL, free_arena);
}
