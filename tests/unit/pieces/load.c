/* tokenizer.json: what is refused and how, failing allocations, linear time. */
#include <time.h>

#include "helper.h"

#define MODEL \
  "\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"u\",\"continuing_subword_prefix\":\"#\",\"vocab\":{\"u\":0}}"
#define BPE "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[[\"a\",\"b\"]]}"

typedef struct refusal {
  const char *json, *text;  /* a part of the message */
  on_code code;
} refusal;

static const refusal refusals[] = {
    {"", "JSON", ON_INVALID_DATA},
    {"[]", "must be an object", ON_INVALID_DATA},
    {"{}", "model: must be an object", ON_INVALID_DATA},
    {"{\"version\":\"2.0\"," MODEL "}", "version", ON_UNSUPPORTED},
    {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{}}}", "model.type: the model \"WordLevel\"", ON_UNSUPPORTED},
    {"{\"model\":{\"vocab\":{}}}", "model.type: is missing", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a\":0},\"unk_token\":\"u\"}}",
     "model.unk_token", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"u\":-1},\"unk_token\":\"u\"}}", "model.vocab", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"u\":16777216},\"unk_token\":\"u\"}}",
     "model.vocab", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":[],\"unk_token\":\"u\"}}", "model.vocab", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}", "model.merges", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[[\"a\",\"b\"]]}}",
     "model.merges[0]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[\"a a a\"]}}", "model.merges[0]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[[\"a\"]]}}", "model.merges[0]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[[\"a\",\"\",\"a\"]]}}",
     "model.merges[0]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"BPE\",\"dropout\":0.1,\"vocab\":{\"a\":0},\"merges\":[]}}",
     "model.dropout", ON_UNSUPPORTED},
    {"{\"model\":{\"type\":\"BPE\",\"end_of_word_suffix\":\"</w>\",\"vocab\":{},\"merges\":[]}}",
     "model.end_of_word_suffix", ON_UNSUPPORTED},
    {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1],[\"b\"]]}}", "model.vocab[1]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",\"b\"]]}}", "model.vocab[0]", ON_INVALID_DATA},
    {"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1]],\"unk_id\":1}}", "model.unk_id", ON_INVALID_DATA},
    {"{\"normalizer\":{\"type\":\"Foo\"}," MODEL "}", "normalizer.type: the normalizer \"Foo\"", ON_UNSUPPORTED},
    {"{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},{\"type\":\"Foo\"}]}," MODEL "}",
     "normalizer.normalizers[1].type", ON_UNSUPPORTED},
    {"{\"normalizer\":{\"type\":\"Strip\",\"strip_left\":1}," MODEL "}", "normalizer.strip_left", ON_INVALID_DATA},
    {"{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"(\"},\"content\":\"\"}," MODEL "}",
     "normalizer.pattern: expression", ON_UNSUPPORTED},
    {"{\"normalizer\":{\"type\":\"Replace\",\"pattern\":\"a\",\"content\":\"\"}," MODEL "}", "normalizer.pattern",
     ON_INVALID_DATA},
    {"{\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"A\"}," MODEL "}",
     "normalizer.precompiled_charsmap: is not base64", ON_INVALID_DATA},
    {"{\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"////\"}," MODEL "}", "is cut off",
     ON_INVALID_DATA},
    {"{\"pre_tokenizer\":{\"type\":\"Foo\"}," MODEL "}", "pre_tokenizer.type", ON_UNSUPPORTED},
    {"{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"ab\"}," MODEL "}", "pre_tokenizer.replacement",
     ON_INVALID_DATA},
    {"{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"String\":\" \"},\"behavior\":\"Foo\"}," MODEL "}",
     "pre_tokenizer.behavior", ON_UNSUPPORTED},
    {"{\"post_processor\":{\"type\":\"Foo\"}," MODEL "}", "post_processor.type", ON_UNSUPPORTED},
    {"{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"B\"}}]}," MODEL "}",
     "post_processor.single", ON_UNSUPPORTED},
    {"{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"x\"}}]}," MODEL "}",
     "post_processor.special_tokens", ON_INVALID_DATA},
    {"{\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"c\",0],\"sep\":[0,\"s\"]}," MODEL "}",
     "post_processor.sep", ON_INVALID_DATA},
    {"{\"added_tokens\":{}," MODEL "}", "added_tokens", ON_INVALID_DATA},
    {"{\"added_tokens\":[{\"content\":\"x\"},{\"id\":1}]," MODEL "}", "added_tokens[1].content", ON_INVALID_DATA},
    {"{\"normalizer\":{\"type\":\"Lowercase\"},\"added_tokens\":[{\"content\":\"X\"},{\"content\":\"x\"}]," MODEL "}",
     "is normalized to the same as another", ON_UNSUPPORTED},
    {"{\"normalizer\":{\"type\":\"Strip\"},\"added_tokens\":[{\"content\":\" \"}]," MODEL "}",
     "is normalized to nothing", ON_UNSUPPORTED},
};

static void refuses(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    on_arena arena = {0};
    on_error error = {0};
    on_piece_model *model;
    bool loaded = on_piece_model_load(&model, &arena, on_str_c(refusals[i].json), &error);
    if (loaded) fail_msg("accepted: %s", refusals[i].json);
    assert_null(model);
    if (error.code != refusals[i].code || !strstr(error.text, refusals[i].text) || !strstr(error.text, "tokenizer")) {
      fail_msg("%s: code %d, %s", refusals[i].json, error.code, error.text);
    }
    on_arena_free(&arena);
  }
}

