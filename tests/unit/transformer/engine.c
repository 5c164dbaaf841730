// Models that somebody else computes: every way of annotating a text goes on where vectors were not there yet, and
// gives what it gives without an engine.
#include "fixture.h"
#include "onenlp.h"

typedef struct host {
  fixture fixture;     // the model, for the engine
  char *pipeline, *tokenizer, *model;
  on_str tokenizer_bytes, model_bytes;
  on_data_source tokenizer_source, model_source;
  size_t pipeline_size;
  uint32_t width;      // that the engine says
  bool late;           // each unit is asked for twice
  bool fails;
  size_t asked, given;
} host;

static int open_file(void *context, const char *name, size_t size, int beside, onenlp_file *file) {
  host *h = context;
  assert_int_equal(beside, 0);
  bool model = on_str_eq((on_str){name, size}, ON_STR("bert.onnx"));
  on_data_source *source = model ? &h->model_source : &h->tokenizer_source;
  *file = (onenlp_file){source->size, source->context, source->read};
  return 1;
}

static uint32_t engine(void *context, const char *name, size_t size, int beside) {
  const host *h = context;
  assert_true(on_str_eq((on_str){name, size}, ON_STR("bert.onnx")));
  assert_int_equal(beside, 0);
  return h->width;
}

static int encode(void *context, const char *name, size_t size, int beside, const uint32_t *ids,
                  const uint32_t *windows, size_t count, float *out) {
  host *h = context;
  engine(context, name, size, beside);
  if (h->fails) return 0;
  if (h->late && h->asked++ % 2 == 0) return -1;
  h->given++;
  on_sequence *sequences = malloc(count * sizeof *sequences);
  for (size_t i = 0; i < count; i++) sequences[i] = (on_sequence){windows[i], windows[i + 1] - windows[i]};
  on_arena scratch = {0};
  on_error error;
  bool ok = on_transformer_run(&h->fixture.transformer, on_kernels_best(), &scratch, ids, windows[count], sequences,
                               count, out, &error);
  on_arena_free(&scratch);
  free(sequences);
  return ok;
}

static onenlp_pipeline *load(host *h, const onenlp_files *files, onenlp_error *error) {
  return onenlp_load_with_files(h->pipeline, h->pipeline_size, ONENLP_BORROW, files, error);
}

static void open_host(host *h) {
  *h = (host){.width = 16, .late = true};
  fixture_open(&h->fixture, "bert");
  h->pipeline = fixture_file("bert", ".onenlp", &h->pipeline_size);
  h->tokenizer = fixture_file("bert", ".tokenizer.json", &h->tokenizer_bytes.n);
  h->tokenizer_bytes.p = h->tokenizer;
  h->tokenizer_source = on_data_bytes(&h->tokenizer_bytes);
  h->model = fixture_file("bert", ".onnx", &h->model_bytes.n);
  h->model_bytes.p = h->model;
  h->model_source = on_data_bytes(&h->model_bytes);
}

// The last field of the file is the version of the operators: one that is not read.
static void make_unknown(host *h) {
  char *end = h->model + h->model_bytes.n;
  assert_memory_equal(end - 4, "\x42\x02\x10", 3);
  end[-1] = 5;
}

static void close_host(host *h) {
  fixture_close(&h->fixture);
  free(h->pipeline);
  free(h->tokenizer);
  free(h->model);
}

static char *annotate(onenlp_pipeline *pipeline, onenlp_input input, const char *text, onenlp_output_format format,
                      size_t *waits) {
  onenlp_error error;
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, &error);
  assert_non_null(annotator);
  assert_int_equal(onenlp_begin(annotator, input, text, strlen(text), format, &error), 1);
  for (int got; (got = onenlp_next(annotator, &error)) != 0;) {
    if (got > 0) continue;
    if (error.code != ONENLP_UNSUPPORTED || !strstr(error.text, "bert.onnx: its engine has not computed")) {
      fail_msg("%s", error.text);
    }
    ++*waits;
  }
  size_t n;
  const char *out = onenlp_buffer_data(onenlp_output(annotator), &n);
  char *copy = malloc(n + 1);
  memcpy(copy, out, n);
  copy[n] = '\0';
  onenlp_annotator_free(annotator);
  return copy;
}

// Paragraphs, of which one is longer than a unit, and one has no words.
static char *long_text(void) {
  static const char *const WORDS[] = {"The", "cats", "sing", "and", "dogs", "sang."};
  char *text = calloc(1, 20000);
  strcpy(text, "The cat sings.\n\nA bird was singing. The dogs sing.\n\n");
  for (size_t i = 0; i < 1500; i++) strcat(strcat(text, WORDS[i * i % 6]), i % 7 ? " " : "\n");
  return strcat(text, "\n\n \n\nThe end.\n");
}

