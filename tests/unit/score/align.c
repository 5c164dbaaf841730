// Which words are aligned: multiword tokens, the longest common subsequence and its bound, lower-casing.
#include "treebank.h"

#include <time.h>

#include "base/random.h"
#include "score/ud_align.h"

static void expect_words(const char *gold_text, const char *system_text, int correct) {
  for (int way = 0; way < 2; way++) {  // the number is the same both ways
    treebank gold, system;
    treebank_words(&gold, way ? system_text : gold_text);
    treebank_words(&system, way ? gold_text : system_text);
    on_conll18 scores;
    on_error error;
    if (!treebank_evaluate(&gold, &system, &scores, &error)) fail_msg("%s", error.text);
    const on_score *words = &scores.metrics[ON_WORDS];
    if (words->correct != (uint64_t)correct) {
      fail_msg("%s | %s: %d words, expected %d", gold_text, system_text, (int)words->correct, correct);
    }
    treebank_free(&gold);
    treebank_free(&system);
  }
}

static void plain_words_are_aligned_by_extent(void **state) {
  (void)state;
  expect_words("kitchen", "kitchen", 1);
  expect_words("kit chen", "kitchen", 0);
  expect_words("the kit chen", "the kitchen", 1);
  expect_words("the kit chen sink", "the kitchen sink", 2);
  expect_words("th ekit chen", "the kit chen", 1);
  expect_words("a b / c", "a / b c", 3);
}

static void ranges_are_aligned_by_form(void **state) {
  (void)state;
  expect_words("cannot(can not)", "cannot(can not)", 2);
  expect_words("cannot(can not)", "can not", 2);
  expect_words("cannot(can not)", "cannot", 0);
}

static void stretches_join_ranges_that_overlap(void **state) {
  (void)state;
  // The ranges of one side bridge those of the other: one stretch from "w" to "z".
  expect_words("wx(w x) yz(y z)", "w xy(x y) z", 4);
  expect_words("wx(w x) yz(y z)", "w xy(x q) z", 3);
  expect_words("u wx(w x) yz(y z) v", "u w xy(x y) z v", 6);
  // A word that begins before the range and juts into it takes no part.
  expect_words("ab(a b) c", "a bc", 1);
  expect_words("x ab(a b)", "xa b", 1);
  expect_words("x ab(a b) y", "xa by", 0);
  expect_words("x ab(xa b)", "xa b", 1);  // not even where a form would match
  expect_words("ab(a bc) c", "a bc", 1);
  // Two ranges that meet but do not overlap are two stretches, so forms do not match across.
  expect_words("ab(p q) cd(r s)", "ab(q r) cd(p s)", 2);
}

// Of equally long subsequences it is the shared task's: words of gold are passed over first.
static void ties_are_broken_as_in_the_shared_task(void **state) {
  (void)state;
  treebank gold, system;
  treebank_conllu(&gold, "1-4 x _ _ _ _ _ _ _ _\n1 a _ A _ _ _ _ _ _\n2 b _ B _ _ _ _ _ _\n"
                         "3 c _ C _ _ _ _ _ _\n4 a _ D _ _ _ _ _ _\n\n");
  treebank_conllu(&system, "1-2 x _ _ _ _ _ _ _ _\n1 b _ B _ _ _ _ _ _\n2 a _ A _ _ _ _ _ _\n\n");
  on_conll18 scores = treebank_scores(&gold, &system);
  assert_counts(&scores, ON_WORDS, 2, 4, 2);
  assert_counts(&scores, ON_UPOS, 1, 4, 2);
  treebank_conllu(&gold, "1-2 x _ _ _ _ _ _ _ _\n1 a _ A _ _ _ _ _ _\n2 b _ B _ _ _ _ _ _\n\n");
  treebank_conllu(&system, "1-2 x _ _ _ _ _ _ _ _\n1 b _ B _ _ _ _ _ _\n2 a _ X _ _ _ _ _ _\n\n");
  scores = treebank_scores(&gold, &system);  // b with b, not a with a
  assert_counts(&scores, ON_WORDS, 1, 2, 2);
  assert_counts(&scores, ON_UPOS, 1, 2, 2);
}

