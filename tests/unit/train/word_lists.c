// Word lists made from training data, and what they say of a word where its own occurrence is not known.
#include "train/word_lists.h"

#include "base/alloc.h"
#include "test.h"
#include "text/utf.h"
#include "train/word_counts.h"

// "ab" is a word twice and divided once, "cd" always divided, "ef" a word once, "gh" a word twice.
static const char data[] =
    "1\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tc\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "3\td\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\tef\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    "1\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\ta\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "3\tb\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\tgh\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "5\tgh\t_\t_\t_\t_\t_\t_\t_\t_\n\n";

typedef struct made {
  on_corpus corpus;
  on_doc docs[2];
  on_json *json;
  on_arena arena;
  on_words words;
  on_word_counts counts;
} made;

static void make(made *m, const char *file) {
  *m = (made){0};
  on_error error;
  on_buf out = {0};
  assert_true(on_corpus_add(&m->corpus, on_str_c(data), &error));
  if (file) assert_true(on_word_lists_add(&m->corpus, on_str_c(file), &error));
  for (size_t i = 0; i < 2; i++) {
    on_doc_init(&m->docs[i]);
    assert_true(on_corpus_doc(&m->corpus, i, i + 1, &m->docs[i], &error));
  }
  on_json *settings = on_json_parse(ON_STR("{\"width\": 8, \"wordTokens\": 4}"), 8, &error);
  assert_true(on_word_lists_write(&m->corpus, settings, m->docs, 2, &out, &error));
  on_json_free(settings);
  m->json = on_json_parse(on_buf_view(&out), 8, &error);
  if (!m->json) fail_msg("%s", error.text);
  assert_non_null(on_json_get(m->json, "width"));
  assert_true(on_words_read(&m->words, &m->arena, m->json, "settings", &error));
  on_buf_free(&out);
  m->counts.whole = ON_NEW0(&m->arena, uint32_t, m->words.n);
  m->counts.divided = ON_NEW0(&m->arena, uint32_t, m->words.n);
  for (size_t i = 0; i < 2; i++) on_word_counts_add(&m->counts, &m->words, &m->docs[i]);
}

static void end(made *m) {
  for (size_t i = 0; i < 2; i++) on_doc_free(&m->docs[i]);
  on_json_free(m->json);
  on_arena_free(&m->arena);
  on_corpus_free(&m->corpus);
}

static const on_word *word(made *m, const char *text) {
  on_str16 units;
  assert_true(on_utf16_from_utf8(&m->arena, on_str_c(text), &units, NULL));
  uint32_t at = on_words_find(&m->words, units);
  return at == UINT32_MAX ? NULL : &m->words.list[at];
}

static void of_the_data_alone(void **state) {
  (void)state;
  made m;
  make(&m, NULL);
  assert_int_equal(m.words.lists, ON_WORD_USES);
  assert_int_equal(m.words.n, 7);
  assert_int_equal(word(&m, "ab")->list, ON_WORD_MOSTLY);
  assert_int_equal(word(&m, "ef")->list, ON_WORD_ONCE);
  assert_int_equal(word(&m, "gh")->list, ON_WORD_ALWAYS);
  assert_int_equal(word(&m, "a")->list, ON_WORD_ONCE);
  assert_null(word(&m, "cd"));
  end(&m);
}

static void with_a_file(void **state) {
  (void)state;
  made m;
  make(&m, "# words\ncd\r\n\ngh\nxy\ngh\n");
  assert_int_equal(m.words.lists, 2 * ON_WORD_USES);
  assert_int_equal(m.words.n, 9);
  assert_int_equal(word(&m, "cd")->list, ON_WORD_USES + ON_WORD_DIVIDED);
  assert_int_equal(word(&m, "gh")->list, ON_WORD_USES + ON_WORD_ALWAYS);
  assert_int_equal(word(&m, "xy")->list, ON_WORD_USES + ON_WORD_UNSEEN);
  assert_int_equal(word(&m, "ef")->list, ON_WORD_ONCE);
  end(&m);
}

