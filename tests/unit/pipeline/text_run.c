/* Raw texts cut into units: what the units are, and that nothing of the text is lost. */
#include "tiny.h"

#include "base/alloc.h"
#include "doc/unit.h"
#include "format/conllu.h"
#include "pipeline/examples.h"
#include "text/utf.h"

/* No heads: the cutting alone is looked at, and long texts are quick. */
#define CUTTER(tokenizer) \
  TINY_HEAD tokenizer ", \"encoders\": [], \"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\"}]}"

typedef struct unit {
  uint32_t start, end;
  size_t words;
  bool paragraph_start;
} unit;

typedef struct cut {
  unit *list;
  size_t n, cap, words;
  on_buf conllu;
} cut;

/* Runs a text through a pipeline; checks what holds for every text. */
static cut run_text(const char *config, on_str text) {
  cut c = {0};
  on_pipeline pipeline;
  on_workspace workspace;
  on_error error;
  on_arena arena = {0};
  on_str16 units;
  on_text_run run;
  on_doc doc;
  on_conllu_writer writer = {.next_sentence = 1};
  if (!on_pipeline_from_config(&pipeline, on_str_c(config), &error)) tiny_fail("config", &error);
  assert_true(on_workspace_init(&workspace, pipeline.encoder_count, NULL));
  if (!on_utf16_from_utf8(&arena, text, &units, &error)) tiny_fail("text", &error);
  on_doc_init(&doc);
  on_text_begin(&run, &pipeline, &workspace, NULL, units);
  int got;
  size_t at = 0;
  while ((got = on_text_next(&run, &doc, &error)) == 1) {
    void *list = c.list;
    assert_true(on_grow(&list, &c.cap, c.n + 1, sizeof *c.list));
    c.list = list;
    c.list[c.n++] = (unit){doc.unit_start, doc.unit_end, doc.n, run.paragraph_start};
    c.words += doc.n;
    assert_int_equal(doc.unit_start, at);  /* units follow each other without a gap */
    assert_true(doc.unit_end > doc.unit_start);
    assert_true(doc.n <= ON_UNIT_WORDS || doc.mwt_count);
    assert_true(doc.n > 0 || (doc.unit_start == 0 && doc.unit_end == units.n));
    at = doc.unit_end;
    writer.new_paragraph = run.paragraph_start;
    if (!on_conllu_write_doc(&c.conllu, &doc, &writer, &error)) tiny_fail("write", &error);
  }
  if (got < 0) tiny_fail("run", &error);
  assert_int_equal(at, units.n);
  on_text_end(&run);
  on_doc_free(&doc);
  on_arena_free(&arena);
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
  return c;
}

static void free_cut(cut *c) {
  on_free(c->list);
  on_buf_free(&c->conllu);
}

/* The output gives the text back, byte for byte. */
static void expect_rebuilt(const cut *c, on_str text) {
  on_conllu_reader *reader = on_conllu_open(on_buf_view(&c->conllu), NULL);
  on_conllu_sentence sentence = {0};
  on_buf rebuilt = {0};
  on_error error;
  int got;
  while ((got = on_conllu_next(reader, &sentence, &error)) == 1) on_conllu_rebuild_text(&rebuilt, &sentence);
  if (got < 0) tiny_fail("reading the output", &error);
  if (c->words) {
    assert_int_equal(rebuilt.n, text.n);
    assert_memory_equal(rebuilt.p, text.p, text.n);
  }
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  on_buf_free(&rebuilt);
}

static void repeat(on_buf *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) on_buf_str(out, on_str_c(text));
}

static void test_paragraphs(void **state) {
  (void)state;
  on_str text = ON_STR("  One two.\n\nThree.\n \r\n Four five six.\n");
  cut c = run_text(CUTTER(TINY_TOKENIZER), text);
  assert_int_equal(c.n, 3);
  for (size_t i = 0; i < 3; i++) assert_true(c.list[i].paragraph_start);
  assert_int_equal(c.list[0].words, 3);
  assert_int_equal(c.list[1].start, 12);
  assert_int_equal(c.list[2].words, 4);
  expect_rebuilt(&c, text);
  free_cut(&c);
}