static void forms_are_compared_without_case(void **state) {
  (void)state;
  expect_words("DEL(DE EL)", "DEL(de el)", 2);
  expect_words("\xC3\x80(A A)", "\xC3\x80(\xC3\x80 a)", 1);
  // Capital sigma is final in one word and not in the other.
  expect_words("x(\xCE\x91\xCE\xA3 y)", "x(\xCE\xB1\xCF\x82 y)", 2);
  expect_words("x(\xCE\x91\xCE\xA3 y)", "x(\xCE\xB1\xCF\x83 y)", 1);
  expect_words("x(\xCE\x91\xCE\xA3\xCE\x91 y)", "x(\xCE\xB1\xCF\x83\xCE\xB1 y)", 2);
  // Dotted capital I is i and a combining dot.
  expect_words("x(\xC4\xB0 y)", "x(i\xCC\x87 y)", 2);
  expect_words("x(\xC4\xB0 y)", "x(i y)", 1);
}

static void lower(const char *form, const char *expected) {
  on_buf out = {0};
  on_ud_lower(&out, on_str_c(form));
  on_buf_char(&out, 0);
  assert_string_equal(out.p, expected);
  on_buf_free(&out);
}

static void lower_casing(void **state) {
  (void)state;
  lower("", "");
  lower("ABC d\xC3\x96", "abc d\xC3\xB6");
  lower("\xC8\xBA", "\xE2\xB1\xA5");                            // two bytes become three
  lower("\xCE\xA3", "\xCF\x83");                                // sigma alone
  lower("A\xCE\xA3", "a\xCF\x82");                              // at the end of a word
  lower("A'\xCE\xA3'", "a'\xCF\x82'");                          // through what is ignored
  lower("A\xCE\xA3'B", "a\xCF\x83'b");
  lower("A\xCE\xA3 B\xCE\xA3", "a\xCF\x82 b\xCF\x82");
  lower("A\xCE\xA3\xCE\xA3", "a\xCF\x83\xCF\x82");
  lower("\xC4\xB0", "i\xCC\x87");
  lower("A\xFF\xC3", "A\xFF\xC3");                              // not UTF-8
}

// One sentence of one range whose words are single letters of an alphabet of `letters`.
typedef struct letters {
  on_conllu_sentence sentence;
  on_conllu_word *words;
  on_conllu_range range;
} letters;

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";

static void make_letters(letters *l, size_t count) {
  *l = (letters){.range = {.first = 1, .last = (uint32_t)count, .form = ON_STR("surface")}};
  l->words = calloc(count, sizeof *l->words);
  assert_non_null(l->words);
  for (size_t i = 0; i < count; i++) l->words[i] = (on_conllu_word){.form = {alphabet, 1}, .head = -1};
  l->sentence = (on_conllu_sentence){.line = 1, .words = l->words, .word_count = count, .ranges = &l->range,
                                     .range_count = 1};
}

static void cut_to(letters *l, size_t count) {
  l->range.last = (uint32_t)count;
  l->sentence.word_count = count;
}

static void random_letters(letters *l, size_t count, uint32_t size, on_random *random) {
  make_letters(l, count);
  for (size_t i = 0; i < count; i++) l->words[i].form.p = alphabet + on_random_below(random, size);
}

static size_t aligned_letters(letters *gold, letters *system) {
  const on_conllu_sentence *g = &gold->sentence, *s = &system->sentence;
  gold->sentence.ranges = &gold->range;
  system->sentence.ranges = &system->range;
  on_conll18 scores;
  on_error error;
  if (!on_conll18_evaluate(&g, 1, &s, 1, &scores, &error)) fail_msg("%s", error.text);
  return scores.metrics[ON_WORDS].correct;
}

static size_t naive_common(const letters *gold, const letters *system) {
  size_t rows = gold->sentence.word_count, columns = system->sentence.word_count;
  size_t *last = calloc(columns + 1, sizeof *last), *row = calloc(columns + 1, sizeof *row);
  for (size_t i = 1; i <= rows; i++) {
    for (size_t j = 1; j <= columns; j++) {
      bool same = gold->words[i - 1].form.p == system->words[j - 1].form.p;
      row[j] = same ? last[j - 1] + 1 : last[j] > row[j - 1] ? last[j] : row[j - 1];
    }
    memcpy(last, row, (columns + 1) * sizeof *row);
  }
  size_t length = row[columns];
  free(last);
  free(row);
  return length;
}

