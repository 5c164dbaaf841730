// Paragraphs.
#include "test.h"

#include <time.h>

#include "base/arena.h"
#include "doc/unit.h"
#include "text/chars.h"
#include "text/utf.h"

// `marked` has a | between paragraphs.
static void check(const char *marked) {
  on_arena arena = {0};
  on_str16 with_marks;
  assert_true(on_utf16_from_utf8(&arena, on_str_c(marked), &with_marks, NULL));
  uint16_t *units = ON_NEW(&arena, uint16_t, with_marks.n + 1);
  size_t ends[32], count = 0, n = 0;
  for (size_t i = 0; i < with_marks.n; i++) {
    if (with_marks.p[i] == '|') {
      ends[count++] = n;
    } else {
      units[n++] = with_marks.p[i];
    }
  }
  ends[count++] = n;
  on_str16 text = {units, n};
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    size_t end = on_next_paragraph(text, at);
    if (end != ends[i]) {
      fail_msg("\"%s\": paragraph %zu ends at %zu, not %zu", marked, i, end, ends[i]);
    }
    at = end;
  }
  on_arena_free(&arena);
}

static void one_line_break_does_not_part(void **state) {
  (void)state;
  check("a");
  check("A line\nand another.");
  check("A line\r\nand another.\r\n");
  check("A line\rand another.");
  check("A line \n and another. \n ");
}

static void an_empty_line_parts(void **state) {
  (void)state;
  check("One.\n\n|Two.");
  check("One.\r\n\r\n|Two.");
  check("One.\r\r|Two.");
  check("One.\n\r\n|Two.");
  check("One.\r\n\n|Two.");
  check("One.\n\r|Two.");
  check("One.\n\n|Two.\nstill two\n\n|Three.");
}

static void the_empty_line_may_hold_white_space(void **state) {
  (void)state;
  check("One.\n \t \n|Two.");
  check("One.  \r\n\xC2\xA0\r\n|Two.");
  check("One.\n\xE3\x80\x80\n|Two.");
  check("One.\n\xE2\x80\x8B\nstill one: U+200B is no white space");
}

static void all_white_space_goes_before_the_next_paragraph(void **state) {
  (void)state;
  check("One.\n\n\n\n   |Two.");
  check("One. \n\n \n\t|Two.");
  check("One.\n\n  ");
  check("One.\n\n|\xF0\x9F\x98\x80 two\n\n|\xEE\x80\x80");
}

static void the_paragraph_separator_parts_alone(void **state) {
  (void)state;
  check("One.\xE2\x80\xA9|Two.");
  check("One. \xE2\x80\xA9\n\n |Two.");
  check("One.\xE2\x80\xA8" "still one: the line separator");
  check("One.\n\xC2\x85still one\x0C\nstill one");
}

static void white_space_at_the_start_belongs_to_the_first(void **state) {
  (void)state;
  check("\n\n One.\n\n|Two.");
  check("\xE2\x80\xA9 One.");
  check("\n\r\nOne");
}

static void white_space_alone_is_one_paragraph(void **state) {
  (void)state;
  check(" ");
  check("\n");
  check("\n\n\n\n");
  check(" \r\n \xE2\x80\xA9 \n\n ");
}

static void long_texts_take_linear_time(void **state) {
  (void)state;
  enum { UNITS = 4000000 };
  static const char *const patterns[] = {" ", "\n", "\r", "\r\n", "a", "a\n", "a\n \n", "a ", "\n a", "a \n"};
  uint16_t *units = malloc(UNITS * sizeof *units);
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    size_t width = strlen(patterns[p]);
    for (size_t i = 0; i < UNITS; i++) units[i] = (uint16_t)patterns[p][i % width];
    on_str16 text = {units, UNITS};
    clock_t start = clock();
    size_t at = 0;
    while (at < text.n) {
      size_t end = on_next_paragraph(text, at);
      assert_true(end > at && end <= text.n);
      at = end;
    }
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 3.0);
  }
  free(units);
}

// Two units among letters, wherever they stand: what is read several units at a time overlooks none of them.
static void no_unit_is_overlooked(void **state) {
  (void)state;
  static const uint16_t others[] = {0x80, 0x85, 0xA0, 0x100, 0x2028, 0x2029, 0x3000, 0xD83D, 0xFEFF, 0xFFFF};
  enum { OTHERS = sizeof others / sizeof *others, KINDS = 0x80 + OTHERS, N = 21 };
  uint16_t units[N];
  for (int from = 0; from < 3; from++) {
    for (int kind = 0; kind < KINDS; kind++) {
      for (int at = from + 1; at + 2 < N; at++) {
        const uint16_t unit = kind < 0x80 ? (uint16_t)kind : others[kind - 0x80];
        for (int i = 0; i < N; i++) units[i] = 'a';
        units[at] = unit;
        units[at + 1] = '\n';
        const bool parts = unit == '\n' || unit == 0x2029;  // CR LF is one line break
        const size_t end = on_next_paragraph((on_str16){units, N}, (size_t)from);
        assert_int_equal(end, parts ? (size_t)at + 2 : N);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_unit_is_overlooked),
      cmocka_unit_test(one_line_break_does_not_part),
      cmocka_unit_test(an_empty_line_parts),
      cmocka_unit_test(the_empty_line_may_hold_white_space),
      cmocka_unit_test(all_white_space_goes_before_the_next_paragraph),
      cmocka_unit_test(the_paragraph_separator_parts_alone),
      cmocka_unit_test(white_space_at_the_start_belongs_to_the_first),
      cmocka_unit_test(white_space_alone_is_one_paragraph),
      cmocka_unit_test(long_texts_take_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
