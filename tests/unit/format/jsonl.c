/* JSON Lines: what is read, what is refused (jsonl_malformed.tsv), what is written. */
#include "test.h"

#include "base/alloc.h"
#include "format/jsonl.h"
#include "text/chars.h"
#include "text/utf.h"

static void assert_text(on_str actual, const char *expected) {
  if (!actual.p || !on_str_eq(actual, on_str_c(expected))) {
    fail_msg("got '%.*s', expected '%s'", (int)actual.n, actual.p ? actual.p : "", expected);
  }
}

/* One token for each run between white space. */
static bool at_spaces(void *context, on_doc *doc, on_error *error) {
  if (context) ++*(size_t *)context;
  size_t n = 0;
  for (size_t pass = 0; pass < 2; pass++) {
    if (pass == 1 && !on_doc_set_tokens(doc, n)) return on_fail_memory(error);
    n = 0;
    for (size_t i = 0; i < doc->text.n;) {
      if (on_is_space(doc->text.p[i])) {
        i++;
        continue;
      }
      const size_t start = i;
      while (i < doc->text.n && !on_is_space(doc->text.p[i])) i++;
      if (pass == 1) {
        doc->start[n] = doc->source_start[n] = (uint32_t)start;
        doc->end[n] = doc->source_end[n] = (uint32_t)i;
      }
      n++;
    }
  }
  return true;
}

/* Reads the only example of `line`; -1, 0 or 1. */
static int read_one(const char *line, on_doc *doc, const on_jsonl_options *options, on_error *error) {
  on_jsonl_reader *reader = on_jsonl_open(on_str_c(line), options);
  assert_non_null(reader);
  const int got = on_jsonl_next(reader, doc, error);
  on_jsonl_close(reader);
  return got;
}

static void properties(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  size_t calls = 0;
  const on_jsonl_options options = {.tokenizer = at_spaces, .context = &calls};
  assert_int_equal(
      read_one("{\"other\": [null, {\"text\": 1}], \"text\": \"Ada met B\xC3\xB6"
               "b \\ud83d\\ude00!\", \"tokens\": [[0, 3], [4, 7], [8, 11], [12, 14], [14, 15]], \"entities\": "
               "[[8, 11, \"B\"], [0.0, 3e0, \"A\"]], \"spans\": {\"g\": [[0, 11, \"X\"], [4, 11, \"Y\"], [4, 11, \"Y\"]], "
               "\"\": []}, \"cats\": {\"yes\": true, \"no\": false, \"half\": 0.5, \"one\": 1, \"zero\": 0}}",
               &doc, &options, &error),
      1);
  assert_int_equal(calls, 0);
  assert_int_equal(doc.n, 5);
  assert_int_equal(doc.text.n, 15);
  assert_ptr_equal(doc.text.p, doc.source.p);
  assert_int_equal(doc.unit_end, 15);
  assert_int_equal(doc.start[3], 12);
  assert_int_equal(doc.source_end[3], 14);
  assert_int_equal(doc.sent_start[0], 1);
  assert_int_equal(doc.sent_start[1], 0);
  assert_true(doc.has_ents);
  assert_int_equal(doc.ent_count, 2);
  assert_int_equal(doc.ents[0].first, 0);
  assert_int_equal(doc.ents[0].end, 1);
  assert_text(doc.ents[0].label, "A");
  assert_int_equal(doc.ents[1].first, 2);
  assert_int_equal(doc.group_count, 2);
  assert_text(doc.groups[0].name, "g");
  assert_int_equal(doc.groups[0].count, 3);
  assert_int_equal(doc.groups[0].spans[0].first, 0);
  assert_int_equal(doc.groups[0].spans[0].end, 3);
  assert_int_equal(doc.groups[0].spans[2].first, 1);
  assert_text(doc.groups[0].spans[2].label, "Y");
  assert_int_equal(doc.groups[1].count, 0);
  assert_int_equal(doc.cat_count, 5);
  static const float scores[] = {1, 0, 0.5f, 1, 0};
  for (size_t i = 0; i < 5; i++) assert_true(doc.cats[i].score == scores[i]);
  assert_text(doc.cats[2].label, "half");

  /* absent and empty are not the same */
  assert_int_equal(read_one("{\"text\": \"a b\"}", &doc, &options, &error), 1);
  assert_int_equal(calls, 1);
  assert_int_equal(doc.n, 2);
  assert_false(doc.has_ents);
  assert_null(doc.groups);
  assert_null(doc.cats);
  assert_int_equal(read_one("{\"text\": \"a b\", \"tokens\": [], \"entities\": [], \"spans\": {}, \"cats\": {}}", &doc,
                            &options, &error), 1);
  assert_int_equal(calls, 1);
  assert_int_equal(doc.n, 0);
  assert_true(doc.has_ents);
  assert_int_equal(doc.ent_count, 0);
  assert_non_null(doc.groups);
  assert_non_null(doc.cats);

  /* an empty text has no tokens */
  assert_int_equal(read_one("{\"text\": \"\", \"entities\": []}", &doc, &options, &error), 1);
  assert_int_equal(calls, 1);
  assert_int_equal(doc.n, 0);

  assert_int_equal(read_one("{\"text\": \"a\"}", &doc, NULL, &error), -1);
  assert_non_null(strstr(error.text, "line 1: \"tokens\" is missing, and there is no tokenizer"));
  on_doc_free(&doc);
}

