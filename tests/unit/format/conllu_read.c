/* The CoNLL-U reader and writer: what is accepted, kept and refused, and on which line. */
#include "conllu_helper.h"

/* ---- what is kept ---- */

static const char *const kept =
    "#␣newdoc\n"
    "#␣sent_id␣=␣s1\n"
    "#text␣=\n"
    "0.1 gone go VERB _ _ _ _ 0:root _\n"
    "1-2 don't _ _ _ Typo=Yes _ _ _ SpaceAfter=No\n"
    "1 do do AUX VBP Mood=Ind 0 root 0:root _\n"
    "2 n't not PART RB _ 1 advmod 1:advmod _\n"
    "2.1 x _ _ _ _ _ _ 2:x _\n"
    "2.2 y _ _ _ _ _ _ 2:y A=B\n"
    "3 _ _ SYM _ _ _ _ _ Note=a␣b\n"
    "\n"
    "1 two␣words _ _ _ _ _ _ _ _\n"
    "\n";

static void keeps_everything(void **state) {
  (void)state;
  parsed p;
  parse(&p, kept);
  assert_false(p.failed);
  assert_int_equal(p.count, 2);
  const on_conllu_sentence *s = &p.list[0];
  assert_int_equal(s->line, 1);
  assert_int_equal(s->comment_count, 3);
  assert_str(s->comments[1], "# sent_id = s1");
  assert_str(on_conllu_comment(s, "sent_id", NULL), "s1");
  bool found;
  assert_null(on_conllu_comment(s, "newdoc", &found).p);
  assert_true(found);
  assert_str(on_conllu_comment(s, "text", &found), "");
  assert_null(on_conllu_comment(s, "new", &found).p);
  assert_false(found);

  assert_int_equal(s->word_count, 3);
  assert_str(s->words[0].form, "do");
  assert_str(s->words[0].lemma, "do");
  assert_str(s->words[0].upos, "AUX");
  assert_str(s->words[0].xpos, "VBP");
  assert_str(s->words[0].feats, "Mood=Ind");
  assert_int_equal(s->words[0].head, 0);
  assert_str(s->words[0].deprel, "root");
  assert_str(s->words[0].deps, "0:root");
  assert_null(s->words[0].misc.p);
  assert_int_equal(s->words[1].head, 1);
  assert_str(s->words[2].form, "_");
  assert_null(s->words[2].lemma.p);
  assert_int_equal(s->words[2].head, -1);
  assert_str(on_conllu_misc(s->words[2].misc, "Note"), "a b");
  assert_null(on_conllu_misc(s->words[2].misc, "Not").p);

  assert_int_equal(s->range_count, 1);
  assert_int_equal(s->ranges[0].first, 1);
  assert_int_equal(s->ranges[0].last, 2);
  assert_str(s->ranges[0].form, "don't");
  assert_str(s->ranges[0].columns[3], "Typo=Yes");
  assert_null(s->ranges[0].columns[4].p);
  assert_str(s->ranges[0].misc, "SpaceAfter=No");

  assert_int_equal(s->empty_count, 3);
  assert_int_equal(s->empties[0].after, 0);
  assert_int_equal(s->empties[0].index, 1);
  assert_int_equal(s->empties[2].after, 2);
  assert_int_equal(s->empties[2].index, 2);

  assert_int_equal(on_conllu_word_line(s, 0), 6);
  assert_int_equal(on_conllu_word_line(s, 1), 7);
  assert_int_equal(on_conllu_word_line(s, 2), 10);

  assert_int_equal(p.list[1].line, 12);
  assert_str(p.list[1].words[0].form, "two words");

  on_buf out = {0};
  for (size_t i = 0; i < p.count; i++) on_conllu_write(&out, &p.list[i]);
  assert_int_equal(out.n, p.bytes.n);
  assert_memory_equal(out.p, p.bytes.p, out.n);
  on_buf_free(&out);
  parsed_free(&p);
}