static void accepts_old_files(void **state) {
  (void)state;
  static const char *const files[] = {
      "{" MODEL "}",
      "{" BPE "}",
      /* No type of the model, merges as lines, null members. */
      "{\"normalizer\":null,\"pre_tokenizer\":null,\"post_processor\":null,\"truncation\":{\"x\":[1]},\"model\":"
      "{\"dropout\":null,\"unk_token\":null,\"continuing_subword_prefix\":\"\",\"end_of_word_suffix\":\"\","
      "\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a b\"]}}",
      ("{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"\\u2581\",\"add_prefix_space\":true,"
       "\"str_rep\":\"x\"},\"model\":{\"unk_id\":0,\"vocab\":[[\"u\",0],[\"a\",-1.5e0]]}}")};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    on_arena arena = {0};
    on_error error = {0};
    on_piece_model *model;
    if (!on_piece_model_load(&model, &arena, on_str_c(files[i]), &error)) fail_msg("%s: %s", files[i], error.text);
    on_arena_free(&arena);
  }
}

/* Special tokens, and the number of rows that a token table must have. */
static void special_tokens(void **state) {
  (void)state;
  static const char json[] =

     "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"c\"}},{\"Sequence\":"

     "{\"id\":\"A\"}},{\"SpecialToken\":{\"id\":\"s\"}}],\"special_tokens\":"
      "{\"c\":{\"ids\":[7,8]},\"s\":{\"ids\":[9]}}},"
      MODEL "}";
  on_arena arena = {0};
  on_piece_model *model;
  size_t n;
  assert_true(on_piece_model_load(&model, &arena, on_str_c(json), NULL));
  assert_int_equal(on_piece_before(model, &n)[1], 8);
  assert_int_equal(n, 2);
  assert_int_equal(on_piece_after(model, &n)[0], 9);
  assert_int_equal(n, 1);
  assert_int_equal(on_piece_model_size(model), 10);
  on_arena_free(&arena);
}

static const char hard[] =
    "The ferry\xCC\x81 <mask> \xEF\xAC\x81n\xC2\xAD  didn't [MASK] \xF0\x9D\x92\xA2\xE0\xA4\x95\xE0\xA5\x8D";

/* Every allocation fails once, and from there on; what is left is freed, and the error is an ordinary one. */
static void failing_allocations(void **state) {
  (void)state;
  static const char *const names[] = {"bert-uncased", "roberta-prefix", "modernbert",
                                      "deberta",      "bpe-unknown",    "llama"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t n, before = on_alloc_used();
    char *json = fixture(names[k], &n);
    bool done = false;
    for (size_t fail = 1; !done; fail++) {
      on_arena arena = {0}, scratch = {0};
      on_error error = {0};
      on_piece_model *model;
      on_str16 text;
      on_piece_list list;
      assert_true(fail < 100000);
      on_alloc_fail_at(fail, fail % 2 == 0);
      done = on_piece_model_load(&model, &arena, (on_str){json, n}, &error) &&
             on_utf16_from_utf8(&scratch, on_str_c(hard), &text, &error) &&
             on_piece_encode(model, text, &scratch, &list, &error);
      on_alloc_fail_at(0, 0);
      if (!done && error.code != ON_OUT_OF_MEMORY) fail_msg("%s, allocation %zu: %s", names[k], fail, error.text);
      on_arena_free(&arena);
      on_arena_free(&scratch);
      assert_int_equal(on_alloc_used(), before);
      /* Names and nodes of the JSON tree are thousands alike: after the first ones, steps. */
      if (fail > 300) fail += fail / 10;
    }
    free(json);
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Processor time for `n` characters that repeat `unit`. */
static double time_of(const on_piece_model *model, const char *unit, size_t n) {
  on_arena arena = {0};
  on_str16 pattern;
  on_piece_list list;
  on_error error = {0};
  assert_true(on_utf16_from_utf8(&arena, on_str_c(unit), &pattern, NULL));
  uint16_t *text = ON_NEW(&arena, uint16_t, n);
  for (size_t i = 0; i < n; i++) text[i] = pattern.p[i % pattern.n];
  double start = seconds();
  if (!on_piece_encode(model, (on_str16){text, n}, &arena, &list, &error)) fail_msg("\"%s\": %s", unit, error.text);
  double time = seconds() - start;
  on_arena_free(&arena);
  return time;
}

/* Eight times the text must not take more than twenty times as long, nor a megabyte of anything longer than some
 * seconds even under sanitizers. */
static void linear_time(void **state) {
  (void)state;
  static const char *const names[] = {"bert-uncased", "wordpiece-odd", "roberta", "modernbert", "xlm-roberta",
                                      "unigram-odd",  "gemma",         "bpe-unknown", "o200k"};
  static const char *const units[] = {"a", " ", "a ", "\xCC\x81", "a\xCC\xA3\xCC\x81", "\xEA\xB0\x80",
                                      "'", "1", "\xEF\xAC\x81", "\xC2\xAD"};
  enum { SMALL = 1 << 14, LARGE = 1 << 17 };
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    on_arena arena = {0};
    const on_piece_model *model = load_fixture(names[k], &arena);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      double small = time_of(model, units[i], SMALL), large = time_of(model, units[i], LARGE);
      if (large < 0.5 || large < 20 * small) continue;
      fail_msg("%s, \"%s\": %.2f s, then %.2f s", names[k], units[i], small, large);
    }
    on_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses),        cmocka_unit_test(accepts_old_files), cmocka_unit_test(special_tokens),
      cmocka_unit_test(failing_allocations), cmocka_unit_test(linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
