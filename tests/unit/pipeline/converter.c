/* Conversion in pieces, alignment and compact storage, through the public interface. */
#include "onenlp.h"

#include "tiny.h"

#include "base/alloc.h"

typedef struct result {
  on_buf out;
  onenlp_error error;  // code ONENLP_OK where there is none
} result;

static void take(result *r, onenlp_buffer *out) {
  size_t n;
  const char *p = onenlp_buffer_data(out, &n);
  on_buf_add(&r->out, p, n);
  onenlp_buffer_clear(out);
}

/* The content handed over in pieces of `size` bytes; what each call gives is taken away at once. */
static result in_pieces(on_str content, size_t size, onenlp_format from, onenlp_format to) {
  result r = {0};
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_converter *converter = onenlp_converter_new(from, to, 0, &r.error);
  assert_true(out && converter);
  size_t at = 0;
  int got = 0;
  for (bool last = false; !last && got == 0;) {
    size_t n = content.n - at < size ? content.n - at : size;
    last = at + n == content.n;
    char *piece = malloc(n + 1);  /* gone after the call */
    memcpy(piece, content.p + at, n);
    assert_true(onenlp_converter_push(converter, piece, n, last, NULL));
    free(piece);
    at += n;
    while ((got = onenlp_converter_next(converter, out, &r.error)) == 1) take(&r, out);
  }
  take(&r, out);
  if (got < 0) {
    onenlp_error again = {0};
    assert_int_equal(onenlp_converter_next(converter, out, &again), -1);
    assert_string_equal(again.text, r.error.text);
  } else {
    assert_int_equal(onenlp_converter_next(converter, out, NULL), 0);
    assert_false(onenlp_converter_push(converter, "", 0, 1, NULL));
  }
  onenlp_converter_free(converter);
  onenlp_buffer_free(out);
  return r;
}

static const char conllu[] =
    "\xEF\xBB\xBF# newdoc id = d\r\n# sent_id = a\r\n"
    "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tx=1\r\n1\tde\tde\tADP\tX\t_\t3\tcase\t3:case\tGloss=of\r\n"
    "2\tel\tel\tDET\tX\t_\t3\tdet\t_\t_\r\n3\tma\xC3\xB1o\tmar\tNOUN\tX\t_\t0\troot\t_\tSpacesAfter=\\s\\s\r\n"
    "3.1\tvoid\t_\t_\t_\t_\t_\t_\t3:dep\t_\r\n\r\r\n\n\n"
    "# newpar\n1\t\xF0\x9F\x98\x80\t_\tX\tX\t_\t_\t_\t_\tNER=B-X\n\n"
    "# newpar\n1\tA\t_\t_\t_\t_\t0\troot\t_\tSpacesAfter=\\s\\n\\n\\t\n\n1\tZ\t_\t_\t_\t_\t_\t_\t_\t_\n\n\n"
    "# newdoc_id = x\n1\tEnd\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No";
static const char lines[] =
    "\xEF\xBB\xBF{\"text\": \"Ada m\xC3\xA9t Bob.\", \"id\": 7, \"entities\": [[0, 3, \"PER\"]], \"more\": {\"a\": [1.5, null]}}\n"
    "\n \t\r\n{\"text\": \"\"}\r\n{\"text\": \"\xF0\x9F\x98\x80 x\", \"tokens\": [[0, 2], [3, 4]], \"cats\": {\"b\": 0.25}}";