/* Words that share or respell a surface form: a tokenizer with "du" = de + le. */
static bool with_ranges(void *context, on_doc *doc, on_error *error) {
  (void)context;
  /* "vu du x": vu, de, le, x */
  static const uint32_t starts[] = {0, 3, 3, 6}, ends[] = {2, 5, 5, 7};
  static const uint32_t own_starts[] = {0, 3, 6, 9}, own_ends[] = {2, 5, 8, 10};
  if (!on_doc_set_tokens(doc, 4)) return on_fail_memory(error);
  memcpy(doc->source_start, starts, sizeof starts);
  memcpy(doc->source_end, ends, sizeof ends);
  memcpy(doc->start, own_starts, sizeof starts);
  memcpy(doc->end, own_ends, sizeof ends);
  doc->respelled = true;
  return on_utf16_from_utf8(&doc->arena, ON_STR("vu de le x"), &doc->text, error);
}

static void shared_surface(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  const on_jsonl_options options = {.tokenizer = with_ranges};
  assert_int_equal(read_one("{\"text\": \"vu du x\", \"entities\": [[3, 5, \"A\"]], \"spans\": {\"g\": [[0, 5, \"B\"], [3, 7, \"C\"]]}}",
                            &doc, &options, &error), 1);
  assert_int_equal(doc.ents[0].first, 1);
  assert_int_equal(doc.ents[0].end, 3);
  assert_int_equal(doc.groups[0].spans[0].end, 3);
  assert_int_equal(doc.groups[0].spans[1].first, 1);
  assert_int_equal(doc.groups[0].spans[1].end, 4);
  /* Tokens must not overlap: the written text is Doc.Text. */
  on_buf out = {0};
  assert_true(on_jsonl_write_doc(&out, &doc, &error));
  assert_text(on_buf_view(&out),
              "{\"text\": \"vu de le x\", \"tokens\": [[0, 2], [3, 5], [6, 8], [9, 10]], \"entities\": [[3, 8, \"A\"]], "
              "\"spans\": {\"g\": [[0, 8, \"B\"], [3, 10, \"C\"]]}}\n");
  on_buf_free(&out);
  on_doc_free(&doc);
}

static void lines(void **state) {
  (void)state;
  static const char text[] =
      "\xEF\xBB\xBF\n{\"text\": \"a\"}\r\n \t\r\n{\"text\": 5}\n\n{\"text\": \"b\"}\nx\n{\"text\": \"c\"}";
  const on_jsonl_options options = {.tokenizer = at_spaces};
  on_jsonl_reader *reader = on_jsonl_open((on_str){text, sizeof text - 1}, &options);
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  assert_int_equal(on_jsonl_next(reader, &doc, &error), 1);
  assert_int_equal(on_jsonl_line(reader), 2);
  assert_int_equal(on_jsonl_next(reader, &doc, &error), -1);
  assert_int_equal(error.code, ON_DATA_FORMAT);
  assert_int_equal(error.position, 4);
  assert_int_equal(on_jsonl_next(reader, &doc, NULL), 1);
  assert_int_equal(on_jsonl_line(reader), 6);
  assert_int_equal(doc.text.p[0], 'b');
  assert_int_equal(on_jsonl_next(reader, &doc, NULL), -1);
  assert_int_equal(on_jsonl_next(reader, &doc, &error), 1);
  assert_int_equal(on_jsonl_line(reader), 8);
  assert_int_equal(on_jsonl_next(reader, &doc, &error), 0);
  assert_int_equal(on_jsonl_next(reader, &doc, &error), 0);
  on_jsonl_close(reader);
  on_doc_free(&doc);
}

