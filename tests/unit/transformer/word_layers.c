// What is learned over the vectors of words: settings, names, and the numbers, computed here anew.
#include <math.h>

#include "base/alloc.h"
#include "folder.h"
#include "pipeline/export.h"
#include "pipeline/pipeline.h"
#include "transformer/frozen.h"

enum { WIDTH = 16, SIZE = 5, ROWS = 7, GATES = 4 * SIZE };

static folder open_folder(void) {
  folder f = {.count = 0};
  add_file(&f, "m.onnx", "bert", ".onnx", false);
  add_file(&f, "t.json", "bert", ".tokenizer.json", false);
  return f;
}

static bool load(on_pipeline *pipeline, folder *f, const char *kind, const char *settings, on_error *error) {
  char config[2000];
  on_files files = {.context = f, .open = open_file};
  snprintf(config, sizeof config,
           "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": "
           "[{\"kind\": \"%s\", \"settings\": {\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", "
           "\"pooling\": \"mean\", \"maxLength\": 34%s}}], \"components\": []}",
           kind, settings);
  *error = (on_error){0};
  return on_pipeline_from_config_with(pipeline, on_str_c(config), &files, error);
}

static void open_pipeline(on_pipeline *pipeline, folder *f, const char *kind, const char *settings) {
  on_error error;
  if (!load(pipeline, f, kind, settings, &error)) fail_msg("%s: %s", settings, error.text);
}

// ---- settings -----------------------------------------------------------------------------------------

static const char *const KINDS[] = {"transformer", "transformer-trainable"};

static void names_and_shapes(const on_params *params, on_buf *out) {
  for (size_t i = 0; i < params->n; i++) {
    const on_param *p = params->list[i];
    if (strncmp(p->name, "layers", 6) == 0 || strstr(p->name, "norm") || strstr(p->name, "positions")) {
      assert_int_equal(out->n, 0);  // what is learned over the vectors stands behind the model's own
      continue;
    }
    on_buf_format(out, "%s %u", p->name, p->shape[0]);
    if (p->rank == 2) on_buf_format(out, ",%u", p->shape[1]);
    on_buf_char(out, ' ');
  }
}

static void settings_and_names(void **state) {
  (void)state;
  folder f = open_folder();
  static const char *const OF[][2] = {
      {"", ""},
      {", \"shapeRows\": 7", "embed_shape.weight 7,16 "},
      {", \"shapeRows\": 1, \"seed\": 9007199254740991", "embed_shape.weight 1,16 "},
      {", \"recurrentLayers\": 1",
       "lstm.weight_ih_l0 32,16 lstm.weight_hh_l0 32,8 lstm.bias_l0 32 lstm.weight_ih_l0_reverse 32,16 "
       "lstm.weight_hh_l0_reverse 32,8 lstm.bias_l0_reverse 32 "},
      {", \"shapeRows\": 3, \"recurrentLayers\": 1, \"recurrentSize\": 2, \"seed\": 5",
       "embed_shape.weight 3,16 lstm.weight_ih_l0 8,16 lstm.weight_hh_l0 8,2 lstm.bias_l0 8 "
       "lstm.weight_ih_l0_reverse 8,16 lstm.weight_hh_l0_reverse 8,2 lstm.bias_l0_reverse 8 "
       "lstm_out.weight 16,4 lstm_out.bias 16 "}};
  for (size_t kind = 0; kind < 2; kind++) {
    for (size_t i = 0; i < sizeof OF / sizeof *OF; i++) {
      on_pipeline pipeline;
      on_buf written = {0}, names = {0};
      open_pipeline(&pipeline, &f, KINDS[kind], OF[i][0]);
      const on_encoder *encoder = &pipeline.encoders[0];
      names_and_shapes(&encoder->params, &names);
      assert_true(on_str_eq(on_buf_view(&names), on_str_c(OF[i][1])));
      encoder->kind->write_settings(encoder, &written);
      on_buf_char(&written, '\0');
      // They stand at the end, and where there are none nothing is said of them.
      const size_t length = strlen(OF[i][0]);
      assert_memory_equal(written.p + written.n - 2 - length, OF[i][0], length);
      assert_true((strstr(written.p, "Rows") != NULL) == (strstr(OF[i][0], "Rows") != NULL));
      assert_true((strstr(written.p, "recurrent") != NULL) == (strstr(OF[i][0], "recurrent") != NULL));
      on_buf_free(&written);
      on_buf_free(&names);
      on_pipeline_free(&pipeline);
    }
  }
  close_folder(&f);
}

