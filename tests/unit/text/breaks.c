// Boundaries of UAX #29: the official tests of Unicode 15.0, the tables against the database, and
// random strings against the rules as the document states them.
#include "unicode_data.h"

#include "base/random.h"
#include "break_rules.h"
#include "text/break_tables.h"
#include "text/breaks.h"
#include "text/utf.h"

typedef size_t (*next_break)(on_str16 text, size_t from);

// ---- the official tests ------------------------------------------------------------------------------

enum { MAX_UNITS = 2 * MAX_CHARACTERS };

typedef struct row {
  uint16_t units[MAX_UNITS];
  size_t n;
  size_t ends[MAX_UNITS];  // the boundaries but for the first
  size_t count;
} row;

// "÷ 0001 × 0308 ÷	#  ..."
static bool parse_row(char *line, row *out) {
  *out = (row){.n = 0};
  char *comment = strchr(line, '#');
  if (comment != NULL) *comment = '\0';
  for (char *word = strtok(line, " \t\r"); word != NULL; word = strtok(NULL, " \t\r")) {
    if (strcmp(word, "\xC3\xB7") == 0) {
      if (out->n > 0) out->ends[out->count++] = out->n;
    } else if (strcmp(word, "\xC3\x97") != 0) {
      out->n += on_utf16_put(out->units + out->n, (uint32_t)strtoul(word, NULL, 16));
    }
  }
  return out->n > 0;
}

static void official_test(const char *name, next_break next, size_t rows) {
  char path[4096], relative[64];
  snprintf(relative, sizeof relative, "unicode-15.0/%s", name);
  // The database of the package holds the same files.
  char auxiliary[64];
  snprintf(auxiliary, sizeof auxiliary, "auxiliary/%s", name);
  bool there = test_data_path(path, sizeof path, relative) != NULL;
  char *file = there ? test_read_file(path, NULL) : unicode_file(auxiliary), *rest = file, *line;
  size_t seen = 0, failed = 0, number = 0;
  while ((line = next_line(&rest)) != NULL) {
    number++;
    row expected;
    if (!parse_row(line, &expected)) continue;
    seen++;
    on_str16 text = {expected.units, expected.n};
    size_t at = 0, count = 0;
    bool right = true;
    while (at < text.n && right) {
      at = next(text, at);
      right = count < expected.count && at == expected.ends[count++];
    }
    if (!right || count != expected.count) {
      fprintf(stderr, "%s, line %zu: boundary %zu is at unit %zu\n", name, number, count, at);
      failed++;
    }
  }
  free(file);
  assert_int_equal(failed, 0);
  assert_int_equal(seen, rows);
}

static void official_word_tests(void **state) {
  (void)state;
  official_test("WordBreakTest.txt", on_next_word_break, 1823);
}

static void official_sentence_tests(void **state) {
  (void)state;
  official_test("SentenceBreakTest.txt", on_next_sentence_break, 502);
}

static void official_grapheme_tests(void **state) {
  (void)state;
  official_test("GraphemeBreakTest.txt", on_next_grapheme_break, 602);
}

// ---- the tables --------------------------------------------------------------------------------------

static const char *const word_names[ON_WB_COUNT] = {
    "", "CR", "LF", "Newline", "Extend", "ZWJ", "Format", "Regional_Indicator", "Katakana", "Hebrew_Letter",
    "ALetter", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter", "MidNum", "Numeric", "ExtendNumLet",
    "WSegSpace", "Extended_Pictographic", ""};
static const char *const sentence_names[ON_SB_COUNT] = {"", "CR", "LF", "Sep", "Extend", "Format", "Sp", "Lower",
                                                        "Upper", "OLetter", "Numeric", "ATerm", "SContinue",
                                                        "STerm", "Close"};
static const char *const grapheme_names[ON_GCB_COUNT] = {"", "CR", "LF", "Control", "Extend", "ZWJ",
                                                      "Regional_Indicator", "Prepend", "SpacingMark", "L", "V",
                                                      "T", "LV", "LVT", "Extended_Pictographic"};

// The class of every code point by the database; to be freed.
static uint8_t *classes_of(const char *file_name, const char *const *names, size_t count) {
  uint8_t *classes = calloc(CODE_POINTS, 1);
  char *file = unicode_file(file_name), *rest = file, *line;
  while ((line = next_line(&rest)) != NULL) {
    uint32_t first, last;
    char name[64];
    if (!property_entry(line, &first, &last, name)) continue;
    size_t class = 1;
    while (class < count && strcmp(names[class], name) != 0) class++;
    if (class == count) fail_msg("%s: class %s", file_name, name);
    memset(classes + first, (int)class, last - first + 1);
  }
  free(file);
  return classes;
}

