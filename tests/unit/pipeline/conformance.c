// Sentences of saved-pipelines.md that concern the file as a whole: lengths at their bounds, kinds and settings of other
// readers and writers, tokenizers and their numbering, builtin settings, one encoding for all heads. The list of all
// sentences is tests/conformance.md.
#include "tiny.h"

#include "base/alloc.h"
#include "format/container.h"
#include "format/jsonl.h"
#include "onenlp.h"
#include "pipeline/tokenize_doc.h"
#include "pipeline/tokenizer.h"
#include "tokenize/segmentation.h"

static void expect_error(const char *config, on_code code, const char *text) {
  on_pipeline pipeline;
  on_error error = {0};
  if (on_pipeline_from_config(&pipeline, on_str_c(config), &error)) fail_msg("accepted: %.300s", config);
  if (error.code != code || !strstr(error.text, text)) {
    fail_msg("want %s \"%s\", got %s \"%s\"", on_code_name(code), text, on_code_name(error.code), error.text);
  }
}

static void open(on_pipeline *pipeline, const char *config) {
  on_error error;
  if (!on_pipeline_from_config(pipeline, on_str_c(config), &error)) tiny_fail(config, &error);
}

static void expect_written(const char *config, const char *part) {
  on_pipeline pipeline;
  on_buf out = {0};
  open(&pipeline, config);
  on_pipeline_write_config(&pipeline, &out);
  on_buf_char(&out, 0);
  if (!strstr(out.p, part)) fail_msg("%s\nis not in\n%s", part, out.p);
  on_buf_free(&out);
  on_pipeline_free(&pipeline);
}

// ---- lengths

static void header(char out[ON_CONTAINER_HEADER], uint64_t config, uint64_t weights) {
  memcpy(out, "ONENLPPL\1\0\0\0\0\0\0\0", 16);
  for (int i = 0; i < 8; i++) {
    out[16 + i] = (char)(config >> 8 * i);
    out[24 + i] = (char)(weights >> 8 * i);
  }
}

#define NOTHING TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": []}"

// A config of exactly 16 MiB loads; one byte more is refused by its declared length.
static void config_bound(void **state) {
  (void)state;
  on_pipeline pipeline;
  on_error error = {0};
  on_buf weights = {0};
  on_checkpoint checkpoint = {0};
  assert_true(on_checkpoint_write(&weights, &checkpoint, 0, &error));
  for (size_t extra = 0; extra < 2; extra++) {
    size_t length = ((size_t)16 << 20) + extra, size = ON_CONTAINER_HEADER + length + weights.n;
    char *file = malloc(size);
    assert_non_null(file);
    header(file, length, weights.n);
    memset(file + ON_CONTAINER_HEADER, ' ', length);
    memcpy(file + ON_CONTAINER_HEADER, NOTHING, sizeof NOTHING - 1);
    memcpy(file + ON_CONTAINER_HEADER + length, weights.p, weights.n);
    bool ok = on_pipeline_load(&pipeline, (on_str){file, size}, &error);
    assert_int_equal(ok, extra == 0);
    if (ok) on_pipeline_free(&pipeline);
    else assert_non_null(strstr(error.text, "a config of 16777217 bytes, at most 16777216"));
    free(file);
  }
  on_buf_free(&weights);
}

// Weights of exactly 1 GiB pass the container's check, which reads nothing but the header: the slice may lie.
static void weights_bound(void **state) {
  (void)state;
  const uint64_t bound = (uint64_t)1 << 30;
  char file[ON_CONTAINER_HEADER + 2];
  on_container parts;
  on_error error = {0};
  header(file, 2, bound);
  file[ON_CONTAINER_HEADER] = '{';
  file[ON_CONTAINER_HEADER + 1] = '}';
  if (!on_container_read((on_str){file, (size_t)(ON_CONTAINER_HEADER + 2 + bound)}, &parts, &error)) {
    fail_msg("%s", error.text);
  }
  assert_int_equal(parts.weights.n, bound);
  header(file, 2, bound + 1);
  assert_false(on_container_read((on_str){file, (size_t)(ON_CONTAINER_HEADER + 2 + bound + 1)}, &parts, &error));
  assert_non_null(strstr(error.text, "weights of 1073741825 bytes, at most 1073741824"));
}

