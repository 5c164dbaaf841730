// Edit trees: built, written, read with their limits, applied; and the lemma classes made of them.
#include "head/edit_tree.h"

#include "base/alloc.h"
#include "base/random.h"
#include "head/lemmatizer.h"
#include "test.h"
#include "text/utf.h"

static on_str16 units(on_arena *arena, const char *text) {
  on_str16 out;
  assert_true(on_utf16_from_utf8(arena, on_str_c(text), &out, NULL));
  return out;
}

static void check_build(const char *form, const char *lemma, const char *tree) {
  on_arena arena = {0};
  on_buf built = {0};
  assert_true(on_edit_tree_build(&built, units(&arena, form), units(&arena, lemma)));
  on_buf_char(&built, 0);
  assert_string_equal(built.p, tree);
  on_buf_free(&built);
  on_arena_free(&arena);
}

static void builds(void **state) {
  (void)state;
  check_build("walked", "walk", "M0,2()(S2:ed0:)");
  check_build("walk", "walk", "M0,0()()");
  check_build("gesagt", "sagen", "M2,1(S2:ge0:)(S1:t2:en)");
  check_build("was", "be", "S3:was2:be");
  check_build("x", "yx", "M0,0(S0:1:y)()");
  check_build("😀", "😁", "S2:😀2:😁");  // they share a high surrogate, which is not kept alone
}

static void parses_and_applies(void **state) {
  (void)state;
  static const struct {
    const char *tree, *form, *result;  // result NULL: does not fit
  } cases[] = {
      {"M0,2()(S2:ed0:)", "parked", "park"},
      {"M0,2()(S2:ed0:)", "parks", NULL},
      {"M0,2()(S2:ed0:)", "d", NULL},
      {"M0,2()(S2:ed0:)", "ed", NULL},  // nothing would be left
      {"M2,1(S2:ge0:)(S1:t2:en)", "gemacht", "machen"},
      {"S3:was2:be", "was", "be"},
      {"S3:was2:be", "wa", NULL},
      {"M0,0()()", "Österreich", "Österreich"},
      {"M0,4()(M1,2(M0,0()())(S2:ns1:n))", "abcdens", "abcden"},
      {"M1,0(S1:(1:))()", "(x", ")x"},  // brackets inside strings are text
  };
  on_arena arena = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_edit_tree tree;
    on_error error;
    if (!on_edit_tree_parse(&tree, &arena, on_str_c(cases[i].tree), &error)) fail_msg("%s: %s", cases[i].tree, error.text);
    uint16_t out[64];
    size_t length;
    bool fits = on_edit_tree_apply(&tree, units(&arena, cases[i].form), out, 64, &length);
    assert_int_equal(fits, cases[i].result != NULL);
    if (fits) assert_true(on_str16_eq((on_str16){out, length}, units(&arena, cases[i].result)));
    if (fits) assert_false(on_edit_tree_apply(&tree, units(&arena, cases[i].form), out, length - 1, &length));
  }
  on_arena_free(&arena);
}

static void rejects(void **state) {
  (void)state;
  static const char *const bad[] = {
      "", "M", "M0,0", "M0,0()", "M0,0()(", "M0,0()()x", "M0,0()()M0,0()()", "M-1,0()()", "M00,0()()", "M0,0(())()",
      "M1,0()()", "M0,1()()", "S", "S1:", "S1:a", "S1:a1:", "S1:a2:b", "S2:a0:", "S01:a0:", "S1:a0:x", "X0,0()()",
      "M99999,0(S0:0:)()", "M4097,0(S0:0:)()", "S4097:a0:", "S4294967297:a0:", "m0,0()()",
  };
  on_arena arena = {0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    on_edit_tree tree;
    on_error error = {0};
    if (on_edit_tree_parse(&tree, &arena, on_str_c(bad[i]), &error)) fail_msg("accepted: %s", bad[i]);
    assert_int_equal(error.code, ON_INVALID_DATA);
  }
  on_arena_free(&arena);
}

