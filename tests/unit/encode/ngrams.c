// The n-grams of a word, by their rows.
#include "encode/ngrams.h"

#include "encode/attributes.h"
#include "test.h"
#include "text/utf.h"

enum { ROWS = 4000000 };  // so many that different n-grams have different rows

static uint32_t row_of(on_arena *arena, const char *units, size_t n) {
  on_str16 text;
  assert_true(on_utf16_from_utf8(arena, (on_str){units, n}, &text, NULL));
  return on_attr_row(on_attr_hash(77, text), 0, ROWS);
}

#define SAME(text) assert_int_equal(rows[at++], row_of(&arena, text, sizeof text - 1))

static size_t make(on_arena *arena, const char *word, uint32_t min, uint32_t max, uint32_t *rows) {
  on_str16 units;
  assert_true(on_utf16_from_utf8(arena, on_str_c(word), &units, NULL));
  return on_ngram_rows(&(on_ngrams){min, max, ROWS, 77}, units, rows);
}

static void in_order(void **state) {
  (void)state;
  on_arena arena = {0};
  uint32_t rows[ON_NGRAM_MOST];
  size_t at = 0;
  assert_int_equal(make(&arena, "evi", 2, 4, rows), 9);
  SAME("\0e");
  SAME("\0ev");
  SAME("\0evi");
  SAME("ev");
  SAME("evi");
  SAME("evi\0");
  SAME("vi");
  SAME("vi\0");
  SAME("i\0");
  on_arena_free(&arena);
}

static void of_characters(void **state) {
  (void)state;
  on_arena arena = {0};
  uint32_t rows[ON_NGRAM_MOST];
  size_t at = 0;
  assert_int_equal(make(&arena, "a😀b", 2, 2, rows), 4);  // a pair of surrogates is one character
  SAME("\0a");
  SAME("a😀");
  SAME("😀b");
  SAME("b\0");
  at = 0;
  const uint16_t lone[] = {0xD83D, 'b'};
  assert_int_equal(on_ngram_rows(&(on_ngrams){2, 2, ROWS, 77}, (on_str16){lone, 2}, rows), 3);
  assert_int_equal(rows[1], on_attr_row(on_attr_hash(77, (on_str16){lone, 2}), 0, ROWS));
  on_arena_free(&arena);
}

static void short_and_long(void **state) {
  (void)state;
  on_arena arena = {0};
  uint32_t rows[ON_NGRAM_MOST], more[ON_NGRAM_MOST];
  size_t at = 0;
  assert_int_equal(make(&arena, "", 3, 5, rows), 0);
  assert_int_equal(make(&arena, "", 2, 2, rows), 1);
  SAME("\0\0");
  assert_int_equal(make(&arena, "o", 4, 8, rows), 0);
  assert_true(on_ngram_scale(0) == 0 && on_ngram_scale(4) == 0.5f);
  char word[4 * 1000 + 1] = "";
  for (size_t i = 0; i < 64; i++) memcpy(word + 4 * i, "😀", 5);
  assert_int_equal(make(&arena, word, 1, 8, rows), 8 * 66 - 28);
  for (size_t i = 64; i < 1000; i++) memcpy(word + 4 * i, "😀", 5);
  // of a longer word the first 64 characters without the mark of an end
  assert_int_equal(make(&arena, word, 1, 8, more), 8 * 65 - 28);
  assert_memory_equal(rows, more, 8 * (65 - 8) * sizeof *rows);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(of_characters),
                                     cmocka_unit_test(short_and_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