static uint32_t without(made *m, const on_doc *doc, bool characters, uint32_t first, uint32_t tokens) {
  on_word_match found[ON_MAX_WORD_TOKENS];
  size_t n = on_words_match(&m->words, doc, first, found);
  for (size_t i = 0; i < n; i++) {
    if (found[i].tokens == tokens) return on_word_list_without(&m->counts, &m->words, doc, characters, &found[i]);
  }
  fail_msg("no match");
  return 0;
}

static void leaves_itself_out(void **state) {
  (void)state;
  made m;
  make(&m, "cd\n");
  // words
  assert_int_equal(without(&m, &m.docs[0], false, 0, 1), ON_WORD_MOSTLY);    // ab: once a word, once divided
  assert_int_equal(without(&m, &m.docs[1], false, 1, 2), ON_WORD_ALWAYS);    // a b
  assert_int_equal(without(&m, &m.docs[1], false, 3, 1), ON_WORD_ONCE);      // gh
  assert_int_equal(without(&m, &m.docs[0], false, 3, 1), UINT32_MAX);        // ef
  assert_int_equal(without(&m, &m.docs[0], false, 1, 2), ON_WORD_USES + ON_WORD_UNSEEN);  // c d
  // characters: "abcdef", words ab c d ef
  on_doc doc;
  on_doc_init(&doc);
  assert_true(on_utf16_from_utf8(&doc.arena, ON_STR("abcdef"), &doc.text, NULL));
  assert_true(on_doc_set_tokens(&doc, 6) && on_doc_column(&doc, &doc.tag));
  for (uint32_t i = 0; i < 6; i++) {
    doc.start[i] = i;
    doc.end[i] = i + 1;
    doc.tag[i] = i == 1 || i == 5 ? ON_STR("I") : ON_STR("B");
  }
  assert_int_equal(without(&m, &doc, true, 0, 2), ON_WORD_MOSTLY);
  assert_int_equal(without(&m, &doc, true, 0, 1), ON_WORD_ONCE);  // "a" of "ab" is no occurrence of the word
  assert_int_equal(without(&m, &doc, true, 2, 2), ON_WORD_USES + ON_WORD_UNSEEN);
  assert_int_equal(without(&m, &doc, true, 4, 2), UINT32_MAX);
  doc.tag[2] = ON_STR("I");  // words abc d ef: "ab" and "cd" are neither words nor divided there
  assert_int_equal(without(&m, &doc, true, 0, 2), ON_WORD_MOSTLY);
  assert_int_equal(without(&m, &doc, true, 2, 2), ON_WORD_USES + ON_WORD_DIVIDED);
  on_doc_free(&doc);
  end(&m);
}

static void refused(void **state) {
  (void)state;
  on_corpus corpus = {0};
  on_error error;
  on_buf out = {0};
  for (int i = 0; i < ON_MAX_WORD_FILES; i++) assert_true(on_word_lists_add(&corpus, ON_STR("a\n"), &error));
  assert_false(on_word_lists_add(&corpus, ON_STR("a\n"), &error));
  assert_int_equal(error.code, ON_LIMIT);
  corpus.words[0] = ON_STR("a\n\xFF\n");
  on_json *settings = on_json_parse(ON_STR("{\"wordTokens\": 4}"), 8, &error);
  assert_false(on_word_lists_write(&corpus, settings, NULL, 0, &out, &error));
  assert_non_null(strstr(error.text, "line 2"));
  on_json_free(settings);
  settings = on_json_parse(ON_STR("{\"wordTokens\": 4, \"wordLists\": [\"a\"]}"), 8, &error);
  assert_false(on_word_lists_write(&corpus, settings, NULL, 0, &out, &error));
  on_json_free(settings);
  on_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_the_data_alone), cmocka_unit_test(with_a_file),
                                     cmocka_unit_test(leaves_itself_out), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
