/* Ids and offsets of hard texts, against those that Rust's `tokenizers` gave (tools/gen-piece-fixtures.py). */
#include <inttypes.h>

#include "format/json.h"
#include "helper.h"

static uint64_t add_number(uint64_t state, uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) state = (state ^ (number >> shift & 0xFF)) * UINT64_C(0x100000001B3);
  return state;
}

static void check_text(const char *name, const on_piece_model *model, on_str utf8, on_str expected) {
  on_arena scratch = {0};
  on_str16 text;
  on_piece_list list;
  on_error error = {0};
  char found[64];
  assert_true(on_utf16_from_utf8(&scratch, utf8, &text, NULL));
  if (!on_piece_encode(model, text, &scratch, &list, &error)) fail_msg("%s: %s", name, error.text);
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < list.n; i++) {
    hash = add_number(add_number(add_number(hash, list.ids[i]), list.start[i]), list.end[i]);
  }
  snprintf(found, sizeof found, "%zu:%016" PRIx64, list.n, hash);
  if (!on_str_eq(on_str_c(found), expected)) {
    fail_msg("%s gives %s for \"%.*s\", the library %.*s", name, found, (int)utf8.n, utf8.p, (int)expected.n,
             expected.p);
  }
  on_arena_free(&scratch);
}

static void equals_the_library(void **state) {
  (void)state;
  size_t n, tokenizers = 0;
  char *json = fixture("golden", &n);
  on_json *golden = on_json_parse((on_str){json, n}, 8, NULL);
  assert_non_null(golden);
  const on_json *expected = on_json_first(on_json_get(golden, "tokenizers"));
  for (; expected; expected = on_json_next(expected), tokenizers++) {
    on_arena arena = {0};
    const char *name = on_json_key(expected).p;
    on_piece_model *model = load_fixture(name, &arena);
    const on_json *text = on_json_first(on_json_get(golden, "texts"));
    const on_json *hash = on_json_first(expected);
    for (; text; text = on_json_next(text), hash = on_json_next(hash)) {
      check_text(name, model, on_json_string(text), on_json_string(hash));
    }
    on_arena_free(&arena);
  }
  assert_int_equal(tokenizers, 14);
  on_json_free(golden);
  free(json);
}

/* A lone surrogate is one unknown character of one unit. */
static void takes_lone_surrogates(void **state) {
  (void)state;
  static const uint16_t units[] = {'a', ' ', 0xD800, ' ', 'b', 0xDC00};
  on_arena arena = {0};
  on_piece_model *model = load_fixture("roberta", &arena);
  on_piece_list list;
  assert_true(on_piece_encode(model, (on_str16){units, 6}, &arena, &list, NULL));
  assert_true(list.n > 3);
  assert_int_equal(list.end[list.n - 1], 6);
  assert_int_equal(list.start[list.n - 1], 5);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_library),
      cmocka_unit_test(takes_lone_surrogates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
