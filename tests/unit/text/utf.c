// UTF-8 and UTF-16: every code point, every class of ill-formed bytes.
#include "test.h"

#include "base/alloc.h"
#include "text/utf.h"

enum { CODE_POINTS = 0x110000 };

static bool is_surrogate(uint32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// UTF-8 written by the definition's table, independent of the code under test.
static size_t put_utf8(char *out, uint32_t c) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = n - 1; i > 0; i--) {
    out[i] = (char)(0x80 | c % 64);
    c /= 64;
  }
  out[0] = (char)(leads[n] | c);
  return n;
}

// RFC 3629 section 4, row by row: the length of the well-formed character at p, or 0.
static size_t reference_character(const unsigned char *p, size_t n) {
  static const struct {
    unsigned char lead[2], second[2];
    size_t length;
  } rows[] = {
      {{0x00, 0x7F}, {0, 0}, 1},       {{0xC2, 0xDF}, {0x80, 0xBF}, 2}, {{0xE0, 0xE0}, {0xA0, 0xBF}, 3},
      {{0xE1, 0xEC}, {0x80, 0xBF}, 3}, {{0xED, 0xED}, {0x80, 0x9F}, 3}, {{0xEE, 0xEF}, {0x80, 0xBF}, 3},
      {{0xF0, 0xF0}, {0x90, 0xBF}, 4}, {{0xF1, 0xF3}, {0x80, 0xBF}, 4}, {{0xF4, 0xF4}, {0x80, 0x8F}, 4},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (p[0] < rows[r].lead[0] || p[0] > rows[r].lead[1]) continue;
    if (n < rows[r].length) return 0;
    if (rows[r].length > 1 && (p[1] < rows[r].second[0] || p[1] > rows[r].second[1])) return 0;
    for (size_t i = 2; i < rows[r].length; i++) {
      if (p[i] < 0x80 || p[i] > 0xBF) return 0;
    }
    return rows[r].length;
  }
  return 0;
}

static void check_validity(const unsigned char *p, size_t n) {
  size_t expected = 0;
  bool valid = true;
  while (expected < n) {
    size_t length = reference_character(p + expected, n - expected);
    if (length == 0) {
      valid = false;
      break;
    }
    expected += length;
  }
  size_t bad = SIZE_MAX;
  bool answer = on_utf8_valid((on_str){(const char *)p, n}, &bad);
  if (answer != valid || (!valid && bad != expected)) {
    fail_msg("%02X %02X %02X %02X (%zu bytes): %d at %zu, not %d at %zu", p[0], n > 1 ? p[1] : 0u, n > 2 ? p[2] : 0u,
             n > 3 ? p[3] : 0u, n, answer, bad, valid, expected);
  }
}

static void every_code_point_goes_there_and_back(void **state) {
  (void)state;
  on_arena arena = {0};
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    uint16_t units[2];
    size_t width = on_utf16_put(units, c), i = 0;
    assert_int_equal(width, c < 0x10000 ? 1 : 2);
    on_str16 text16 = {units, width};
    assert_int_equal(on_utf16_next(text16, &i), c);
    assert_int_equal(i, width);
    assert_int_equal(on_utf16_prev(text16, &i), c);
    assert_int_equal(i, 0);

    char bytes[4];
    on_str text8 = {bytes, put_utf8(bytes, is_surrogate(c) ? 0xFFFD : c)};
    on_str converted = on_utf8_from_utf16(&arena, text16);
    assert_true(on_str_eq(converted, text8));
    if (!is_surrogate(c)) {
      size_t bad;
      assert_true(on_utf8_valid(text8, &bad));
      assert_int_equal(on_utf8_next(text8, &i), c);
      assert_int_equal(i, text8.n);
      assert_int_equal(on_utf16_length(text8), width);
      on_str16 back;
      assert_true(on_utf16_from_utf8(&arena, text8, &back, NULL));
      assert_true(on_str16_eq(back, text16));
    }
    if (c % 1024 == 0) on_arena_reset(&arena);
  }
  on_arena_free(&arena);
}

