// Normalization, which is utf8proc's, at its edges; our tables of case folding, case and categories against utf8proc's (of
// the same Unicode version) for all code points.
#include "test.h"

#include <utf8proc.h>

#include "text/chars.h"
#include "text/fold.h"
#include "text/normalize.h"

enum { CODE_POINTS = 0x110000 };

// What composes from three parts does so from its composed first two.
static void composites_of_composites(void **state) {
  (void)state;
  assert_string_equal(utf8proc_unicode_version(), "15.0.0");
  assert_int_equal(on_compose(on_compose('u', 0x308), 0x304), 0x1D6);
  assert_int_equal(on_compose(on_compose(0x1112, 0x1161), 0x11AB), 0xD55C);
  assert_int_equal(on_compose(0xD55C, 0x11AB), 0);
  assert_int_equal(on_compose(0xAC00, 0x11A7), 0);  // no final consonant
  assert_int_equal(on_compose(0xAC00, 0x11C2), 0xAC1B);
  assert_int_equal(on_compose(0x915, 0x93C), 0);  // excluded
  assert_int_equal(on_compose(0x110000, 0x301), 0);
  assert_int_equal(on_compose('a', UINT32_MAX), 0);
  uint32_t out[ON_DECOMPOSE_MOST];
  assert_int_equal(on_decompose(0x1E69, false, out), 3);
  assert_true(out[0] == 's' && out[1] == 0x323 && out[2] == 0x307);
  assert_int_equal(on_decompose(0xFDFA, true, out), ON_DECOMPOSE_MOST);
  assert_int_equal(on_decompose(0xFDFA, false, out), 1);
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
      cmocka_unit_test(composites_of_composites),
      cmocka_unit_test(folding_agrees),
      cmocka_unit_test(characters_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