static void line_ends_and_mark(void **state) {
  (void)state;
  /* A byte-order mark, CR LF, further empty lines, no empty line at the end. */
  parsed p;
  parse(&p, "\xEF\xBB\xBF#␣a\r\n1 x _ _ _ _ _ _ _ k\r\n\r\n\r\n\n1 y _ _ _ _ _ _ _ _\r\n1.1 z _ _ _ _ _ _ _ _\r\r\n");
  assert_false(p.failed);
  assert_int_equal(p.count, 2);
  assert_str(p.list[0].comments[0], "# a");
  assert_str(p.list[0].words[0].misc, "k");
  assert_int_equal(p.list[1].line, 6);
  assert_str(p.list[1].empties[0].line, "1.1\tz\t_\t_\t_\t_\t_\t_\t_\t_");
  parsed_free(&p);

  static const char *const nothing[] = {"", "\n", "\r\n\n\r\n", "\r\r\n\r", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"};
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
    parse(&p, nothing[i]);
    assert_false(p.failed);
    assert_int_equal(p.count, 0);
    parsed_free(&p);
  }
}

/* ---- what is refused ---- */

#define W1 "1 a _ _ _ _ 0 _ _ _\n"
#define W2 "2 b _ _ _ _ 1 _ _ _\n"
#define W3 "3 c _ _ _ _ 1 _ _ _\n"
#define R(id) id " ab _ _ _ _ _ _ _ _\n"
#define E(id) id " e _ _ _ _ _ _ _ _\n"