static void common_subsequence_is_longest(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 5);
  for (int round = 0; round < 300; round++) {
    letters gold, system;
    uint32_t size = 1 + on_random_below(&random, 6);
    random_letters(&gold, 1 + on_random_below(&random, 40), size, &random);
    random_letters(&system, 1 + on_random_below(&random, 40), size, &random);
    assert_int_equal(aligned_letters(&gold, &system), naive_common(&gold, &system));
    free(gold.words);
    free(system.words);
  }
  // As large as the table may be.
  letters gold, system;
  random_letters(&gold, ON_UD_LCS_SIDE, 4, &random);
  random_letters(&system, ON_UD_LCS_SIDE, 4, &random);
  assert_int_equal(aligned_letters(&gold, &system), naive_common(&gold, &system));
  free(gold.words);
  free(system.words);
}

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

// `system` becomes `gold` with one word in twenty changed, and now and then one left out or put in.
static void edit_letters(const letters *gold, letters *system, on_random *random) {
  size_t count = gold->sentence.word_count, at = 0;
  for (size_t i = 0; i < count && at < count; i++) {
    uint32_t roll = on_random_below(random, 100);
    if (roll == 0) continue;
    if (roll == 1) system->words[at++].form.p = alphabet + on_random_below(random, 26);
    if (at < count) system->words[at++].form.p = roll < 7 ? alphabet : gold->words[i].form.p;
  }
}

static void windows_find_nearly_all(void **state) {
  (void)state;
  enum { N = 6 * ON_UD_LCS_SIDE };
  on_random random;
  on_random_seed(&random, 6);
  letters gold, system;
  random_letters(&gold, N, 26, &random);
  make_letters(&system, N);
  edit_letters(&gold, &system, &random);
  size_t aligned = aligned_letters(&gold, &system), longest = naive_common(&gold, &system);
  printf("aligned %d of at most %d words\n", (int)aligned, (int)longest);
  assert_true(longest < N - N / 20 && aligned + 3 >= longest);
  free(gold.words);
  free(system.words);
}

// One range of 100,000 words on both sides. The full table would have 10,000 million cells.
static void long_ranges_take_bounded_time(void **state) {
  (void)state;
  enum { N = 100000, FEWER = 20000 };
  on_random random;
  on_random_seed(&random, 6);
  letters gold, system;
  random_letters(&gold, N, 26, &random);
  make_letters(&system, N);
  edit_letters(&gold, &system, &random);
  double start = cpu_seconds();
  size_t aligned = aligned_letters(&gold, &system);
  double seconds = cpu_seconds() - start;
  printf("aligned %d of %d words in %.2f s\n", (int)aligned, N, seconds);
  assert_true(aligned >= N - N / 12);
  assert_true(seconds < 60);  // with sanitizers about 2
  // Nothing in common, and everything.
  cut_to(&gold, FEWER);
  cut_to(&system, FEWER);
  for (size_t i = 0; i < FEWER; i++) gold.words[i].form.p = alphabet;
  for (size_t i = 0; i < FEWER; i++) system.words[i].form.p = alphabet + 1;
  assert_int_equal(aligned_letters(&gold, &system), 0);
  for (size_t i = 0; i < FEWER; i++) system.words[i].form.p = alphabet;
  assert_int_equal(aligned_letters(&gold, &system), FEWER);
  // A window that matches only at its beginning moves on nevertheless.
  for (size_t i = 0; i < FEWER; i++) gold.words[i].form.p = alphabet + (i % 2000 == 1 ? 2 : 0);
  for (size_t i = 0; i < FEWER; i++) system.words[i].form.p = alphabet + (i % 2000 == 0 ? 2 : 1);
  start = cpu_seconds();
  aligned = aligned_letters(&gold, &system);
  seconds = cpu_seconds() - start;
  assert_true(aligned >= 1 && aligned <= FEWER / 2000);
  assert_true(seconds < 30);
  // A short side against a long one.
  cut_to(&gold, 3);
  aligned = aligned_letters(&gold, &system);
  assert_true(aligned <= 1);
  free(gold.words);
  free(system.words);
}