static void every_input_goes_on(void **state) {
  (void)state;
  host h;
  open_host(&h);
  const onenlp_files files = {&h, open_file, engine, encode};
  onenlp_error error;
  onenlp_pipeline *known = load(&h, &files, &error);
  assert_non_null(known);
  make_unknown(&h);
  onenlp_pipeline *pipeline = load(&h, &files, &error);
  if (!pipeline) fail_msg("%s", error.text);

  char *text = long_text();
  size_t none = 0;
  char *conllu = annotate(known, ONENLP_FROM_TEXT, text, ONENLP_TO_CONLLU, &none);
  char *lines = malloc(3 * strlen(text) + 1000);
  char *with_tokens = annotate(known, ONENLP_FROM_TEXT, "A bird was singing.", ONENLP_TO_JSONL, &none);
  sprintf(lines, "{\"text\": \"The cat sings.\\n\\nThe dogs sing.\"}\n%s{\"text\": \"\"}\n%s{\"text\": \"A bird.\"}\n",
          with_tokens, with_tokens);
  const struct {
    onenlp_input input;
    const char *text;
    onenlp_output_format format;
  } cases[] = {
      {ONENLP_FROM_TEXT, text, ONENLP_TO_CONLLU},          {ONENLP_FROM_TEXT, text, ONENLP_TO_JSON},
      {ONENLP_FROM_CONLLU, conllu, ONENLP_TO_CONLLU},      {ONENLP_FROM_CONLLU_TOKENS, conllu, ONENLP_TO_JSON},
      {ONENLP_FROM_JSONL, lines, ONENLP_TO_CONLLU},        {ONENLP_FROM_JSONL, lines, ONENLP_TO_JSONL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t waits = 0;
    h.given = 0;
    char *want = annotate(known, cases[i].input, cases[i].text, cases[i].format, &none);
    char *got = annotate(pipeline, cases[i].input, cases[i].text, cases[i].format, &waits);
    assert_string_equal(got, want);
    assert_in_range(waits, 4, 100);
    assert_int_equal(waits, h.given);
    free(want);
    free(got);
  }
  assert_int_equal(none, 0);
  free(with_tokens);
  free(lines);
  free(conllu);
  free(text);
  onenlp_pipeline_free(known);
  onenlp_pipeline_free(pipeline);
  close_host(&h);
}

static void what_ends_a_text(void **state) {
  (void)state;
  host h;
  open_host(&h);
  make_unknown(&h);
  onenlp_files files = {&h, open_file, engine, encode};
  onenlp_error error;
  onenlp_pipeline *pipeline = load(&h, &files, &error);
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, &error);
  // What goes through a text by itself cannot wait, and the annotator can be used again.
  for (int round = 0; round < 2; round++) {
    h.asked = 0;
    assert_false(onenlp_annotate(annotator, ONENLP_FROM_TEXT, "A cat.", 6, ONENLP_TO_CONLLU, NULL, NULL, &error));
    assert_int_equal(error.code, ONENLP_UNSUPPORTED);
  }
  h.late = false;
  assert_int_equal(onenlp_annotate(annotator, ONENLP_FROM_TEXT, "A cat.", 6, ONENLP_TO_CONLLU, NULL, NULL, &error), 1);
  h.fails = true;
  assert_int_equal(onenlp_begin(annotator, ONENLP_FROM_TEXT, "A cat.", 6, ONENLP_TO_CONLLU, &error), 1);
  assert_int_equal(onenlp_next(annotator, &error), -1);
  assert_int_equal(error.code, ONENLP_INVALID_DATA);
  assert_non_null(strstr(error.text, "bert.onnx: its engine failed"));
  assert_int_equal(onenlp_next(annotator, &error), 0);
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);

  // Nobody computes it: what the reader said stands.
  const uint32_t widths[] = {0, 1 << 21};
  for (size_t i = 0; i < 2; i++) {
    h.width = widths[i];
    assert_null(load(&h, &files, &error));
    assert_int_equal(error.code, ONENLP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "bert.onnx: ONNX: opset 5"));
  }
  h.width = 16;
  files.engine = NULL;
  assert_null(load(&h, &files, &error));
  assert_int_equal(error.code, ONENLP_UNSUPPORTED);
  // A width that the heads do not have.
  files.engine = engine;
  h.width = 17;
  assert_null(load(&h, &files, &error));
  assert_int_equal(error.code, ONENLP_INVALID_DATA);
  // A damaged file is no matter of an engine.
  h.width = 16;
  h.model_bytes.n = 100;
  h.model_source = on_data_bytes(&h.model_bytes);
  assert_null(load(&h, &files, &error));
  assert_int_equal(error.code, ONENLP_INVALID_DATA);
  h.model_bytes.n = 0;
  close_host(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_input_goes_on),
      cmocka_unit_test(what_ends_a_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