static const struct {
  const char *text;
  int64_t line;
  const char *message;
  size_t sentences;  /* read before the error */
} refused[] = {
    /* columns */
    {"1 a _ _ _ _ _ _ _\n\n", 1, "9 columns", 0},
    {"1 a _ _ _ _ _ _ _ _ _\n\n", 1, "11 columns", 0},
    {"word\n\n", 1, "1 column;", 0},
    {W1 "␣␣\n" W2 "\n", 2, "only blanks", 0},
    {"1  _ _ _ _ _ _ _ _\n\n", 1, "FORM is empty", 0},
    {"1 a  _ _ _ _ _ _ _\n\n", 1, "column 3 (LEMMA) is empty", 0},
    {"1 a _ _ _ _ 0 _ _ \n\n", 1, "column 10 (MISC) is empty", 0},
    {" a _ _ _ _ _ _ _ _\n\n", 1, "column 1 (ID) is empty", 0},
    {"1-2  _ _ _ _ _ _ _ _\n" W1 W2 "\n", 1, "FORM is empty", 0},
    {R("1-2") W1 "1.1 e\n" W2 "\n", 3, "2 columns", 0},
    /* IDs */
    {W2 "\n", 1, "ID is 2 where 1 comes next", 0},
    {W1 W1 "\n", 2, "ID is 1 where 2 comes next", 0},
    {W1 W3 "\n", 2, "ID is 3 where 2 comes next", 0},
    {"0 a _ _ _ _ _ _ _ _\n\n", 1, "ID is 0 where 1 comes next", 0},
    {"01 a _ _ _ _ _ _ _ _\n\n", 1, "ID is 01 where 1 comes next", 0},
    {"99999999999999999999 a _ _ _ _ _ _ _ _\n\n", 1, "where 1 comes next", 0},
    {"x a _ _ _ _ _ _ _ _\n\n", 1, "the ID 'x' is no word number", 0},
    {"-1 a _ _ _ _ _ _ _ _\n\n", 1, "the ID '-1'", 0},
    {"␣1 a _ _ _ _ _ _ _ _\n\n", 1, "the ID ' 1'", 0},
    {"1a a _ _ _ _ _ _ _ _\n\n", 1, "the ID '1a'", 0},
    /* heads */
    {W1 "2 b _ _ _ _ 9 _ _ _\n" W3 "\n", 2, "HEAD is 9, but the sentence has 3 words", 0},
    {"#␣c\n#␣d\n" R("1-2") W1 E("1.1") "2 b _ _ _ _ 5 _ _ _\n" W3 "\n", 6, "HEAD is 5", 0},
    {E("0.1") W1 R("2-3") "2 b _ _ _ _ 1 _ _ _\n" "3 c _ _ _ _ 4 _ _ _", 5, "HEAD is 4", 0},
    {"1 a _ _ _ _ 2 _ _ _\n\n", 1, "HEAD is 2, but the sentence has 1 word", 0},
    {W1 "2 b _ _ _ _ 2 _ _ _\n\n", 2, "the word itself", 0},
    {"1 a _ _ _ _ x _ _ _\n\n", 1, "HEAD is 'x'", 0},
    {"1 a _ _ _ _ -1 _ _ _\n\n", 1, "HEAD is '-1'", 0},
    {"1 a _ _ _ _ 00 _ _ _\n\n", 1, "leading zeros", 0},
    {"1 a _ _ _ _ +0 _ _ _\n\n", 1, "HEAD is '+0'", 0},
    {"1 a _ _ _ _ 1.1 _ _ _\n\n", 1, "HEAD is '1.1'", 0},
    {"1 a _ _ _ _ 99999999999999999999 _ _ _\n\n", 1, "HEAD is 99999999999999999999", 0},
    {"1 a _ _ _ _  _ _ _\n\n", 1, "column 7 (HEAD) is empty", 0},
    /* ranges */
    {R("2-3") W1 W2 W3 "\n", 1, "range 2-3 must begin with the next word, 1", 0},
    {W1 R("1-2") W2 "\n", 2, "range 1-2 must begin with the next word, 2", 0},
    {R("1-1") W1 "\n", 1, "range 1-1 must end after", 0},
    {W1 R("2-1") W2 "\n", 2, "range 2-1 must end after", 0},
    {R("1-3") W1 R("2-3") W2 W3 "\n", 3, "inside the range 1-3 of line 1", 0},
    {R("1-2") W1 R("2-3") W2 W3 "\n", 3, "inside the range 1-2 of line 1", 0},
    {R("1-2") R("1-2") W1 W2 "\n", 2, "inside the range 1-2 of line 1", 0},
    {R("1-3") W1 W2 "\n", 1, "range 1-3 reaches beyond the sentence's last word, 2", 0},
    {R("1-2") "\n", 1, "reaches beyond", 0},
    {R("1-2") E("0.1") W1 W2 "\n", 2, "between range 1-2 and its first word", 0},
    {R("1-") W1 "\n", 1, "form a-b", 0},
    {R("1-2-3") W1 "\n", 1, "form a-b", 0},
    {R("1-02") W1 "\n", 1, "form a-b", 0},
    {R("1-99999999999") W1 "\n", 1, "form a-b", 0},
    /* empty nodes */
    {E("0.2") W1 "\n", 1, "ID is 0.2 where 0.1 comes next", 0},
    {E("0.0") W1 "\n", 1, "ID is 0.0 where 0.1 comes next", 0},
    {W1 E("1.1") E("1.1") "\n", 3, "ID is 1.1 where 1.2 comes next", 0},
    {W1 E("1.1") E("1.3") "\n", 3, "ID is 1.3 where 1.2 comes next", 0},
    {W1 E("2.1") W2 "\n", 2, "must stand right after word 2", 0},
    {W1 E("0.1") W2 "\n", 2, "must stand right after word 0", 0},
    {W1 E("1.x") W2 "\n", 2, "form N.M", 0},
    {W1 E("1.1.1") W2 "\n", 2, "form N.M", 0},
    {E("0.1") "\n", 1, "empty node but no word", 0},
    {"#␣c\n" E("0.1") E("0.2"), 2, "empty node but no word", 0},
    /* comments */
    {"#␣only\n#␣comments\n\n" W1 "\n", 1, "comments but no word", 0},
    {W1 "\n#␣last", 3, "comments but no word", 1},
    {W1 "#␣late\n" W2 "\n", 2, "before the first word", 0},
    {E("0.1") "#␣late\n" W1 "\n", 2, "before the first word", 0},
    {R("1-2") "#␣late\n" W1 W2 "\n", 2, "before the first word", 0},
    /* UTF-8 */
    {W1 "\n" "1 \xC3\x28 _ _ _ _ _ _ _ _\n\n", 3, "invalid UTF-8 (byte 0xC3 at byte 3 of the line)", 1},
    {W1 "\n\n#␣\xED\xA0\x80\n" W1 "\n", 4, "invalid UTF-8", 1},
    {"\xFF", 1, "invalid UTF-8", 0},
    {"1 a _ _ _ _ _ _ _ \xE2\x82\n\n", 1, "invalid UTF-8", 0},
    {"1 a _ _ _ _ _ _ _ \xE2\x82", 1, "invalid UTF-8", 0},
    {"\xEF\xBB\xBF\xEF\xBB", 1, "invalid UTF-8", 0},
    /* the first error counts, also where the same block holds invalid UTF-8 further down */
    {"x\n\n\xFF\n", 1, "1 column", 0},
    /* a byte-order mark is one only at the beginning */
    {W1 "\n\xEF\xBB\xBF" W1 "\n", 3, "the ID", 1},
};

