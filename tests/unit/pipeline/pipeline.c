/* Configs, loading and saving of pipeline files. */
#include "tiny.h"

#include "base/alloc.h"
#include "format/container.h"

static void expect_error(const char *config, on_code code, const char *text) {
  on_pipeline pipeline;
  on_error error = {0};
  if (on_pipeline_from_config(&pipeline, on_str_c(config), &error)) fail_msg("accepted: %s", config);
  if (error.code != code || !strstr(error.text, text)) {
    fail_msg("want %s \"%s\", got %s \"%s\"", on_code_name(code), text, on_code_name(error.code), error.text);
  }
  assert_null(pipeline.config);
}

#define BUILTIN(settings)                                                                                          \
  TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\"" \
                           settings "}]}"
#define TOKENIZER(inner) TINY_HEAD "\"tokenizer\": " inner ", \"encoders\": [], \"components\": []}"
#define TAGGER "{\"name\": \"x\", \"type\": \"head\", \"kind\": \"tagger\""
#define HEAD(inner) TINY_HEAD TINY_TOKENIZER ", " TINY_ENCODERS ", \"components\": [" inner "]}"

static void test_config_errors(void **state) {
  (void)state;
  static const struct {
    const char *config;
    on_code code;
    const char *text;
  } cases[] = {
      {"", ON_INVALID_DATA, "config: "},
      {"[]", ON_INVALID_DATA, "must be an object"},
      {"{}", ON_INVALID_DATA, "format"},
      {"{\"format\": \"spacy\", \"version\": 1}", ON_INVALID_DATA, "format is 'spacy'"},
      {"{\"format\": \"onenlp-pipeline\"}", ON_INVALID_DATA, "version"},
      {"{\"format\": \"onenlp-pipeline\", \"version\": 2}", ON_UNSUPPORTED, "version is 2"},
      {"{\"format\": \"onenlp-pipeline\", \"version\": 1.5}", ON_INVALID_DATA, "version"},
      {"{\"format\": \"onenlp-pipeline\", \"version\": \"1\"}", ON_INVALID_DATA, "version"},
      {TINY_HEAD TINY_TOKENIZER ", \"components\": []}", ON_INVALID_DATA, "encoders is missing"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": []}", ON_INVALID_DATA, "components is missing"},
      {TINY_HEAD "\"encoders\": [], \"components\": []}", ON_INVALID_DATA, "tokenizer is missing"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": {}, \"components\": []}", ON_INVALID_DATA,
       "encoders must be an array"},
      {TOKENIZER("{\"kind\": \"bpe\"}"), ON_UNSUPPORTED, "Unsupported tokenizer kind 'bpe'"},
      {TOKENIZER("{\"kind\": 3}"), ON_INVALID_DATA, "tokenizer.kind"},
      {TOKENIZER("{\"kind\": \"uax\"}"), ON_INVALID_DATA, "tokenizer.data"},
      {TOKENIZER("{\"kind\": \"uax\", \"data\": \"klingon\"}"), ON_UNSUPPORTED, "no segmentation data set 'klingon'"},
      {BUILTIN(", \"settings\": []"), ON_INVALID_DATA, "components[0].settings must be an object"},
      {BUILTIN(", \"settings\": {\"data\": 1}"), ON_INVALID_DATA, "components[0].settings.data must be a string"},
      {BUILTIN(", \"settings\": {\"data\": \"klingon\"}"), ON_UNSUPPORTED, "no segmentation data set 'klingon'"},
      {HEAD("{\"name\": \"x\", \"type\": \"builtin\"}"), ON_UNSUPPORTED, "No component 'x' is registered"},
      {HEAD("{\"name\": \"x\", \"type\": \"tail\"}"), ON_UNSUPPORTED, "components[0].type is 'tail'"},
      {HEAD("{\"type\": \"builtin\"}"), ON_INVALID_DATA, "components[0].name"},
      {HEAD("7"), ON_INVALID_DATA, "components[0] must be an object"},
      {HEAD("{\"name\": \"x\", \"type\": \"head\", \"kind\": \"oracle\", \"encoder\": 0, \"config\": {}}"),
       ON_UNSUPPORTED, "No head kind 'oracle' is registered"},
      {HEAD(TAGGER ", \"encoder\": 2, \"config\": {}}"), ON_INVALID_DATA,
       "components[0].encoder"},
      {HEAD(TAGGER ", \"encoder\": -1, \"config\": {}}"),
       ON_INVALID_DATA, "components[0].encoder"},
      {HEAD(TAGGER ", \"config\": {}}"), ON_INVALID_DATA,
       "components[0].encoder"},
      {HEAD(TAGGER ", \"encoder\": 0}"), ON_INVALID_DATA,
       "components[0].config is missing"},
      {HEAD(TAGGER ", \"encoder\": 0, \"config\": {\"column\": \"Tag\", "
            "\"labels\": []}}"),
       ON_INVALID_DATA, "components[0].config"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": \"x\", \"type\": \"head\", \"kind\": "
                                "\"tagger\", \"encoder\": 0, \"config\": {}}]}",
       ON_INVALID_DATA, "`encoders` is empty"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": [{\"kind\": \"crystal-ball\", \"settings\": {}}], \"components\": []}",
       ON_UNSUPPORTED, "No encoder kind 'crystal-ball' is registered"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": [{\"kind\": \"fast\"}], \"components\": []}", ON_INVALID_DATA,
       "encoders[0].settings is missing"},
      {TINY_HEAD TINY_TOKENIZER ", \"encoders\": [{\"kind\": \"fast\", \"settings\": {}}], \"components\": []}",
       ON_INVALID_DATA, "encoders[0].settings"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_error(cases[i].config, cases[i].code, cases[i].text);
}

/* `n` copies of `item` after `head`, before `tail`. */
static char *repeated(const char *head, const char *item, size_t n, const char *tail) {
  size_t size = strlen(head) + n * (strlen(item) + 1) + strlen(tail) + 1;
  char *text = malloc(size), *at = text;
  assert_non_null(text);
  at += sprintf(at, "%s", head);
  for (size_t i = 0; i < n; i++) at += sprintf(at, "%s%s", i ? "," : "", item);
  sprintf(at, "%s", tail);
  return text;
}

static void expect_limit(const char *head, const char *item, size_t most, const char *tail, const char *text) {
  on_pipeline pipeline;
  on_error error;
  char *good = repeated(head, item, most, tail), *bad = repeated(head, item, most + 1, tail);
  if (!on_pipeline_from_config(&pipeline, on_str_c(good), &error)) tiny_fail("at the limit", &error);
  on_pipeline_free(&pipeline);
  expect_error(bad, ON_INVALID_DATA, text);
  free(good);
  free(bad);
}

static void test_limits(void **state) {
  (void)state;
  expect_limit(TINY_HEAD TINY_TOKENIZER ", \"components\": [], \"encoders\": [",
               "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 1, \"buckets\": 1, \"seed\": 0}}", 64, "]}",
               "65 encoders, at most 64");
  expect_limit(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [",
               "{\"name\": \"sentencizer\", \"type\": \"builtin\"}", 1024, "]}", "1025 components, at most 1024");
  expect_limit(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": \"sentencizer\", \"type\": "
                                        "\"builtin\", \"settings\": {\"data\": \"english\", \"x\": \"",
               "", 257, "\"}}]}", "longer than 256 UTF-16 units");  /* commas: one fewer than items */
  /* 64 settings, then 65: members need distinct keys. */
  for (size_t n = 64; n <= 65; n++) {
    on_buf config = {0};
    on_buf_str(&config, ON_STR(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": "
                                                        "\"sentencizer\", \"type\": \"builtin\", \"settings\": {"));
    for (size_t i = 0; i < n; i++) on_buf_format(&config, "%s\"k%zu\": \"v\"", i ? ", " : "", i);
    on_buf_str(&config, ON_STR("}}]}"));
    on_pipeline pipeline;
    on_error error;
    bool ok = on_pipeline_from_config(&pipeline, on_buf_view(&config), &error);
    if (n == 64) {
      assert_true(ok);
      on_pipeline_free(&pipeline);
    } else {
      assert_false(ok);
      assert_non_null(strstr(error.text, "65 members, at most 64"));
    }
    on_buf_free(&config);
  }
  /* Nesting: an unknown key is ignored, but at most 32 levels of it are read. */
  for (int depth = 31; depth <= 32; depth++) {
    on_buf config = {0};
    on_buf_str(&config, ON_STR(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [], \"later\": "));
    for (int i = 0; i < depth; i++) on_buf_char(&config, '[');
    for (int i = 0; i < depth; i++) on_buf_char(&config, ']');
    on_buf_char(&config, '}');
    on_pipeline pipeline;
    on_error error;
    bool ok = on_pipeline_from_config(&pipeline, on_buf_view(&config), &error);
    assert_int_equal(ok, depth == 31);
    if (ok) on_pipeline_free(&pipeline);
    on_buf_free(&config);
  }
}

static void test_round_trip(void **state) {
  (void)state;
  for (int type = ON_F32; type <= ON_I8; type++) {
    on_buf file = tiny_file(TINY_CONFIG, (on_dtype)type), again = {0};
    on_pipeline pipeline;
    on_error error;
    if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
    assert_int_equal(pipeline.encoder_count, 2);
    assert_int_equal(pipeline.component_count, 3);
    assert_int_equal(pipeline.meta_count, 2);
    if (!on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &again, &error)) tiny_fail("save", &error);
    assert_int_equal(file.n, again.n);
    assert_memory_equal(file.p, again.p, file.n);
    /* The config that is written is the one that was read, in the document's order of keys. */
    on_buf config = {0};
    on_pipeline_write_config(&pipeline, &config);
    on_buf_char(&config, 0);
    assert_string_equal(config.p, TINY_CONFIG);
    on_buf_free(&config);
    on_pipeline_free(&pipeline);
    on_buf_free(&again);
    on_buf_free(&file);
  }
}

typedef struct names {
  char text[4096];
} names;

static bool add_name(void *context, const char *name, on_param *param) {
  (void)param;
  names *list = context;
  strcat(strcat(list->text, name), " ");
  return true;
}

static void test_numbering(void **state) {
  (void)state;
  on_pipeline pipeline;
  on_error error;
  if (!on_pipeline_from_config(&pipeline, ON_STR(TINY_CONFIG), &error)) tiny_fail("from_config", &error);
  names list = {""};
  assert_true(on_pipeline_each_param(&pipeline, add_name, &list));
  /* Heads are counted without the builtin that stands before them. */
  assert_string_equal(list.text,
                      "encoder0.embed.weight encoder0.project.weight encoder0.project.bias "
                      "encoder1.embed_norm.weight encoder1.embed_prefix.weight encoder1.embed_suffix.weight "
                      "encoder1.embed_shape.weight encoder1.mix.weight encoder1.mix.bias encoder1.mix_norm.weight "
                      "encoder1.mix_norm.bias encoder1.window0.weight encoder1.window0.bias "
                      "encoder1.window_norm0.weight encoder1.window_norm0.bias encoder1.lstm.weight_ih_l0 "
                      "encoder1.lstm.weight_hh_l0 encoder1.lstm.bias_l0 encoder1.lstm.weight_ih_l0_reverse "
                      "encoder1.lstm.weight_hh_l0_reverse encoder1.lstm.bias_l0_reverse head0.output.weight "
                      "head0.output.bias head1.output.weight head1.output.bias ");
  on_pipeline_free(&pipeline);
}

/* Reads the file, lets `change` alter its list of tensors, writes it again and expects an error. */
static void expect_tensor_error(void (*change)(on_checkpoint *), const char *text) {
  on_buf file = tiny_file(TINY_CONFIG, ON_F32), weights = {0}, changed = {0};
  on_container container;
  on_checkpoint checkpoint;
  on_arena arena = {0};
  on_error error;
  assert_true(on_container_read(on_buf_view(&file), &container, &error));
  assert_true(on_checkpoint_read(&arena, container.weights, &checkpoint, &error));
  on_tensor *room = ON_NEW(&arena, on_tensor, checkpoint.count + 1);
  memcpy(room, checkpoint.tensors, checkpoint.count * sizeof *room);
  checkpoint.tensors = room;
  checkpoint.by_name = NULL;
  change(&checkpoint);
  assert_true(on_checkpoint_write(&weights, &checkpoint, on_container_weights_offset(container.config.n), &error));
  assert_true(on_container_write(&changed, container.config, on_buf_view(&weights), &error));
  on_pipeline pipeline;
  if (on_pipeline_load(&pipeline, on_buf_view(&changed), &error)) fail_msg("accepted without: %s", text);
  assert_int_equal(error.code, ON_INVALID_DATA);
  if (!strstr(error.text, text)) fail_msg("want \"%s\", got \"%s\"", text, error.text);
  on_arena_free(&arena);
  on_buf_free(&file);
  on_buf_free(&weights);
  on_buf_free(&changed);
}

static on_tensor *tensor_named(on_checkpoint *checkpoint, const char *name) {
  for (size_t i = 0; i < checkpoint->count; i++) {
    if (on_str_eq(checkpoint->tensors[i].name, on_str_c(name))) return &checkpoint->tensors[i];
  }
  fail_msg("no tensor %s", name);
  return NULL;
}

static void fewer_rows(on_checkpoint *checkpoint) {
  on_tensor *tensor = tensor_named(checkpoint, "head0.output.weight");
  tensor->shape[0] = 2;
  tensor->size = 2 * 8 * 4;
}
static void transposed(on_checkpoint *checkpoint) {
  on_tensor *tensor = tensor_named(checkpoint, "head0.output.weight");
  tensor->shape[0] = 8;
  tensor->shape[1] = 3;
}
static void flattened(on_checkpoint *checkpoint) {
  on_tensor *tensor = tensor_named(checkpoint, "encoder0.project.weight");
  tensor->rank = 1;
  tensor->shape[0] = 64;
  tensor->shape[1] = 1;
}
static void half_vector(on_checkpoint *checkpoint) {
  on_tensor *tensor = tensor_named(checkpoint, "head1.output.bias");
  tensor->rank = 2;
  tensor->shape[1] = 1;
  tensor->type = ON_F16;
  tensor->size = 6;
}
static void missing(on_checkpoint *checkpoint) {
  on_tensor *tensor = tensor_named(checkpoint, "encoder1.mix.bias");
  *tensor = checkpoint->tensors[--checkpoint->count];
}
static void extra(on_checkpoint *checkpoint) {
  on_tensor *tensor = &checkpoint->tensors[checkpoint->count++];
  *tensor = *tensor_named(checkpoint, "head0.output.bias");
  tensor->name = ON_STR("head2.output.bias");
}
static void renamed(on_checkpoint *checkpoint) {
  tensor_named(checkpoint, "head1.output.bias")->name = ON_STR("head2.output.bias");
}

static void test_tensors(void **state) {
  (void)state;
  expect_tensor_error(fewer_rows, "tensor head0.output.weight: shape [2, 8], want [3, 8]");
  expect_tensor_error(transposed, "tensor head0.output.weight: shape [8, 3], want [3, 8]");
  expect_tensor_error(flattened, "tensor encoder0.project.weight: shape [64], want [8, 8]");
  expect_tensor_error(half_vector, "tensor head1.output.bias: shape [3, 1], want [3]");
  expect_tensor_error(missing, "tensor encoder1.mix.bias: missing");
  expect_tensor_error(extra, "tensor head2.output.bias: the config does not declare it");
  expect_tensor_error(renamed, "tensor head1.output.bias: missing");
}

/* Loads exactly these bytes, in a block of their own size, so that ASan sees a read past the end. */
static bool load_exactly(const char *bytes, size_t n) {
  char *copy = malloc(n ? n : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, n);
  on_pipeline pipeline;
  on_error error = {0};
  bool ok = on_pipeline_load(&pipeline, (on_str){copy, n}, &error);
  if (ok) on_pipeline_free(&pipeline);
  if (!ok) assert_true(error.code != ON_OK && error.text[0]);
  free(copy);
  return ok;
}

static void test_truncated(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_I8);
  assert_true(load_exactly(file.p, file.n));
  for (size_t n = 0; n < file.n; n++) assert_false(load_exactly(file.p, n));
  on_buf_char(&file, 0);
  assert_false(load_exactly(file.p, file.n));
  on_buf_free(&file);
}

static void test_flipped(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  uint64_t config_size = 0;
  memcpy(&config_size, file.p + 16, 8);
  uint64_t header_size = 0;
  memcpy(&header_size, file.p + 32 + config_size, 8);
  size_t end = 32 + config_size + 8 + header_size;
  assert_true(end < file.n);
  size_t accepted = 0;
  for (size_t i = 0; i < end; i++) {
    char was = file.p[i];
    static const unsigned char flips[] = {0x01, 0x20, 0x80, 0xFF};
    for (size_t k = 0; k < sizeof flips; k++) {
      file.p[i] = (char)((unsigned char)was ^ flips[k]);
      accepted += load_exactly(file.p, file.n);
    }
    file.p[i] = was;
  }
  /* What changes a label, a seed or the metadata may load; what changes the structure may not. */
  assert_true(accepted > 0 && accepted < end);
  on_buf_free(&file);
}

static void test_out_of_memory(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  size_t before = on_alloc_used();
  for (size_t n = 1;; n++) {
    on_pipeline pipeline;
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    bool ok = on_pipeline_load(&pipeline, on_buf_view(&file), &error);
    on_alloc_fail_at(0, 0);
    if (ok) {
      on_pipeline_free(&pipeline);
      assert_true(n > 20);
      break;
    }
    assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    assert_int_equal(on_alloc_used(), before);
  }
  assert_int_equal(on_alloc_used(), before);
  on_buf_free(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_config_errors), cmocka_unit_test(test_limits),    cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_numbering),     cmocka_unit_test(test_tensors),   cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_flipped),       cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