// 100,000 words and one token of a million characters against the same text cut at every character.
static void large_sentences_take_linear_time(void **state) {
  (void)state;
  enum { N = 100000, LONG = 1000000 };
  char *text = malloc(LONG);
  assert_non_null(text);
  memset(text, 'q', LONG);
  on_conllu_word whole = {.form = {text, LONG}, .head = 0, .deprel = ON_STR("root"), .feats = {text, LONG}};
  on_conllu_word *cut = calloc(N, sizeof *cut);
  assert_non_null(cut);
  for (size_t i = 0; i < N; i++) {  // a chain of function words
    cut[i] = (on_conllu_word){.form = {text, LONG / N}, .head = (int32_t)i, .deprel = ON_STR("case")};
  }
  on_conllu_sentence one = {.line = 1, .words = &whole, .word_count = 1};
  on_conllu_sentence many = {.line = 1, .words = cut, .word_count = N};
  const on_conllu_sentence *gold = &one, *system = &many;
  on_conll18 scores;
  on_error error;
  double start = cpu_seconds();
  assert_true(on_conll18_evaluate(&gold, 1, &system, 1, &scores, &error));
  assert_counts(&scores, ON_TOKENS, 0, 1, N);
  assert_counts(&scores, ON_SENTENCES, 1, 1, 1);
  assert_true(on_conll18_evaluate(&system, 1, &system, 1, &scores, &error));
  assert_counts(&scores, ON_LAS, N, N, N);
  for (size_t i = 1; i < N; i++) cut[i].head = 1;  // all function words of one content word
  cut[0].deprel = ON_STR("root");
  assert_true(on_conll18_evaluate(&system, 1, &system, 1, &scores, &error));
  assert_int_equal(scores.metrics[ON_CLAS].correct, 1);
  // A range for every two words, and a text that differs at its end.
  on_conllu_range *ranges = calloc(N / 2, sizeof *ranges);
  assert_non_null(ranges);
  for (uint32_t i = 0; i < N / 2; i++) {
    ranges[i] = (on_conllu_range){.first = 2 * i + 1, .last = 2 * i + 2, .form = {text, 2 * (LONG / N)}};
  }
  on_conllu_sentence joined = many;
  joined.ranges = ranges;
  joined.range_count = N / 2;
  const on_conllu_sentence *other = &joined;
  assert_true(on_conll18_evaluate(&other, 1, &system, 1, &scores, &error));
  assert_counts(&scores, ON_WORDS, N, N, N);
  ranges[N / 2 - 1].form.n--;
  assert_false(on_conll18_evaluate(&other, 1, &system, 1, &scores, &error));
  double seconds = cpu_seconds() - start;
  printf("large sentences: %.2f s\n", seconds);
  assert_true(seconds < 20);
  free(ranges);
  free(cut);
  free(text);
}

// FEATS of a line's greatest length.
static void many_features_take_linear_time(void **state) {
  (void)state;
  on_buf feats = {0};
  for (int i = 0; i < 80000; i++) on_buf_format(&feats, "%sCase=%d", i ? "|" : "", (i * 7919) % 80000);
  on_buf reversed = {0};
  for (int i = 80000; i-- > 0;) {
    on_buf_format(&reversed, "%sCase=%d|Own=%d", reversed.n ? "|" : "", (i * 7919) % 80000, i);
  }
  on_conllu_word a = {.form = ON_STR("a"), .head = -1, .feats = on_buf_view(&feats)}, b = a;
  b.feats = on_buf_view(&reversed);
  on_conllu_sentence x = {.line = 1, .words = &a, .word_count = 1}, y = {.line = 1, .words = &b, .word_count = 1};
  const on_conllu_sentence *gold = &x, *system = &y;
  on_conll18 scores;
  assert_true(on_conll18_evaluate(&gold, 1, &system, 1, &scores, NULL));
  assert_counts(&scores, ON_UFEATS, 1, 1, 1);
  b.feats.n--;
  assert_true(on_conll18_evaluate(&gold, 1, &system, 1, &scores, NULL));
  assert_counts(&scores, ON_UFEATS, 1, 1, 1);  // only Own=0 became Own=
  a.feats.n--;
  assert_true(on_conll18_evaluate(&gold, 1, &system, 1, &scores, NULL));
  assert_counts(&scores, ON_UFEATS, 0, 1, 1);
  on_buf_free(&feats);
  on_buf_free(&reversed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_words_are_aligned_by_extent),
      cmocka_unit_test(ranges_are_aligned_by_form),
      cmocka_unit_test(stretches_join_ranges_that_overlap),
      cmocka_unit_test(ties_are_broken_as_in_the_shared_task),
      cmocka_unit_test(forms_are_compared_without_case),
      cmocka_unit_test(lower_casing),
      cmocka_unit_test(common_subsequence_is_longest),
      cmocka_unit_test(windows_find_nearly_all),
      cmocka_unit_test(long_ranges_take_bounded_time),
      cmocka_unit_test(large_sentences_take_linear_time),
      cmocka_unit_test(many_features_take_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
