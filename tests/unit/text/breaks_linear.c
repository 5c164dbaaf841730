// Walking a text from boundary to boundary takes time linear in its length: long runs of each kind of
// character, behind and between whatever makes a rule look ahead. Something quadratic would take minutes
// where these take milliseconds.
#include "test.h"

#include <time.h>

#include "text/break_tables.h"
#include "text/breaks.h"
#include "text/utf.h"

enum { UNITS = 1000000 };
// CPU seconds for a walk: some hundred times what it takes with sanitizers, and less than a quadratic
// search needs for the shortest text here.
static double most_seconds(size_t units) { return units <= 5000 ? 0.15 : 2.0; }

typedef size_t (*next_break)(on_str16 text, size_t from);

static uint16_t *buffer;

// `head`, and then `pattern` again and again.
static on_str16 fill(size_t units, const uint32_t *head, size_t head_n, const uint32_t *pattern, size_t pattern_n) {
  size_t n = 0;
  for (size_t i = 0; i < head_n; i++) n += on_utf16_put(buffer + n, head[i]);
  for (size_t i = 0; n + 2 <= units; i++) n += on_utf16_put(buffer + n, pattern[i % pattern_n]);
  return (on_str16){buffer, n};
}

static void walk(on_str16 text, const char *what, uint32_t a, uint32_t b) {
  static const next_break searches[] = {on_next_word_break, on_next_sentence_break, on_next_grapheme_break};
  for (size_t s = 0; s < 3; s++) {
    clock_t start = clock();
    size_t at = 0, steps = 0;
    while (at < text.n) {
      size_t next = searches[s](text, at);
      if (next <= at || next > text.n) fail_msg("search %zu: from %zu to %zu", s, at, next);
      at = next;
      if (++steps % 1024 != 0 && at < text.n) continue;  // the clock is not for nothing
      double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
      if (seconds > most_seconds(text.n)) {
        fail_msg("%s (U+%04X, U+%04X), search %zu: %.1f s for %zu of %zu units", what, (unsigned)a, (unsigned)b, s,
                 seconds, at, text.n);
      }
    }
  }
}

// A character of each kind.
static size_t kinds(uint32_t *list) {
  bool seen[ON_BREAK_KINDS] = {false};
  size_t n = 0;
  for (uint32_t c = 0; c < 0x110000; c++) {
    uint8_t kind = on_break_kind(c);
    if (seen[kind]) continue;
    seen[kind] = true;
    list[n++] = c;
  }
  assert_int_equal(n, ON_BREAK_KINDS);
  return n;
}

static void a_million_of_each_kind(void **state) {
  (void)state;
  uint32_t list[ON_BREAK_KINDS];
  size_t n = kinds(list);
  for (size_t k = 0; k < n; k++) walk(fill(UNITS, NULL, 0, &list[k], 1), "a run", list[k], list[k]);
}

static void each_kind_behind_what_looks_ahead(void **state) {
  (void)state;
  static const uint32_t heads[][3] = {
      {'a', '\'', 0},     {'1', ',', 0},     {0x5D0, '"', 0},       {0x5D0, '\'', 0}, {'.', 0, 0}, {'a', '.', ' '},
      {'.', ')', ' '},    {'?', ' ', 0},     {0x1F600, 0x200D, 0},  {0x1F1E6, 0, 0},  {0x600, 0, 0},
  };
  uint32_t list[ON_BREAK_KINDS];
  size_t n = kinds(list);
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
    size_t head_n = 0;
    while (head_n < 3 && heads[h][head_n] != 0) head_n++;
    for (size_t k = 0; k < n; k++) {
      // Once before a long run, and again and again before short ones.
      walk(fill(20000, heads[h], head_n, &list[k], 1), "head and run", heads[h][0], list[k]);
      uint32_t pattern[64];
      memcpy(pattern, heads[h], head_n * sizeof *pattern);
      for (size_t i = head_n; i < 64; i++) pattern[i] = list[k];
      walk(fill(20000, NULL, 0, pattern, 64), "repeated head", heads[h][0], list[k]);
    }
  }
}

static void all_pairs_of_kinds(void **state) {
  (void)state;
  uint32_t list[ON_BREAK_KINDS];
  size_t n = kinds(list);
  for (size_t a = 0; a < n; a++) {
    for (size_t b = 0; b < n; b++) {
      const uint32_t pair[] = {list[a], list[b]};
      walk(fill(5000, NULL, 0, pair, 2), "alternating", list[a], list[b]);
    }
  }
}

// What is looked through here is looked through again from each place that could start anew.
static void nested_look_ahead(void **state) {
  (void)state;
  static const uint32_t patterns[][8] = {
      {'a', '\'', 0x300, '\'', 0x300, 0x300, '\'', 0x300},  // apostrophes that no letter follows
      {'1', ',', 0x300, ',', 0x300, 0x300, ',', 0x300},
      {'.', ' ', '1', ' ', '(', ',', '1', ' '},             // full stops, and no letter at all
      {'.', ' ', '1', '.', '1', ')', ' ', '1'},
      {'a', '.', 0x300, ' ', 0x300, '-', 0x300, '1'},
      {0x5D0, '"', 0x5B0, '"', 0x5D0, '\'', 0x5B0, '"'},
      {0x1F600, 0x200D, 0x200D, 0x1F600, 0x300, 0x200D, 0x1F600, 0x300},
      {0x1F1E6, 0x300, 0x1F1E6, 0x200D, 0x1F1E6, 0x300, 0x300, 0x200D},
  };
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    walk(fill(UNITS, NULL, 0, patterns[p], 8), "pattern", (uint32_t)p, 0);
  }
}

static int set_up(void **state) {
  (void)state;
  buffer = malloc((UNITS + 8) * sizeof *buffer);
  return buffer == NULL;
}

static int tear_down(void **state) {
  (void)state;
  free(buffer);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_million_of_each_kind),
      cmocka_unit_test(each_kind_behind_what_looks_ahead),
      cmocka_unit_test(all_pairs_of_kinds),
      cmocka_unit_test(nested_look_ahead),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