static void add_pictographs(uint8_t *classes, uint8_t from, uint8_t to) {
  char *file = unicode_file("emoji/emoji-data.txt"), *rest = file, *line;
  size_t found = 0;
  while ((line = next_line(&rest)) != NULL) {
    uint32_t first, last;
    char name[64];
    if (!property_entry(line, &first, &last, name) || strcmp(name, "Extended_Pictographic") != 0) continue;
    for (uint32_t c = first; c <= last; c++) {
      if (classes[c] == from) classes[c] = to;
      found++;
    }
  }
  assert_true(found > 3000);
  free(file);
}

static void tables_agree_with_the_database(void **state) {
  (void)state;
  uint8_t *words = classes_of("auxiliary/WordBreakProperty.txt", word_names, ON_WB_COUNT);
  add_pictographs(words, ON_WB_ALETTER, ON_WB_PICTOGRAPHIC_ALETTER);
  add_pictographs(words, ON_WB_OTHER, ON_WB_PICTOGRAPHIC);
  uint8_t *sentences = classes_of("auxiliary/SentenceBreakProperty.txt", sentence_names, ON_SB_COUNT);
  uint8_t *graphemes = classes_of("auxiliary/GraphemeBreakProperty.txt", grapheme_names, ON_GCB_COUNT);
  add_pictographs(graphemes, ON_GCB_OTHER, ON_GCB_PICTOGRAPHIC);
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    uint8_t kind = on_break_kind(c);
    uint8_t word = on_break_word_class[kind], sentence = on_break_sentence_class[kind];
    uint8_t grapheme = on_break_grapheme_class[kind];
    if (word != words[c] || sentence != sentences[c] || grapheme != graphemes[c]) {
      fail_msg("U+%04X: word class %d, sentence class %d, grapheme class %d", (unsigned)c, word, sentence, grapheme);
    }
  }
  free(words);
  free(sentences);
  free(graphemes);
}

// ---- the rules on random strings ---------------------------------------------------------------------

static void check_string(const uint32_t *characters, const uint8_t *classes, size_t n, next_break next,
                         void (*rules)(const uint8_t *, size_t, bool *)) {
  uint16_t units[MAX_UNITS];
  size_t offset[MAX_CHARACTERS + 1] = {0};
  for (size_t i = 0; i < n; i++) offset[i + 1] = offset[i] + on_utf16_put(units + offset[i], characters[i]);
  bool breaks[MAX_CHARACTERS + 1];
  rules(classes, n, breaks);
  breaks[n] = true;
  on_str16 text = {units, offset[n]};
  size_t at = 0;
  for (size_t i = 1; i <= n; i++) {
    if (!breaks[i]) continue;
    size_t found = next(text, at);
    if (found != offset[i]) {
      for (size_t k = 0; k < n; k++) {
        fprintf(stderr, "%sU+%04X (%d)", k > 0 && breaks[k] ? " / " : " ", (unsigned)characters[k], classes[k]);
      }
      fail_msg("boundary at unit %zu, not %zu", found, offset[i]);
    }
    at = found;
  }
}

// Up to four code points of each kind.
typedef struct samples {
  uint32_t list[ON_BREAK_KINDS][4];
  size_t count[ON_BREAK_KINDS];
} samples;

static void add_sample(samples *s, uint8_t kind, uint32_t c) {
  // The first two, and then whichever comes last, so that other planes are among them.
  size_t at = s->count[kind] < 4 ? s->count[kind]++ : 2 + c % 2;
  s->list[kind][at] = c;
}

static const struct property {
  const uint8_t *class_of;
  uint32_t count;
} properties[] = {{on_break_word_class, ON_WB_COUNT},
                  {on_break_sentence_class, ON_SB_COUNT},
                  {on_break_grapheme_class, ON_GCB_COUNT}};

// A kind of a random class of a property, so that classes of few kinds are not rare.
static size_t random_kind(on_random *random, const struct property *property) {
  uint32_t class = on_random_below(random, property->count), kind;
  do kind = on_random_below(random, ON_BREAK_KINDS);
  while (property->class_of[kind] != class);
  return kind;
}