static void test_empty(void **state) {
  (void)state;
  cut c = run_text(CUTTER(TINY_TOKENIZER), ON_STR(""));
  assert_int_equal(c.n, 0);
  free_cut(&c);
  c = run_text(CUTTER(TINY_TOKENIZER), ON_STR(" \n\n \t"));
  assert_int_equal(c.n, 1);
  assert_int_equal(c.words, 0);
  assert_int_equal(c.conllu.n, 0);
  free_cut(&c);
}

/* 200 sentences of 5 words in a paragraph: the last sentence start that keeps at most 512 words is at 510. */
static void test_cut_at_sentence(void **state) {
  (void)state;
  on_buf text = {0};
  repeat(&text, "The cat sat down. ", 200);
  cut c = run_text(CUTTER(TINY_TOKENIZER), on_buf_view(&text));
  assert_int_equal(c.n, 2);
  assert_int_equal(c.list[0].words, 510);
  assert_int_equal(c.list[1].words, 490);
  assert_true(c.list[0].paragraph_start);
  assert_false(c.list[1].paragraph_start);
  assert_int_equal(c.list[1].start, 102 * 18);
  expect_rebuilt(&c, on_buf_view(&text));
  free_cut(&c);
  on_buf_free(&text);
}

/* Exactly 512 words are one unit; one more, without a sentence start, is cut at the token. */
static void test_cut_at_token(void **state) {
  (void)state;
  on_buf text = {0};
  repeat(&text, "word ", 512);
  cut c = run_text(CUTTER(TINY_TOKENIZER), on_buf_view(&text));
  assert_int_equal(c.n, 1);
  free_cut(&c);
  repeat(&text, "word ", 1);
  c = run_text(CUTTER(TINY_TOKENIZER), on_buf_view(&text));
  assert_int_equal(c.n, 2);
  assert_int_equal(c.list[0].words, 512);
  assert_int_equal(c.list[1].words, 1);
  expect_rebuilt(&c, on_buf_view(&text));
  free_cut(&c);
  on_buf_free(&text);
}

/* A cut never parts the words of a surface token: 511 words and don't make 511, then do n't. */
static void test_cut_beside_range(void **state) {
  (void)state;
  on_buf text = {0};
  repeat(&text, "word ", 511);
  repeat(&text, "don't ", 2);
  cut c = run_text(CUTTER(TINY_TOKENIZER), on_buf_view(&text));
  assert_int_equal(c.n, 2);
  assert_int_equal(c.list[0].words, 511);
  assert_int_equal(c.list[1].words, 4);
  expect_rebuilt(&c, on_buf_view(&text));
  free_cut(&c);
  on_buf_free(&text);
}

/* Windows of a long paragraph leave no trace: every unit but the last is as full as it can be. */
static void test_windows(void **state) {
  (void)state;
  on_buf text = {0};
  repeat(&text, "some words without an end of it all ", 8000);
  cut c = run_text(CUTTER(TINY_TOKENIZER), on_buf_view(&text));
  assert_int_equal(c.words, 64000);
  assert_int_equal(c.n, 125);
  for (size_t i = 0; i < c.n; i++) assert_int_equal(c.list[i].words, 512);
  expect_rebuilt(&c, on_buf_view(&text));
  free_cut(&c);
  on_buf_free(&text);
}

/* One endless token, endless white space, no white space at all: they end, and nothing is lost. */
static void test_endless(void **state) {
  (void)state;
  static const char *const units[] = {
      "a", " ", "\xE4\xB8\x80", "\xF0\x9F\x91\xA9\xE2\x80\x8D", "e\xCC\x81", "((", "\xCC\x81"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    on_buf text = {0};
    on_buf_char(&text, 'x');
    repeat(&text, units[i], 100000);
    on_buf_str(&text, ON_STR(" end"));
    for (int rule = 0; rule < 2; rule++) {
      const char *config = rule ? CUTTER("\"tokenizer\": {\"kind\": \"rule\"}") : CUTTER(TINY_TOKENIZER);
      cut c = run_text(config, on_buf_view(&text));
      assert_true(c.words >= 2);
      expect_rebuilt(&c, on_buf_view(&text));
      free_cut(&c);
    }
    on_buf_free(&text);
  }
}