static void bounds(void **state) {
  (void)state;
  folder f = open_folder();
  static const char *const BAD[][2] = {
      {", \"shapeRows\": -1", ".shapeRows"},
      {", \"shapeRows\": 4194305", ".shapeRows"},
      {", \"shapeRows\": 2097153", ".shapeRows: 2097153 rows of 16 values, at most 33554432 values"},
      {", \"shapeRows\": 1.5", ".shapeRows"},
      {", \"shapeRows\": \"7\"", ".shapeRows"},
      {", \"recurrentLayers\": 5", ".recurrentLayers"},
      {", \"recurrentLayers\": -1", ".recurrentLayers"},
      {", \"recurrentLayers\": 1, \"recurrentSize\": 2049", ".recurrentSize"},
      {", \"recurrentSize\": -1", ".recurrentSize"},
      {", \"seed\": -1", ".seed"},
      {", \"seed\": 9007199254740992", ".seed"}};
  for (size_t kind = 0; kind < 2; kind++) {
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
      on_pipeline pipeline;
      on_error error;
      if (load(&pipeline, &f, KINDS[kind], BAD[i][0], &error)) fail_msg("%s was taken", BAD[i][0]);
      assert_int_equal(error.code, ON_INVALID_DATA);
      assert_non_null(strstr(error.text, "encoders[0].settings"));
      if (!strstr(error.text, BAD[i][1])) fail_msg("%s: %s", BAD[i][0], error.text);
    }
  }
  close_folder(&f);
}

// Vectors as wide as an engine of the host's may have.
static void wide_vectors(void **state) {
  (void)state;
  static const struct {
    uint32_t width, size;
    bool ok;
  } of[] = {{8192, 2048, true},  {8193, 2048, false}, {4096, 2048, true},     {4, 2048, true},   {1, 0, false},
            {2, 0, true},        {5792, 0, true},     {5794, 0, false},       {1048576, 0, false}, {1048576, 16, true},
            {1048576, 17, false}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    on_arena arena = {0};
    on_params params = {0};
    on_error error = {0};
    on_word_layers layers = {.recurrent_layers = 1, .recurrent_size = of[i].size};
    const bool ok = on_word_layers_declare(&layers, &params, &arena, of[i].width, "here", &error);
    if (ok != of[i].ok) fail_msg("width %u, size %u: %s", of[i].width, of[i].size, ok ? "taken" : error.text);
    if (!ok) assert_non_null(strstr(error.text, "here.recurrentSize"));
    on_free(params.list);
    on_arena_free(&arena);
  }
}

// ---- numbers ------------------------------------------------------------------------------------------

static const char TEXT[] = "The cats SANG in 1987 . the";
enum { WORDS = 7 };

static void fill(on_doc *doc, uint16_t *text) {
  const size_t n = strlen(TEXT);
  for (size_t i = 0; i < n; i++) text[i] = (uint16_t)TEXT[i];
  on_doc_init(doc);
  doc->text = doc->source = (on_str16){text, n};
  assert_true(on_doc_set_tokens(doc, WORDS));
  for (size_t i = 0, w = 0; w < WORDS; w++, i++) {
    doc->start[w] = doc->source_start[w] = (uint32_t)i;
    while (i < n && text[i] != ' ') i++;
    doc->end[w] = doc->source_end[w] = (uint32_t)i;
  }
}

typedef struct drawing {
  on_arena arena;
  size_t count;
} drawing;