/* Wherever the pieces end, the output is that of the whole. */
static void test_pieces(void **state) {
  (void)state;
  static const struct { const char *content; onenlp_format from; } files[] = {
      {conllu, ONENLP_CONLLU}, {lines, ONENLP_JSONL}, {"", ONENLP_CONLLU}, {"", ONENLP_JSONL}, {"\n\n", ONENLP_CONLLU}};
  static const onenlp_format formats[] = {ONENLP_CONLLU, ONENLP_PLAIN_TEXT, ONENLP_TREEBANK_TEXT, ONENLP_JSONL};
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    for (size_t to = 0; to < 4; to++) {
      on_str content = on_str_c(files[f].content);
      onenlp_buffer *out = onenlp_buffer_new();
      assert_true(onenlp_convert(content.p, content.n, files[f].from, formats[to], out, NULL));
      on_str want = {NULL, 0};
      want.p = onenlp_buffer_data(out, &want.n);
      for (size_t size = 1; size <= content.n + 1; size += size < 40 ? 1 : 17) {
        result r = in_pieces(content, size, files[f].from, formats[to]);
        assert_int_equal(r.error.code, ONENLP_OK);
        if (!on_str_eq(on_buf_view(&r.out), want)) fail_msg("%.*s\nis not\n%.*s", (int)r.out.n, r.out.p, (int)want.n, want.p);
        on_buf_free(&r.out);
      }
      onenlp_buffer_free(out);
    }
  }
}

static void test_text(void **state) {
  (void)state;
  result r = in_pieces(on_str_c(conllu), 5, ONENLP_CONLLU, ONENLP_PLAIN_TEXT);
  on_buf_char(&r.out, 0);
  assert_string_equal(r.out.p, "del ma\xC3\xB1o  \n\n\xF0\x9F\x98\x80\n\nA \n\n\tZ\n\nEnd");
  on_buf_free(&r.out);
}

static void test_other_members(void **state) {
  (void)state;
  result r = in_pieces(on_str_c(lines), 1000, ONENLP_JSONL, ONENLP_JSONL);
  on_buf_char(&r.out, 0);
  assert_string_equal(
      r.out.p,
      "{\"text\": \"Ada m\xC3\xA9t Bob.\", \"tokens\": [[0, 3], [4, 7], [8, 11], [11, 12]], "
      "\"entities\": [[0, 3, \"PER\"]], \"id\": 7, \"more\": {\"a\": [1.5, null]}}\n{\"text\": \"\", \"tokens\": []}\n"
      "{\"text\": \"\xF0\x9F\x98\x80 x\", \"tokens\": [[0, 2], [3, 4]], \"cats\": {\"b\": 0.25}}\n");
  on_buf_free(&r.out);
}

