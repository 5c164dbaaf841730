/* The public interface, as a program outside would use it. */
#include "onenlp.h"

#include "tiny.h"

#include "base/alloc.h"

static const char text[] = "Don't panic. The cat sat.\n\nSecond  one.";

typedef struct session {
  on_buf file;
  onenlp_pipeline *pipeline;
  onenlp_annotator *annotator;
} session;

static session start(const char *config) {
  session s = {.file = tiny_file(config, ON_F32)};
  onenlp_error error;
  s.pipeline = onenlp_load(s.file.p, s.file.n, ONENLP_BORROW, &error);
  if (!s.pipeline) fail_msg("%s", error.text);
  s.annotator = onenlp_annotator_new(s.pipeline, &error);
  assert_non_null(s.annotator);
  return s;
}

static void end(session *s) {
  onenlp_annotator_free(s->annotator);
  onenlp_pipeline_free(s->pipeline);
  on_buf_free(&s->file);
}

/* The output as a string that the caller frees. */
static char *output(session *s) {
  size_t n;
  const char *data = onenlp_buffer_data(onenlp_output(s->annotator), &n);
  char *copy = malloc(n + 1);
  assert_non_null(copy);
  memcpy(copy, data, n);
  copy[n] = 0;
  return copy;
}

static char *annotate(session *s, onenlp_input input, const char *bytes, onenlp_output_format format) {
  onenlp_error error;
  if (!onenlp_annotate(s->annotator, input, bytes, strlen(bytes), format, NULL, NULL, &error)) {
    fail_msg("%s: %s", onenlp_code_name(error.code), error.text);
  }
  return output(s);
}

static void test_facts(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  size_t n;
  assert_string_equal(onenlp_version(), "0.1.0");
  assert_string_equal(onenlp_code_name(ONENLP_INVALID_UTF8), "INVALID_UTF8");
  assert_string_equal(onenlp_code_name((onenlp_code)999), "UNKNOWN");
  assert_memory_equal(onenlp_language(s.pipeline, &n), "en", 2);
  assert_int_equal(n, 2);
  assert_int_equal(onenlp_component_count(s.pipeline), 3);
  assert_memory_equal(onenlp_component_name(s.pipeline, 2, &n), "morphologizer", 13);
  assert_int_equal(n, 13);
  assert_memory_equal(onenlp_component_kind(s.pipeline, 0, &n), "sentencizer", 11);
  assert_null(onenlp_component_kind(s.pipeline, 3, &n));
  assert_int_equal(n, 0);
  assert_int_equal(onenlp_label_count(s.pipeline, 0), 0);
  assert_int_equal(onenlp_label_count(s.pipeline, 1), 3);
  assert_memory_equal(onenlp_label(s.pipeline, 1, 2, &n), "DT", 2);
  assert_null(onenlp_label(s.pipeline, 1, 3, &n));
  assert_int_equal(onenlp_metadata_count(s.pipeline), 2);
  assert_memory_equal(onenlp_metadata_key(s.pipeline, 1, &n), "licence", 7);
  assert_memory_equal(onenlp_metadata_value(s.pipeline, 1, &n), "none \"needed\"", 13);
  assert_null(onenlp_metadata_key(s.pipeline, 2, &n));
  onenlp_buffer *out = onenlp_buffer_new();
  assert_true(onenlp_inspect(s.pipeline, ONENLP_JSON, out, NULL));
  on_str json = {NULL, 0};
  json.p = onenlp_buffer_data(out, &json.n);
  on_json *root = on_json_parse(json, 32, NULL);
  assert_non_null(root);
  assert_int_equal(on_json_count(on_json_get(root, "tensors")), 25);
  const on_json *licence = on_json_get(on_json_get(root, "metadata"), "licence");
  assert_true(on_str_eq(on_json_string(licence), ON_STR("none \"needed\"")));
  on_json_free(root);
  onenlp_buffer_free(out);
  end(&s);
}