static void all_code_points_in_one_text(void **state) {
  (void)state;
  char *bytes = malloc((size_t)CODE_POINTS * 4);
  uint16_t *units = malloc((size_t)CODE_POINTS * 4);
  size_t n8 = 0, n16 = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    if (is_surrogate(c)) continue;
    n8 += put_utf8(bytes + n8, c);
    n16 += on_utf16_put(units + n16, c);
  }
  on_arena arena = {0};
  on_str16 text;
  on_error error;
  assert_true(on_utf16_from_utf8(&arena, (on_str){bytes, n8}, &text, &error));
  assert_true(on_str16_eq(text, (on_str16){units, n16}));
  assert_int_equal(on_utf16_length((on_str){bytes, n8}), n16);
  on_buf buf = {0};
  on_buf_str(&buf, ON_STR("before"));
  on_utf8_append(&buf, text);
  assert_int_equal(buf.n, 6 + n8);
  assert_memory_equal(buf.p, "before", 6);
  assert_memory_equal(buf.p + 6, bytes, n8);
  on_buf_free(&buf);
  on_arena_free(&arena);
  free(bytes);
  free(units);
}

static void every_sequence_of_up_to_three_bytes(void **state) {
  (void)state;
  unsigned char p[3] = {0};
  check_validity(p, 0);
  for (unsigned a = 0; a < 256; a++) {
    p[0] = (unsigned char)a;
    check_validity(p, 1);
    for (unsigned b = 0; b < 256; b++) {
      p[1] = (unsigned char)b;
      check_validity(p, 2);
      if (a < 0xC0) continue;  // the second byte stands for itself then
      for (unsigned c = 0; c < 256; c++) {
        p[2] = (unsigned char)c;
        check_validity(p, 3);
      }
    }
  }
}

static void four_bytes_at_the_edges_of_each_range(void **state) {
  (void)state;
  static const unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xF0, 0xFF};
  unsigned char p[4];
  for (unsigned a = 0xC0; a < 256; a++) {
    for (unsigned b = 0; b < 256; b++) {
      for (size_t c = 0; c < sizeof edges; c++) {
        for (size_t d = 0; d < sizeof edges; d++) {
          p[0] = (unsigned char)a;
          p[1] = (unsigned char)b;
          p[2] = edges[c];
          p[3] = edges[d];
          check_validity(p, 4);
        }
      }
    }
  }
}

// The block-wise paths meet every bad sequence at every offset, in ASCII and in other text; and every
// character cut off by the end of the text.
static void bad_bytes_are_found_at_every_offset(void **state) {
  (void)state;
  static const char *bad[] = {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x9F\xBF", "\xE2\x82",
                              "\xE2(\xAC", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98",
                              "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF"};
  static const char *filler[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (size_t f = 0; f < 4; f++) {
    size_t width = strlen(filler[f]);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
      for (size_t before = 0; before <= 40; before++) {
        for (size_t after = 0; after <= 20; after += 4) {
          char text[256];
          size_t n = 0;
          for (size_t i = 0; i < before; i++, n += width) memcpy(text + n, filler[f], width);
          size_t at = n;
          memcpy(text + n, bad[b], strlen(bad[b]));
          n += strlen(bad[b]);
          for (size_t i = 0; i < after; i++) text[n++] = 'z';
          // In memory of just its size, so that the sanitizer sees a byte read too many.
          char *exact = malloc(n);
          memcpy(exact, text, n);
          size_t where = SIZE_MAX;
          assert_false(on_utf8_valid((on_str){exact, n}, &where));
          assert_int_equal(where, at);
          on_arena arena = {0};
          on_str16 out = {NULL, 7};
          on_error error = {0};
          assert_false(on_utf16_from_utf8(&arena, (on_str){exact, n}, &out, &error));
          assert_int_equal(error.code, ON_INVALID_UTF8);
          assert_int_equal(error.position, at);
          assert_int_equal(out.n, 7);
          assert_false(on_utf8_valid((on_str){exact, n}, NULL));
          on_arena_free(&arena);
          free(exact);
        }
      }
    }
  }
}