// A wrong length is found before anything is allocated: with no memory at all it is still the error of the length.
static void lengths_before_memory(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_CONFIG, ON_F32);
  uint64_t config = 0, weights = 0;
  memcpy(&config, file.p + 16, 8);
  memcpy(&weights, file.p + 24, 8);
  static const int changes[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1 << 30, 0}, {0, 1 << 30}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    on_pipeline pipeline;
    on_error error = {0};
    header(file.p, config + (uint64_t)changes[i][0], weights + (uint64_t)changes[i][1]);
    size_t before = on_alloc_used();
    on_alloc_fail_at(1, 1);
    assert_false(on_pipeline_load(&pipeline, on_buf_view(&file), &error));
    on_alloc_fail_at(0, 0);
    assert_int_equal(error.code, ON_INVALID_DATA);
    assert_int_equal(on_alloc_used(), before);
  }
  on_buf_free(&file);
}

// ---- other readers, other writers

// What a reader does not know it ignores, wherever an object stands; "relativeTo" is such a member.
static void unknown_members(void **state) {
  (void)state;
  static const char config[] = TINY_HEAD
      "\"relativeTo\": \"pipeline\", \"tokenizer\": {\"kind\": \"rule\", \"later\": [1]}, \"encoders\": [{\"kind\": "
      "\"hash-embedding\", \"later\": {}, \"settings\": {\"width\": 8, \"buckets\": 64, \"seed\": 1, \"relativeTo\": "
      "\"pipeline\"}}], \"components\": [{\"name\": \"tagger\", \"type\": \"head\", \"kind\": \"tagger\", \"later\": null, "
      "\"encoder\": 0, \"config\": {\"column\": \"Tag\", \"later\": true, \"labels\": [\"A\"]}}, {\"name\": "
      "\"sentencizer\", \"type\": \"builtin\", \"later\": 3}]}";
  on_pipeline pipeline;
  on_error error;
  on_buf file = tiny_file(config, ON_F32), out = {0};
  if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  on_pipeline_write_config(&pipeline, &out);
  on_buf_char(&out, 0);
  assert_null(strstr(out.p, "later"));
  assert_null(strstr(out.p, "relativeTo"));
  on_buf_free(&out);
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
}

// Kinds this build does not have are named by the error, in the words that the document gives.
static void unknown_kinds(void **state) {
  (void)state;
#define ENCODER(kind, settings) \
  TINY_HEAD TINY_TOKENIZER ", \"encoders\": [{\"kind\": \"" kind "\", \"settings\": {" settings "}}], \"components\": []}"
  expect_error(ENCODER("glove", ""), ON_UNSUPPORTED, "No encoder kind 'glove' is registered");
  expect_error(TINY_HEAD TINY_TOKENIZER ", " TINY_ENCODERS ", \"components\": [{\"name\": \"x\", \"type\": \"head\", "
                         "\"kind\": \"linker\", \"encoder\": 0, \"config\": {}}]}",
               ON_UNSUPPORTED, "No head kind 'linker' is registered");
  expect_error(TINY_HEAD "\"tokenizer\": {\"kind\": \"sentencepiece\"}, \"encoders\": [], \"components\": []}",
               ON_UNSUPPORTED, "Unsupported tokenizer kind 'sentencepiece'");
  expect_error(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": \"linker\", \"type\": "
                         "\"builtin\"}]}",
               ON_UNSUPPORTED, "No component 'linker' is registered");
}

// A later kind leaves the version as it is: a file with textcat and spancat heads still says 1.
static void version_stays(void **state) {
  (void)state;
  static const char *const configs[] = {
      TINY_CONFIG,
      TINY_HEAD TINY_TOKENIZER ", " TINY_ENCODERS
                ", \"components\": [{\"name\": \"t\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0, \"config\": "
                "{\"multi_label\": true, \"labels\": [\"a\"]}}, {\"name\": \"s\", \"type\": \"head\", \"kind\": \"spancat\", "
                "\"encoder\": 0, \"config\": {\"spans_key\": \"s\", \"sizes\": [1], \"threshold\": 0.5, \"labels\": "
                "[\"a\"]}}]}",
      TINY_HEAD "\"tokenizer\": {\"kind\": \"segmenter\", \"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": "
                "[\"B\", \"I\"]}}, " TINY_ENCODERS ", \"components\": []}",
  };
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    on_buf file = tiny_file(configs[i], ON_F32);
    assert_memory_equal(file.p + 8, "\1\0\0\0\0\0\0\0", 8);
    assert_memory_equal(file.p + ON_CONTAINER_HEADER, "{\"format\": \"onenlp-pipeline\", \"version\": 1,", 43);
    on_buf_free(&file);
  }
}

// ---- tokenizers