static void test_units_and_progress(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  char *whole = annotate(&s, ONENLP_FROM_TEXT, text, ONENLP_TO_CONLLU);
  char pieces[4096] = "";
  uint64_t done = 0, total = 0, words = 0, before = 0;
  int units = 0;
  assert_true(onenlp_begin(s.annotator, ONENLP_FROM_TEXT, text, strlen(text), ONENLP_TO_CONLLU, NULL));
  while (onenlp_next(s.annotator, NULL) == 1) {
    onenlp_progress(s.annotator, &done, &total, &words);
    assert_true(done > before);
    before = done;
    char *piece = output(&s);
    strcat(pieces, piece);
    free(piece);
    onenlp_buffer_clear(onenlp_output(s.annotator));
    units++;
  }
  assert_int_equal(units, 2);
  assert_int_equal(done, strlen(text));
  assert_int_equal(total, strlen(text));
  assert_int_equal(words, 11);
  assert_string_equal(pieces, whole);
  assert_int_equal(onenlp_next(s.annotator, NULL), 0);  /* after the end: nothing, and no error */
  assert_non_null(strstr(whole, "# newpar\n# sent_id = 1\n# text = Don't panic.\n1-2\tDon't\t_"));
  assert_non_null(strstr(whole, "# sent_id = 3\n# text = Second  one.\n"));
  assert_non_null(strstr(whole, "SpacesAfter=\\s\\s"));
  free(whole);
  end(&s);
}

static int stop_at_once(void *context, uint64_t done, uint64_t total) {
  *(uint64_t *)context = done;
  return done < total;
}

static void test_cancel(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  onenlp_error error;
  uint64_t seen = 0;
  assert_false(onenlp_annotate(s.annotator, ONENLP_FROM_TEXT, text, strlen(text), ONENLP_TO_JSON, stop_at_once, &seen,
                               &error));
  assert_int_equal(error.code, ONENLP_CANCELLED);
  assert_true(seen > 0 && seen < strlen(text));
  char *again = annotate(&s, ONENLP_FROM_TEXT, "Fine.", ONENLP_TO_CONLLU);
  assert_non_null(strstr(again, "# text = Fine.\n"));
  free(again);
  end(&s);
}

static void test_errors(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  onenlp_error error;
  assert_false(onenlp_annotate(s.annotator, ONENLP_FROM_TEXT, "ab\xFFz", 4, ONENLP_TO_JSON, NULL, NULL, &error));
  assert_int_equal(error.code, ONENLP_INVALID_UTF8);
  assert_int_equal(error.position, 2);
  const char broken[] = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tb\n\n";
  assert_false(onenlp_annotate(s.annotator, ONENLP_FROM_CONLLU, broken, strlen(broken), ONENLP_TO_JSON, NULL, NULL,
                               &error));
  assert_int_equal(error.code, ONENLP_DATA_FORMAT);
  assert_int_equal(error.position, 3);
  assert_null(onenlp_load("nonsense", 8, ONENLP_BORROW, &error));
  assert_int_equal(error.code, ONENLP_INVALID_DATA);
  char *taken = onenlp_alloc(8);
  memcpy(taken, "nonsense", 8);
  assert_null(onenlp_load(taken, 8, ONENLP_TAKE, NULL));  /* freed: ASan tells */
  assert_false(onenlp_set_component(s.annotator, 3, 0));
  end(&s);
}

static void test_take(void **state) {
  (void)state;
  size_t before = onenlp_memory_used();
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  char *bytes = onenlp_alloc(file.n);
  memcpy(bytes, file.p, file.n);
  onenlp_pipeline *pipeline = onenlp_load(bytes, file.n, ONENLP_TAKE, NULL);
  assert_non_null(pipeline);
  on_buf_free(&file);
  onenlp_pipeline_free(pipeline);
  assert_int_equal(onenlp_memory_used(), before);
}

