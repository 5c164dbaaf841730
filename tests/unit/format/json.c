#include "test.h"

#include <locale.h>
#include <math.h>

#include "base/alloc.h"
#include "format/json.h"
#include "format/json_scan.h"

#define TEXT(literal) {(literal), sizeof(literal) - 1}

static void accepts_json(void **state) {
  (void)state;
  static const on_str texts[] = {
      TEXT("0"), TEXT("-0"), TEXT(" \t\r\n[] \n"), TEXT("{}"), TEXT("[1,2 , 3]"), TEXT("{\"a\":{\"a\":{\"a\":null}}}"),
      TEXT("[true,false,null]"), TEXT("\"\""), TEXT("1.5e+10"), TEXT("1E5"), TEXT("0.0e-0"), TEXT("-12.25"),
      TEXT("[[],{},[{}]]"), TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\""), TEXT("\"\\ud83d\\ude00\""),
      TEXT("\"\xF0\x9F\x98\x80\x7F\""), TEXT("{\"a\":1,\"A\":2}"), TEXT("[{\"a\":1},{\"a\":1}]"),
      TEXT("{\"a\":{\"b\":1},\"b\":1}"), TEXT("{\"\":0}"), TEXT("1.7976931348623157e308"),
      TEXT("1.7976931348623158e308"), TEXT("179769313486231580793728971405303415e273"), TEXT("1e-999"),
      TEXT("0e999999999999"), TEXT("0.000000000000000000000000000000000000000000000000001e359"),
      TEXT("123456789012345678901234567890123456789012345678901234567890123"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    on_error error = {0};
    on_json *root = on_json_parse(texts[i], 8, &error);
    if (!root) fail_msg("%.*s: %s", ON_SHOW(texts[i]), error.text);
    on_json_free(root);
  }
  assert_int_equal(on_alloc_used(), 0);
}

