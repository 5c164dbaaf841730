/* The expressions of tokenizers: what matches where, what is refused, and that time stays linear. */
#include "helper.h"
#include "pieces/pattern.h"

static on_pattern *compile(on_arena *arena, const char *expression) {
  on_error error = {0};
  on_pattern *pattern = on_pattern_compile(on_str_c(expression), false, arena, &error);
  if (!pattern) fail_msg("%s", error.text);
  return pattern;
}

/* The matches as "[..]" in the text. */
static void check(const char *expression, const char *text, const char *expected) {
  on_arena arena = {0};
  on_flow flow;
  on_str16 units;
  on_buf found = {0};
  assert_true(on_utf16_from_utf8(&arena, on_str_c(text), &units, NULL));
  assert_true(on_flow_start(&flow, units, NULL));
  assert_true(on_pattern_mark(compile(&arena, expression), &flow, &flow.spans.p[0], NULL));
  for (size_t i = 0, m = 0; i <= flow.chars.n; i++) {
    if (m > 0 && flow.marks[m - 1] == i) on_buf_char(&found, ']');
    if (m < flow.mark_count && flow.marks[m] == i) {
      on_buf_char(&found, '[');
      m += 2;
    }
    if (i < flow.chars.n) on_buf_codepoint(&found, flow.chars.p[i].c);
  }
  on_buf_char(&found, 0);
  assert_string_equal(found.p, expected);
  on_buf_free(&found);
  on_flow_free(&flow);
  on_arena_free(&arena);
}

static void matches(void **state) {
  (void)state;
  check("a|ab", "abab", "[a]b[a]b");                 /* the first alternative wins */
  check("ab|a", "aab", "[a][ab]");
  check("a{2,3}", "aaaaaaa", "[aaa][aaa]a");
  check("a{2,3}?", "aaaaa", "[aa][aa]a");
  check("a{2,}", "a aa aaa", "a [aa] [aaa]");
  check("(ab)+c?", "ababcab", "[ababc][ab]");
  check("x(?:ab|cd)*y", "xabcdy xy xa", "[xabcdy] [xy] xa");
  check("\\s+(?!\\S)|\\s+", "a   b ", "a[  ][ ]b[ ]"); /* the last blank is left for the word */
  check("a(?=b)", "aab", "a[a]b");
  check("(?i:'S|'lL)", "it's IT'S we'LL it'\xC5\xBF", "it['s] IT['S] we['LL] it['\xC5\xBF]");
  check("[^\\s\\p{L}\\p{N}]+", "ab,- 1!", "ab[,-] 1[!]");
  check("[a-c\\-.]+", "abcd-.e", "[abc]d[-.]e");
  check("\\p{Lu}\\p{Ll}*", "HeLLo \xC3\x89t\xC3\xA9", "[He][L][Lo] [\xC3\x89t\xC3\xA9]");
  check("[\xE4\xB8\x80-\xE9\xBE\xA5]+", "a\xE6\xBC\xA2\xE5\xAD\x97z", "a[\xE6\xBC\xA2\xE5\xAD\x97]z");
  check("\\x41\\u0042\\.", "AB.AB!", "[AB.]AB!");
  check(".", "a\nb", "[a]\n[b]");
  check("\\P{L}|\\p{^N}x", "a1", "a[1]");
  check("\\w+|[^\\w]+", "a\xC2\xB2-\xC2\xB2", "[a\xC2\xB2][-\xC2\xB2]"); /* \w beside [\w] in Oniguruma */
  check("a+b|a", "aaa", "[a][a][a]");
}

static void refused(const char *expression, const char *why) {
  on_arena arena = {0};
  on_error error = {0};
  assert_null(on_pattern_compile(on_str_c(expression), false, &arena, &error));
  assert_int_equal(error.code, ON_UNSUPPORTED);
  if (!strstr(error.text, why)) fail_msg("%s: %s", expression, error.text);
  on_arena_free(&arena);
}

static void refusals(void **state) {
  (void)state;
  refused("a*", "matches the empty string");
  refused("(a|b?)", "matches the empty string");
  refused("a++", "possessive");
  refused("(?<=a)b", "kind of group");
  refused("(?>a)", "kind of group");
  refused("^a", "this character here");
  refused("a$", "this character here");
  refused("(?!ab)c", "more than one character");
  refused("[a&&b]", "class inside a class");
  refused("[[:alpha:]]", "class inside a class");
  refused("\\p{Han}", "this property");
  refused("\\bx", "this escape");
  refused("(a", "without an end");
  refused("a)", "this bracket");
  refused("[a", "without an end");
  refused("a{3,2}", "this quantifier");
  refused("a{999}", "this quantifier");
  refused("(?:a{200}){200}", "repeated group");
  refused("((((((((((((((((((a))))))))))))))))))", "so deep");
}

/* Looking far ahead in vain, again and again, is stopped; the same text with a harmless expression is not. */
static void stays_linear(void **state) {
  (void)state;
  enum { LENGTH = 1 << 19 };
  on_arena arena = {0};
  uint16_t *units = ON_NEW(&arena, uint16_t, LENGTH);
  on_flow flow;
  on_error error = {0};
  for (size_t i = 0; i < LENGTH; i++) units[i] = 'a';
  assert_true(on_flow_start(&flow, (on_str16){units, LENGTH}, NULL));
  assert_false(on_pattern_mark(compile(&arena, "a+b|a"), &flow, &flow.spans.p[0], &error));
  assert_int_equal(error.code, ON_LIMIT);
  flow.mark_count = 0;
  assert_true(on_pattern_mark(compile(&arena, "a"), &flow, &flow.spans.p[0], &error));
  assert_int_equal(flow.mark_count, 2 * LENGTH);
  on_flow_free(&flow);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches),
      cmocka_unit_test(refusals),
      cmocka_unit_test(stays_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