// Runs of ASCII of every length around characters of every width, from buffers of the exact size.
static void mixed_runs_convert(void **state) {
  (void)state;
  static const uint32_t wide[] = {0xE9, 0x20AC, 0x1F600, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF};
  for (size_t w = 0; w < sizeof wide / sizeof *wide; w++) {
    for (size_t before = 0; before <= 70; before++) {
      for (size_t after = 0; after <= 35; after++) {
        char bytes[256];
        uint16_t units[256];
        size_t n8 = 0, n16 = 0;
        for (size_t i = 0; i < before; i++) bytes[n8++] = (char)(units[n16++] = (uint16_t)('A' + i % 50));
        n8 += put_utf8(bytes + n8, wide[w]);
        n16 += on_utf16_put(units + n16, wide[w]);
        for (size_t i = 0; i < after; i++) bytes[n8++] = (char)(units[n16++] = (uint16_t)(' ' + i));
        char *exact8 = malloc(n8);
        uint16_t *exact16 = malloc(n16 * 2), *out = malloc(n16 * 2);
        memcpy(exact8, bytes, n8);
        memcpy(exact16, units, n16 * 2);
        on_str text = {exact8, n8};
        assert_int_equal(on_utf16_length(text), n16);
        assert_int_equal(on_utf16_write(out, text), n16);
        assert_memory_equal(out, units, n16 * 2);
        on_arena arena = {0};
        assert_true(on_str_eq(on_utf8_from_utf16(&arena, (on_str16){exact16, n16}), text));
        on_arena_free(&arena);
        free(exact8);
        free(exact16);
        free(out);
      }
    }
  }
}

static void lone_surrogates(void **state) {
  (void)state;
  const uint16_t units[] = {0xD83D, 0xD83D, 0xDE00, 0xDE00, 'a', 0xDC00, 0xD800};
  const uint32_t expected[] = {0xD83D, 0x1F600, 0xDE00, 'a', 0xDC00, 0xD800};
  on_str16 text = {units, sizeof units / sizeof *units};
  size_t i = 0;
  for (size_t k = 0; k < 6; k++) assert_int_equal(on_utf16_next(text, &i), expected[k]);
  assert_int_equal(i, text.n);
  for (size_t k = 6; k-- > 0;) assert_int_equal(on_utf16_prev(text, &i), expected[k]);
  assert_int_equal(i, 0);
  on_arena arena = {0};
  on_str utf8 = on_utf8_from_utf16(&arena, text);
  assert_true(on_str_eq(utf8, ON_STR("\xEF\xBF\xBD\xF0\x9F\x98\x80\xEF\xBF\xBD" "a\xEF\xBF\xBD\xEF\xBF\xBD")));
  on_arena_free(&arena);
}

static void empty_text(void **state) {
  (void)state;
  on_arena arena = {0};
  on_str16 text = {NULL, 1};
  assert_true(on_utf16_from_utf8(&arena, ON_STR_NONE, &text, NULL));
  assert_int_equal(text.n, 0);
  assert_non_null(text.p);
  on_str back = on_utf8_from_utf16(&arena, text);
  assert_non_null(back.p);
  assert_int_equal(back.n, 0);
  on_buf buf = {0};
  on_utf8_append(&buf, text);
  assert_int_equal(buf.n, 0);
  assert_false(buf.failed);
  assert_int_equal(on_utf16_length(ON_STR_NONE), 0);
  on_arena_free(&arena);
  on_buf_free(&buf);
}

static void failed_allocations_are_errors(void **state) {
  (void)state;
  size_t before = on_alloc_used();
  on_arena arena = {0};
  on_error error = {0};
  on_str16 text = {NULL, 0};
  on_alloc_fail_at(1, 1);
  assert_false(on_utf16_from_utf8(&arena, ON_STR("abc"), &text, &error));
  assert_int_equal(error.code, ON_OUT_OF_MEMORY);
  const uint16_t units[] = {'a', 'b'};
  assert_null(on_utf8_from_utf16(&arena, (on_str16){units, 2}).p);
  on_buf buf = {0};
  on_utf8_append(&buf, (on_str16){units, 2});
  assert_true(buf.failed);
  assert_int_equal(buf.n, 0);
  on_alloc_fail_at(0, 0);
  // Lengths whose UTF-8 could not be addressed are refused before a unit is read.
  on_buf_clear(&buf);
  on_utf8_append(&buf, (on_str16){units, SIZE_MAX / 2});
  assert_true(buf.failed);
  assert_null(on_utf8_from_utf16(&arena, (on_str16){units, SIZE_MAX / 2}).p);
  on_buf_free(&buf);
  on_arena_free(&arena);
  assert_int_equal(on_alloc_used(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_code_point_goes_there_and_back),
      cmocka_unit_test(all_code_points_in_one_text),
      cmocka_unit_test(every_sequence_of_up_to_three_bytes),
      cmocka_unit_test(four_bytes_at_the_edges_of_each_range),
      cmocka_unit_test(bad_bytes_are_found_at_every_offset),
      cmocka_unit_test(mixed_runs_convert),
      cmocka_unit_test(lone_surrogates),
      cmocka_unit_test(empty_text),
      cmocka_unit_test(failed_allocations_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