static void line_limit(void **state) {
  (void)state;
  /* the default, in units: a line of two-byte characters that has too many bytes but not too many units */
  for (size_t extra = 0; extra < 2; extra++) {
    on_buf line = {0};
    on_buf_str(&line, ON_STR("{\"tokens\": [], \"text\": \""));
    const size_t rest = 16777216 - line.n - 2 + extra;
    assert_true(on_buf_reserve(&line, 2 * rest + 2));
    for (size_t i = 0; i < rest; i++) memcpy(line.p + line.n + 2 * i, "\xC3\xA9", 2);
    line.n += 2 * rest;
    on_buf_str(&line, ON_STR("\"}"));
    on_jsonl_reader *reader = on_jsonl_open(on_buf_view(&line), NULL);
    on_doc doc;
    on_doc_init(&doc);
    on_error error;
    assert_int_equal(on_jsonl_next(reader, &doc, &error), extra ? -1 : 1);
    if (extra) assert_string_equal(error.text, "line 1: the line has 16777217 UTF-16 units; at most 16777216 are allowed");
    if (!extra) assert_int_equal(doc.text.n, rest);
    on_jsonl_close(reader);
    on_doc_free(&doc);
    on_buf_free(&line);
  }
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  const char *line = "{\"text\": \"\"}";
  assert_int_equal(read_one(line, &doc, &(on_jsonl_options){.max_line = 12, .tokenizer = at_spaces}, &error), 1);
  assert_int_equal(read_one(line, &doc, &(on_jsonl_options){.max_line = 11, .tokenizer = at_spaces}, &error), -1);
  assert_int_equal(read_one("{\"text\": \"\xFF\"}", &doc, &(on_jsonl_options){.max_line = 5}, &error), -1);
  assert_non_null(strstr(error.text, "line 1: JSON: invalid UTF-8"));
  on_doc_free(&doc);
}

/* ---- the table of malformed lines ---- */

static void expand(on_buf *out, const char *p, const char *end) {
  while (p < end) {
    if (strncmp(p, "\xC2\xB6", 2) == 0) {
      on_buf_char(out, '\n');
      p += 2;
    } else if (strncmp(p, "\xC2\xAB", 2) == 0) {
      const char *close = strstr(p, "\xC2\xBB");
      assert_true(close && close < end);
      const char *text = p + 2;
      const char *star = memchr(text, '*', (size_t)(close - text));
      if (star) {
        for (long i = strtol(text, NULL, 10); i > 0; i--) on_buf_add(out, star + 1, (size_t)(close - star) - 1);
      } else {
        assert_int_equal(close - text, 2);
        on_buf_char(out, (char)strtol(text, NULL, 16));
      }
      p = close + 2;
    } else {
      on_buf_char(out, *p++);
    }
  }
}