static void tokenizer_kinds(void **state) {
  (void)state;
#define TOKENIZER(t) TINY_HEAD "\"tokenizer\": " t ", \"encoders\": [], \"components\": []}"
  expect_written(TOKENIZER("{\"kind\": \"rule\"}"), "\"tokenizer\": {\"kind\": \"rule\"}, ");
  size_t n = 0;
  for (; on_segmentations[n]; n++) {
    char config[512], part[128];
    snprintf(config, sizeof config, TOKENIZER("{\"kind\": \"uax\", \"data\": \"%s\"}"), on_segmentations[n]->name);
    snprintf(part, sizeof part, "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"%s\"}, ", on_segmentations[n]->name);
    expect_written(config, part);
  }
  assert_true(n >= 3);
  expect_written(TOKENIZER("{\"kind\": \"uax\", \"data\": \"none\"}"), "\"data\": \"none\"");
  expect_written(TOKENIZER("{\"kind\": \"uax\", \"data\": \"neutral\"}"), "\"data\": \"neutral\"");
  expect_written(TOKENIZER("{\"kind\": \"uax\", \"data\": \"english\"}"), "\"data\": \"english\"");
}

static bool add_name(void *context, const char *name, on_param *param) {
  (void)param;
  on_buf_format(context, "%s ", name);
  return true;
}

static void expect_names(const char *config, const char *names) {
  on_pipeline pipeline;
  on_buf out = {0};
  open(&pipeline, config);
  assert_true(on_pipeline_each_param(&pipeline, add_name, &out));
  on_buf_char(&out, 0);
  assert_string_equal(out.p, names);
  on_buf_free(&out);
  on_pipeline_free(&pipeline);
}

#define HASHED(seed) "{\"kind\": \"hash-embedding\", \"settings\": {\"width\": 8, \"buckets\": 9, \"seed\": " seed "}}"
#define BI "{\"column\": \"Tag\", \"labels\": [\"B\", \"I\"]}"
#define HEADS(encoder)                                                                                           \
  "\"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\"}, {\"name\": \"tagger\", \"type\": \"head\", " \
  "\"kind\": \"tagger\", \"encoder\": " encoder ", \"config\": {\"column\": \"Tag\", \"labels\": [\"N\", \"V\"]}}]}"
#define NAMES(i) "encoder" #i ".embed.weight encoder" #i ".project.weight encoder" #i ".project.bias "
#define HEAD(i) "head" #i ".output.weight head" #i ".output.bias "

// Without a trained tokenizer head0 is the first component's; with one it is the tokenizer's, and the components'
// heads come after it. Encoders are numbered as they stand in `encoders`, where the tokenizer's comes first.
static void numbering(void **state) {
  (void)state;
  expect_names(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [" HASHED("1") "], " HEADS("0"), NAMES(0) HEAD(0));
  expect_names(TINY_HEAD "\"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": [" HASHED("1") "], " HEADS("0"),
               NAMES(0) HEAD(0));
  static const char *const tokenizers[] = {
      "{\"kind\": \"segmenter\", \"encoder\": 0, \"head\": " BI "}",
      "{\"kind\": \"mwt\", \"inner\": {\"kind\": \"uax\", \"data\": \"turkish-whole\"}, \"encoder\": 0, \"head\": " BI "}",
      "{\"kind\": \"mwt\", \"inner\": {\"kind\": \"rule\"}, \"encoder\": 0, \"minCutPercent\": 60, \"head\": " BI "}",
  };
  for (size_t i = 0; i < 3; i++) {
    char config[1024];
    snprintf(config, sizeof config, TINY_HEAD "\"tokenizer\": %s, \"encoders\": [" HASHED("1") ", " HASHED("2") "], "
             HEADS("1"), tokenizers[i]);
    expect_names(config, NAMES(0) NAMES(1) HEAD(0) HEAD(1));
    on_pipeline pipeline;
    open(&pipeline, config);
    assert_int_equal(pipeline.tokenizer.encoder, 0);
    assert_int_equal(pipeline.components[1].encoder, 1);
    on_pipeline_free(&pipeline);
    // one encoder for both
    snprintf(config, sizeof config, TINY_HEAD "\"tokenizer\": %s, \"encoders\": [" HASHED("1") "], " HEADS("0"),
             tokenizers[i]);
    expect_names(config, NAMES(0) HEAD(0) HEAD(1));
    // the tokenizer alone
    snprintf(config, sizeof config, TINY_HEAD "\"tokenizer\": %s, \"encoders\": [" HASHED("1") "], \"components\": []}",
             tokenizers[i]);
    expect_names(config, NAMES(0) HEAD(0));
  }
}

// ---- builtins

// Names and values of settings: 256 units are short, 257 are not.
static void setting_lengths(void **state) {
  (void)state;
  for (int which = 0; which < 2; which++) {
    for (size_t units = 256; units <= 257; units++) {
      on_buf config = {0};
      on_buf_str(&config, ON_STR(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": "
                                                          "\"sentencizer\", \"type\": \"builtin\", \"settings\": {\""));
      if (which) on_buf_str(&config, ON_STR("k\": \""));
      for (size_t i = 0; i < units; i++) on_buf_str(&config, ON_STR("\xC3\xA4"));
      on_buf_str(&config, which ? ON_STR("\"}}]}") : ON_STR("\": \"v\"}}]}"));
      on_buf_char(&config, 0);
      on_pipeline pipeline;
      if (units == 256) {
        open(&pipeline, config.p);
        on_pipeline_free(&pipeline);
      } else {
        expect_error(config.p, ON_INVALID_DATA, "longer than 256 UTF-16 units");
      }
      on_buf_free(&config);
    }
  }
}

// The sentencizer writes its data set; without settings it is that of the language.
static void sentencizer_data(void **state) {
  (void)state;
#define SENTENCIZER(more) \
  TINY_HEAD TINY_TOKENIZER ", \"encoders\": [], \"components\": [{\"name\": \"sentencizer\", \"type\": \"builtin\"" more "}]}"
  expect_written(SENTENCIZER(", \"settings\": {\"data\": \"neutral\"}"), "\"settings\": {\"data\": \"neutral\"}");
  expect_written(SENTENCIZER(", \"settings\": {}"), "\"settings\": {\"data\": \"english\"}");
  expect_written(SENTENCIZER(""), "\"settings\": {\"data\": \"english\"}");
}

// ---- one encoding for all heads

static size_t runs;

static bool counted_run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                        on_error *error) {
  runs++;
  return on_encoder_kind_find(ON_STR("hash-embedding"))->run(encoder, workspace, cache, doc, out, error);
}