static void test_components(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  assert_true(onenlp_set_component(s.annotator, 0, 0));
  assert_true(onenlp_set_component(s.annotator, 1, 0));
  char *out = annotate(&s, ONENLP_FROM_TEXT, "One. Two.", ONENLP_TO_JSON);
  assert_null(strstr(out, "\"xpos\""));
  assert_non_null(strstr(out, "\"upos\""));
  assert_non_null(strstr(out, "\"sentences\": [[0, 4]]"));  /* no sentencizer: the unit is one sentence */
  free(out);
  assert_true(onenlp_set_component(s.annotator, 0, 1));
  out = annotate(&s, ONENLP_FROM_TEXT, "One. Two.", ONENLP_TO_JSON);
  assert_non_null(strstr(out, "\"sentences\": [[0, 2], [2, 4]]"));
  free(out);
  end(&s);
}

static const char gold[] =
    "# newdoc id = d\n# sent_id = a\n# mine = kept\n"
    "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tx=1\n"
    "1\tde\tde\tADP\tX\t_\t3\tcase\t3:case\tGloss=of\n"
    "2\tel\tel\tDET\tX\t_\t3\tdet\t_\t_\n"
    "3\tmar\tmar\tNOUN\tX\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3.1\tvoid\t_\t_\t_\t_\t_\t_\t3:dep\t_\n\n"
    "# sent_id = b\n"
    "1\tOtra\t_\tX\tX\t_\t0\troot\t_\t_\n\n";

/* Columns 1, 2, 7 to 10 of every line, comments as they are. */
static void kept_part(const char *conllu, char *out, bool with_tree) {
  for (const char *line = conllu; *line; line = strchr(line, '\n') + 1) {
    size_t n = strcspn(line, "\n");
    int column = 0;
    for (size_t i = 0; i < n; i++) {
      bool kept = line[0] == '#' || column < 2 || column > 8 || (with_tree && (column == 2 || column > 5));
      if (line[i] == '\t') column++;
      if (kept) *out++ = line[i];
    }
    *out++ = '\n';
  }
  *out = 0;
}

static void test_gold(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  char before[2048], after[2048];
  char *out = annotate(&s, ONENLP_FROM_CONLLU, gold, ONENLP_TO_CONLLU);
  kept_part(gold, before, true);
  kept_part(out, after, true);
  assert_string_equal(after, before);  /* also the columns that the pipeline does not set */
  assert_null(strstr(out, "\tX\t"));   /* but not those that it does */
  free(out);
  out = annotate(&s, ONENLP_FROM_CONLLU_TOKENS, gold, ONENLP_TO_CONLLU);
  kept_part(gold, before, false);
  kept_part(out, after, false);
  assert_string_equal(after, before);
  assert_null(strstr(out, "case"));
  assert_null(strstr(out, "\tde\tde\t"));
  free(out);
  out = annotate(&s, ONENLP_FROM_CONLLU, gold, ONENLP_TO_JSON);
  assert_non_null(strstr(out, "{\"text\": \"del mar Otra\", \"tokens\": [[0, 2], [2, 3], [4, 7], [8, 12]], "
                              "\"sentences\": [[0, 3], [3, 4]], \"ranges\": [[0, 2, \"del\"]], "
                              "\"form\": [\"de\", \"el\", \"mar\", \"Otra\"], "
                              "\"lemma\": [\"de\", \"el\", \"mar\", null]"));
  assert_non_null(strstr(out, "\"head\": [3, 3, 0, 0], \"deprel\": [\"case\", \"det\", \"root\", \"root\"]"));
  assert_null(strstr(out, "\"X\""));  /* these the pipeline sets */
  free(out);
  for (size_t i = 0; i < onenlp_component_count(s.pipeline); i++) onenlp_set_component(s.annotator, i, 0);
  out = annotate(&s, ONENLP_FROM_CONLLU, gold, ONENLP_TO_JSON);
  assert_non_null(strstr(out, "\"upos\": [\"ADP\", \"DET\", \"NOUN\", \"X\"], \"xpos\": [\"X\", \"X\", \"X\", \"X\"]"));
  free(out);
  out = annotate(&s, ONENLP_FROM_CONLLU, gold, ONENLP_TO_CONLLU);
  assert_string_equal(out, gold);
  free(out);
  out = annotate(&s, ONENLP_FROM_CONLLU_TOKENS, gold, ONENLP_TO_JSON);
  assert_null(strstr(out, "\"lemma\""));
  assert_null(strstr(out, "\"upos\""));
  free(out);
  for (size_t i = 0; i < onenlp_component_count(s.pipeline); i++) onenlp_set_component(s.annotator, i, 1);
  /* Fewer characters than words: the words share a token. */
  out = annotate(&s, ONENLP_FROM_CONLLU,
                 "1-2\t\xC3\xA0\t_\t_\t_\t_\t_\t_\t_\t_\n"
                 "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
                 ONENLP_TO_JSON);
  assert_non_null(strstr(out, "{\"text\": \"\xC3\xA0\", \"tokens\": [[0, 1]], \"sentences\": [[0, 2]], "
                              "\"word_token\": [0, 0], \"ranges\": [[0, 2, \"\xC3\xA0\"]], \"form\": [\"a\", \"a\"]"));
  free(out);
  end(&s);
}