/* Random texts out of characters that mean something to paragraphs, tokens, ranges and escapes. */
static void test_random(void **state) {
  (void)state;
  static const char *const parts[] = {
      " ",     "  ",     "\n",   "\n\n", "\r\n", "\t",  "a",   "I",  "don't", "cannot", ".",  "?!", "...", "\"",  "(",
      "\\s",   "|",      "_",    "=",    "-",    "10%", "@b.c", "\xC2\xA0", "\xE2\x80\xA8", "\xE2\x80\xA9",
      "\xF0\x9F\x98\x80", "\xE2\x80\x8D", "\xD7\xA9\xD7\x9C", "\xCC\x88", "\x7F", "\x01",
      "\xEF\xBB\xBF", "1-2", "#", "Mr.",
  };
  on_random random;
  on_random_seed(&random, 11);
  for (int round = 0; round < 400; round++) {
    on_buf text = {0};
    uint32_t count = on_random_below(&random, round % 8 ? 60 : 4000);
    for (uint32_t i = 0; i < count; i++) {
      on_buf_str(&text, on_str_c(parts[on_random_below(&random, sizeof parts / sizeof *parts)]));
    }
    const char *config = round % 2 ? CUTTER("\"tokenizer\": {\"kind\": \"rule\"}") : CUTTER(TINY_TOKENIZER);
    cut c = run_text(config, on_buf_view(&text));
    expect_rebuilt(&c, on_buf_view(&text));
    free_cut(&c);
    on_buf_free(&text);
  }
}

/* Offsets have 32 bits: one unit more than they can count is refused before anything is read. */
static void test_offsets(void **state) {
  (void)state;
  on_pipeline pipeline;
  on_workspace workspace;
  on_error error = {0};
  assert_true(on_pipeline_from_config(&pipeline, on_str_c(CUTTER(TINY_TOKENIZER)), &error));
  assert_true(on_workspace_init(&workspace, 0, NULL));
  static const uint16_t letter = 'a';
  const uint64_t units = (uint64_t)UINT32_MAX + 1;
  if (units > SIZE_MAX) skip();
  on_text_run run;
  on_doc doc;
  on_doc_init(&doc);
  on_text_begin(&run, &pipeline, &workspace, NULL, (on_str16){&letter, (size_t)units});
  assert_int_equal(on_text_next(&run, &doc, &error), -1);
  assert_int_equal(error.code, ON_LIMIT);
  on_text_end(&run);
  on_doc_free(&doc);
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
}

/* Behind a failure that was not in reading the same unit of given tokens comes, whichever allocation failed. */
static void test_example_again(void **state) {
  (void)state;
  const on_str line = ON_STR(
      "{\"text\": \"A b.\\n\\nC d.\", \"tokens\": [[0, 1], [2, 3], [3, 4], [6, 7], [8, 9], [9, 10]]}\n");
  on_pipeline pipeline;
  on_workspace workspace;
  on_error error;
  assert_true(on_pipeline_from_config(&pipeline, on_str_c(CUTTER(TINY_TOKENIZER)), &error));
  assert_true(on_workspace_init(&workspace, 0, NULL));
  size_t failures = 0;
  for (size_t n = 1, left = 0; left == 0; n++) {
    on_example_run run;
    on_doc doc;
    on_doc_init(&doc);
    assert_true(on_example_begin(&run, &pipeline, &workspace, NULL, line, &error));
    on_alloc_fail_at(n, 0);
    on_example_step step = on_example_next(&run, &doc, &error);
    left = on_alloc_fail_at(0, 0);
    if (step == ON_EXAMPLE_ERROR && run.open) {
      failures++;
      step = on_example_next(&run, &doc, &error);
    }
    if (run.open) {
      assert_true(step == ON_EXAMPLE_UNIT && run.first && doc.unit_start == 0 && doc.n == 3);
      assert_int_equal(on_example_next(&run, &doc, &error), ON_EXAMPLE_UNIT);
      assert_true(!run.first && doc.unit_start == 6 && doc.n == 3);
      assert_int_equal(on_example_next(&run, &doc, &error), ON_EXAMPLE_DONE);
    }
    on_example_end(&run);
    on_doc_free(&doc);
  }
  assert_true(failures > 0);
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paragraphs),   cmocka_unit_test(test_empty),        cmocka_unit_test(test_cut_at_sentence),
      cmocka_unit_test(test_cut_at_token), cmocka_unit_test(test_cut_beside_range), cmocka_unit_test(test_windows),
      cmocka_unit_test(test_endless),      cmocka_unit_test(test_random),       cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_example_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
