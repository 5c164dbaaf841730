// Normalization and case folding of all code points against utf8proc (of the same Unicode version), which only this test
// links.
#include "test.h"

#include <utf8proc.h>

#include "text/chars.h"
#include "text/fold.h"
#include "text/normalize.h"

enum { CODE_POINTS = 0x110000 };

static void check_decomposition(uint32_t c, bool compatibility, utf8proc_option_t option) {
  utf8proc_int32_t want[ON_DECOMPOSE_MOST];
  uint32_t got[ON_DECOMPOSE_MOST];
  int unused = 0;
  utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)c, want, ON_DECOMPOSE_MOST, option, &unused);
  assert_in_range(n, 1, ON_DECOMPOSE_MOST);
  if (on_decompose(c, compatibility, got) != (size_t)n || memcmp(got, want, (size_t)n * sizeof *got) != 0) {
    fail_msg("U+%04X decomposes otherwise", (unsigned)c);
  }
}

static void decompositions_agree(void **state) {
  (void)state;
  assert_string_equal(utf8proc_unicode_version(), "15.0.0");
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    check_decomposition(c, false, UTF8PROC_DECOMPOSE);
    check_decomposition(c, true, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    const uint32_t combining = (uint32_t)utf8proc_get_property((utf8proc_int32_t)c)->combining_class;
    if (on_combining_class(c) != combining) fail_msg("U+%04X has class %u", (unsigned)c, (unsigned)on_combining_class(c));
  }
}

static void check_composition(uint32_t first, uint32_t second) {
  utf8proc_int32_t pair[2] = {(utf8proc_int32_t)first, (utf8proc_int32_t)second};
  const utf8proc_ssize_t n = utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  // utf8proc loses U+11A7, which is no final consonant, behind a syllable without one.
  const uint32_t want = n == 1 && second != 0x11A7 ? (uint32_t)pair[0] : 0, got = on_compose(first, second);
  if (got != want) {
    fail_msg("U+%04X and U+%04X make U+%04X, want U+%04X", (unsigned)first, (unsigned)second, (unsigned)got,
             (unsigned)want);
  }
}

// Every pair that anything decomposes to, its neighbours, and every second character with a sample of first ones.
static void compositions_agree(void **state) {
  (void)state;
  size_t composed = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    uint32_t parts[ON_DECOMPOSE_MOST];
    const size_t n = on_decompose(c, false, parts);
    for (size_t i = 1; i < n; i++) {
      check_composition(parts[i - 1], parts[i]);
      check_composition(parts[i - 1] + 1, parts[i]);
      check_composition(parts[i - 1], parts[i] + 1);
      check_composition(parts[i], parts[i - 1]);
    }
    if (n == 2) composed += on_compose(parts[0], parts[1]) == c;
    static const uint32_t firsts[] = {'A', 'u', 0xFC, 0x391, 0x3B1, 0x415, 0x915, 0x1100, 0xAC00, 0xAC01, 0x11099, 0x30AB};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) check_composition(firsts[i], c);
  }
  assert_in_range(composed, 900, 2000);
}

// What composes from three parts does so from its composed first two.
static void composites_of_composites(void **state) {
  (void)state;
  assert_int_equal(on_compose(on_compose('u', 0x308), 0x304), 0x1D6);
  assert_int_equal(on_compose(on_compose(0x1112, 0x1161), 0x11AB), 0xD55C);
  assert_int_equal(on_compose(0xD55C, 0x11AB), 0);
  assert_int_equal(on_compose(0xAC00, 0x11A7), 0);
  assert_int_equal(on_compose(0xAC00, 0x11C2), 0xAC1B);
  assert_int_equal(on_compose(0x915, 0x93C), 0);  // excluded
  assert_int_equal(on_compose(0x110000, 0x301), 0);
  assert_int_equal(on_compose('a', UINT32_MAX), 0);
  uint32_t out[ON_DECOMPOSE_MOST];
  assert_int_equal(on_decompose(0x110000, true, out), 1);
  assert_int_equal(out[0], 0x110000);
  assert_int_equal(on_decompose(UINT32_MAX, true, out), 1);
  assert_int_equal(on_combining_class(UINT32_MAX), 0);
}

static void folding_agrees(void **state) {
  (void)state;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    utf8proc_int32_t want[ON_FOLD_MOST];
    uint32_t got[ON_FOLD_MOST];
    int unused = 0;
    const utf8proc_ssize_t n =
        utf8proc_decompose_char((utf8proc_int32_t)c, want, ON_FOLD_MOST, UTF8PROC_CASEFOLD, &unused);
    assert_in_range(n, 1, ON_FOLD_MOST);
    if (on_fold(c, got) != (size_t)n || memcmp(got, want, (size_t)n * sizeof *got) != 0) {
      fail_msg("U+%04X folds otherwise", (unsigned)c);
    }
  }
  uint32_t out[ON_FOLD_MOST];
  assert_int_equal(on_fold(UINT32_MAX, out), 1);
  assert_int_equal(out[0], UINT32_MAX);
}

// Categories and simple case, where there is no Unicode Character Database to compare with (chars.c).
static void characters_agree(void **state) {
  (void)state;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    assert_int_equal(on_category(c), utf8proc_category((utf8proc_int32_t)c));
    assert_int_equal(on_lower(c), utf8proc_tolower((utf8proc_int32_t)c));
    // utf8proc goes beyond UnicodeData.txt here and gives the capital sharp s.
    if (c != 0xDF) assert_int_equal(on_upper(c), utf8proc_toupper((utf8proc_int32_t)c));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decompositions_agree),
      cmocka_unit_test(compositions_agree),
      cmocka_unit_test(composites_of_composites),
      cmocka_unit_test(folding_agrees),
      cmocka_unit_test(characters_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