static const char lines[] =
    "{\"text\": \"Ada met Bob.\\n\\nHe left.\", \"tokens\": [[0, 3], [4, 7], [8, 12], [14, 16], [17, 22]]}\n"
    "{\"text\": \"\"}\n\n"
    "{\"text\": \"Don't go. Stay.\", \"entities\": [[6, 8, \"X\"]]}\n";

/* JSON Lines: given tokens stay, other texts are annotated as they would be alone. */
static void test_examples(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  char *out = annotate(&s, ONENLP_FROM_JSONL, lines, ONENLP_TO_JSON);
  char *alone = annotate(&s, ONENLP_FROM_TEXT, "Don't go. Stay.", ONENLP_TO_JSON);
  const char *second = strchr(out, '\n') + 1, *third = strchr(second, '\n') + 1;
  assert_memory_equal(out, "{\"text\": \"Ada met Bob.\\n\\nHe left.\", \"tokens\": [[0, 3], [4, 7], [8, 12], [14, 16], "
                           "[17, 22]], \"sentences\": [[0, 3], [3, 5]], \"form\": [\"Ada\", ", 127);
  assert_memory_equal(second, "{\"text\": \"\", \"tokens\": [], ", 26);
  assert_string_equal(third, alone);
  free(out);
  free(alone);
  out = annotate(&s, ONENLP_FROM_JSONL, lines, ONENLP_TO_CONLLU);
  assert_non_null(strstr(out, "# newdoc\n# newpar\n# sent_id = 1\n# text = Ada met Bob.\n1\tAda\t"));
  assert_non_null(strstr(out, "3\tBob.\t"));
  assert_non_null(strstr(out, "\n\n# newpar\n# sent_id = 2\n# text = He left.\n"));
  assert_non_null(strstr(out, "\n\n# newdoc\n# newpar\n# sent_id = 3\n# text = Don't go.\n"));
  assert_null(strstr(out, "NER="));
  free(out);
  onenlp_error error;
  const char *broken = "{\"text\": \"a\"}\n{\"text\": }\n";
  assert_false(onenlp_annotate(s.annotator, ONENLP_FROM_JSONL, broken, strlen(broken), ONENLP_TO_JSON, NULL, NULL,
                               &error));
  assert_int_equal(error.code, ONENLP_DATA_FORMAT);
  assert_int_equal(error.position, 2);
  end(&s);
}

/* The same tokens and units give the same columns, from text and from CoNLL-U. */
static void test_gold_equals_text(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  on_buf long_text = {0};
  for (int i = 0; i < 150; i++) on_buf_str(&long_text, ON_STR("The cat doesn't sit  there. "));
  on_buf_str(&long_text, ON_STR("\n\nIt left."));
  on_buf_char(&long_text, 0);
  char *first = annotate(&s, ONENLP_FROM_TEXT, long_text.p, ONENLP_TO_CONLLU);
  char *second = annotate(&s, ONENLP_FROM_CONLLU_TOKENS, first, ONENLP_TO_CONLLU);
  assert_string_equal(first, second);
  free(first);
  free(second);
  on_buf_free(&long_text);
  end(&s);
}