static void check_malformed(on_str input, char kind, int64_t line, on_str message) {
  on_doc doc;
  on_doc_init(&doc);
  for (size_t skip = 0; skip < 2; skip++) {
    const on_jsonl_options options = {.tokenizer = at_spaces,
                                      .misaligned = skip ? ON_MISALIGNED_SKIP : ON_MISALIGNED_ERROR};
    on_jsonl_reader *reader = on_jsonl_open(input, &options);
    on_error first = {0}, error = {0};
    size_t errors = 0;
    bool last_is_fine = false;
    for (int got; (got = on_jsonl_next(reader, &doc, &error)) != 0;) {
      if (got < 0 && errors++ == 0) first = error;
      last_is_fine = got > 0 && doc.text.n == 4 && doc.cat_count == 1 && doc.n == 1;
    }
    if (skip && kind == 'M') {
      assert_int_equal(errors, 0);
      assert_true(on_jsonl_skipped(reader) > 0);
    } else {
      char prefix[32];
      const int n = snprintf(prefix, sizeof prefix, "line %lld: ", (long long)line);
      if (!errors || first.code != ON_DATA_FORMAT || first.position != line ||
          strncmp(first.text, prefix, (size_t)n) != 0 || !on_str_starts(on_str_c(first.text + n), message)) {
        fail_msg("input '%.*s': got '%s', expected 'line %lld: %.*s'", (int)input.n, input.p, first.text,
                 (long long)line, (int)message.n, message.p);
      }
    }
    /* whatever was wrong, the rest of the file is read */
    assert_true(last_is_fine);
    on_jsonl_close(reader);
  }
  on_doc_free(&doc);
}

static void malformed(void **state) {
  (void)state;
  char path[1024];
  char *table = test_read_file(test_source_path(path, sizeof path, "tests/unit/format/jsonl_malformed.tsv"), NULL);
  size_t cases = 0;
  on_buf input = {0};
  for (char *row = table; *row;) {
    char *end = strchr(row, '\n');
    assert_non_null(end);
    if (row < end && *row != '#') {
      assert_true((row[0] == '-' || row[0] == 'M') && row[1] == '\t');
      char *message;
      const long line = strtol(row + 2, &message, 10);
      assert_true(line > 0 && *message == '\t');
      message++;
      char *text = strchr(message, '\t');
      assert_true(text && text < end);
      on_buf_clear(&input);
      expand(&input, text + 1, end);
      on_buf_str(&input, ON_STR("\n{\"text\": \"fine\", \"cats\": {\"c\": 1}}\n"));
      check_malformed(on_buf_view(&input), row[0], line, (on_str){message, (size_t)(text - message)});
      cases++;
    }
    row = end + 1;
  }
  on_buf_free(&input);
  free(table);
  assert_true(cases >= 200);
  print_message("%zu malformed inputs\n", cases);
}

/* With Skip only what is misaligned goes. */
static void leaves_out(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  const on_jsonl_options options = {.tokenizer = at_spaces, .misaligned = ON_MISALIGNED_SKIP};
  assert_int_equal(read_one("{\"text\": \"Ada met Bob\", \"entities\": [[8, 11, \"B\"], [4, 6, \"x\"], [0, 3, \"A\"]], "
                            "\"spans\": {\"g\": [[0, 4, \"x\"], [0, 7, \"C\"]], \"h\": [[1, 2, \"x\"]]}}",
                            &doc, &options, &error), 1);
  assert_int_equal(doc.ent_count, 2);
  assert_text(doc.ents[0].label, "A");
  assert_text(doc.ents[1].label, "B");
  assert_int_equal(doc.groups[0].count, 1);
  assert_text(doc.groups[0].spans[0].label, "C");
  assert_int_equal(doc.groups[1].count, 0);
  /* all entities gone: still annotated */
  assert_int_equal(read_one("{\"text\": \"Ada\", \"entities\": [[0, 2, \"x\"]]}", &doc, &options, &error), 1);
  assert_true(doc.has_ents);
  assert_int_equal(doc.ent_count, 0);
  on_doc_free(&doc);
}

/* ---- writing ---- */

static const char *const round_trips[] = {
    "{\"text\": \"\", \"tokens\": []}",
    "{\"text\": \"a  b\\n\", \"tokens\": [[0, 1], [3, 4]]}",
    "{\"text\": \"a b\", \"tokens\": [[0, 1]], \"entities\": []}",
    "{\"text\": \"a \xC3\xA9 \xF0\x9F\x98\x80 \\\"\\\\\\u0001\\t\", \"tokens\": [[0, 1], [2, 3], [4, 6], [7, 10]], "
    "\"entities\": [[0, 3, \"X\"], [4, 6, \"Y\\\"\"]]}",
    "{\"text\": \"a b c\", \"tokens\": [[0, 1], [2, 3], [4, 5]], \"spans\": {\"g\": [[2, 5, \"X\"], [0, 3, \"Y\"], "
    "[0, 3, \"Y\"]], \"\": []}, \"cats\": {\"a b\": 1, \"c\": 0.25, \"d\": 0, \"e\": 0.1}}",
    "{\"text\": \"a\", \"tokens\": [[0, 1]], \"entities\": [[0, 1, \"X\"]], \"spans\": {}, \"cats\": {}}",
};

