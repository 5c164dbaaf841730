// Attributes of tokens, and their rows.
#include "encode/attributes.h"

#include "test.h"
#include "text/utf.h"

static on_str16 units(on_arena *arena, const char *text) {
  on_str16 out;
  assert_true(on_utf16_from_utf8(arena, on_str_c(text), &out, NULL));
  return out;
}

static void shapes(void **state) {
  (void)state;
  static const struct {
    const char *token, *shape;
  } cases[] = {
      {"", ""},         {"Paris", "Xxxxx"}, {"McDonald's", "XxXxxxx'x"}, {"2001", "dddd"}, {"123456", "dddd"},
      {"!!!!!!", "!!!!"}, {"A4-B", "Xd-X"},   {"中文中", "中文中"},          {"😀😀😀😀😀", "😀😀😀😀"}, {"٣x", "dx"},
      {"aaaaBBBBBaaaaa", "xxxxXXXXxxxx"},     {"ǅ", "X"},
  };
  on_arena arena = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_str16 token = units(&arena, cases[i].token);
    uint16_t out[32];
    on_str16 shape = {out, on_attr_shape(out, token)};
    assert_true(on_str16_eq(shape, units(&arena, cases[i].shape)));
  }
  on_arena_free(&arena);
}

static void affixes(void **state) {
  (void)state;
  on_arena arena = {0};
  on_str16 token = units(&arena, "a😀bc😀");  // 7 units
  assert_int_equal(on_attr_prefix(token, 1).n, 1);
  assert_int_equal(on_attr_prefix(token, 2).n, 3);  // the pair is taken whole
  assert_int_equal(on_attr_prefix(token, 3).n, 3);
  assert_int_equal(on_attr_prefix(token, 99).n, 7);
  assert_int_equal(on_attr_suffix(token, 1).n, 2);
  assert_int_equal(on_attr_suffix(token, 2).n, 2);
  assert_int_equal(on_attr_suffix(token, 3).n, 3);
  assert_int_equal(on_attr_suffix(token, 99).n, 7);
  assert_int_equal(on_attr_suffix(token, 5).n, 6);
  on_arena_free(&arena);
}

static void rows(void **state) {
  (void)state;
  uint64_t hash = 0x1234567890ABCDEFu;
  assert_int_equal(on_attr_row(hash, 0, 1000), 0x90ABCDEFu % 1000);
  assert_int_equal(on_attr_row(hash, 1, 1000), 0x12345678u % 1000);
  assert_int_equal(on_attr_row(hash, 2, 1000), (uint32_t)on_splitmix64(hash + 3) % 1000);
  assert_int_equal(on_attr_row(hash, 3, 1000), (uint32_t)on_splitmix64(hash + 4) % 1000);
  assert_int_equal(on_attr_row(hash, 0, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(affixes), cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