static void refuses(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    parsed p;
    parse(&p, refused[i].text);
    char prefix[32];
    snprintf(prefix, sizeof prefix, "line %d: ", (int)refused[i].line);
    if (!p.failed || p.error.code != ON_DATA_FORMAT || p.error.position != refused[i].line ||
        strncmp(p.error.text, prefix, strlen(prefix)) != 0 || !strstr(p.error.text, refused[i].message) ||
        p.count != refused[i].sentences) {
      fail_msg("case %zu: failed %d, line %lld, '%s', %zu sentences; expected line %lld, '%s', %zu sentences", i,
               p.failed, (long long)p.error.position, p.error.text, p.count, (long long)refused[i].line,
               refused[i].message, refused[i].sentences);
    }
    parsed_free(&p);
  }
}

static void error_stays(void **state) {
  (void)state;
  on_conllu_reader *reader = on_conllu_open(ON_STR("x\n\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), NULL);
  on_conllu_sentence sentence = {0};
  for (int i = 0; i < 3; i++) {
    on_error error = {0};
    assert_int_equal(on_conllu_next(reader, &sentence, &error), -1);
    assert_int_equal(error.position, 1);
    assert_int_equal(on_conllu_next(reader, &sentence, NULL), -1);
  }
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
}

/* ---- limits ---- */

static void repeat(on_buf *out, const char *text, size_t times) {
  for (size_t i = 0; i < times; i++) on_buf_str(out, on_str_c(text));
}

static void read_all(parsed *p, const on_buf *bytes, const on_conllu_options *options) {
  memset(p, 0, sizeof *p);
  parse_bytes(p, on_buf_view(bytes), options);
}

static void line_limit(void **state) {
  (void)state;
  /* Units count, not bytes: U+20AC is three bytes and one unit, U+1F600 four and two. */
  static const struct {
    const char *unit;
    size_t units;
  } kinds[] = {{"x", 1}, {"\xE2\x82\xAC", 1}, {"\xF0\x9F\x98\x80", 2}};
  for (size_t k = 0; k < 3; k++) {
    for (size_t extra = 0; extra < 2; extra++) {
      on_buf bytes = {0};
      on_buf_str(&bytes, ON_STR("# "));
      repeat(&bytes, kinds[k].unit, (1048576 - 2) / kinds[k].units);
      repeat(&bytes, "y", extra);
      on_buf_str(&bytes, ON_STR("\r\n"));
      tabbed(&bytes, W1);
      parsed p;
      read_all(&p, &bytes, NULL);
      assert_int_equal(p.failed, extra);
      if (extra) {
        assert_int_equal(p.error.position, 1);
        assert_non_null(strstr(p.error.text, "line 1: the line has 1048577 UTF-16 units; at most 1048576"));
      }
      parsed_free(&p);
      on_buf_free(&bytes);
    }
  }
}

static void word_limit(void **state) {
  (void)state;
  for (size_t extra = 0; extra < 2; extra++) {
    on_buf bytes = {0};
    tabbed(&bytes, "1-2 ab _ _ _ _ _ _ _ _\n");
    for (size_t i = 1; i < 100000 + extra; i++) {
      on_buf_u64(&bytes, i);
      on_buf_str(&bytes, ON_STR("\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"));
    }
    parsed p;
    read_all(&p, &bytes, NULL);
    assert_int_equal(p.failed, extra);
    if (extra) {
      assert_int_equal(p.error.position, 100001);
      assert_non_null(strstr(p.error.text, "more than 100000 word and range lines"));
    } else {
      assert_int_equal(p.list[0].word_count, 99999);
      assert_str(p.list[0].words[99998].form, "a");
    }
    parsed_free(&p);
    on_buf_free(&bytes);
  }
}

static void comment_limit(void **state) {
  (void)state;
  for (size_t extra = 0; extra < 2; extra++) {
    on_buf bytes = {0};
    repeat(&bytes, "#\n", 10000 + extra);
    tabbed(&bytes, W1);
    parsed p;
    read_all(&p, &bytes, NULL);
    assert_int_equal(p.failed, extra);
    if (extra) assert_int_equal(p.error.position, 10001);
    if (extra) assert_non_null(strstr(p.error.text, "more than 10000 comment lines"));
    if (!extra) assert_int_equal(p.list[0].comment_count, 10000);
    parsed_free(&p);
    on_buf_free(&bytes);
  }
}

static void own_limits(void **state) {
  (void)state;
  on_buf bytes = {0};
  tabbed(&bytes, "#␣c\n" W1 E("1.1") E("1.2") W2 "\n");
  static const struct {
    on_conllu_options options;
    int64_t line;
  } cases[] = {
      {{.max_line = 21}, 0}, {{.max_line = 20}, 3}, {{.max_words = 2}, 0},   {{.max_words = 1}, 4},
      {{.max_comments = 1}, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    parsed p;
    read_all(&p, &bytes, &cases[i].options);
    assert_int_equal(p.failed, cases[i].line != 0);
    if (p.failed) assert_int_equal(p.error.position, cases[i].line);
    parsed_free(&p);
  }
  on_buf_free(&bytes);
}

/* Invalid bytes far behind the block that is checked at once. */
static void late_invalid_utf8(void **state) {
  (void)state;
  for (size_t lines = 2000; lines < 8000; lines += 1999) {
    on_buf bytes = {0};
    for (size_t i = 0; i < lines; i++) tabbed(&bytes, i % 100 == 99 ? W1 "\n" : "#␣a␣comment\n");
    repeat(&bytes, "\xC0\n", 1);
    on_conllu_reader *reader = on_conllu_open(on_buf_view(&bytes), NULL);
    on_conllu_sentence sentence = {0};
    on_error error = {0};
    int got;
    size_t count = 0;
    while ((got = on_conllu_next(reader, &sentence, &error)) > 0) count++;
    assert_int_equal(got, -1);
    assert_int_equal(count, lines / 100);
    assert_int_equal(error.position, lines + lines / 100 + 1);
    on_conllu_sentence_free(&sentence);
    on_conllu_close(reader);
    on_buf_free(&bytes);
  }
}

static void out_of_memory(void **state) {
  (void)state;
  on_buf bytes = {0};
  tabbed(&bytes, kept);
  for (size_t n = 1; n < 20; n++) {
    on_alloc_fail_at(n, 1);
    on_conllu_reader *reader = on_conllu_open(on_buf_view(&bytes), NULL);
    on_conllu_sentence sentence = {0};
    on_error error = {0};
    int got = reader ? on_conllu_next(reader, &sentence, &error) : -1;
    on_alloc_fail_at(0, 0);
    if (reader && got < 0) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    on_conllu_sentence_free(&sentence);
    on_conllu_close(reader);
    if (got == 1) {
      assert_true(n > 2);
      break;
    }
  }
  on_buf_free(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_everything), cmocka_unit_test(line_ends_and_mark), cmocka_unit_test(refuses),
      cmocka_unit_test(error_stays),      cmocka_unit_test(line_limit),         cmocka_unit_test(word_limit),
      cmocka_unit_test(comment_limit),    cmocka_unit_test(own_limits),         cmocka_unit_test(late_invalid_utf8),
      cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
