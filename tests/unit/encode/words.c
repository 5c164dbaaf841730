// Lists of words: what may stand in them, and where their words are found.
#include "encode/words.h"

#include "base/alloc.h"
#include "test.h"
#include "text/utf.h"

typedef struct made {
  on_arena arena;
  on_json *json;
  on_words words;
} made;

static bool make(made *m, const char *settings, on_error *error) {
  *m = (made){0};
  m->json = on_json_parse(on_str_c(settings), 8, error);
  if (!m->json) fail_msg("%s: %s", settings, error->text);
  return on_words_read(&m->words, &m->arena, m->json, "settings", error);
}

static void end(made *m) {
  on_json_free(m->json);
  on_arena_free(&m->arena);
}

static uint32_t find(made *m, const char *text) {
  on_str16 units;
  assert_true(on_utf16_from_utf8(&m->arena, on_str_c(text), &units, NULL));
  return on_words_find(&m->words, units);
}

static void read(void **state) {
  (void)state;
  made m;
  on_error error;
  assert_true(make(&m, "{}", &error));
  assert_int_equal(m.words.tokens, 0);
  assert_int_equal(find(&m, "cat"), UINT32_MAX);
  end(&m);
  assert_true(make(&m, "{\"wordTokens\": 16, \"wordLists\": [\"cat\\n2 cats\", \"\", \"😀\"]}", &error));
  assert_int_equal(m.words.lists, 3);
  assert_int_equal(m.words.n, 3);
  assert_int_equal(find(&m, "cat"), 0);
  assert_int_equal(find(&m, "2 cats"), 1);
  assert_int_equal(find(&m, "😀"), 2);
  assert_int_equal(m.words.list[1].list, 0);
  assert_int_equal(m.words.list[2].list, 2);
  assert_int_equal(find(&m, "ca"), UINT32_MAX);
  assert_int_equal(find(&m, "a cat that is longer than every word"), UINT32_MAX);
  on_buf out = {0};
  on_words_write(&m.words, &out);
  on_buf_char(&out, 0);
  assert_string_equal(out.p, "[\"cat\\n2 cats\", \"\", \"😀\"]");
  on_buf_free(&out);
  end(&m);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *settings, *part;
  } cases[] = {
      {"{\"wordTokens\": 2}", "wordLists: want an array"},
      {"{\"wordLists\": [\"cat\"]}", "wordTokens with it"},
      {"{\"wordTokens\": 17, \"wordLists\": [\"cat\"]}", "wordTokens"},
      {"{\"wordTokens\": 2, \"wordLists\": []}", "1 to 128 strings"},
      {"{\"wordTokens\": 2, \"wordLists\": \"cat\"}", "1 to 128 strings"},
      {"{\"wordTokens\": 2, \"wordLists\": [\"cat\", 1]}", "wordLists[1]: must be a string"},
      {"{\"wordTokens\": 2, \"wordLists\": [\"cat\\n\\ndog\"]}", "wordLists[0]: \"\" is not a word"},
      {"{\"wordTokens\": 2, \"wordLists\": [\"cat\", \"dog\\ncat\"]}", "wordLists[1]: \"cat\" stands there twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    made m;
    on_error error = {0};
    if (make(&m, cases[i].settings, &error)) fail_msg("%s: taken", cases[i].settings);
    if (!strstr(error.text, cases[i].part)) fail_msg("%s: \"%s\"", cases[i].settings, error.text);
    assert_int_equal(error.code, ON_INVALID_DATA);
    end(&m);
  }
  on_buf text = {0};
  for (int lists = 128; lists <= 129; lists++) {
    on_buf_clear(&text);
    on_buf_str(&text, ON_STR("{\"wordTokens\": 2, \"wordLists\": [\"\""));
    for (int i = 1; i < lists; i++) on_buf_str(&text, ON_STR(", \"\""));
    on_buf_str(&text, ON_STR("]}"));
    on_buf_char(&text, 0);
    made m;
    on_error error = {0};
    assert_int_equal(make(&m, text.p, &error), lists == 128);
    end(&m);
  }
  for (int units = 256; units <= 257; units++) {
    on_buf_clear(&text);
    on_buf_str(&text, ON_STR("{\"wordTokens\": 2, \"wordLists\": [\""));
    for (int i = 0; i < units; i++) on_buf_char(&text, 'a');
    on_buf_str(&text, ON_STR("\"]}"));
    on_buf_char(&text, 0);
    made m;
    on_error error = {0};
    assert_int_equal(make(&m, text.p, &error), units == 256);
    end(&m);
  }
  on_buf_free(&text);
}

// The characters of a text as tokens.
static void make_doc(on_doc *doc, const char *text) {
  on_doc_init(doc);
  assert_true(on_utf16_from_utf8(&doc->arena, on_str_c(text), &doc->text, NULL));
  assert_true(on_doc_set_tokens(doc, doc->text.n));
  for (uint32_t i = 0; i < doc->n; i++) {
    doc->start[i] = i;
    doc->end[i] = i + 1;
  }
}

static void matches(void **state) {
  (void)state;
  made m;
  on_error error;
  assert_true(make(&m, "{\"wordTokens\": 4, \"wordLists\": [\"ab\\nabab\", \"a\\nb a\\nababa\"]}", &error));
  on_doc doc;
  make_doc(&doc, "xababab a");
  static const struct {
    uint32_t first, tokens, word;
  } expected[] = {{1, 1, 2}, {1, 2, 0}, {1, 4, 1}, {3, 1, 2}, {3, 2, 0}, {3, 4, 1}, {5, 1, 2}, {5, 2, 0}, {6, 3, 3}, {8, 1, 2}};
  size_t at = 0;
  for (size_t i = 0; i < doc.n; i++) {
    on_word_match found[ON_MAX_WORD_TOKENS];
    size_t n = on_words_match(&m.words, &doc, i, found);
    for (size_t k = 0; k < n; k++, at++) {
      assert_true(at < sizeof expected / sizeof *expected);
      assert_int_equal(found[k].first, expected[at].first);
      assert_int_equal(found[k].tokens, expected[at].tokens);
      assert_int_equal(found[k].word, expected[at].word);
    }
  }
  assert_int_equal(at, sizeof expected / sizeof *expected);
  // of list 1, four tokens long at most: begins, stands inside, ends
  assert_int_equal(on_word_rows(&m.words), 2 * 3 * 4);
  assert_int_equal(on_word_row(&m.words, 1, 3, 0), 12 + 2);
  assert_int_equal(on_word_row(&m.words, 1, 3, 1), 12 + 8 + 2);
  assert_int_equal(on_word_row(&m.words, 1, 3, 2), 12 + 4 + 2);
  assert_int_equal(on_word_row(&m.words, 0, 1, 0), 0);
  on_doc_free(&doc);
  end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(read), cmocka_unit_test(refused), cmocka_unit_test(matches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