/* Line numbers are those of the whole, and what comes before an error is there. */
static void test_errors(void **state) {
  (void)state;
  on_buf content = {0};
  for (int i = 0; i < 50; i++) on_buf_str(&content, ON_STR("# x\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"));
  size_t good = content.n;
  on_buf_str(&content, ON_STR("1\ta\t_\t_\t_\t_\t9\t_\t_\t_\n\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"));
  for (size_t size = 1; size < 200; size += 13) {
    result r = in_pieces(on_buf_view(&content), size, ONENLP_CONLLU, ONENLP_CONLLU);
    assert_int_equal(r.error.code, ONENLP_DATA_FORMAT);
    assert_int_equal(r.error.position, 151);
    assert_string_equal(r.error.text, "line 151: HEAD is 9, but the sentence has 1 word");
    assert_int_equal(r.out.n, good);
    on_buf_free(&r.out);
    r = in_pieces(ON_STR("{\"text\": \"a\"}\n\n{\"text\": \"a b\", \"entities\": [[0, 2, \"X\"]]}\n"), size, ONENLP_JSONL, ONENLP_JSONL);
    assert_int_equal(r.error.code, ONENLP_DATA_FORMAT);
    assert_int_equal(r.error.position, 3);
    assert_true(on_str_starts(on_str_c(r.error.text), ON_STR("line 3: entities[0]: ")));
    on_buf_free(&r.out);
    r = in_pieces(ON_STR("1\ta\xC3\t_\t_\t_\t_\t_\t_\t_\t_\n"), size, ONENLP_CONLLU, ONENLP_JSONL);
    assert_int_equal(r.error.position, 1);
    on_buf_free(&r.out);
  }
  on_buf_free(&content);
  /* A mark that is not at the beginning is no mark. */
  result r = in_pieces(ON_STR("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n\xEF\xBB\xBF# x\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), 30,
                       ONENLP_CONLLU, ONENLP_CONLLU);
  assert_int_equal(r.error.position, 3);
  on_buf_free(&r.out);
  onenlp_error error;
  assert_null(onenlp_converter_new(ONENLP_PLAIN_TEXT, ONENLP_CONLLU, 0, &error));
  assert_int_equal(error.code, ONENLP_INVALID_ARGUMENT);
}

static void test_skip_misaligned(void **state) {
  (void)state;
  onenlp_converter *converter = onenlp_converter_new(ONENLP_JSONL, ONENLP_JSONL, 1, NULL);
  const char line[] = "{\"text\": \"ab c\", \"entities\": [[0, 1, \"X\"], [3, 4, \"Y\"]]}\n";
  onenlp_buffer *out = onenlp_buffer_new();
  assert_true(onenlp_converter_push(converter, line, sizeof line - 1, 1, NULL));
  assert_int_equal(onenlp_converter_next(converter, out, NULL), 1);
  size_t n;
  const char *p = onenlp_buffer_data(out, &n);
  const char want[] = "{\"text\": \"ab c\", \"tokens\": [[0, 2], [3, 4]], \"entities\": [[3, 4, \"Y\"]]}\n";
  assert_int_equal(n, sizeof want - 1);
  assert_memory_equal(p, want, n);
  /* what was pushed must be read first */
  assert_false(onenlp_converter_push(converter, "x", 1, 0, NULL));
  onenlp_buffer_free(out);
  onenlp_converter_free(converter);
}

/* An item that does not end: memory stays bounded by the limits, and the error is the reader's. */
static void endless(onenlp_format from, const char *start, const char *more, size_t most, const char *message) {
  onenlp_converter *converter = onenlp_converter_new(from, ONENLP_CONLLU, 0, NULL);
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_error error;
  on_buf piece = {0};
  while (piece.n < 200000) on_buf_str(&piece, on_str_c(more));
  size_t pushed = 0;
  assert_true(onenlp_converter_push(converter, start, strlen(start), 0, NULL));
  int got;
  while ((got = onenlp_converter_next(converter, out, &error)) == 0 && pushed < most) {
    assert_true(onenlp_converter_push(converter, piece.p, piece.n, 0, NULL));
    pushed += piece.n;
  }
  if (message) {
    assert_int_equal(got, -1);
    assert_int_equal(error.code, ONENLP_DATA_FORMAT);
    if (!strstr(error.text, message)) fail_msg("%s", error.text);
  } else {
    assert_int_equal(got, 0);
    assert_true(onenlp_memory_used() < 8u << 20);
  }
  on_buf_free(&piece);
  onenlp_buffer_free(out);
  onenlp_converter_free(converter);
}

static void test_endless(void **state) {
  (void)state;
  size_t word = 20u << 20;
  endless(ONENLP_CONLLU, "1\t", "word ", word, "line 1: the line has ");
  endless(ONENLP_CONLLU, "# a\n# b\n1\t", "\xC3\xA9", word, "line 3: the line has ");
  endless(ONENLP_CONLLU, "", "# comment\n", word, "line 10001: the sentence has more than 10000 comment lines");
  endless(ONENLP_CONLLU, "\n\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "x\n", word, "line 4: the line has 1 column");
  endless(ONENLP_CONLLU, "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n", "1.1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", word, "1.2 comes next");
  endless(ONENLP_CONLLU, "", "\n", word, NULL);
  endless(ONENLP_JSONL, "\n{\"text\": \"", "word ", 60u << 20, "line 2: the line has ");
  endless(ONENLP_JSONL, "", " ", 30u << 20, NULL);
  endless(ONENLP_JSONL, "", "\n", word, NULL);
}

static char *align(onenlp_format pf, const char *predicted, onenlp_format rf, const char *reference) {
  onenlp_error error;
  onenlp_buffer *out = onenlp_buffer_new();
  char *json = NULL;
  if (onenlp_align(predicted, strlen(predicted), pf, reference, strlen(reference), rf, out, &error)) {
    size_t n;
    const char *p = onenlp_buffer_data(out, &n);
    json = calloc(n + 1, 1);
    memcpy(json, p, n);
  } else {
    json = strdup(error.text);
  }
  onenlp_buffer_free(out);
  return json;
}

static void check_align(onenlp_format pf, const char *predicted, onenlp_format rf, const char *reference,
                        const char *want) {
  char *got = align(pf, predicted, rf, reference);
  assert_string_equal(got, want);
  free(got);
}

static void test_align(void **state) {
  (void)state;
  const char *reference = "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\t_\t_\t_\t_\t3\taux\t_\t_\n2\tn't\t_\t_\t_\t_\t3\tadvmod\t_\t_\n"
                          "3\tsee\t_\t_\t_\t_\t0\troot\t_\t_\n4\tNew\t_\t_\t_\t_\t3\tobj\t_\tNER=B-LOC\n"
                          "5\tYork\t_\t_\t_\t_\t4\tflat\t_\tNER=I-LOC\n6\tBob\t_\t_\t_\t_\t3\tobj\t_\tNER=B-PER|SpaceAfter=No\n"
                          "7\t.\t_\t_\t_\t_\t3\tpunct\t_\t_\n\n";
  check_align(ONENLP_JSONL,
              "{\"text\": \"DON'T  see New York Bob.\", \"tokens\": [[0, 5], [7, 10], [11, 14], [15, 19], [20, 24]]}",
              ONENLP_CONLLU, reference,
              "{\"to_reference\": [null, 2, 3, 4, null], \"to_predicted\": [0, 0, 1, 2, 3, 4, 4], "
              "\"overlaps\": [[0, 2], [2, 3], [3, 4], [4, 5], [5, 7]], \"head\": [null, 1, 1, 2, null], "
              "\"entities\": [[2, 4, \"LOC\"]]}\n");
  check_align(ONENLP_JSONL, "{\"text\": \"ab\", \"tokens\": [[0, 1], [1, 2]]}\n\n", ONENLP_JSONL,
              "{\"text\": \"a b\", \"spans\": {\"k\": [[0, 3, \"L\"]], \"m\": []}}",
              "{\"to_reference\": [0, 1], \"to_predicted\": [0, 1], \"overlaps\": [[0, 1], [1, 2]], "
              "\"spans\": {\"k\": [[0, 2, \"L\"]], \"m\": []}}\n");
  check_align(ONENLP_CONLLU, "", ONENLP_JSONL, "{\"text\": \" \"}",
              "{\"to_reference\": [], \"to_predicted\": [], \"overlaps\": []}\n");
  check_align(ONENLP_JSONL, "{\"text\": \"ab\"}", ONENLP_JSONL, "{\"text\": \"ac\"}",
              "the predicted and the reference text differ at 1 and 1: \"ab\" and \"ac\"");
  check_align(ONENLP_JSONL, "{\"text\": \"a\"}", ONENLP_JSONL, "", "reference: there is no document");
  check_align(ONENLP_JSONL, "{\"text\": \"a\"}\n{}", ONENLP_CONLLU, "", "predicted: there is more than one document");
  check_align(ONENLP_CONLLU, "x", ONENLP_CONLLU, "", "predicted: line 1: the line has 1 column; a word line has 10, separated by tabs");
  check_align(ONENLP_TREEBANK_TEXT, "", ONENLP_CONLLU, "", "only CoNLL-U and JSON Lines can be aligned");
  /* A sentence as JSON is that sentence, with its words. */
  onenlp_buffer *out = onenlp_buffer_new();
  const char *shared = "1-2\t\xC3\xA0\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  assert_true(onenlp_convert(shared, strlen(shared), ONENLP_CONLLU, ONENLP_JSONL, out, NULL));
  size_t n;
  const char *p = onenlp_buffer_data(out, &n);
  char *json = calloc(n + 1, 1);
  memcpy(json, p, n);
  check_align(ONENLP_JSONL, json, ONENLP_CONLLU, shared,
              "{\"to_reference\": [0, 1], \"to_predicted\": [0, 1], \"overlaps\": [[0, 1], [1, 2]]}\n");
  free(json);
  onenlp_buffer_free(out);
}

static void test_compact(void **state) {
  (void)state;
  on_buf f32 = tiny_file(TINY_CONFIG, ON_F32), i8 = tiny_file(TINY_CONFIG, ON_I8);
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_error error;
  size_t n;
  assert_true(onenlp_compact(f32.p, f32.n, ONENLP_F32, out, &error));
  const char *p = onenlp_buffer_data(out, &n);
  assert_int_equal(n, f32.n);
  assert_memory_equal(p, f32.p, n);
  for (int storage = ONENLP_F16; storage <= ONENLP_I8; storage++) {
    onenlp_buffer_clear(out);
    assert_true(onenlp_compact(f32.p, f32.n, (onenlp_storage)storage, out, &error));
    p = onenlp_buffer_data(out, &n);
    assert_true(n < f32.n);
    onenlp_pipeline *pipeline = onenlp_load(p, n, ONENLP_BORROW, &error);
    assert_non_null(pipeline);
    onenlp_pipeline_free(pipeline);
  }
  assert_false(onenlp_compact(f32.p, f32.n, (onenlp_storage)3, out, &error));
  assert_int_equal(error.code, ONENLP_INVALID_ARGUMENT);
  assert_false(onenlp_compact("x", 1, ONENLP_I8, out, &error));
  assert_int_equal(error.code, ONENLP_INVALID_DATA);
  onenlp_buffer_free(out);
  on_buf_free(&f32);
  on_buf_free(&i8);
}

/* Each allocation fails once: an ordinary error, and nothing leaks. */
static void test_out_of_memory(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  for (int what = 0; what < 4; what++) {
    for (size_t n = 1, ended = 0; !ended; n++) {
      onenlp_buffer *out = onenlp_buffer_new();
      onenlp_error error = {ONENLP_OK, 0, ""};
      int ok;
      on_alloc_fail_at(n, 0);
      if (what < 2) {
        onenlp_format from = what ? ONENLP_CONLLU : ONENLP_JSONL, to = what ? ONENLP_PLAIN_TEXT : ONENLP_JSONL;
        onenlp_converter *converter = onenlp_converter_new(from, to, 0, &error);
        const char *content = what ? conllu : lines;
        ok = converter && onenlp_converter_push(converter, content, strlen(content), 1, &error);
        int got = ok ? 1 : -1;
        while (got == 1) got = onenlp_converter_next(converter, out, &error);
        ok = got == 0;
        onenlp_converter_free(converter);
      } else if (what == 2) {
        ok = onenlp_align(lines, strcspn(lines, "\n"), ONENLP_JSONL, lines, strcspn(lines, "\n"), ONENLP_JSONL, out, &error);
      } else {
        ok = onenlp_compact(file.p, file.n, ONENLP_I8, out, &error);
      }
      on_alloc_fail_at(0, 0);
      if (!ok) assert_int_equal(error.code, ONENLP_OUT_OF_MEMORY);
      ended = ok != 0;
      if (ended) assert_true(n > 10);
      onenlp_buffer_free(out);
    }
  }
  on_buf_free(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces),  cmocka_unit_test(test_text),           cmocka_unit_test(test_other_members),
      cmocka_unit_test(test_errors),  cmocka_unit_test(test_skip_misaligned), cmocka_unit_test(test_endless),
      cmocka_unit_test(test_align),   cmocka_unit_test(test_compact),        cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
