// The `transformer` encoder: its settings, its files, and vectors of words.
#include "base/sha256.h"
#include "fixture.h"
#include "folder.h"
#include "pipeline/pipeline.h"
#include "transformer/frozen.h"

static folder open_folder(void) {
  folder f = {.count = 0};
  add_file(&f, "m.onnx", "bert", ".onnx", false);
  add_file(&f, "t.json", "bert", ".tokenizer.json", false);
  add_file(&f, "beside.onnx", "bert-half", ".onnx", true);
  return f;
}

static bool load(on_pipeline *pipeline, folder *f, const char *settings, on_error *error) {
  char config[2000];
  on_files files = {.context = f, .open = open_file};
  snprintf(config, sizeof config,
           "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": "
           "[{\"kind\": \"transformer\", \"settings\": {%s}}], \"components\": []}",
           settings);
  *error = (on_error){0};
  return on_pipeline_from_config_with(pipeline, on_str_c(config), f ? &files : NULL, error);
}

static void refused(folder *f, const char *settings, on_code code, const char *says) {
  on_pipeline pipeline;
  on_error error;
  if (load(&pipeline, f, settings, &error)) fail_msg("%s was taken", settings);
  if (error.code != code || !strstr(error.text, says)) fail_msg("%d %s; want %d %s", error.code, error.text, code, says);
}

static void settings_bounds(void **state) {
  (void)state;
  folder f = open_folder();
  on_pipeline pipeline;
  on_error error;
  static const char *const GOOD[] = {
      "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"pooling\": \"first\", \"maxLength\": 34",
      "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"pooling\": \"mean\", \"maxLength\": 3",
      ("\"model\": \"beside.onnx\", \"tokenizer\": \"t.json\", \"pooling\": \"mean\", \"maxLength\": 10, "
       "\"relativeTo\": \"pipeline\"")};
  for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
    if (!load(&pipeline, &f, GOOD[i], &error)) fail_msg("%s: %s", GOOD[i], error.text);
    assert_int_equal(pipeline.encoders[0].width, 16);
    assert_int_equal(pipeline.encoders[0].params.n, 0);
    on_buf written = {0};
    pipeline.encoders[0].kind->write_settings(&pipeline.encoders[0], &written);
    assert_int_equal(written.n, strlen(GOOD[i]) + 2);
    assert_memory_equal(written.p + 1, GOOD[i], strlen(GOOD[i]));
    on_buf_free(&written);
    on_pipeline_free(&pipeline);
  }
#define FILES "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\""
  refused(&f, "\"tokenizer\": \"t.json\"", ON_INVALID_DATA, "model");
  refused(&f, "\"model\": \"m.onnx\"", ON_INVALID_DATA, "tokenizer");
  refused(&f, "\"model\": \"\", \"tokenizer\": \"t.json\"", ON_INVALID_DATA, "is empty");
  refused(&f, FILES ", \"pooling\": \"last\"", ON_INVALID_DATA, "pooling");
  refused(&f, FILES ", \"maxLength\": 1", ON_INVALID_DATA, "maxLength");
  refused(&f, FILES ", \"maxLength\": 65537", ON_INVALID_DATA, "maxLength");
  refused(&f, FILES ", \"maxLength\": 2", ON_INVALID_DATA, "2 special tokens");
  refused(&f, FILES ", \"maxLength\": 35", ON_INVALID_DATA, "the model has 34 positions");
  refused(&f, FILES ", \"modelSha256\": \"abc\"", ON_INVALID_DATA, "64 hexadecimal digits");
  refused(&f, FILES ", \"relativeTo\": \"home\"", ON_UNSUPPORTED, "relativeTo");
  refused(&f, "\"model\": \"a/m.onnx\", \"tokenizer\": \"t.json\", \"relativeTo\": \"pipeline\"", ON_INVALID_DATA,
          "plain name");
  refused(&f, "\"model\": \"..m.onnx\", \"tokenizer\": \"t.json\", \"relativeTo\": \"pipeline\"", ON_INVALID_DATA,
          "plain name");
  refused(&f, "\"model\": \"a\\\\m.onnx\", \"tokenizer\": \"t.json\", \"relativeTo\": \"pipeline\"", ON_INVALID_DATA,
          "plain name");
  char name[1100], text[1300];
  memset(name, 'n', sizeof name);
  for (size_t n = 1024; n <= 1025; n++) {
    snprintf(text, sizeof text, "\"model\": \"%.*s\", \"tokenizer\": \"t.json\"", (int)n, name);
    // One of 1,024 characters is looked for; a longer one is refused.
    refused(&f, text, n == 1024 ? ON_IO : ON_INVALID_DATA, n == 1024 ? "there is no file" : "model");
  }
  close_folder(&f);
}

static void missing_files(void **state) {
  (void)state;
  folder f = open_folder();
  refused(&f, "\"model\": \"other.onnx\", \"tokenizer\": \"t.json\"", ON_IO, "there is no file 'other.onnx'");
  refused(&f, "\"model\": \"m.onnx\", \"tokenizer\": \"other.json\"", ON_IO, "there is no file 'other.json'");
  // The two places are not mixed up.
  refused(&f, "\"model\": \"beside.onnx\", \"tokenizer\": \"t.json\"", ON_IO, "beside.onnx");
  refused(&f, "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"relativeTo\": \"pipeline\"", ON_IO, "m.onnx");
  refused(NULL, "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\"", ON_IO, "nobody said where its files are");
  // Files of another kind.
  refused(&f, "\"model\": \"t.json\", \"tokenizer\": \"t.json\"", ON_INVALID_DATA, "t.json: ONNX");
  refused(&f, "\"model\": \"m.onnx\", \"tokenizer\": \"m.onnx\"", ON_INVALID_DATA, "m.onnx");
  close_folder(&f);
}