static void test_columns(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  char *json = annotate(&s, ONENLP_FROM_TEXT, text, ONENLP_TO_JSON);
  on_json *root = on_json_parse(on_str_c(json), 16, NULL);
  assert_non_null(root);
  const on_json *upos = on_json_first(on_json_get(root, "upos")), *token = on_json_first(on_json_get(root, "tokens"));
  assert_true(onenlp_begin(s.annotator, ONENLP_FROM_TEXT, text, strlen(text), ONENLP_TO_COLUMNS, NULL));
  struct {
    size_t count, size;
    char bytes[256];
  } known = {0};
  size_t unit_count = 0, n;
  assert_null(onenlp_column(s.annotator, ONENLP_START, &n));
  const size_t *counts;
  const uint32_t *const *columns = onenlp_column_table(s.annotator, &counts);
  assert_null(columns[ONENLP_START]);
  while (onenlp_next(s.annotator, NULL) == 1) {
    size_t strings, count;
    const uint32_t *ends, *tags = onenlp_column(s.annotator, ONENLP_UPOS, &n);
    const uint32_t *starts = onenlp_column(s.annotator, ONENLP_START, &count);
    const char *table = onenlp_strings(s.annotator, &ends, &strings);
    assert_int_equal(n, count);
    for (size_t i = 0; i < n; i++, upos = on_json_next(upos), token = on_json_next(token)) {
      assert_int_equal(starts[i], on_json_number(on_json_first(token)));
      assert_true(tags[i] >= 1 && tags[i] <= strings);
      uint32_t from = tags[i] > 1 ? ends[tags[i] - 2] : 0;
      assert_true(on_str_eq(on_json_string(upos), (on_str){table + from, ends[tags[i] - 1] - from}));
    }
    assert_null(onenlp_column(s.annotator, ONENLP_LEMMA, &count));
    assert_null(onenlp_column(s.annotator, ONENLP_ENTITIES, &count));
    const uint32_t *ranges = onenlp_column(s.annotator, ONENLP_RANGES, &count);
    assert_int_equal(count, unit_count == 0 ? 5 : 0);
    if (count) assert_true(ranges[0] == 0 && ranges[1] == 2 && ranges[2] == 0 && ranges[3] == 5);
    const uint32_t *unit = onenlp_column(s.annotator, ONENLP_UNIT, &count);
    assert_int_equal(count, ONENLP_UNIT_ROW);
    assert_true(unit[ONENLP_UNIT_PARAGRAPH] == 1 && unit[ONENLP_UNIT_START] == (unit_count == 0 ? 0u : 27u));
    assert_int_equal(unit[ONENLP_UNIT_LAST], unit_count == 1);
    // The strings of the unit before stay where they are.
    assert_int_equal(unit[ONENLP_UNIT_STRINGS_KEPT], known.count);
    assert_true(strings >= known.count && (known.count == 0 || ends[known.count - 1] == known.size));
    assert_memory_equal(table, known.bytes, known.size);
    known.count = strings;
    known.size = ends[strings - 1];
    assert_true(known.size <= sizeof known.bytes);
    memcpy(known.bytes, table, known.size);
    for (int c = ONENLP_START; c <= ONENLP_UNIT; c++) {
      assert_ptr_equal(columns[c], onenlp_column(s.annotator, (onenlp_columns)c, &count));
      assert_int_equal(counts[c], count);
    }
    unit_count++;
  }
  assert_int_equal(unit_count, 2);
  assert_null(upos);
  on_json_free(root);
  free(json);
  end(&s);
}

