// Docs of given tokens cut into units: at paragraphs, at the most words, never through an entity or a multiword
// token; and their parts.
#include "doc/cut.h"

#include "doc/unit.h"
#include "test.h"

// Tokens of one character: letters with a blank behind each, '\n' makes a paragraph's end.
static void make_doc(on_doc *doc, const char *letters) {
  size_t n = 0, units = 0, length = strlen(letters);
  on_doc_init(doc);
  uint16_t *text = ON_NEW(&doc->arena, uint16_t, 2 * length);
  assert_non_null(text);
  assert_true(on_doc_set_tokens(doc, length));
  for (const char *c = letters; *c; c++) {
    if (*c == '\n') {
      text[units++] = '\n';
      text[units++] = '\n';
      continue;
    }
    doc->start[n] = doc->source_start[n] = (uint32_t)units;
    doc->end[n] = doc->source_end[n] = (uint32_t)units + 1;
    text[units++] = (uint16_t)*c;
    text[units++] = ' ';
    n++;
  }
  doc->n = n;
  doc->source = doc->text = (on_str16){text, units};
  doc->unit_end = (uint32_t)units;
}

static void long_doc(on_doc *doc, size_t n) {
  char *letters = malloc(n + 1);
  assert_non_null(letters);
  memset(letters, 'a', n);
  letters[n] = 0;
  make_doc(doc, letters);
  free(letters);
}

static void wants(const on_doc *doc, const size_t *ends, size_t count) {
  on_doc_cut cut = {.doc = doc};
  size_t first, end, at = 0, i = 0;
  while (on_doc_cut_next(&cut, &first, &end)) {
    assert_true(i < count);
    assert_int_equal(first, at);
    if (end != ends[i]) fail_msg("unit %zu ends at %zu, want %zu", i, end, ends[i]);
    at = end;
    i++;
  }
  assert_int_equal(i, count);
  assert_int_equal(at, doc->n);
}
#define COUNT(...) (sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))
#define WANTS(doc, ...) wants(doc, (const size_t[]){__VA_ARGS__}, COUNT(__VA_ARGS__))

static void paragraphs(void **state) {
  (void)state;
  on_doc doc;
  make_doc(&doc, "abc\nd\nef");
  WANTS(&doc, 3, 4, 6);
  on_doc_free(&doc);
  make_doc(&doc, "\nab\n");
  WANTS(&doc, 2);
  on_doc_free(&doc);
  make_doc(&doc, "");
  on_doc_cut cut = {.doc = &doc};
  size_t first, end;
  assert_false(on_doc_cut_next(&cut, &first, &end));
  on_doc_free(&doc);
}

static void most_words(void **state) {
  (void)state;
  on_doc doc;
  long_doc(&doc, ON_UNIT_WORDS);
  WANTS(&doc, ON_UNIT_WORDS);
  on_doc_free(&doc);
  long_doc(&doc, 2 * ON_UNIT_WORDS + 3);
  WANTS(&doc, ON_UNIT_WORDS, 2 * ON_UNIT_WORDS, 2 * ON_UNIT_WORDS + 3);
  doc.sent_start[500] = doc.sent_start[100] = doc.sent_start[1012] = 1;
  WANTS(&doc, 500, 1012, 2 * ON_UNIT_WORDS + 3);
  // an entity over the sentence start, and a multiword token over the last word that fits
  on_span ents[] = {{499, 501, ON_STR("X"), 1}};
  doc.ents = ents;
  doc.ent_count = 1;
  WANTS(&doc, 100, 612, 2 * ON_UNIT_WORDS + 3);
  doc.sent_start[100] = 0;
  on_mwt mwts[] = {{.first = 510, .count = 3}};
  doc.mwts = mwts;
  doc.mwt_count = 1;
  WANTS(&doc, 510, 1012, 2 * ON_UNIT_WORDS + 3);
  // longer than a unit: cut all the same
  ents[0] = (on_span){0, 600, ON_STR("X"), 1};
  doc.sent_start[500] = doc.sent_start[1012] = 0;
  doc.mwt_count = 0;
  WANTS(&doc, ON_UNIT_WORDS, 2 * ON_UNIT_WORDS, 2 * ON_UNIT_WORDS + 3);
  on_doc_free(&doc);
}

static void parts(void **state) {
  (void)state;
  on_doc doc, part;
  make_doc(&doc, "abcdef\ngh");
  on_doc_init(&part);
  on_str lemmas[8];
  for (size_t i = 0; i < 8; i++) lemmas[i] = (on_str){&"ABCDEFGH"[i], 1};
  uint32_t heads[] = {1, 1, 3, 0, 6, 4, 6, 7};
  on_span ents[] = {{0, 1, ON_STR("X"), 1}, {2, 4, ON_STR("Y"), 1}, {5, 7, ON_STR("Z"), 1}};
  on_span spans[] = {{2, 3, ON_STR("S"), 1}, {1, 3, ON_STR("T"), 1}, {2, 6, ON_STR("U"), 1}};
  on_span_group groups[] = {{ON_STR("g"), spans, 3}};
  on_mwt mwts[] = {{.first = 0, .count = 2}, {.first = 4, .count = 2}};
  on_cat cats[] = {{ON_STR("c"), 1}};
  doc.lemma = lemmas;
  doc.head = heads;
  doc.has_ents = true;
  doc.ents = ents;
  doc.ent_count = 3;
  doc.groups = groups;
  doc.group_count = 1;
  doc.mwts = mwts;
  doc.mwt_count = 2;
  doc.cats = cats;
  doc.cat_count = 1;
  assert_true(on_doc_part(&doc, 2, 6, &part));
  assert_int_equal(part.n, 4);
  assert_int_equal(part.sent_start[0], 1);
  assert_int_equal(doc.sent_start[2], 0);
  assert_true(on_str_eq(part.lemma[0], ON_STR("C")));
  assert_null(part.pos);
  assert_int_equal(on_doc_token(&part, 3).p[0], 'f');
  static const uint32_t want[] = {1, 1, 2, 2};  // 3 and 6 point out of it: roots
  assert_memory_equal(part.head, want, sizeof want);
  assert_true(part.has_ents);
  assert_int_equal(part.ent_count, 1);
  assert_int_equal(part.ents[0].first, 0);
  assert_int_equal(part.ents[0].end, 2);
  assert_int_equal(part.groups[0].count, 2);
  assert_true(on_str_eq(part.groups[0].spans[1].label, ON_STR("U")));
  assert_int_equal(part.groups[0].spans[1].end, 4);
  assert_int_equal(part.mwt_count, 1);
  assert_int_equal(part.mwts[0].first, 2);
  assert_int_equal(part.cat_count, 1);
  assert_int_equal(part.unit_start, doc.source_start[2]);
  assert_int_equal(part.unit_end, doc.source_start[6]);
  // all of it is the same Doc
  assert_true(on_doc_part(&doc, 0, 8, &part));
  assert_ptr_equal(part.ents, doc.ents);
  assert_int_equal(part.n, 8);
  on_doc_clear_labels(&part);
  assert_true(!part.lemma && !part.head && !part.has_ents && !part.groups && !part.cats);
  assert_true(doc.has_ents && doc.lemma);
  on_doc_free(&part);
  on_doc_free(&doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paragraphs),
      cmocka_unit_test(most_words),
      cmocka_unit_test(parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