#define TAGGER(name, column)                                                                                  \
  "{\"name\": \"" name "\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": 0, \"config\": {\"column\": \"" column \
  "\", \"labels\": [\"A\", \"B\"]}}"

static void heads_share_one_encoding(void **state) {
  (void)state;
  on_buf file = tiny_file(TINY_HEAD TINY_TOKENIZER ", \"encoders\": [" HASHED("1") "], \"components\": [" TAGGER("a", "Tag")
                          ", " TAGGER("b", "Pos") ", " TAGGER("c", "Morph") "]}", ON_F32);
  on_pipeline pipeline;
  on_error error;
  if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  on_encoder_kind counted = *pipeline.encoders[0].kind;
  counted.run = counted_run;
  pipeline.encoders[0].kind = &counted;
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 1, NULL));
  static const uint16_t text[] = {'a', ' ', 'b', ' ', 'c'};
  for (size_t round = 1; round <= 2; round++) {
    on_text_run run;
    on_doc doc;
    on_doc_init(&doc);
    on_text_begin(&run, &pipeline, &workspace, NULL, (on_str16){text, 5});
    assert_int_equal(on_text_next(&run, &doc, &error), 1);
    assert_non_null(doc.tag);
    assert_non_null(doc.pos);
    assert_non_null(doc.morph);
    assert_int_equal(runs, round);
    on_text_end(&run);
    on_doc_free(&doc);
  }
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
}

// ---- what is derived from the weights

#define FAST                                                                                                     \
  "{\"kind\": \"fast\", \"settings\": {\"width\": 8, \"depth\": 1, \"normRows\": 9, \"prefixRows\": 5, \"suffixRows\": 5, " \
  "\"shapeRows\": 3, \"relu\": 1, \"recurrentLayers\": 1, \"seed\": 2}}"

static void encode(on_pipeline *pipeline, on_doc *doc, float *out) {
  on_workspace workspace;
  const on_encoder *encoder = &pipeline->encoders[0];
  assert_true(on_workspace_init(&workspace, 1, NULL));
  assert_true(encoder->kind->run(encoder, &workspace, &workspace.encoder_cache[0], doc, out, NULL));
  on_workspace_free(&workspace);
}