/* What the columns of all calls say, words numbered within the text; the number of calls. */
static size_t dump_columns(session *s, const char *input, onenlp_output_format format, on_buf *out) {
  size_t calls = 0, words = 0, n, count;
  assert_true(onenlp_begin(s->annotator, ONENLP_FROM_TEXT, input, strlen(input), format, NULL));
  on_buf ranges = {0}, units = {0};
  for (; onenlp_next(s->annotator, NULL) == 1; words += n, calls++) {
    const uint32_t *start = onenlp_column(s->annotator, ONENLP_START, &n), *ends;
    const uint32_t *end_of = onenlp_column(s->annotator, ONENLP_END, &count);
    const uint32_t *sentence = onenlp_column(s->annotator, ONENLP_SENTENCE_START, &count);
    const uint32_t *feats = onenlp_column(s->annotator, ONENLP_FEATS, &count);
    const char *table = onenlp_strings(s->annotator, &ends, &count);
    for (size_t i = 0; i < n; i++) {
      on_str value = ON_STR("-");
      uint32_t from = feats[i] > 1 ? ends[feats[i] - 2] : 0;
      if (feats[i]) value = (on_str){table + from, ends[feats[i] - 1] - from};
      on_buf_format(out, "%u %u %u %.*s\n", start[i], end_of[i], sentence[i], ON_SHOW(value));
    }
    const uint32_t *row = onenlp_column(s->annotator, ONENLP_RANGES, &count);
    for (size_t i = 0; i < count; i += ONENLP_RANGE_ROW, row += ONENLP_RANGE_ROW) {
      on_buf_format(&ranges, "%zu %zu %u %u\n", words + row[ONENLP_RANGE_FIRST], words + row[ONENLP_RANGE_LAST],
                    row[ONENLP_RANGE_START], row[ONENLP_RANGE_END]);
    }
    row = onenlp_column(s->annotator, ONENLP_UNIT, &count);
    assert_true(count >= ONENLP_UNIT_ROW && count % ONENLP_UNIT_ROW == 0);
    for (size_t i = 0; i < count; i += ONENLP_UNIT_ROW, row += ONENLP_UNIT_ROW) {
      on_buf_format(&units, "%zu %u %u %u %u\n", words + row[ONENLP_UNIT_WORDS], row[ONENLP_UNIT_START],
                    row[ONENLP_UNIT_END], row[ONENLP_UNIT_PARAGRAPH], row[ONENLP_UNIT_LAST]);
    }
  }
  on_buf_str(out, on_buf_view(&ranges));
  on_buf_str(out, on_buf_view(&units));
  on_buf_char(out, 0);
  on_buf_free(&ranges);
  on_buf_free(&units);
  return calls;
}

/* Blocks say what units say, in fewer calls. */
static void test_column_blocks(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  on_buf input = {0}, units = {0}, blocks = {0};
  for (int i = 0; i < 300; i++) {
    on_buf_str(&input, i % 7 == 3 ? ON_STR(" \n \n") : ON_STR("Don't go.  It left!\n\n"));
  }
  for (int i = 0; i < 700; i++) on_buf_str(&input, ON_STR("The cat doesn't sit. "));  // one paragraph of several units
  on_buf_str(&input, ON_STR("\n\n\n"));
  on_buf_char(&input, 0);
  size_t unit_calls = dump_columns(&s, input.p, ONENLP_TO_COLUMNS, &units);
  size_t block_calls = dump_columns(&s, input.p, ONENLP_TO_COLUMN_BLOCKS, &blocks);
  assert_string_equal(units.p, blocks.p);
  assert_true(unit_calls > 250 && block_calls < 10);
  on_buf_clear(&units);
  on_buf_clear(&blocks);
  for (const char *const *few = (const char *const[]){"", " ", "a", "a\n\n", "\n\na", NULL}; *few; few++) {
    dump_columns(&s, *few, ONENLP_TO_COLUMNS, &units);
    dump_columns(&s, *few, ONENLP_TO_COLUMN_BLOCKS, &blocks);
    assert_string_equal(units.p, blocks.p);
  }
  on_buf_free(&input);
  on_buf_free(&units);
  on_buf_free(&blocks);
  end(&s);
}