// M1,0( ... )() nested `levels` deep, a substitution inside.
static bool parse_nested(int levels) {
  on_arena arena = {0};
  on_buf text = {0};
  for (int i = 1; i < levels; i++) on_buf_str(&text, ON_STR("M1,0("));
  on_buf_str(&text, ON_STR("S1:a1:b"));
  for (int i = 1; i < levels; i++) on_buf_str(&text, ON_STR(")()"));
  on_edit_tree tree;
  bool ok = on_edit_tree_parse(&tree, &arena, on_buf_view(&text), NULL);
  on_buf_free(&text);
  on_arena_free(&arena);
  return ok;
}

static bool parse_long(size_t length) {
  on_arena arena = {0};
  on_buf text = {0};
  on_buf_format(&text, "S%zu:", length - 9);  // S4087: ... 0: makes 9 units around the original
  while (text.n < length - 2) on_buf_char(&text, 'a');
  on_buf_str(&text, ON_STR("0:"));
  on_edit_tree tree;
  assert_int_equal(text.n, length);
  on_str view = on_buf_view(&text);
  // the number must say what stands there
  char number[8];
  snprintf(number, sizeof number, "%zu", length - 2 - 6);
  memcpy(text.p + 1, number, 4);
  bool ok = on_edit_tree_parse(&tree, &arena, view, NULL);
  on_buf_free(&text);
  on_arena_free(&arena);
  return ok;
}

static void limits(void **state) {
  (void)state;
  assert_true(parse_nested(ON_EDIT_TREE_DEPTH));
  assert_false(parse_nested(ON_EDIT_TREE_DEPTH + 1));
  assert_true(parse_long(ON_EDIT_TREE_UNITS));
  assert_false(parse_long(ON_EDIT_TREE_UNITS + 1));
}

// Whatever is built can be read, and gives the lemma back.
static void round_trips(void **state) {
  (void)state;
  static const char *const alphabet[] = {"a", "b", "ß", "é", "中", "😀", "😁", "(", ":", "1", "M", "S"};
  on_random random;
  on_random_seed(&random, 3);
  for (int i = 0; i < 3000; i++) {
    on_arena arena = {0};
    on_buf words[2] = {{0}, {0}}, built = {0};
    for (int w = 0; w < 2; w++) {
      for (uint32_t k = 1 + on_random_below(&random, 8); k > 0; k--) {
        on_buf_str(&words[w], on_str_c(alphabet[on_random_below(&random, 12)]));
      }
    }
    on_str16 form, lemma;
    assert_true(on_utf16_from_utf8(&arena, on_buf_view(&words[0]), &form, NULL));
    assert_true(on_utf16_from_utf8(&arena, on_buf_view(&words[1]), &lemma, NULL));
    assert_true(on_edit_tree_build(&built, form, lemma));
    on_edit_tree tree;
    on_error error;
    if (!on_edit_tree_parse(&tree, &arena, on_buf_view(&built), &error)) fail_msg("%s", error.text);
    uint16_t out[128];
    size_t length;
    assert_true(on_edit_tree_apply(&tree, form, out, 128, &length));
    assert_true(on_str16_eq((on_str16){out, length}, lemma));
    const on_lemma_class as_is = {.tree = tree};
    assert_true(on_str_eq(on_lemma_class_apply(&as_is, form, &arena), on_buf_view(&words[1])));
    // A class does to other forms what its tree does, be there a short way or not.
    const on_str other = on_lemma_class_apply(&as_is, lemma, &arena);
    const bool fits = on_edit_tree_apply(&tree, lemma, out, 128, &length);
    assert_int_equal(other.p != NULL, fits);
    assert_true(!fits || on_str_eq(other, on_utf8_from_utf16(&arena, (on_str16){out, length})));
    for (int w = 0; w < 2; w++) on_buf_free(&words[w]);
    on_buf_free(&built);
    on_arena_free(&arena);
  }
}

