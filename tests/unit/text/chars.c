// Properties and case of code points, each against the Unicode Character Database where it is there.
#include "unicode_data.h"

#include "text/chars.h"
#include "text/utf.h"

static const char category_names[][3] = {"Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd",
                                         "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
                                         "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};

// Any of the predicates against the category's name.
static void check_predicates(uint32_t c, const char *name) {
  char major = name[0];
  bool right = on_is_letter(c) == (major == 'L') && on_is_mark(c) == (major == 'M') &&
               on_is_number(c) == (major == 'N') && on_is_punctuation(c) == (major == 'P') &&
               on_is_symbol(c) == (major == 'S') && on_is_decimal(c) == (strcmp(name, "Nd") == 0) &&
               on_is_upper(c) == (strcmp(name, "Lu") == 0 || strcmp(name, "Lt") == 0) &&
               on_is_lower(c) == (strcmp(name, "Ll") == 0) &&
               strcmp(category_names[on_category(c)], name) == 0;
  if (!right) fail_msg("U+%04X is %s, on_category says %s", (unsigned)c, name, category_names[on_category(c)]);
}

// Splits a line of UnicodeData.txt; `fields` has room for 15.
static void split(char *line, char *fields[15]) {
  for (size_t i = 0; i < 15; i++) {
    fields[i] = line;
    line = strchr(line, ';');
    if (line != NULL) *line++ = '\0';
    if (line == NULL && i < 14) fail_msg("%s has %zu fields", fields[0], i + 1);
  }
}

static uint32_t mapping(const char *field, uint32_t c) {
  return *field ? (uint32_t)strtoul(field, NULL, 16) : c;
}

static void all_code_points_agree_with_unicode_data(void **state) {
  (void)state;
  char *file = unicode_file("UnicodeData.txt"), *rest = file, *line;
  uint32_t next = 0, entries = 0;
  while ((line = next_line(&rest)) != NULL) {
    char *fields[15];
    split(line, fields);
    uint32_t c = (uint32_t)strtoul(fields[0], NULL, 16);
    bool closes_range = strstr(fields[1], ", Last>") != NULL;
    for (; next < c; next++) {
      check_predicates(next, closes_range ? fields[2] : "Cn");
      assert_int_equal(on_lower(next), next);
      assert_int_equal(on_upper(next), next);
    }
    check_predicates(c, fields[2]);
    if (on_upper(c) != mapping(fields[12], c)) fail_msg("on_upper(U+%s) is U+%04X", fields[0], (unsigned)on_upper(c));
    if (on_lower(c) != mapping(fields[13], c)) fail_msg("on_lower(U+%s) is U+%04X", fields[0], (unsigned)on_lower(c));
    next = c + 1;
    entries++;
  }
  for (; next < CODE_POINTS; next++) check_predicates(next, "Cn");
  assert_int_equal(entries, 34924);  // Unicode 15.0
  free(file);
}

static void white_space_agrees_with_prop_list(void **state) {
  (void)state;
  char *file = unicode_file("PropList.txt"), *rest = file, *line;
  unsigned char *expected = calloc(CODE_POINTS, 1);
  while ((line = next_line(&rest)) != NULL) {
    uint32_t first, last;
    char name[64];
    if (!property_entry(line, &first, &last, name) || strcmp(name, "White_Space") != 0) continue;
    memset(expected + first, 1, last - first + 1);
  }
  for (uint32_t c = 0; c < CODE_POINTS; c++) assert_int_equal(on_is_space(c), expected[c]);
  free(expected);
  free(file);
}

// What holds without the database.
static void samples_of_each_category(void **state) {
  (void)state;
  static const struct {
    uint32_t c;
    const char *name;
  } samples[] = {
      {'A', "Lu"},    {'z', "Ll"},     {'0', "Nd"},    {'_', "Pc"},    {'-', "Pd"},     {'(', "Ps"},    {')', "Pe"},
      {'$', "Sc"},    {'+', "Sm"},     {'^', "Sk"},    {' ', "Zs"},    {'\n', "Cc"},    {0xAB, "Pi"},   {0xBB, "Pf"},
      {0x1C5, "Lt"},  {0x2B0, "Lm"},   {0x301, "Mn"},  {0x416, "Lu"},  {0x488, "Me"},   {0x4E00, "Lo"}, {0x903, "Mc"},
      {0xAD, "Cf"},   {0x2028, "Zl"},  {0x2029, "Zp"}, {0x2160, "Nl"}, {0xB2, "No"},    {0xD800, "Cs"}, {0xE000, "Co"},
      {0x378, "Cn"},  {0x1F600, "So"}, {0x1D7CE, "Nd"}, {0x10FFFF, "Cn"}, {0x110000, "Cn"}, {UINT32_MAX, "Cn"},
      {0x52F, "Ll"},  {0x530, "Cn"},   {0x531, "Lu"},
  };
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check_predicates(samples[i].c, samples[i].name);
}

static void white_space_and_line_breaks(void **state) {
  (void)state;
  size_t spaces = 0, breaks = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    spaces += on_is_space(c);
    breaks += on_is_line_break(c);
    if (on_is_line_break(c)) assert_true(on_is_space(c));
  }
  assert_int_equal(spaces, 25);
  assert_int_equal(breaks, 7);
  const uint32_t list[] = {0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029};
  for (size_t i = 0; i < 7; i++) assert_true(on_is_line_break(list[i]));
  assert_true(on_is_space(0xA0) && on_is_space(0x3000) && on_is_space(0x202F) && on_is_space(0x1680));
  assert_false(on_is_space(0x200B) || on_is_space(0xFEFF) || on_is_space(0x180E) || on_is_space(0x1C));
}