/* Long strings are not kept from unit to unit until they are thousands: beyond a megabyte the table starts anew. */
static void test_long_strings(void **state) {
  (void)state;
  enum { UNITS = 5, WORDS = 300, LONG = 300000 };
  session s = start(TINY_CONFIG);
  on_buf bytes = {0};
  for (int u = 0; u < UNITS; u++) {
    for (int i = 1; i <= WORDS; i++) {
      on_buf_format(&bytes, "%d\tw\t", i);
      for (int c = 0; c < (i == 1 ? LONG : 1); c++) on_buf_char(&bytes, (char)('a' + u));
      on_buf_str(&bytes, ON_STR("\t_\t_\t_\t_\t_\t_\t_\n"));
    }
    on_buf_char(&bytes, '\n');
  }
  assert_true(onenlp_begin(s.annotator, ONENLP_FROM_CONLLU, bytes.p, bytes.n, ONENLP_TO_COLUMNS, NULL));
  size_t n, strings = 0;
  for (int u = 0; u < UNITS; u++) {
    assert_int_equal(onenlp_next(s.annotator, NULL), 1);
    const uint32_t *ends, *unit = onenlp_column(s.annotator, ONENLP_UNIT, &n);
    assert_int_equal(unit[ONENLP_UNIT_STRINGS_KEPT], u < 4 ? strings : 0);
    assert_int_equal(unit[ONENLP_UNIT_LAST], 0);  // of sentences nobody knows before
    const uint32_t *lemma = onenlp_column(s.annotator, ONENLP_LEMMA, &n);
    const char *table = onenlp_strings(s.annotator, &ends, &strings);
    assert_true(n == WORDS && lemma[0] >= 1 && lemma[0] <= strings);
    const uint32_t from = lemma[0] > 1 ? ends[lemma[0] - 2] : 0;
    assert_int_equal(ends[lemma[0] - 1] - from, LONG);
    assert_true(table[from] == 'a' + u && table[from + LONG - 1] == 'a' + u);
  }
  assert_int_equal(onenlp_next(s.annotator, NULL), 0);
  on_buf_free(&bytes);
  end(&s);
}

static void test_convert(void **state) {
  (void)state;
  onenlp_buffer *out = onenlp_buffer_new();
  size_t n;
  assert_true(onenlp_convert(gold, strlen(gold), ONENLP_CONLLU, ONENLP_CONLLU, out, NULL));
  assert_memory_equal(onenlp_buffer_data(out, &n), gold, strlen(gold));
  assert_int_equal(n, strlen(gold));
  onenlp_buffer_clear(out);
  assert_true(onenlp_convert(gold, strlen(gold), ONENLP_CONLLU, ONENLP_TREEBANK_TEXT, out, NULL));
  assert_memory_equal(onenlp_buffer_data(out, &n), "del mar Otra", 12);
  assert_int_equal(n, 12);
  onenlp_error error;
  onenlp_buffer_clear(out);
  assert_true(onenlp_convert(gold, strlen(gold), ONENLP_CONLLU, ONENLP_JSONL, out, NULL));
  /* the columns follow, so that the same comes back */
  const char jsonl[] = "{\"text\": \"del mar\", \"tokens\": [[0, 2], [2, 3], [4, 7]], \"form\": [\"de\", ";
  const char *made = onenlp_buffer_data(out, &n);
  assert_memory_equal(made, jsonl, sizeof jsonl - 1);
  onenlp_buffer *back = onenlp_buffer_new();
  assert_true(onenlp_convert(made, n, ONENLP_JSONL, ONENLP_CONLLU, back, NULL));
  assert_memory_equal(onenlp_buffer_data(back, &n), gold, strlen(gold));
  assert_int_equal(n, strlen(gold));
  onenlp_buffer_free(back);
  onenlp_buffer_clear(out);
  assert_true(onenlp_convert(lines, strlen(lines), ONENLP_JSONL, ONENLP_PLAIN_TEXT, out, NULL));
  assert_memory_equal(onenlp_buffer_data(out, &n), "Ada met Bob.\n\nHe left.\n\nDon't go. Stay.\n", 40);
  assert_false(onenlp_convert("x", 1, ONENLP_PLAIN_TEXT, ONENLP_CONLLU, out, &error));
  assert_int_equal(error.code, ONENLP_INVALID_ARGUMENT);
  onenlp_buffer_clear(out);
  assert_true(onenlp_evaluate(gold, strlen(gold), gold, strlen(gold), ONENLP_JSON, out, &error));
  on_str json = {NULL, 0};
  json.p = onenlp_buffer_data(out, &json.n);
  on_json *root = on_json_parse(json, 8, NULL);
  assert_non_null(root);
  assert_true(on_json_number(on_json_get(on_json_get(root, "LAS"), "f1")) == 1.0);
  on_json_free(root);
  onenlp_buffer_free(out);
}

