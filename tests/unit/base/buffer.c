// Byte buffers.
#include "test.h"

#include <locale.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"

static void assert_holds(on_buf *buf, const char *expected) {
  on_str view = on_buf_view(buf);
  if (!on_str_eq(view, on_str_c(expected))) {
    fail_msg("the buffer holds \"%.*s\", not \"%s\"", (int)view.n, view.p, expected);
  }
  on_buf_clear(buf);
}

static void empty_buffer_has_a_view(void **state) {
  (void)state;
  on_buf buf = {0};
  assert_non_null(on_buf_view(&buf).p);
  on_buf_add(&buf, NULL, 0);
  assert_holds(&buf, "");
  on_buf_free(&buf);
}

static void decimal_numbers(void **state) {
  (void)state;
  on_buf buf = {0};
  on_buf_u64(&buf, 0);
  on_buf_char(&buf, ' ');
  on_buf_u64(&buf, UINT64_MAX);
  on_buf_char(&buf, ' ');
  on_buf_i64(&buf, INT64_MIN);
  on_buf_char(&buf, ' ');
  on_buf_i64(&buf, INT64_MAX);
  on_buf_char(&buf, ' ');
  on_buf_i64(&buf, -10);
  assert_holds(&buf, "0 18446744073709551615 -9223372036854775808 9223372036854775807 -10");
  on_buf_free(&buf);
}

static void little_endian_numbers(void **state) {
  (void)state;
  on_buf buf = {0};
  on_buf_u32le(&buf, 0x04030201u);
  on_buf_u64le(&buf, 0xFFEEDDCC08070605u);
  const unsigned char expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 0xCC, 0xDD, 0xEE, 0xFF};
  assert_int_equal(buf.n, sizeof expected);
  assert_memory_equal(buf.p, expected, sizeof expected);
  on_buf_free(&buf);
}

static void code_points(void **state) {
  (void)state;
  on_buf buf = {0};
  const uint32_t list[] = {0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF, 0xD800, 0xDFFF, 0x110000};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) on_buf_codepoint(&buf, list[i]);
  assert_holds(&buf, "\x7F" "\xC2\x80" "\xDF\xBF" "\xE0\xA0\x80" "\xEF\xBF\xBF" "\xF0\x90\x80\x80" "\xF4\x8F\xBF\xBF"
                     "\xEF\xBF\xBD" "\xEF\xBF\xBD" "\xEF\xBF\xBD");
  on_buf_free(&buf);
}

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Significant digits of a decimal.
static int digits_of(const char *text) {
  int count = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) count++;
  }
  return count;
}

// Reads back as the same bits, and with a digit less it would not.
static void check_float(on_buf *buf, uint32_t bits) {
  float value = float_of_bits(bits);
  on_buf_clear(buf);
  on_buf_f32(buf, value);
  on_buf_char(buf, '\0');
  assert_false(buf->failed);
  float again = strtof(buf->p, NULL);
  if (memcmp(&again, &value, sizeof value) != 0) fail_msg("0x%08X is written as %s", (unsigned)bits, buf->p);
  for (int fewer = 6; fewer < digits_of(buf->p); fewer++) {
    char text[320];
    snprintf(text, sizeof text, "%.*g", fewer, (double)value);
    if (strtof(text, NULL) == value) fail_msg("%s instead of %s", buf->p, text);
  }
}

static void floats_read_back(void **state) {
  (void)state;
  on_buf buf = {0};
  const uint32_t edges[] = {0x00000000, 0x80000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF,
                            0x3F800000, 0x3F800001, 0x3F7FFFFF, 0x4B800000, 0x4B7FFFFF, 0x3DCCCCCD, 0x33800000};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) check_float(&buf, edges[i]);
  on_random random;
  on_random_seed(&random, 11);
  for (int i = 0; i < 20000; i++) {
    uint32_t bits = (uint32_t)on_random_u64(&random);
    if ((bits & 0x7F800000) != 0x7F800000) check_float(&buf, bits);
  }
  on_buf_clear(&buf);
  on_buf_f32(&buf, 0.1f);
  on_buf_char(&buf, ' ');
  on_buf_f32(&buf, 1.0f);
  on_buf_char(&buf, ' ');
  on_buf_f32(&buf, 16777216.0f);
  assert_holds(&buf, "0.1 1 16777216");
  on_buf_free(&buf);
}

static void format_is_cut_at_its_limit(void **state) {
  (void)state;
  on_buf buf = {0};
  on_buf_format(&buf, "%s=%d", "width", 7);
  assert_holds(&buf, "width=7");
  char long_text[3000];
  memset(long_text, 'y', sizeof long_text);
  long_text[sizeof long_text - 1] = '\0';
  on_buf_format(&buf, "%s", long_text);
  assert_int_equal(buf.n, 1023);
  on_buf_free(&buf);
}

static void failure_is_sticky_and_leaves_the_contents(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_buf buf = {0};
  for (int i = 0; i < 16; i++) on_buf_char(&buf, 'a');
  on_alloc_fail_at(1, 0);
  while (!buf.failed) on_buf_str(&buf, ON_STR("bcdefgh"));
  size_t n = buf.n;
  on_buf_str(&buf, ON_STR("more"));
  on_buf_char(&buf, 'm');
  on_buf_u64(&buf, 1);
  assert_int_equal(buf.n, n);
  assert_memory_equal(buf.p, "aaaaaaaaaaaaaaaa", 16);
  assert_false(on_buf_reserve(&buf, 1));
  on_buf_clear(&buf);
  on_buf_str(&buf, ON_STR("works again"));
  assert_holds(&buf, "works again");
  assert_false(on_buf_reserve(&buf, SIZE_MAX));
  assert_true(buf.failed);
  on_buf_free(&buf);
  assert_int_equal(on_alloc_used(), before);
}

static void doubles_read_back(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0.1, "0.1"}, {-2.5, "-2.5"}, {1e300, "1e+300"}, {0.1 + 0.2, "0.30000000000000004"}, {0.0, "0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_buf buf = {0};
    on_buf_f64(&buf, cases[i].value);
    assert_holds(&buf, cases[i].text);
    on_buf_free(&buf);
  }
}

static void numbers_have_a_point_in_every_locale(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
  on_buf buf = {0};
  on_buf_f32(&buf, 0.5f);
  on_buf_char(&buf, ' ');
  on_buf_f64(&buf, -1.25);
  setlocale(LC_NUMERIC, "C");
  assert_holds(&buf, "0.5 -1.25");
  on_buf_free(&buf);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_buffer_has_a_view),
      cmocka_unit_test(decimal_numbers),
      cmocka_unit_test(little_endian_numbers),
      cmocka_unit_test(code_points),
      cmocka_unit_test(floats_read_back),
      cmocka_unit_test(doubles_read_back),
      cmocka_unit_test(numbers_have_a_point_in_every_locale),
      cmocka_unit_test(format_is_cut_at_its_limit),
      cmocka_unit_test(failure_is_sticky_and_leaves_the_contents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
