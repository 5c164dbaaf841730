// CoNLL-U to JSON Lines and back: every line as it was; and lines whose columns make no sentence.
#include "format/json_conllu.h"
#include "onenlp.h"
#include "test.h"
#include "wrong_line.h"

static const char SENTENCES[] =
    "# newpar\n"
    "# sent_id = s-1\n"
    "# text = Don't \xC3\xA4 \xF0\x9F\x98\x80 \"quote\\\"\n"
    "0.1\tnothing\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1-2\tDon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tGloss=x|SpaceAfter=Yes\n"
    "1\tDo\tdo\tAUX\tVB\tMood=Imp|VerbForm=Fin\t3\taux\t3:aux\t_\n"
    "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\tLemma=a\\\"b\n"
    "2.1\tagain\tagain\tADV\t_\t_\t_\t_\t3:advmod\t_\n"
    "2.2\ttwice\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\t\xC3\xA4\t\xC3\xA4\tX\t_\t_\t0\troot\t0:root\tNER=B-LOC|SpaceAfter=No\n"
    "4\t\xF0\x9F\x98\x80\t_\tSYM\t_\t_\t_\t_\t_\tNER=I-LOC\n"
    "4.1\tend\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n"
    "1\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n";

static char *convert(const char *bytes, size_t size, onenlp_format from, onenlp_format to, size_t *length) {
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_error error;
  if (!onenlp_convert(bytes, size, from, to, out, &error)) fail_msg("%s", error.text);
  const char *data = onenlp_buffer_data(out, length);
  char *copy = malloc(*length + 1);
  assert_non_null(copy);
  memcpy(copy, data, *length);
  copy[*length] = 0;
  onenlp_buffer_free(out);
  return copy;
}

static void round_trip(const char *conllu, size_t size) {
  size_t lines_size, back_size;
  char *lines = convert(conllu, size, ONENLP_CONLLU, ONENLP_JSONL, &lines_size);
  char *back = convert(lines, lines_size, ONENLP_JSONL, ONENLP_CONLLU, &back_size);
  if (back_size != size || memcmp(back, conllu, size) != 0) {
    size_t at = 0;
    while (at < size && at < back_size && back[at] == conllu[at]) at++;
    fail_msg("differs at byte %zu of %zu: %.60s / %.60s", at, size, conllu + at, back + at);
  }
  free(lines);
  free(back);
}

static void keeps_every_line(void **state) {
  (void)state;
  round_trip(SENTENCES, sizeof SENTENCES - 1);
}

// A CR that ends no line is a character like others.
static void keeps_carriage_returns(void **state) {
  (void)state;
  static const char sentence[] = "# a\rb\n1-2\tx\ry\t_\t_\t_\t_\t_\t_\t_\t_\n1\tx\t_\t_\tN\r\t_\t_\t_\t_\t_\n"
                                 "2\ty\t_\t_\t_\t_\t_\t_\t_\tA=\rb\n\n";
  round_trip(sentence, sizeof sentence - 1);
}

// U+0000 is a character like others in both formats; the second line is a text of its own.
static void keeps_nul(void **state) {
  (void)state;
  static const char sentence[] = "# a\0b\n1-2\t\0\t_\t_\t_\t_\t_\t_\t_\t_\n1\tx\t_\t_\tN\0\t_\t_\t_\t_\t_\n"
                                 "2\t\0y\0\t_\t_\t_\t_\t_\t_\t_\tA=\0b\n\n";
  round_trip(sentence, sizeof sentence - 1);
  static const char line[] =
      "{\"text\": \"a\\u0000b \\\\u0000 \\u0000\", \"tokens\": [[0, 3], [4, 10], [11, 12]], "
      "\"entities\": [[11, 12, \"X\\u0000Y\"]], \"spans\": {\"s\\u0000\": [[0, 3, \"\\u0000\"]], \"s\": []}, "
      "\"cats\": {\"c\\u0000\": 1, \"c\": 0}, \"text\\u0000\": [{\"\\u0000\": [\"\\u0000\\u0000\", 2.5]}]}\n";
  size_t size;
  char *again = convert(line, sizeof line - 1, ONENLP_JSONL, ONENLP_JSONL, &size);
  assert_string_equal(again, line);
  free(again);
}