static void writes_what_was_read(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  for (size_t i = 0; i < sizeof round_trips / sizeof *round_trips; i++) {
    on_error error;
    if (read_one(round_trips[i], &doc, NULL, &error) != 1) fail_msg("%s", error.text);
    on_buf out = {0};
    assert_true(on_jsonl_write_doc(&out, &doc, &error));
    out.n--;  /* the line feed */
    assert_text(on_buf_view(&out), round_trips[i]);
    on_buf_free(&out);
  }
  on_doc_free(&doc);
}

/* A unit out of the middle of a text. */
static void writes_units(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  assert_int_equal(read_one("{\"text\": \"xx a b\", \"tokens\": [[3, 4], [5, 6]], \"entities\": [[5, 6, \"E\"]]}", &doc,
                            NULL, &error), 1);
  doc.unit_start = 3;
  on_buf out = {0};
  assert_true(on_jsonl_write_doc(&out, &doc, &error));
  assert_text(on_buf_view(&out), "{\"text\": \"a b\", \"tokens\": [[0, 1], [2, 3]], \"entities\": [[2, 3, \"E\"]]}\n");
  on_buf_free(&out);
  on_doc_free(&doc);
}

static void out_of_memory(void **state) {
  (void)state;
  const char *line = "{\"text\": \"Ada met Bob\", \"entities\": [[8, 11, \"B\"], [0, 3, \"A\"]], \"spans\": {\"g\": "
                     "[[0, 7, \"C\"]]}, \"cats\": {\"x\": 1}}";
  size_t failures = 0;
  bool worked = false;
  for (size_t n = 1; n < 200 && !worked; n++) {
    on_doc doc;
    on_doc_init(&doc);
    doc.arena.first_size = 16;
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    const on_jsonl_options options = {.tokenizer = at_spaces};
    on_jsonl_reader *reader = on_jsonl_open(on_str_c(line), &options);
    const int got = reader ? on_jsonl_next(reader, &doc, &error) : -1;
    on_alloc_fail_at(0, 0);
    if (reader && got < 0) {
      assert_int_equal(error.code, ON_OUT_OF_MEMORY);
      failures++;
    }
    worked = got > 0;
    on_jsonl_close(reader);
    on_doc_free(&doc);
  }
  assert_true(worked && failures > 10);
}

/* The corpora: as read, so written. */
static void corpora(void **state) {
  (void)state;
  static const char *const files[] = {"ner/uner-en-ewt/test.jsonl",  "ner/uner-pt-bosque/dev.jsonl",
                                      "ner/uner-zh-gsdsimp/test.jsonl", "spans/litbank/test.jsonl",
                                      "segment/ja-wac/test.jsonl"};
  char path[1024];
  TEST_DATA_OR_SKIP(path, files[0]);
  on_doc doc;
  on_doc_init(&doc);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (!test_data_path(path, sizeof path, files[i])) continue;
    size_t length;
    char *bytes = test_read_file(path, &length);
    on_jsonl_reader *reader = on_jsonl_open((on_str){bytes, length}, NULL);
    on_buf out = {0};
    on_error error;
    int got;
    while ((got = on_jsonl_next(reader, &doc, &error)) > 0) assert_true(on_jsonl_write_doc(&out, &doc, &error));
    if (got < 0) fail_msg("%s: %s", path, error.text);
    assert_int_equal(out.n, length);
    assert_memory_equal(out.p, bytes, length);
    on_buf_free(&out);
    on_jsonl_close(reader);
    free(bytes);
  }
  on_doc_free(&doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(properties),   cmocka_unit_test(shared_surface), cmocka_unit_test(lines),
      cmocka_unit_test(line_limit),   cmocka_unit_test(malformed),      cmocka_unit_test(leaves_out),
      cmocka_unit_test(writes_what_was_read), cmocka_unit_test(writes_units), cmocka_unit_test(out_of_memory),
      cmocka_unit_test(corpora),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