static void case_samples(void **state) {
  (void)state;
  const uint32_t pairs[][2] = {{'A', 'a'}, {0xC4, 0xE4}, {0x178, 0xFF}, {0x391, 0x3B1}, {0x416, 0x436}, {0x531, 0x561},
                               {0x10A0, 0x2D00}, {0x13A0, 0xAB70}, {0xA64A, 0xA64B}, {0x10400, 0x10428},
                               {0x1E900, 0x1E922}, {0xFF21, 0xFF41}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    assert_int_equal(on_lower(pairs[i][0]), pairs[i][1]);
    assert_int_equal(on_lower(pairs[i][1]), pairs[i][1]);
    assert_int_equal(on_upper(pairs[i][1]), pairs[i][0]);
    assert_int_equal(on_upper(pairs[i][0]), pairs[i][0]);
    assert_int_equal(on_lower_turkic(pairs[i][0]), pairs[i][1]);
  }
  assert_int_equal(on_upper(0xDF), 0xDF);  // no simple mapping
  assert_int_equal(on_lower(0x1E9E), 0xDF);
  assert_int_equal(on_lower(0x130), 'i');
  assert_int_equal(on_lower('I'), 'i');
  assert_int_equal(on_lower_turkic('I'), 0x131);
  assert_int_equal(on_lower_turkic(0x130), 'i');
  assert_int_equal(on_lower_turkic('i'), 'i');
  const uint32_t outside[] = {0x110000, 0x7FFFFFFF, 0x80000041, UINT32_MAX};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(on_lower(outside[i]), outside[i]);
    assert_int_equal(on_upper(outside[i]), outside[i]);
  }
}

static void lower_text_keeps_its_length(void **state) {
  (void)state;
  for (int turkic = 0; turkic < 2; turkic++) {
    for (uint32_t c = 0; c < CODE_POINTS; c++) {
      uint16_t units[2], out[2], expected[2];
      size_t n = on_utf16_put(units, c);
      uint32_t lower = turkic ? on_lower_turkic(c) : on_lower(c);
      if (on_utf16_put(expected, lower) != n) fail_msg("U+%04X changes its length in lower case", (unsigned)c);
      assert_int_equal(on_lower_text(out, (on_str16){units, n}, turkic != 0), n);
      assert_memory_equal(out, expected, n * sizeof *out);
    }
  }
}

static void lower_text_in_place(void **state) {
  (void)state;
  uint16_t text[] = {'I', 0x130, 'A', 0xD801, 0xDC00, 0xD801, 0x416, 'z', 0x13A0};
  const uint16_t plain[] = {'i', 'i', 'a', 0xD801, 0xDC28, 0xD801, 0x436, 'z', 0xAB70};
  uint16_t out[9];
  assert_int_equal(on_lower_text(out, (on_str16){text, 9}, true), 9);
  assert_int_equal(out[0], 0x131);
  assert_int_equal(out[1], 'i');
  assert_memory_equal(out + 2, plain + 2, 7 * sizeof *out);
  assert_int_equal(on_lower_text(text, (on_str16){text, 9}, false), 9);
  assert_memory_equal(text, plain, sizeof plain);
  assert_int_equal(on_lower_text(out, (on_str16){NULL, 0}, false), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_code_points_agree_with_unicode_data),
      cmocka_unit_test(white_space_agrees_with_prop_list),
      cmocka_unit_test(samples_of_each_category),
      cmocka_unit_test(white_space_and_line_breaks),
      cmocka_unit_test(case_samples),
      cmocka_unit_test(lower_text_keeps_its_length),
      cmocka_unit_test(lower_text_in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
