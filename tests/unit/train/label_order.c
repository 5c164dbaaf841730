// Label sets that the trainer makes: in falling order of frequency, which outputs in two levels rely on.
#include "test.h"

#include "train/classifier.h"

static void falling_frequency(void **state) {
  (void)state;
  static const char *const seen[] = {"b", "c", "a", "c", "rare", "b", "d", "c", "a", "d", "c", "z", "z", "z", "z", "z"};
  on_label_counts counts = {0};
  on_buf out = {0};
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) assert_true(on_label_count(&counts, on_str_c(seen[i])));
  assert_true(on_label_counts_write(&counts, 1, &out));
  on_buf_str(&out, ON_STR(" "));
  assert_true(on_label_counts_write(&counts, 2, &out));
  on_buf_char(&out, 0);
  // 5, 4, then three of 2 in byte order, 1
  assert_string_equal(out.p, "\"labels\": [\"z\", \"c\", \"a\", \"b\", \"d\", \"rare\"] "
                             "\"labels\": [\"z\", \"c\", \"a\", \"b\", \"d\"]");
  on_buf_free(&out);
  on_label_counts_free(&counts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(falling_frequency)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
