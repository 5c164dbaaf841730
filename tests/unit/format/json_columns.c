// Our own JSON output read back: its columns stand in the CoNLL-U that is made of it.
#include <stdbool.h>

#include "base/alloc.h"
#include "onenlp.h"
#include "test.h"
#include "wrong_line.h"

// Two paragraphs; a range that its words divide, one ("à") that they cannot, one of a single word, spaces of all sorts.
static const char LINE[] =
    "{\"text\": \" I don't.  Go\\n\\n\xC3\xA0 \xF0\x9F\x98\x80\\tde\\nla\\n\", "
    "\"tokens\": [[1, 2], [3, 5], [5, 8], [8, 9], [11, 13], [15, 16], [17, 19], [20, 25]], "
    "\"entities\": [[15, 19, \"L|OC\"]], "
    "\"spans\": {\"s\": [[15, 16, \"X\"]]}, "
    "\"sentences\": [[0, 4], [4, 5], [5, 9]], "
    "\"word_token\": [0, 1, 2, 3, 4, 5, 5, 6, 7], "
    "\"ranges\": [[1, 3, \"don't\"], [5, 7, \"\xC3\xA0\"], [8, 9, \"de la\"]], "
    "\"form\": [\"I\", \"do\", \"not\", \".\", \"Go\", \"a\", \"a\", \"\xF0\x9F\x98\x80\", null], "
    "\"lemma\": [null, \"do\", \"not\", null, \"go\", null, null, null, \"de\\tla\"], "
    "\"upos\": [\"PRON\", \"AUX\", \"PART\", \"PUNCT\", \"VERB\", null, null, null, null], "
    "\"xpos\": [null, \"VB\", null, null, null, null, null, null, null], "
    "\"feats\": [\"A=B|C=D\", null, null, null, null, null, null, null, null], "
    "\"head\": [2, 0, 2, 2, 0, 4, 1, 1, null], "
    "\"deprel\": [\"nsubj\", \"root\", \"advmod\", \"punct\", \"root\", null, null, null, null]}\n";

static const char SENTENCES[] =
    "# newdoc\n"
    "# newpar\n"
    "# sent_id = 1\n"
    "# text = I don't.\n"
    "1\tI\t_\tPRON\t_\tA=B|C=D\t2\tnsubj\t_\tSpacesBefore=\\s\n"
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "2\tdo\tdo\tAUX\tVB\t_\t0\troot\t_\t_\n"
    "3\tnot\tnot\tPART\t_\t_\t2\tadvmod\t_\t_\n"
    "4\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\tSpacesAfter=\\s\\s\n"
    "\n"
    "# sent_id = 2\n"
    "# text = Go\n"
    "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\tSpacesAfter=\\n\\n\n"
    "\n"
    "# newpar\n"
    "# sent_id = 3\n"
    "# text = \xC3\xA0 \xF0\x9F\x98\x80\tde la\n"
    "1-2\t\xC3\xA0\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\ta\t_\t_\t_\t_\t4\t_\t_\tNER=B-L\\pOC\n"
    "2\ta\t_\t_\t_\t_\t1\t_\t_\tNER=I-L\\pOC\n"
    "3\t\xF0\x9F\x98\x80\t_\t_\t_\t_\t1\t_\t_\tSpacesAfter=\\t|NER=I-L\\pOC\n"
    "4\tde la\tde la\t_\t_\t_\t0\t_\t_\tSpacesInToken=de\\nla|SpacesAfter=\\n\n"
    "\n";

static int convert(const char *line, size_t size, onenlp_buffer *out, onenlp_error *error) {
  onenlp_buffer_clear(out);
  return onenlp_convert(line, size, ONENLP_JSONL, ONENLP_CONLLU, out, error);
}

static void check_output(const onenlp_buffer *out) {
  size_t size;
  const char *data = onenlp_buffer_data(out, &size);
  if (size == sizeof SENTENCES - 1 && memcmp(data, SENTENCES, size) == 0) return;
  fail_msg("%.*s", (int)size, data);
}

static void columns_come_back(void **state) {
  (void)state;
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_error error;
  if (!convert(LINE, sizeof LINE - 1, out, &error)) fail_msg("%s", error.text);
  check_output(out);
  onenlp_buffer_free(out);
}