static void random_strings_follow_the_rules(void **state) {
  (void)state;
  samples s = {.count = {0}};
  for (uint32_t c = 0; c < CODE_POINTS; c++) add_sample(&s, on_break_kind(c), c);
  on_random random;
  on_random_seed(&random, 29);
  for (int round = 0; round < 300000; round++) {
    const struct property *property = &properties[round % 3];
    uint32_t characters[MAX_CHARACTERS];
    uint8_t classes[3][MAX_CHARACTERS];
    size_t n = 1 + on_random_below(&random, 12);
    // Half of the strings from few kinds, so that the longer patterns come up.
    size_t few[3];
    for (size_t k = 0; k < 3; k++) few[k] = random_kind(&random, property);
    for (size_t i = 0; i < n; i++) {
      size_t kind = round % 2 == 0 ? few[on_random_below(&random, 3)] : random_kind(&random, property);
      characters[i] = s.list[kind][on_random_below(&random, (uint32_t)s.count[kind])];
      for (size_t p = 0; p < 3; p++) classes[p][i] = properties[p].class_of[kind];
    }
    check_string(characters, classes[0], n, on_next_word_break, rules_of_words);
    check_string(characters, classes[1], n, on_next_sentence_break, rules_of_sentences);
    check_string(characters, classes[2], n, on_next_grapheme_break, rules_of_graphemes);
  }
}

// ---- examples of our own, for where no data is installed --------------------------------------------

// `marked` has | at the boundaries inside the text.
static void check_marked(next_break next, const char *marked) {
  on_arena arena = {0};
  on_str16 with_marks;
  assert_true(on_utf16_from_utf8(&arena, on_str_c(marked), &with_marks, NULL));
  uint16_t *units = ON_NEW(&arena, uint16_t, with_marks.n + 1);
  size_t n = 0, from = 0;
  for (size_t i = 0; i < with_marks.n; i++) n += with_marks.p[i] != '|' ? (units[n] = with_marks.p[i], 1u) : 0u;
  on_str16 text = {units, n};
  size_t end = 0;
  for (size_t i = 0; i <= with_marks.n; i++) {
    if (i < with_marks.n && with_marks.p[i] != '|') {
      end++;
      continue;
    }
    size_t found = next(text, from);
    if (found != end) fail_msg("%s: boundary at %zu, not %zu", marked, found, end);
    from = end;
  }
  on_arena_free(&arena);
}

static void words_of_examples(void **state) {
  (void)state;
  static const char *const list[] = {
      "x", "The| |otter's", "can't| |stop|.", "3.14| |and| |1,000,000|!", "a.b|.", "snake_case| |x2| |2x",
      "u.s.a|.", "\xD7\xA6\xD7\x94\"\xD7\x9C", "\xD7\x92'|!", "x|'|!", "two|  |blanks", "\r\n|a|\n|\n",
      "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7|\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",
      "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC| |ok",
      "\xE3\x82\xAB\xE3\x82\xBF\xE3\x82\xAB|\xE6\xBC\xA2|\xE5\xAD\x97", "e\xCC\x81t\xC3\xA9"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) check_marked(on_next_word_break, list[i]);
}

static void sentences_of_examples(void **state) {
  (void)state;
  static const char *const list[] = {
      "One. |Two? |Three! |Four", "It cost 3.50 euros. |Fine.", "He asked (\"Why?\") |And left.",
      "e.g. this one. |That",
      "Wait... what? |No.", "He said U.S. |Then left.", "Title\n|Text. |More\r\n|End", "A. (1) b. |(2) B",
      "Stop!, he said. |\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82|\xE5\x86\x8D\xE8\xA7\x81"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) check_marked(on_next_sentence_break, list[i]);
}

static void graphemes_of_examples(void **state) {
  (void)state;
  static const char *const list[] = {
      "a|b", "\r\n|x", "e\xCC\x81|t", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC|!",
      "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7|\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",
      "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB|\xEA\xB8\x80",
      "\xE0\xA4\xA8\xE0\xA4\xBF|\xE0\xA4\xAE"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) check_marked(on_next_grapheme_break, list[i]);
}

// A lone surrogate is a character of its own, and never half of something.
static void lone_surrogates(void **state) {
  (void)state;
  const uint16_t units[] = {'a', 0xD83D, 'b', 0xDE00, 0xD83D};
  on_str16 text = {units, 5};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(on_next_word_break(text, i), i + 1);
    assert_int_equal(on_next_grapheme_break(text, i), i + 1);
  }
  assert_int_equal(on_next_sentence_break(text, 0), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(official_word_tests),
      cmocka_unit_test(official_sentence_tests),
      cmocka_unit_test(official_grapheme_tests),
      cmocka_unit_test(tables_agree_with_the_database),
      cmocka_unit_test(random_strings_follow_the_rules),
      cmocka_unit_test(words_of_examples),
      cmocka_unit_test(sentences_of_examples),
      cmocka_unit_test(graphemes_of_examples),
      cmocka_unit_test(lone_surrogates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