// Weights that change are seen once the pipeline is prepared again: the vectors are those of a pipeline that was
// loaded with these weights.
static void derived_follow_the_weights(void **state) {
  (void)state;
  enum { TOKENS = 3, WIDTH = 8 };
  static const char config[] = TINY_HEAD TINY_TOKENIZER ", \"encoders\": [" FAST "], " HEADS("0");
  static const uint16_t text[] = {'A', 'd', 'a', ' ', 'm', 'e', 't', ' ', 'B'};
  float first[TOKENS * WIDTH], changed[TOKENS * WIDTH], loaded[TOKENS * WIDTH];
  on_buf file = tiny_file(config, ON_F32), other = {0};
  on_pipeline pipeline, again;
  on_error error;
  on_doc doc;
  on_doc_init(&doc);
  doc.text = doc.source = (on_str16){text, 9};
  assert_true(on_doc_set_tokens(&doc, TOKENS));
  for (uint32_t i = 0; i < TOKENS; i++) {
    doc.start[i] = 4 * i;
    doc.end[i] = i < 2 ? 4 * i + 3 : 9;
  }
  if (!on_pipeline_load(&pipeline, on_buf_view(&file), &error)) tiny_fail("load", &error);
  encode(&pipeline, &doc, first);
  tiny_weights w = {.arena = &pipeline.arena, .matrices = ON_F32};
  on_random_seed(&w.random, 99);
  assert_true(on_pipeline_each_param(&pipeline, tiny_fill, &w));
  assert_true(on_pipeline_prepare(&pipeline, &error));
  encode(&pipeline, &doc, changed);
  assert_true(on_pipeline_save(&pipeline, NULL, 0, &other, &error));
  if (!on_pipeline_load(&again, on_buf_view(&other), &error)) tiny_fail("load again", &error);
  encode(&again, &doc, loaded);
  assert_memory_not_equal(first, changed, sizeof first);
  assert_memory_equal(changed, loaded, sizeof changed);
  on_doc_free(&doc);
  on_pipeline_free(&again);
  on_pipeline_free(&pipeline);
  on_buf_free(&other);
  on_buf_free(&file);
}

// ---- JSON Lines: 16 levels are read, also of what is unknown

static void jsonl_nesting(void **state) {
  (void)state;
  for (int depth = 15; depth <= 16; depth++) {  // within the line's own object
    on_buf line = {0};
    on_buf_str(&line, ON_STR("{\"text\": \"\", \"tokens\": [], \"later\": "));
    for (int i = 0; i < depth; i++) on_buf_char(&line, '[');
    for (int i = 0; i < depth; i++) on_buf_char(&line, ']');
    on_buf_char(&line, '}');
    on_jsonl_reader *reader = on_jsonl_open(on_buf_view(&line), NULL);
    on_doc doc;
    on_doc_init(&doc);
    on_error error = {0};
    assert_int_equal(on_jsonl_next(reader, &doc, &error), depth == 15 ? 1 : -1);
    if (depth == 16) assert_non_null(strstr(error.text, "nested deeper than 16"));
    on_doc_free(&doc);
    on_jsonl_close(reader);
    on_buf_free(&line);
  }
}

// Without a pipeline, lines without "tokens" get those of a blank one: uax with the data set of the language, else neutral.
static void blank_tokenizer(void **state) {
  (void)state;
  static const struct {
    const char *language, *data;
  } cases[] = {{"en", "english"}, {"pt", "portuguese"}, {"tlh", "neutral"}, {"", "neutral"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_pipeline blank;
    on_error error;
    if (!on_pipeline_blank(&blank, on_str_c(cases[i].language), NULL, &error)) tiny_fail("blank", &error);
    assert_string_equal(blank.tokenizer.kind->name, "uax");
    assert_string_equal(blank.tokenizer.data->name, cases[i].data);
    assert_int_equal(blank.encoder_count + blank.component_count, 0);
    on_pipeline_free(&blank);
  }
  static const char line[] = "{\"text\": \"Hi there!\"}\n";
  onenlp_buffer *out = onenlp_buffer_new();
  onenlp_error error;
  size_t n;
  if (!onenlp_convert(line, sizeof line - 1, ONENLP_JSONL, ONENLP_JSONL, out, &error)) fail_msg("%s", error.text);
  const char *made = onenlp_buffer_data(out, &n);
  static const char want[] = "{\"text\": \"Hi there!\", \"tokens\": [[0, 2], [3, 8], [8, 9]]}\n";
  assert_int_equal(n, sizeof want - 1);
  assert_memory_equal(made, want, n);
  onenlp_buffer_free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(config_bound),    cmocka_unit_test(weights_bound),   cmocka_unit_test(lengths_before_memory),
      cmocka_unit_test(unknown_members), cmocka_unit_test(unknown_kinds),   cmocka_unit_test(version_stays),
      cmocka_unit_test(tokenizer_kinds), cmocka_unit_test(numbering),       cmocka_unit_test(setting_lengths),
      cmocka_unit_test(sentencizer_data), cmocka_unit_test(heads_share_one_encoding),
      cmocka_unit_test(derived_follow_the_weights), cmocka_unit_test(jsonl_nesting),   cmocka_unit_test(blank_tokenizer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