static void refuses_what_is_not_json(void **state) {
  (void)state;
  static const struct {
    on_str text;
    int position;
    const char *message;
  } cases[] = {
      {TEXT(""), 0, "ends where a value"},
      {TEXT("  "), 2, "ends where a value"},
      {TEXT("01"), 1, "leading zero"},
      {TEXT("-"), 1, "a digit"},
      {TEXT("-a"), 1, "a digit"},
      {TEXT("+1"), 0, "'+' stands where a value"},
      {TEXT(".5"), 0, "a value"},
      {TEXT("1."), 2, "decimal point"},
      {TEXT("1.e5"), 2, "decimal point"},
      {TEXT("1e"), 2, "exponent"},
      {TEXT("1e+"), 3, "exponent"},
      {TEXT("0x10"), 1, "the end"},
      {TEXT("1e309"), 0, "too large"},
      {TEXT("[1e999]"), 1, "too large"},
      {TEXT("-1e999999999999999999999999"), 0, "too large"},
      {TEXT("1.7976931348623159e308"), 0, "too large"},
      {TEXT("17976931348623158080e289"), 0, "too large"},
      {TEXT("1234567890123456789012345678901234567890123456789012345678901234"), 0, "63 characters"},
      {TEXT("NaN"), 0, "a value"},
      {TEXT("nul"), 0, "a value"},
      {TEXT("truE"), 0, "a value"},
      {TEXT("true1"), 4, "the end"},
      {TEXT("[1] x"), 4, "the end"},
      {TEXT("{}{}"), 2, "the end"},
      {TEXT("[1,]"), 3, "a value"},
      {TEXT("[,1]"), 1, "a value"},
      {TEXT("[1 2]"), 3, "',' or ']'"},
      {TEXT("[1}"), 2, "',' or ']'"},
      {TEXT("["), 1, "ends where a value"},
      {TEXT("[1"), 2, "',' or ']'"},
      {TEXT("{"), 1, "a key"},
      {TEXT("{\"a\"}"), 4, "':'"},
      {TEXT("{\"a\":}"), 5, "a value"},
      {TEXT("{\"a\":1,}"), 7, "a key"},
      {TEXT("{\"a\":1]"), 6, "',' or '}'"},
      {TEXT("{a:1}"), 1, "a key"},
      {TEXT("{'a':1}"), 1, "a key"},
      {TEXT("// c\n1"), 0, "a value"},
      {TEXT("[1,/**/2]"), 3, "a value"},
      {TEXT("\"abc"), 0, "no end"},
      {TEXT("[\"abc\\\""), 1, "no end"},
      {TEXT("\"a\nb\""), 2, "control character"},
      {TEXT("\"a\0b\""), 2, "control character"},
      {TEXT("1\0"), 1, "byte 0x00 stands where the end"},
      {TEXT("\v1"), 0, "byte 0x0B"},
      {TEXT("\"\\x\""), 1, "unknown escape"},
      {TEXT("\"\\"), 1, "unknown escape"},
      {TEXT("\"\\u12\""), 1, "four hexadecimal"},
      {TEXT("\"\\u12"), 1, "four hexadecimal"},
      {TEXT("\"\\uD8g0\""), 1, "four hexadecimal"},
      {TEXT("\"a\\u0000\""), 2, "U+0000"},
      {TEXT("{\"\\u0000\":1}"), 2, "U+0000"},
      {TEXT("\"\\ud83d\""), 1, "surrogate"},
      {TEXT("\"\\ud83dx\\ude00\""), 1, "surrogate"},
      {TEXT("\"\\ud83d\\ud83d\""), 1, "surrogate"},
      {TEXT("\"x\\ude00\\ud83d\""), 2, "surrogate"},
      {TEXT("\"\\ud83d\\u00\""), 1, "surrogate"},
      {TEXT("\"\xFF\""), 1, "UTF-8"},
      {TEXT("\"\xC0\x80\""), 1, "UTF-8"},
      {TEXT("\"a\xED\xA0\x80\""), 2, "UTF-8"},
      {TEXT("\xEF\xBB\xBF{}"), 0, "byte-order mark"},
      {TEXT("{\"a\":1,\"a\":2}"), 7, "\"a\" stands twice"},
      {TEXT("[{\"x\":{},\"\\u0061\":1,\"a\":2}]"), 20, "\"a\" stands twice"},
      {TEXT("{\"a\":1,\"b\":{\"b\":1,\"c\":2},\"a\":3}"), 25, "\"a\" stands twice"},
      {TEXT("{\"\\ud83d\\ude00\":1,\"\xF0\x9F\x98\x80\":2}"), 18, "stands twice"},
      {TEXT("{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"2\":0,\"1\":0}"), 55,
       "\"2\" stands twice"},
      {TEXT("[[[[[[[[[0]]]]]]]]]"), 8, "deeper than 8"},
      {TEXT("[[[[[[[[{}]]]]]]]]"), 8, "deeper than 8"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_error error = {0};
    // A copy of exact size, so that the sanitizer sees a read behind the end.
    char *copy = malloc(cases[i].text.n ? cases[i].text.n : 1);
    memcpy(copy, cases[i].text.p, cases[i].text.n);
    on_json *root = on_json_parse((on_str){copy, cases[i].text.n}, 8, &error);
    free(copy);
    if (root) fail_msg("accepted: %.*s", ON_SHOW(cases[i].text));
    if (!strstr(error.text, cases[i].message) || error.position != cases[i].position || error.code != ON_INVALID_DATA) {
      fail_msg("%.*s: at %d, '%s' wanted; at %d: %s", ON_SHOW(cases[i].text), cases[i].position, cases[i].message,
               (int)error.position, error.text);
    }
  }
  assert_int_equal(on_alloc_used(), 0);
}

static on_json *parse(const char *text) {
  on_error error = {0};
  on_json *root = on_json_parse(on_str_c(text), 16, &error);
  if (!root) fail_msg("%s: %s", text, error.text);
  return root;
}

static void assert_text(on_str text, const char *wanted) {
  if (!on_str_eq(text, on_str_c(wanted))) fail_msg("'%.*s', want '%s'", ON_SHOW(text), wanted);
}

static void reads_values(void **state) {
  (void)state;
  on_json *root = parse("{\"n\":null,\"t\":true,\"f\":false,\"d\":-2.5,\"s\":\"a\\u00e9\\ud83d\\ude00\\n\","
                        "\"list\":[1,\"two\",[]],\"\\u0061\":{\"A\":1}}");
  assert_int_equal(on_json_type(root), ON_JSON_OBJECT);
  assert_int_equal(on_json_count(root), 7);
  assert_int_equal(on_json_type(on_json_get(root, "n")), ON_JSON_NULL);
  assert_true(on_json_bool(on_json_get(root, "t")));
  assert_int_equal(on_json_type(on_json_get(root, "f")), ON_JSON_BOOL);
  assert_false(on_json_bool(on_json_get(root, "f")));
  assert_true(on_json_number(on_json_get(root, "d")) == -2.5);
  assert_text(on_json_string(on_json_get(root, "s")), "a\xC3\xA9\xF0\x9F\x98\x80\n");
  const on_json *list = on_json_get(root, "list");
  assert_int_equal(on_json_type(list), ON_JSON_ARRAY);
  assert_int_equal(on_json_count(list), 3);
  const on_json *element = on_json_next(on_json_first(list));
  assert_text(on_json_string(element), "two");
  assert_null(on_json_next(on_json_next(element)));
  assert_null(on_json_first(on_json_next(element)));
  assert_text(on_json_key(on_json_first(root)), "n");
  assert_non_null(on_json_get(root, "a"));
  assert_null(on_json_get(root, "T"));
  assert_null(on_json_get(on_json_get(root, "a"), "a"));
  assert_null(on_json_get(list, "x"));
  on_json_free(root);
  on_json_free(NULL);
  assert_int_equal(on_alloc_used(), 0);
}

static void reads_typed_members(void **state) {
  (void)state;
  on_json *root = parse("{\"w\":64,\"f\":1.5,\"big\":9007199254740992,\"most\":9007199254740991,\"least\":-9007199254740991,"
                        "\"s\":\"a\xF0\x9F\x98\x80\",\"null\":null,\"e\":1e3}");
  on_error error = {0};
  int64_t n = 0;
  assert_true(on_json_int(root, "p", "w", true, 8, 2048, 0, &n, &error));
  assert_int_equal(n, 64);
  assert_true(on_json_int(root, "p", "e", true, 8, 2048, 0, &n, &error));
  assert_int_equal(n, 1000);
  assert_true(on_json_int(root, "p", "none", false, 8, 2048, -7, &n, &error));
  assert_int_equal(n, -7);
  assert_true(on_json_int(root, "p", "most", true, 0, INT64_MAX, 0, &n, &error));
  assert_int_equal(n, 9007199254740991);
  assert_true(on_json_int(root, "p", "least", true, INT64_MIN, 0, 0, &n, &error));
  assert_int_equal(n, -9007199254740991);

  assert_false(on_json_int(root, "encoders[0].settings", "w", true, 65, 2048, 0, &n, &error));
  assert_string_equal(error.text, "encoders[0].settings.w: must be an integer from 65 to 2048, is 64");
  assert_int_equal(error.code, ON_INVALID_DATA);
  assert_false(on_json_int(root, "", "f", true, 0, 9, 0, &n, &error));
  assert_string_equal(error.text, "f: must be an integer from 0 to 9, is 1.5");
  assert_false(on_json_int(root, "", "s", true, 0, 9, 0, &n, &error));
  assert_string_equal(error.text, "s: must be an integer from 0 to 9");
  assert_false(on_json_int(root, "", "null", false, 0, 9, 0, &n, &error));
  assert_false(on_json_int(root, "", "big", true, 0, INT64_MAX, 0, &n, &error));
  assert_false(on_json_int(root, "p", "none", true, 0, 9, 0, &n, &error));
  assert_string_equal(error.text, "p.none: is missing");
  assert_false(on_json_int(on_json_get(root, "w"), "p.w", "x", false, 0, 9, 0, &n, &error));
  assert_string_equal(error.text, "p.w: must be an object");
  assert_false(on_json_int(NULL, "p", "x", false, 0, 9, 0, &n, NULL));

  on_str text;
  assert_true(on_json_text(root, "", "s", true, 3, &text, &error));
  assert_text(text, "a\xF0\x9F\x98\x80");
  assert_false(on_json_text(root, "", "s", true, 2, &text, &error));
  assert_string_equal(error.text, "s: has 3 characters, at most 2 are allowed");
  assert_true(on_json_text(root, "", "none", false, 2, &text, &error));
  assert_null(text.p);
  assert_false(on_json_text(root, "", "none", true, 2, &text, &error));
  assert_false(on_json_text(root, "x", "w", true, 2, &text, &error));
  assert_string_equal(error.text, "x.w: must be a string");
  on_json_free(root);
}

static void writes_strings(void **state) {
  (void)state;
  static const struct {
    on_str in;
    const char *out;
  } cases[] = {
      {TEXT(""), "\"\""},
      {TEXT("a\"b\\c/"), "\"a\\\"b\\\\c/\""},
      {TEXT("\b\f\n\r\t\x01\x1f\x7f"), "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\""},
      {TEXT("x\0y"), "\"x\\u0000y\""},
      {TEXT("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\""},
      {TEXT("a\xFF\xE2\x82z"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_buf out = {0};
    on_json_write_string(&out, cases[i].in);
    assert_text(on_buf_view(&out), cases[i].out);
    on_buf_free(&out);
  }
}

static void writes_values(void **state) {
  (void)state;
  static const char text[] = "{\"a\": [1, -2.5, 1e+300, true, false, null], \"b\\n\": {}, \"c\": [[], \"\xC3\xA9\\\"\"]}";
  on_json *root = parse(text);
  on_buf out = {0};
  on_json_write(&out, root);
  assert_text(on_buf_view(&out), text);
  on_buf_free(&out);
  on_json_free(root);
}

// Where the number parser of the C library reads a decimal comma, JSON still has a decimal point.
static void ignores_the_locale(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
  on_json *root = parse("[0.5]");
  assert_true(on_json_number(on_json_first(root)) == 0.5);
  on_json_free(root);
  setlocale(LC_NUMERIC, "C");
}

static void limits_depth_by_itself(void **state) {
  (void)state;
  char deep[2 * (ON_JSON_MAX_DEPTH + 1) + 1];
  memset(deep, '[', ON_JSON_MAX_DEPTH + 1);
  memset(deep + ON_JSON_MAX_DEPTH + 1, ']', ON_JSON_MAX_DEPTH + 1);
  on_error error = {0};
  assert_null(on_json_parse((on_str){deep, sizeof deep - 1}, 100000, &error));
  assert_int_equal(error.position, ON_JSON_MAX_DEPTH);
  on_json *root = on_json_parse((on_str){deep + 1, sizeof deep - 3}, 100000, &error);
  assert_non_null(root);
  on_json_free(root);
}

// Every allocation fails once: always an ordinary error, never a leak, never "invalid JSON".
static void survives_failing_allocations(void **state) {
  (void)state;
  static const char text[] =
      "{\"a\":[1,\"two\",{\"\\u0061\":null}],\"1\":1,\"2\":1,\"0\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1}";
  for (size_t n = 1;; n++) {
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    on_json *root = on_json_parse(on_str_c(text), 8, &error);
    on_alloc_fail_at(0, 0);
    if (root) {
      assert_true(n > 20);
      on_json_free(root);
      break;
    }
    assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    assert_int_equal(on_alloc_used(), 0);
  }
  assert_int_equal(on_alloc_used(), 0);
}

// A million keys, in an order that a sort has to undo: the scan must not be quadratic.
static void finds_a_duplicate_among_many_keys(void **state) {
  (void)state;
  enum { MANY = 300000 };
  on_buf text = {0};
  on_buf_char(&text, '{');
  for (uint32_t i = 0; i < MANY; i++) on_buf_format(&text, "\"%u\":0,", (i * 7919u) % MANY);
  on_buf_format(&text, "\"x\":0}");
  on_error error = {0};
  assert_true(on_json_scan(on_buf_view(&text), 4, &error));
  text.n -= 6;
  size_t second = text.n;
  on_buf_format(&text, "\"77\":0}");
  assert_false(on_json_scan(on_buf_view(&text), 4, &error));
  assert_int_equal(error.position, second);
  on_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepts_json),
      cmocka_unit_test(refuses_what_is_not_json),
      cmocka_unit_test(reads_values),
      cmocka_unit_test(reads_typed_members),
      cmocka_unit_test(writes_strings),
      cmocka_unit_test(writes_values),
      cmocka_unit_test(ignores_the_locale),
      cmocka_unit_test(limits_depth_by_itself),
      cmocka_unit_test(survives_failing_allocations),
      cmocka_unit_test(finds_a_duplicate_among_many_keys),
  };
  return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