static void check_class_in(bool turkic, const char *form, const char *lemma, const char *expected) {
  on_arena arena = {0};
  on_buf built = {0};
  assert_true(on_lemma_class_build(&built, units(&arena, form), units(&arena, lemma), turkic));
  on_buf_char(&built, 0);
  assert_string_equal(built.p, expected);
  on_lemma_class c = {.lower = built.p[0] == 'l', .turkic = turkic};
  assert_true(on_edit_tree_parse(&c.tree, &arena, (on_str){built.p + 1, built.n - 2}, NULL));
  assert_true(on_str_eq(on_lemma_class_apply(&c, units(&arena, form), &arena), on_str_c(lemma)));
  on_buf_free(&built);
  on_arena_free(&arena);
}

static void check_class(const char *form, const char *lemma, const char *expected) {
  check_class_in(false, form, lemma, expected);
}

static void lemma_classes(void **state) {
  (void)state;
  check_class("Walked", "walk", "lM0,2()(S2:ed0:)");
  check_class("walks", "walk", "lM0,1()(S1:s0:)");
  check_class("Paris", "Paris", "rM0,0()()");
  check_class("THE", "the", "lM0,0()()");
  on_arena arena = {0};
  on_lemma_class c = {.lower = true};
  assert_true(on_edit_tree_parse(&c.tree, &arena, ON_STR("M0,3()(S3:ied1:y)"), NULL));
  assert_true(on_str_eq(on_lemma_class_apply(&c, units(&arena, "CRIED"), &arena), ON_STR("cry")));
  assert_true(on_str_eq(on_lemma_class_apply(&c, units(&arena, "ied"), &arena), ON_STR("y")));
  assert_null(on_lemma_class_apply(&c, units(&arena, "walked"), &arena).p);
  assert_null(on_lemma_class_apply(&c, units(&arena, "ed"), &arena).p);
  on_arena_free(&arena);
}

// The lemmas of a unit lie in its Doc: each takes what a word takes.
static void lemmas_are_small(void **state) {
  (void)state;
  on_arena arena = {0};
  on_lemma_class c = {.lower = true};
  assert_true(on_edit_tree_parse(&c.tree, &arena, ON_STR("M0,2()(S2:ed0:)"), NULL));
  const on_str16 form = units(&arena, "Walked");
  const size_t before = on_alloc_used();
  for (int i = 0; i < 512; i++) assert_true(on_str_eq(on_lemma_class_apply(&c, form, &arena), ON_STR("walk")));
  assert_in_range(on_alloc_used() - before, 512 * 4, 512 * 128);
  on_arena_free(&arena);
}

// The four letters I, ı, İ, i: with the Turkish rules one class lower-cases them all.
static void lemma_classes_turkic(void **state) {
  (void)state;
  check_class_in(true, "IŞIK", "ışık", "lM0,0()()");
  check_class_in(true, "Irmaklar", "ırmak", "lM0,3()(S3:lar0:)");
  check_class_in(true, "İKİ", "iki", "lM0,0()()");
  check_class_in(true, "İzmir", "İzmir", "rM0,0()()");
  check_class_in(true, "ılık", "ılık", "lM0,0()()");
  check_class_in(true, "iki", "iki", "lM0,0()()");
  check_class("İKİ", "iki", "lM0,0()()");  // the simple mapping of İ is i everywhere
  check_class("Irmaklar", "ırmak", "lM1,3(S1:i1:ı)(S3:lar0:)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builds),      cmocka_unit_test(parses_and_applies), cmocka_unit_test(rejects),
      cmocka_unit_test(limits),      cmocka_unit_test(round_trips),        cmocka_unit_test(lemma_classes),
      cmocka_unit_test(lemmas_are_small), cmocka_unit_test(lemma_classes_turkic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