static void memory_failures(void **state) {
  (void)state;
  onenlp_buffer *out = onenlp_buffer_new();
  size_t used = on_alloc_used();
  bool done = false;
  for (size_t n = 1; !done; n++) {
    onenlp_error error;
    on_alloc_fail_at(n, 0);
    int ok = convert(LINE, sizeof LINE - 1, out, &error);
    done = on_alloc_fail_at(0, 0) > 0;
    // (What is only kept to be faster may be missing.)
    if (ok) check_output(out);
    else assert_int_equal(error.code, ONENLP_OUT_OF_MEMORY);
    assert_true(ok || !done);
    onenlp_buffer_free(out);
    out = onenlp_buffer_new();
    assert_int_equal(on_alloc_used(), used);
  }
  onenlp_buffer_free(out);
}

#define TWO(members) "{\"text\": \"a b\", \"tokens\": [[0, 1], [2, 3]], " members "}"
#define WORDS "\"form\": [\"a\", \"b\"], \"sentences\": [[0, 2]]"

static void wrong_columns(void **state) {
  (void)state;
  static const struct {
    const char *line, *part;  // part NULL: taken
  } cases[] = {
      {TWO(WORDS), NULL},
      {TWO("\"form\": 1"), NULL},
      {TWO("\"sentences\": 1"), NULL},
      {TWO("\"form\": [\"a\", \"b\"], \"head\": [2, 0]"), NULL},
      {TWO("\"form\": [\"a\"], \"sentences\": [[0, 1]]"), "\"form\" has 1 elements, \"tokens\" has 2"},
      {TWO("\"form\": [\"a\", 1], \"sentences\": [[0, 2]]"), "\"form\": want strings"},
      {TWO("\"form\": [\"a\", \"\"], \"sentences\": [[0, 2]]"), "\"form\": want strings"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": {}"), "\"sentences\" must be an array"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": []"), "\"sentences\": word 0 is in none"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 1]]"), "\"sentences\": word 1 is in none"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[1, 2]]"), "\"sentences\": word 0 is in none"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 0], [0, 2]]"), "\"sentences\": want [first, end]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 2], [1, 2]]"), "\"sentences\": want [first, end]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 3]]"), "\"sentences\": want [first, end]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 2, 2]]"), "\"sentences\": want [first, end]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0.5, 2]]"), "\"sentences\": want [first, end]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [2]"), "\"sentences\": want [first, end]"},
      {TWO(WORDS ", \"word_token\": [0]"), "\"word_token\" has 1 elements, \"form\" has 2"},
      {TWO(WORDS ", \"word_token\": [0, 0]"), "\"word_token\" has words for 1 tokens of 2"},
      {TWO(WORDS ", \"word_token\": [1, 1]"), "\"word_token\": each element"},
      {TWO(WORDS ", \"word_token\": [0, 2]"), "\"word_token\": each element"},
      {TWO("\"form\": [\"a\", \"b\", \"c\"], \"sentences\": [[0, 3]], \"word_token\": [0, 1, 0]"), "\"word_token\": each"},
      {TWO("\"form\": [\"a\", \"b\", \"c\"], \"sentences\": [[0, 3]], \"word_token\": [0, 1, 1]"),
       "\"ranges\": word 2 shares a token"},
      {TWO("\"form\": [\"a\", \"b\", \"c\"], \"sentences\": [[0, 3]], \"word_token\": [0, 0, 1], "
           "\"ranges\": [[1, 2, \"x\"]]"), "\"ranges\": word 1 shares a token"},
      {TWO(WORDS ", \"ranges\": [[0, 2]]"), "\"ranges\": want [first, end, \"form\"]"},
      {TWO(WORDS ", \"ranges\": [[0, 2, \"\"]]"), "\"ranges\": want [first, end, \"form\"]"},
      {TWO(WORDS ", \"ranges\": [[0, 1, \"a\"], [0, 2, \"b\"]]"), "\"ranges\": want [first, end, \"form\"]"},
      {TWO("\"form\": [\"a\", \"b\"], \"sentences\": [[0, 1], [1, 2]], \"ranges\": [[0, 2, \"x\"]]"),
       "\"ranges\": a sentence starts at word 1"},
      {TWO(WORDS ", \"lemma\": \"a\""), "\"lemma\" must be an array"},
      {TWO(WORDS ", \"upos\": [null]"), "\"upos\" has 1 elements, \"form\" has 2"},
      {TWO(WORDS ", \"deprel\": [null, \"\"]"), "\"deprel\": want strings"},
      {TWO(WORDS ", \"head\": [0, 3]"), "\"head\": want 0"},
      {TWO(WORDS ", \"head\": [0, -1]"), "\"head\": want 0"},
      {TWO(WORDS ", \"head\": [0, \"1\"]"), "\"head\": want 0"},
      {TWO(WORDS ", \"head\": [0, 2]"), "\"head\": word 1 is its own head"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_line(cases[i].line, cases[i].part);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_come_back), cmocka_unit_test(memory_failures), cmocka_unit_test(wrong_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