/* Each allocation of a whole run fails once: an ordinary error, nothing leaks, and the annotator goes on. */
static void test_out_of_memory(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  static const onenlp_output_format formats[] = {ONENLP_TO_CONLLU, ONENLP_TO_JSON, ONENLP_TO_COLUMNS,
                                                 ONENLP_TO_COLUMN_BLOCKS};
  static const onenlp_input inputs[] = {ONENLP_FROM_TEXT, ONENLP_FROM_CONLLU, ONENLP_FROM_JSONL};
  const char *const contents[] = {text, gold, lines};
  for (int i = 0; i < 3; i++) {
    const onenlp_input input = inputs[i];
    const char *bytes = contents[i];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      char *want = annotate(&s, input, bytes, formats[f]);
      for (size_t n = 1;; n++) {
        onenlp_error error = {ONENLP_OK, 0, ""};
        onenlp_annotator *annotator = onenlp_annotator_new(s.pipeline, NULL);
        assert_non_null(annotator);
        on_alloc_fail_at(n, 0);
        int first = onenlp_annotate(annotator, input, bytes, strlen(bytes), formats[f], NULL, NULL,
                                    &error);
        const bool came = on_alloc_fail_at(0, 0) == 0;  // a cache does without the memory that it does not get
        if (!first) assert_int_equal(error.code, ONENLP_OUT_OF_MEMORY);
        int ok = onenlp_annotate(annotator, input, bytes, strlen(bytes), formats[f], NULL, NULL, NULL);
        assert_true(ok);
        size_t size;
        const char *got = onenlp_buffer_data(onenlp_output(annotator), &size);
        assert_int_equal(size, strlen(want));
        assert_memory_equal(got, want, size);
        onenlp_annotator_free(annotator);
        if (!came) {
          assert_true(first && n > 15);
          break;
        }
      }
      free(want);
    }
  }
  end(&s);
}

static void test_memory_limit(void **state) {
  (void)state;
  session s = start(TINY_CONFIG);
  onenlp_error error;
  on_buf big = {0};
  for (int i = 0; i < 100000; i++) on_buf_str(&big, ON_STR("word "));
  onenlp_set_memory_limit(onenlp_memory_used() + 300000);
  assert_false(onenlp_annotate(s.annotator, ONENLP_FROM_TEXT, big.p, big.n, ONENLP_TO_CONLLU, NULL, NULL, &error));
  assert_int_equal(error.code, ONENLP_OUT_OF_MEMORY);
  char *out = annotate(&s, ONENLP_FROM_TEXT, "Small.", ONENLP_TO_CONLLU);
  onenlp_set_memory_limit(0);
  assert_non_null(strstr(out, "# text = Small."));
  free(out);
  on_buf_free(&big);
  end(&s);
}

static void test_hash_seed(void **state) {
  (void)state;
  char *outs[2];
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(onenlp_seed_hashes(i, 77 * i));
    session s = start(TINY_CONFIG);
    assert_false(onenlp_seed_hashes(1, 2));  // tables exist already
    outs[i] = annotate(&s, ONENLP_FROM_TEXT, "The seed of the tables changes nothing.", ONENLP_TO_CONLLU);
    end(&s);
  }
  assert_string_equal(outs[0], outs[1]);
  free(outs[0]);
  free(outs[1]);
  assert_true(onenlp_seed_hashes(0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_facts),      cmocka_unit_test(test_units_and_progress),
      cmocka_unit_test(test_cancel),     cmocka_unit_test(test_errors),
      cmocka_unit_test(test_take),       cmocka_unit_test(test_components),
      cmocka_unit_test(test_gold),       cmocka_unit_test(test_gold_equals_text),
      cmocka_unit_test(test_examples),
      cmocka_unit_test(test_columns),    cmocka_unit_test(test_column_blocks),
      cmocka_unit_test(test_long_strings),    cmocka_unit_test(test_convert),
      cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_hash_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