static void keeps_a_treebank(void **state) {
  (void)state;
  static const char *const files[] = {"ud/UD_English-EWT/dev.conllu", "ud/UD_Estonian-EWT/dev.conllu",
                                      "ud/UD_Coptic-Scriptorium/dev.conllu"};
  char path[512];
  TEST_DATA_OR_SKIP(path, files[0]);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (!test_data_path(path, sizeof path, files[i])) continue;
    size_t size;
    char *conllu = test_read_file(path, &size);
    round_trip(conllu, size);
    free(conllu);
  }
}

// The lines are JSON Lines with entities.
static void lines_are_json_lines(void **state) {
  (void)state;
  size_t size;
  char *lines = convert(SENTENCES, sizeof SENTENCES - 1, ONENLP_CONLLU, ONENLP_JSONL, &size);
  assert_non_null(strstr(lines, "{\"text\": \"Don't \xC3\xA4\xF0\x9F\x98\x80\", "
                                "\"tokens\": [[0, 2], [2, 5], [6, 7], [7, 9]], "
                                "\"entities\": [[6, 9, \"LOC\"]], \"form\": [\"Do\", "));
  char *again = convert(lines, size, ONENLP_JSONL, ONENLP_JSONL, &size);
  assert_string_equal(again, lines);  /* what JSON Lines does not know is kept */
  free(lines);
  free(again);
}

#define WORD \
  "\"form\": [\"a\"], \"lemma\": [null], \"upos\": [null], \"xpos\": [null], \"feats\": [null], \"head\": [0], " \
  "\"deprel\": [null], \"deps\": [null], "
#define LINE(members) "{\"text\": \"a\", \"tokens\": [[0, 1]], " members "}"

static void wrong_columns(void **state) {
  (void)state;
  static const struct {
    const char *line, *part;
  } cases[] = {
      {LINE("\"form\": [\"a\"], \"misc\": []"), "\"lemma\" must be an array"},
      {LINE(WORD "\"misc\": []"), "\"misc\" has 0 elements, \"form\" has 1"},
      {LINE(WORD "\"misc\": 1"), "\"misc\" must be an array"},
      {LINE(WORD "\"misc\": [1]"), "\"misc\": want strings or null"},
      {LINE(WORD "\"misc\": [\"\"]"), "\"misc\": an empty string"},
      {LINE(WORD "\"misc\": [\"a\\tb\"]"), "\"misc\": a tab or line break"},
      {LINE(WORD "\"misc\": [null], \"comments\": [\"# a\\n1\"]"), "\"comments\": a tab or line break"},
      {LINE(WORD "\"misc\": [\"a\\r\"]"), "\"misc\": a tab or line break"},
      {LINE(WORD "\"misc\": [null], \"comments\": [\"a\"]"), "the columns make no sentence: line 1"},
      {LINE(WORD "\"misc\": [null], \"comments\": [\"\"]"), "\"comments\": want strings that are not empty"},
      {LINE(WORD "\"misc\": [null], \"comments\": [2]"), "\"comments\": want strings"},
      {LINE(WORD "\"misc\": [null], \"range_lines\": [\"2-3\\ta\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\"]"),
       "\"range_lines\""},
      {LINE(WORD "\"misc\": [null], \"empty_lines\": [\"x\"]"), "the columns make no sentence: line 1"},
      {LINE("\"form\": [null], \"lemma\": [null], \"upos\": [null], \"xpos\": [null], \"feats\": [null], \"head\": [0],"
            " \"deprel\": [null], \"deps\": [null], \"misc\": [null]"), "\"form\": want strings"},
      {LINE("\"form\": [\"a\"], \"lemma\": [null], \"upos\": [null], \"xpos\": [null], \"feats\": [null], "
            "\"head\": [2], \"deprel\": [null], \"deps\": [null], \"misc\": [null]"),
       "the columns make no sentence: line 1"},
      {LINE("\"form\": [\"a\"], \"lemma\": [null], \"upos\": [null], \"xpos\": [null], \"feats\": [null], "
            "\"head\": [-1], \"deprel\": [null], \"deps\": [null], \"misc\": [null]"),
       "\"head\": want whole numbers or null"},
      {LINE("\"form\": [], \"lemma\": [], \"upos\": [], \"xpos\": [], \"feats\": [], \"head\": [], \"deprel\": [],"
            " \"deps\": [], \"misc\": []"), "the columns make no sentence: want exactly one"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_line(cases[i].line, cases[i].part);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_every_line), cmocka_unit_test(keeps_carriage_returns), cmocka_unit_test(keeps_nul),
      cmocka_unit_test(keeps_a_treebank),
      cmocka_unit_test(lines_are_json_lines),
      cmocka_unit_test(wrong_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
