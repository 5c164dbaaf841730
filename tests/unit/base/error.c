// Errors, and slices of text.
#include "test.h"

#include "base/error.h"

static bool ends_inside_a_character(const char *text) {
  size_t i = 0, n = strlen(text);
  while (i < n) {
    unsigned char lead = (unsigned char)text[i];
    i += lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  }
  return i != n;
}

static void fail_fills_the_error(void **state) {
  (void)state;
  on_error error = {0};
  assert_false(on_fail(&error, ON_DATA_FORMAT, 12, "HEAD is %d, the sentence has %d words", 9, 7));
  assert_int_equal(error.code, ON_DATA_FORMAT);
  assert_int_equal(error.position, 12);
  assert_string_equal(error.text, "HEAD is 9, the sentence has 7 words");
  assert_false(on_fail(NULL, ON_DATA_FORMAT, 12, "%d", 1));
  assert_false(on_fail_memory(&error));
  assert_int_equal(error.code, ON_OUT_OF_MEMORY);
  assert_int_equal(error.position, -1);
  assert_false(on_fail_memory(NULL));
}

static void context_goes_before_the_message(void **state) {
  (void)state;
  on_error error;
  on_fail(&error, ON_INVALID_DATA, 40, "shape [17, 96], want [18, 96]");
  assert_false(on_fail_context(&error, "tensor %s", "head0.output.weight"));
  assert_string_equal(error.text, "tensor head0.output.weight: shape [17, 96], want [18, 96]");
  assert_int_equal(error.code, ON_INVALID_DATA);
  assert_int_equal(error.position, 40);
  assert_false(on_fail_context(NULL, "x"));
}

// Texts of ever more ASCII before characters of each length: every way to be cut.
static void long_texts_are_cut_at_characters(void **state) {
  (void)state;
  const char *characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (size_t which = 0; which < 4; which++) {
    for (size_t shift = 0; shift < 8; shift++) {
      char text[2000] = "";
      for (size_t i = 0; i < shift; i++) strcat(text, "x");
      while (strlen(text) < 1500) strcat(text, characters[which]);
      on_error error;
      on_fail(&error, ON_LIMIT, -1, "%s", text);
      size_t n = strlen(error.text);
      assert_in_range(n, sizeof error.text - 4, sizeof error.text - 1);
      assert_memory_equal(error.text, text, n);
      assert_false(ends_inside_a_character(error.text));

      // A long message behind a context, and a context that leaves no room.
      on_fail_context(&error, "line");
      assert_memory_equal(error.text, "line: ", 6);
      assert_in_range(strlen(error.text), sizeof error.text - 4, sizeof error.text - 1);
      assert_false(ends_inside_a_character(error.text));
      on_fail_context(&error, "%s", text);
      assert_false(ends_inside_a_character(error.text));
      assert_memory_equal(error.text, text, sizeof error.text - 4);
    }
  }
}

static void a_text_that_just_fits_is_whole(void **state) {
  (void)state;
  on_error error;
  char text[sizeof error.text] = "";
  memset(text, 'x', sizeof text - 4);
  strcat(text, "\xE2\x82\xAC");
  assert_int_equal(strlen(text), sizeof error.text - 1);
  on_fail(&error, ON_LIMIT, -1, "%s", text);
  assert_string_equal(error.text, text);
}

static void shown_text_is_cut_at_characters(void **state) {
  (void)state;
  char text[128] = "";
  assert_int_equal(on_show_length((on_str){text, 0}), 0);
  for (size_t shift = 0; shift < 4; shift++) {
    memset(text, 'x', sizeof text);
    for (size_t i = shift; i + 4 <= sizeof text; i += 4) memcpy(text + i, "\xF0\x9F\x98\x80", 4);
    int n = on_show_length((on_str){text, sizeof text});
    assert_int_equal(n, 80 - (int)((80 - shift) % 4));
    assert_int_equal(on_show_length((on_str){text, 70}), 70);
  }
  memset(text, 0x80, sizeof text);  // not text at all
  assert_in_range(on_show_length((on_str){text, sizeof text}), 77, 80);
  char shown[200];
  on_str none = ON_STR_NONE;
  snprintf(shown, sizeof shown, "<%.*s>", ON_SHOW(none));
  assert_string_equal(shown, "<>");
}

static void codes_have_their_names(void **state) {
  (void)state;
  assert_string_equal(on_code_name(ON_OK), "OK");
  assert_string_equal(on_code_name(ON_INVALID_UTF8), "INVALID_UTF8");
  assert_string_equal(on_code_name(ON_CLOSED), "CLOSED");
  for (int a = ON_OK; a <= ON_NO_WORKERS; a++) {
    for (int b = ON_OK; b < a; b++) assert_string_not_equal(on_code_name((on_code)a), on_code_name((on_code)b));
    assert_string_not_equal(on_code_name((on_code)a), "UNKNOWN");
  }
}

static void slices_compare(void **state) {
  (void)state;
  assert_true(on_str_eq(ON_STR(""), ON_STR_NONE));
  assert_false(on_str_eq(ON_STR("ab"), ON_STR("abc")));
  assert_true(on_str_starts(ON_STR("abc"), ON_STR("ab")));
  assert_true(on_str_starts(ON_STR_NONE, ON_STR_NONE));
  assert_false(on_str_starts(ON_STR("a"), ON_STR("ab")));
  assert_true(on_str_ends(ON_STR("abc"), ON_STR("bc")));
  assert_true(on_str_ends(ON_STR("abc"), ON_STR("")));
  assert_false(on_str_ends(ON_STR("abc"), ON_STR("ab")));
  assert_true(on_str_cmp(ON_STR("a"), ON_STR("b")) < 0);
  assert_true(on_str_cmp(ON_STR("a"), ON_STR("ab")) < 0);
  assert_true(on_str_cmp(ON_STR("\xC3"), ON_STR("z")) > 0);  // bytes are not signed
  assert_true(on_str_cmp(ON_STR("ab"), ON_STR("ab")) == 0);
  assert_true(on_str_cmp(ON_STR_NONE, ON_STR("")) == 0);
}

static void numbers_are_read_strictly(void **state) {
  (void)state;
  uint32_t value = 99;
  assert_true(on_str_to_u32(ON_STR("0"), 5, &value));
  assert_int_equal(value, 0);
  assert_true(on_str_to_u32(ON_STR("4294967295"), UINT32_MAX, &value));
  assert_true(value == UINT32_MAX);
  assert_true(on_str_to_u32(ON_STR("100000"), 100000, &value));
  assert_int_equal(value, 100000);
  const char *bad[] = {"", "00", "01", "+1", "-1", " 1", "1 ", "1a", "0x1", "4294967296", "18446744073709551617",
                       "99999999999999999999999999", "\xD9\xA1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(on_str_to_u32(on_str_c(bad[i]), UINT32_MAX, &value));
  }
  assert_false(on_str_to_u32(ON_STR("100001"), 100000, &value));
  assert_int_equal(value, 100000);  // untouched by failures
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_fills_the_error),
      cmocka_unit_test(context_goes_before_the_message),
      cmocka_unit_test(long_texts_are_cut_at_characters),
      cmocka_unit_test(a_text_that_just_fits_is_whole),
      cmocka_unit_test(shown_text_is_cut_at_characters),
      cmocka_unit_test(codes_have_their_names),
      cmocka_unit_test(slices_compare),
      cmocka_unit_test(numbers_are_read_strictly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