static void hash_on_request(void **state) {
  (void)state;
  folder f = open_folder();
  on_pipeline pipeline;
  on_error error;
  on_sha256 hash;
  char hex[65], text[300];
  on_sha256_init(&hash);
  on_sha256_add(&hash, f.files[0].bytes.p, f.files[0].bytes.n);
  on_sha256_hex(&hash, hex);
  for (int wrong = 0; wrong < 2; wrong++) {
    if (wrong) hex[63] = hex[63] == '0' ? '1' : '0';
    snprintf(text, sizeof text, FILES ", \"modelSha256\": \"%s\", \"maxLength\": 34", hex);
    assert_true(load(&pipeline, &f, text, &error));  // not asked for: not looked at
    assert_int_equal(on_pipeline_verify_files(&pipeline, &error), !wrong);
    if (wrong) assert_true(error.code == ON_INVALID_DATA && strstr(error.text, "SHA-256"));
    on_pipeline_free(&pipeline);
  }
  assert_true(load(&pipeline, &f, FILES ", \"maxLength\": 34", &error));
  assert_true(on_pipeline_verify_files(&pipeline, &error));
  on_pipeline_free(&pipeline);
  close_folder(&f);
}

// ---- vectors of words ---------------------------------------------------------------------------------

static const uint16_t TEXT[] = {'T', 'h', 'e', ' ', 'c', 'a', 't', 's', ' ', 0x200D, ' ', '.'};
static const uint32_t STARTS[] = {0, 4, 9, 11}, ENDS[] = {3, 8, 10, 12};
enum { WORDS = 4, WIDTH = 16 };

static void fill(on_doc *doc) {
  doc->text = doc->source = (on_str16){TEXT, sizeof TEXT / sizeof *TEXT};
  assert_true(on_doc_set_tokens(doc, WORDS));
  for (size_t i = 0; i < WORDS; i++) {
    doc->start[i] = doc->source_start[i] = STARTS[i];
    doc->end[i] = doc->source_end[i] = ENDS[i];
  }
}

static void run(folder *f, const char *pooling, int max_length, float *out) {
  on_pipeline pipeline;
  on_workspace workspace;
  on_error error;
  on_doc doc;
  void *cache = NULL;
  char text[300];
  snprintf(text, sizeof text, FILES ", \"pooling\": \"%s\", \"maxLength\": %d", pooling, max_length);
  assert_true(load(&pipeline, f, text, &error));
  on_doc_init(&doc);
  fill(&doc);
  assert_true(on_workspace_init(&workspace, 1, NULL));
  const on_encoder *encoder = &pipeline.encoders[0];
  assert_true(encoder->kind->run(encoder, &workspace, &cache, &doc, out, &error));
  on_workspace_free(&workspace);
  on_doc_free(&doc);
  on_pipeline_free(&pipeline);
}

// The pieces, by hand: [CLS] the c ##a ##t ##s . [SEP]; the joiner has none.
static void vectors(void **state) {
  (void)state;
  enum { PIECES = 8, LETTER = 11, MORE = 37 };
  const uint32_t ids[PIECES] = {2, 8, LETTER + 2, MORE, MORE + 19, MORE + 18, 5, 3};
  folder f = open_folder();
  fixture model;
  on_error error;
  on_arena scratch = {0};
  float h[PIECES * WIDTH], out[WORDS * WIDTH];
  on_sequence all = {0, PIECES};
  fixture_open(&model, "bert");
  assert_true(on_transformer_run(&model.transformer, on_kernels_best(), &scratch, ids, PIECES, &all, 1, h, &error));
  static const size_t FIRST[WORDS] = {1, 2, 0, 6}, COUNT[WORDS] = {1, 4, 0, 1};
  for (int mean = 0; mean < 2; mean++) {
    run(&f, mean ? "mean" : "first", 34, out);
    for (size_t w = 0; w < WORDS; w++) {
      for (size_t i = 0; i < WIDTH; i++) {
        float want = 0;
        size_t count = mean ? COUNT[w] : COUNT[w] > 0;
        for (size_t p = 0; p < count; p++) want += h[(FIRST[w] + p) * WIDTH + i];
        if (count) want /= (float)count;
        float off = out[w * WIDTH + i] - want;
        assert_true(off < 1e-6f && off > -1e-6f);
      }
    }
  }
  // Windows of 4 with two special tokens: [the], then "cats" alone, cut to two pieces, then the rest of it, ...
  const uint32_t window[4] = {2, LETTER + 2, MORE, 3};
  on_sequence four = {0, 4};
  assert_true(on_transformer_run(&model.transformer, on_kernels_best(), &scratch, window, 4, &four, 1, h, &error));
  run(&f, "mean", 4, out);
  for (size_t i = 0; i < WIDTH; i++) {
    float off = out[WIDTH + i] - (h[WIDTH + i] + h[2 * WIDTH + i]) / 2;
    assert_true(off < 1e-6f && off > -1e-6f);
  }
  on_arena_free(&scratch);
  fixture_close(&model);
  close_folder(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(settings_bounds), cmocka_unit_test(missing_files),
                                     cmocka_unit_test(hash_on_request), cmocka_unit_test(vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