static bool draw(void *context, const char *name, on_param *param) {
  (void)name;
  drawing *d = context;
  const size_t n = on_param_count(param);
  float *values = ON_NEW(&d->arena, float, n);
  for (size_t i = 0; i < n; i++) values[i] = (float)(d->count++ * 7919 % 199) / 199 - 0.5f;
  param->type = ON_F32;
  param->scale = NULL;
  param->data = (const uint8_t *)values;
  return true;
}

static void run(on_pipeline *pipeline, float *out) {
  on_workspace workspace;
  on_error error;
  on_doc doc;
  void *cache = NULL;
  uint16_t text[sizeof TEXT];
  fill(&doc, text);
  assert_true(on_pipeline_prepare(pipeline, &error) && on_workspace_init(&workspace, 1, NULL));
  const on_encoder *encoder = &pipeline->encoders[0];
  assert_true(encoder->kind->run(encoder, &workspace, &cache, &doc, out, &error));
  on_workspace_free(&workspace);
  on_doc_free(&doc);
}

static const float *values_of(const on_pipeline *pipeline, const char *name) {
  const on_params *params = &pipeline->encoders[0].params;
  for (size_t i = 0; i < params->n; i++) {
    if (strcmp(params->list[i]->name, name) == 0) return (const float *)(const void *)params->list[i]->data;
  }
  fail_msg("no parameter %s", name);
  return NULL;
}

