// Names as snprintf would make them, in as much room as there is.
#include "test.h"

#include <stdio.h>

#include "base/name.h"

static void as_snprintf(void **state) {
  (void)state;
  char is[64], want[64];
  const unsigned numbers[] = {0, 7, 10, 4294967295u};
  for (size_t room = 1; room <= sizeof is; room++) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      memset(is, '#', sizeof is);
      size_t n = on_name(is, room, "%s%zu.%s_l%u%s", "encoder", (size_t)numbers[i], "lstm", numbers[i], "");
      int length = snprintf(want, room, "%s%zu.%s_l%u%s", "encoder", (size_t)numbers[i], "lstm", numbers[i], "");
      assert_int_equal(n, length);
      assert_string_equal(is, want);
      assert_true(room == sizeof is || is[room] == '#');
    }
  }
}

static void the_largest_number(void **state) {
  (void)state;
  char is[32], want[32];
  on_name(is, sizeof is, "%zu", SIZE_MAX);
  snprintf(want, sizeof want, "%zu", SIZE_MAX);
  assert_string_equal(is, want);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_snprintf), cmocka_unit_test(the_largest_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