// The hash of docs/format.md, attribute number 3.
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static void add_shapes(const on_pipeline *pipeline, uint64_t seed, float *h) {
  static const char *const SHAPES[WORDS] = {"Xxx", "xxxx", "XXXX", "xx", "dddd", ".", "xxx"};
  const float *table = values_of(pipeline, "embed_shape.weight");
  for (size_t w = 0; w < WORDS; w++) {
    uint64_t hash = mix(seed + 3);
    for (const char *c = SHAPES[w]; *c; c++) hash = (hash ^ (uint64_t)(unsigned char)*c) * 0x100000001B3u;
    hash = mix(hash);
    const uint32_t rows[2] = {(uint32_t)hash % ROWS, (uint32_t)(hash >> 32) % ROWS};
    for (size_t f = 0; f < 2; f++) {
      for (size_t i = 0; i < WIDTH; i++) h[w * WIDTH + i] += table[rows[f] * WIDTH + i];
    }
  }
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

// One direction of a layer: states[WORDS][2 * SIZE] from x[WORDS][in].
static void lstm(const on_pipeline *pipeline, unsigned layer, bool back, const double *x, size_t in, double *states) {
  char name[3][50];
  const char *end = back ? "_reverse" : "";
  snprintf(name[0], sizeof name[0], "lstm.weight_ih_l%u%s", layer, end);
  snprintf(name[1], sizeof name[1], "lstm.weight_hh_l%u%s", layer, end);
  snprintf(name[2], sizeof name[2], "lstm.bias_l%u%s", layer, end);
  const float *ih = values_of(pipeline, name[0]), *hh = values_of(pipeline, name[1]), *b = values_of(pipeline, name[2]);
  double cell[SIZE] = {0}, state[SIZE] = {0}, gates[GATES];
  for (size_t t = 0; t < WORDS; t++) {
    const size_t w = back ? WORDS - 1 - t : t;
    for (size_t g = 0; g < GATES; g++) {
      gates[g] = (double)b[g];
      for (size_t i = 0; i < in; i++) gates[g] += (double)ih[g * in + i] * x[w * in + i];
      for (size_t i = 0; i < SIZE; i++) gates[g] += (double)hh[g * SIZE + i] * state[i];
    }
    for (size_t i = 0; i < SIZE; i++) {
      cell[i] = sigmoid(gates[SIZE + i]) * cell[i] + sigmoid(gates[i]) * tanh(gates[2 * SIZE + i]);
      state[i] = sigmoid(gates[3 * SIZE + i]) * tanh(cell[i]);
      states[w * 2 * SIZE + (back ? SIZE : 0) + i] = state[i];
    }
  }
}

static void numbers(void **state) {
  (void)state;
  folder f = open_folder();
  on_pipeline bare, shaped, whole;
  drawing drawn = {0};
  float pooled[WORDS * WIDTH], h[WORDS * WIDTH];
  open_pipeline(&bare, &f, "transformer", "");
  run(&bare, pooled);
  // Shapes alone: two additions, to the last bit.
  open_pipeline(&shaped, &f, "transformer", ", \"shapeRows\": 7, \"seed\": 12");
  assert_true(on_pipeline_each_param(&shaped, draw, &drawn));
  run(&shaped, h);
  assert_memory_not_equal(h, pooled, sizeof h);
  add_shapes(&shaped, 12, pooled);
  assert_memory_equal(h, pooled, sizeof h);
  // And two recurrent layers over them.
  open_pipeline(&whole, &f, "transformer",
                ", \"shapeRows\": 7, \"recurrentLayers\": 2, \"recurrentSize\": 5, \"seed\": 13");
  assert_true(on_pipeline_each_param(&whole, draw, &drawn));
  run(&bare, pooled);
  add_shapes(&whole, 13, pooled);
  double x[WORDS * WIDTH], first[WORDS * 2 * SIZE], second[WORDS * 2 * SIZE];
  for (size_t i = 0; i < WORDS * WIDTH; i++) x[i] = (double)pooled[i];
  for (int back = 0; back < 2; back++) lstm(&whole, 0, back, x, WIDTH, first);
  for (int back = 0; back < 2; back++) lstm(&whole, 1, back, first, 2 * SIZE, second);
  const float *out = values_of(&whole, "lstm_out.weight"), *bias = values_of(&whole, "lstm_out.bias");
  run(&whole, h);
  for (size_t w = 0; w < WORDS; w++) {
    for (size_t i = 0; i < WIDTH; i++) {
      double want = x[w * WIDTH + i] + (double)bias[i];
      for (size_t k = 0; k < 2 * SIZE; k++) want += (double)out[i * 2 * SIZE + k] * second[w * 2 * SIZE + k];
      const double got = (double)h[w * WIDTH + i];
      if (fabs(got - want) > 1e-5) fail_msg("word %zu, value %zu: %g, want %g", w, i, got, want);
    }
  }
  on_pipeline_free(&bare);
  on_pipeline_free(&shaped);
  on_pipeline_free(&whole);
  on_arena_free(&drawn.arena);
  close_folder(&f);
}

// Documents together: the same bits as one by one.
static void together(void **state) {
  (void)state;
  enum { COUNT = 3 };
  folder f = open_folder();
  on_pipeline pipeline;
  drawing drawn = {0};
  on_workspace workspace;
  on_error error;
  on_doc docs[COUNT];
  uint16_t text[COUNT][sizeof TEXT];
  float alone[COUNT][WORDS * WIDTH], out[COUNT][WORDS * WIDTH];
  const on_doc *list[COUNT];
  float *to[COUNT];
  open_pipeline(&pipeline, &f, "transformer", ", \"shapeRows\": 7, \"recurrentLayers\": 2, \"recurrentSize\": 5");
  assert_true(on_pipeline_each_param(&pipeline, draw, &drawn) && on_pipeline_prepare(&pipeline, &error));
  assert_true(on_workspace_init(&workspace, 1, NULL));
  const on_encoder *encoder = &pipeline.encoders[0];
  void *cache = NULL;
  for (size_t d = 0; d < COUNT; d++) {
    fill(&docs[d], text[d]);
    docs[d].n -= 2 * d;
    list[d] = &docs[d];
    to[d] = out[d];
    assert_true(encoder->kind->run(encoder, &workspace, &cache, &docs[d], alone[d], &error));
  }
  assert_true(encoder->run_many(encoder, &workspace, &cache, list, COUNT, to, &error));
  for (size_t d = 0; d < COUNT; d++) {
    assert_memory_equal(out[d], alone[d], docs[d].n * WIDTH * sizeof(float));
    on_doc_free(&docs[d]);
  }
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
  on_arena_free(&drawn.arena);
  close_folder(&f);
}

// ---- files --------------------------------------------------------------------------------------------

// A fine-tuned encoder that is recorded as a model beside the file keeps what lies over it: the same names and values.
static void saved_beside(void **state) {
  (void)state;
  folder f = open_folder();
  on_pipeline tuned, read;
  drawing drawn = {0};
  on_error error;
  on_buf file = {0};
  char hash[1][65];
  memset(hash, 'a', sizeof hash);
  hash[0][64] = '\0';
  open_pipeline(&tuned, &f, "transformer-trainable",
                ", \"shapeRows\": 7, \"recurrentLayers\": 1, \"recurrentSize\": 5, \"seed\": 3");
  assert_true(on_pipeline_each_param(&tuned, draw, &drawn));
  if (!on_pipeline_save_exported(&tuned, ON_STR("en"), hash, NULL, 0, &file, &error)) fail_msg("%s", error.text);
  add_file(&f, "en.encoder0.onnx", "bert", ".onnx", true);
  const on_files files = {.context = &f, .open = open_file};
  if (!on_pipeline_load_with(&read, on_buf_view(&file), &files, &error)) fail_msg("%s", error.text);
  const on_params *params = &read.encoders[0].params, *all = &tuned.encoders[0].params;
  assert_string_equal(read.encoders[0].kind->name, "transformer");
  assert_int_equal(params->n, 9);
  for (size_t i = 0; i < params->n; i++) {
    const on_param *got = params->list[i], *want = all->list[all->n - params->n + i];
    assert_string_equal(got->name, want->name);
    assert_int_equal(on_param_count(got), on_param_count(want));
    assert_memory_equal(got->data, want->data, on_param_count(got) * sizeof(float));
  }
  on_buf written = {0};
  read.encoders[0].kind->write_settings(&read.encoders[0], &written);
  on_buf_char(&written, '\0');
  assert_non_null(strstr(written.p, "\"relativeTo\": \"pipeline\", \"shapeRows\": 7, \"recurrentLayers\": 1, "
                                    "\"recurrentSize\": 5, \"seed\": 3}"));
  on_buf_free(&written);
  on_buf_free(&file);
  on_pipeline_free(&read);
  on_pipeline_free(&tuned);
  on_arena_free(&drawn.arena);
  close_folder(&f);
}

// Without memory at any place encoding fails and leaves nothing behind.
static void memory_failures(void **state) {
  (void)state;
  folder f = open_folder();
  on_pipeline pipeline;
  drawing drawn = {0};
  on_error error;
  on_doc doc;
  uint16_t text[sizeof TEXT];
  float h[WORDS * WIDTH];
  fill(&doc, text);
  open_pipeline(&pipeline, &f, "transformer", ", \"shapeRows\": 7, \"recurrentLayers\": 2, \"recurrentSize\": 5");
  assert_true(on_pipeline_each_param(&pipeline, draw, &drawn) && on_pipeline_prepare(&pipeline, &error));
  const on_encoder *encoder = &pipeline.encoders[0];
  bool done = false;
  for (size_t n = 1; !done; n++) {
    on_workspace workspace;
    void *cache = NULL;
    const size_t before = on_alloc_used();
    assert_true(on_workspace_init(&workspace, 1, NULL));
    on_alloc_fail_at(n, 0);
    const bool ok = encoder->kind->run(encoder, &workspace, &cache, &doc, h, &error);
    done = on_alloc_fail_at(0, 0) > 0;
    assert_true(ok == done);
    if (!ok) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    on_workspace_free(&workspace);
    assert_int_equal(on_alloc_used(), before);
  }
  on_pipeline_free(&pipeline);
  on_arena_free(&drawn.arena);
  on_doc_free(&doc);
  close_folder(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(settings_and_names), cmocka_unit_test(bounds),
                                     cmocka_unit_test(wide_vectors),       cmocka_unit_test(numbers),
                                     cmocka_unit_test(together),           cmocka_unit_test(saved_beside),
                                     cmocka_unit_test(memory_failures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
