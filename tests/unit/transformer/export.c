// Saving fine-tuned encoders: inside the pipeline file, and as models beside it.
#include "base/alloc.h"
#include "base/half.h"
#include "base/sha256.h"
#include "folder.h"
#include "pipeline/export.h"
#include "test.h"
#include "transformer/export.h"

static on_files files_of(folder *f) { return (on_files){.context = f, .open = open_file}; }

static folder open_folder(const char *of) {
  folder f = {.count = 0};
  add_file(&f, "m.onnx", of, ".onnx", false);
  add_file(&f, "t.json", "bert", ".tokenizer.json", false);
  return f;
}

#define SETTINGS "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"pooling\": \"mean\", \"maxLength\": 20"

static bool create(on_pipeline *pipeline, const on_files *files, const char *settings, on_error *error) {
  char config[2000];
  snprintf(config, sizeof config,
           "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": "
           "[{\"kind\": \"transformer-trainable\", \"settings\": {%s}}], \"components\": []}",
           settings);
  *error = (on_error){0};
  return on_pipeline_from_config_with(pipeline, on_str_c(config), files, error);
}

typedef struct filler {
  on_arena *arena;
  on_dtype type;
  uint32_t seed;
} filler;

// Weights of no model, some below and some above 0, stored as `type` says; vectors stay as they are.
static bool fill(void *context, const char *name, on_param *param) {
  (void)name;
  filler *f = context;
  size_t n = on_param_count(param);
  float *values = ON_NEW(f->arena, float, n), *scale = ON_NEW(f->arena, float, param->shape[0]);
  for (size_t i = 0; i < n; i++) {
    f->seed = f->seed * 1664525u + 1013904223u;
    values[i] = (float)(int32_t)(f->seed >> 8) / 40000000.0f - 0.2f + (param->rank == 1 ? 0.9f : 0.0f);
  }
  param->type = param->rank == 2 ? f->type : ON_F32;
  param->data = (const uint8_t *)values;
  if (param->type == ON_F16) {
    uint8_t *halves = ON_NEW(f->arena, uint8_t, 2 * n);
    on_halves_write(halves, values, n);
    param->data = halves;
  } else if (param->type == ON_I8) {
    int8_t *whole = ON_NEW(f->arena, int8_t, n);
    for (size_t i = 0; i < n; i++) whole[i] = (int8_t)(values[i] * 100);
    for (uint32_t r = 0; r < param->shape[0]; r++) scale[r] = 0.01f;
    param->data = (const uint8_t *)whole;
    param->scale = (const uint8_t *)scale;
  }
  return true;
}

// A pipeline of one encoder with such weights.
typedef struct filled {
  folder folder;
  on_files files;
  on_pipeline pipeline;
  on_arena arena;  // of the weights
} filled;

static void open_filled(filled *m, const char *of, on_dtype type) {
  on_error error;
  *m = (filled){.folder = open_folder(of)};
  m->files = files_of(&m->folder);
  filler f = {&m->arena, type, 7};
  if (!create(&m->pipeline, &m->files, SETTINGS, &error)) fail_msg("%s", error.text);
  assert_true(on_pipeline_each_param(&m->pipeline, fill, &f));
  assert_true(on_pipeline_prepare(&m->pipeline, &error));
}

static void close_filled(filled *m) {
  on_pipeline_free(&m->pipeline);
  on_arena_free(&m->arena);
  close_folder(&m->folder);
}

static const uint16_t TEXT[] = u"The dogs sing, and the cats' songs bring things near. Nothing else sings there";

// The vectors of a Doc of our own with some windows.
static float *vectors(const on_pipeline *pipeline, size_t *n) {
  on_doc doc;
  on_error error;
  on_workspace workspace;
  void *cache = NULL;
  on_doc_init(&doc);
  const size_t units = sizeof TEXT / sizeof *TEXT - 1;
  doc.text = (on_str16){TEXT, units};
  size_t words = 0;
  for (size_t i = 0; i < units; i++) words += i == 0 || TEXT[i - 1] == ' ';
  assert_true(on_doc_set_tokens(&doc, words));
  for (size_t i = 0, w = 0; i < units; i++) {
    if (i == 0 || TEXT[i - 1] == ' ') doc.start[w] = (uint32_t)i;
    if (i + 1 == units || TEXT[i + 1] == ' ') doc.end[w++] = (uint32_t)i + 1;
  }
  const on_encoder *encoder = &pipeline->encoders[0];
  *n = words * encoder->width;
  float *h = malloc(*n * sizeof *h);
  assert_true(on_workspace_init(&workspace, 1, NULL));
  if (!encoder->kind->run(encoder, &workspace, &cache, &doc, h, &error)) fail_msg("%s", error.text);
  on_workspace_free(&workspace);
  on_doc_free(&doc);
  return h;
}

static void same_vectors(const on_pipeline *a, const on_pipeline *b) {
  size_t n, m;
  float *x = vectors(a, &n), *y = vectors(b, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, n * sizeof *x);
  for (size_t i = 0; i < n; i++) assert_true(x[i] > -1e6f && x[i] < 1e6f);
  free(x);
  free(y);
}

// ---- inside the file --------------------------------------------------------------------------------

// Every weight has its name and shape in the file; the token table is not there.
static void names(void **state) {
  (void)state;
  static const struct {
    const char *of, *want;
  } cases[] = {
      {"bert",
       "positions.weight [34,16] embedding_norm.weight [16] embedding_norm.bias [16] "
       "layers0.attention_norm.weight [16] layers0.attention_norm.bias [16] layers0.qkv.weight [48,16] "
       "layers0.qkv.bias [48] layers0.out.weight [16,16] layers0.out.bias [16] layers0.feed_norm.weight [16] "
       "layers0.feed_norm.bias [16] layers0.up.weight [24,16] layers0.up.bias [24] layers0.down.weight [16,24] "
       "layers0.down.bias [16] layers1.attention_norm.weight [16] "},
      // Its first layer does not normalize what it reads, and its linear layers have no biases.
      {"modernbert",
       "embedding_norm.weight [16] embedding_norm.bias [16] layers0.qkv.weight [48,16] layers0.out.weight [16,16] "
       "layers0.feed_norm.weight [16] layers0.feed_norm.bias [16] layers0.up.weight [24,16] "
       "layers0.down.weight [16,12] "
       "layers1.attention_norm.weight [16] "}};
  for (size_t c = 0; c < 2; c++) {
    folder f = open_folder(cases[c].of);
    const on_files files = files_of(&f);
    on_pipeline pipeline;
    on_error error;
    on_buf text = {0};
    if (!create(&pipeline, &files, SETTINGS, &error)) fail_msg("%s", error.text);
    const on_params *params = &pipeline.encoders[0].params;
    for (size_t i = 0; i < params->n; i++) {
      const on_param *p = params->list[i];
      on_buf_format(&text, p->rank == 2 ? "%s [%u,%u] " : "%s [%u] ", p->name, p->shape[0], p->shape[1]);
      assert_null(strstr(p->name, "token"));
    }
    on_buf_char(&text, 0);
    if (strncmp(text.p, cases[c].want, strlen(cases[c].want)) != 0) fail_msg("%s", text.p);
    const char *last = c == 0 ? "layers1.down.bias [16] "
                              : "layers2.down.weight [16,12] final_norm.weight [16] final_norm.bias [16] ";
    assert_string_equal(text.p + text.n - 1 - strlen(last), last);
    on_buf_free(&text);
    on_pipeline_free(&pipeline);
    close_folder(&f);
  }
}

// Saved to a stream and loaded again: the same layout, bytes and vectors, whatever the weights are stored as.
static void kept_inside(void **state) {
  (void)state;
  static const char *const of[] = {"bert", "modernbert"};
  static const on_dtype types[] = {ON_F32, ON_F16, ON_I8};
  for (size_t i = 0; i < 6; i++) {
    filled m;
    on_pipeline loaded;
    on_error error;
    on_buf file = {0}, again = {0};
    open_filled(&m, of[i % 2], types[i / 2]);
    if (!on_pipeline_save(&m.pipeline, NULL, 0, &file, &error)) fail_msg("%s", error.text);
    if (!on_pipeline_load_with(&loaded, on_buf_view(&file), &m.files, &error)) fail_msg("%s", error.text);
    assert_string_equal(loaded.encoders[0].kind->name, "transformer-trainable");
    same_vectors(&m.pipeline, &loaded);
    assert_true(on_pipeline_save(&loaded, NULL, 0, &again, &error));
    assert_int_equal(file.n, again.n);
    assert_memory_equal(file.p, again.p, file.n);
    // The table is read from the model again: without it there is no pipeline.
    on_pipeline without;
    assert_false(on_pipeline_load_with(&without, on_buf_view(&file), NULL, &error));
    assert_int_equal(error.code, ON_IO);
    on_pipeline_free(&loaded);
    on_buf_free(&file);
    on_buf_free(&again);
    close_filled(&m);
  }
}

// ---- beside the file --------------------------------------------------------------------------------

static bool append(void *context, on_str bytes, on_error *error) {
  on_buf *buf = context;
  on_buf_str(buf, bytes);
  return !buf->failed || on_fail_memory(error);
}

static void exported(const char *of, on_dtype type) {
  filled m;
  on_pipeline loaded;
  on_error error;
  on_buf model = {0}, again = {0}, file = {0}, name = {0};
  const on_sink sink = {&model, append}, second = {&again, append};
  char hashes[1][65], want[65];
  open_filled(&m, of, type);
  assert_true(on_pipeline_exports(&m.pipeline, 0));
  if (!on_pipeline_export(&m.pipeline, 0, &sink, hashes[0], &error)) fail_msg("%s", error.text);
  assert_true(on_pipeline_export(&m.pipeline, 0, &second, want, &error));
  assert_int_equal(model.n, again.n);
  assert_memory_equal(model.p, again.p, model.n);
  on_sha256 hash;
  on_sha256_init(&hash);
  on_sha256_add(&hash, model.p, model.n);
  on_sha256_hex(&hash, want);
  assert_string_equal(hashes[0], want);
  if (!on_pipeline_save_exported(&m.pipeline, ON_STR("en"), hashes, NULL, 0, &file, &error)) fail_msg("%s", error.text);
  assert_string_equal(m.pipeline.encoders[0].kind->name, "transformer-trainable");  // it goes on as it was
  on_pipeline_export_name(ON_STR("en"), 0, &name);
  on_buf_char(&name, 0);
  assert_string_equal(name.p, "en.encoder0.onnx");
  // Where there is no such place, or no such file, the pipeline is refused.
  assert_false(on_pipeline_load_with(&loaded, on_buf_view(&file), NULL, &error));
  assert_false(on_pipeline_load_with(&loaded, on_buf_view(&file), &m.files, &error));
  assert_true(error.code == ON_IO && strstr(error.text, "en.encoder0.onnx"));
  folder *f = &m.folder;
  f->files[f->count].name = name.p;
  f->files[f->count].bytes = on_buf_view(&model);
  f->files[f->count++].beside = true;
  if (!on_pipeline_load_with(&loaded, on_buf_view(&file), &m.files, &error)) fail_msg("%s: %s", of, error.text);
  assert_string_equal(loaded.encoders[0].kind->name, "transformer");
  assert_int_equal(loaded.encoders[0].params.n, 0);
  on_buf settings = {0};
  loaded.encoders[0].kind->write_settings(&loaded.encoders[0], &settings);
  on_buf_char(&settings, 0);
  assert_non_null(strstr(settings.p, "\"model\": \"en.encoder0.onnx\""));
  assert_non_null(strstr(settings.p, "\"tokenizer\": \"t.json\""));
  assert_non_null(strstr(settings.p, "\"relativeTo\": \"pipeline\""));
  assert_true(on_pipeline_verify_files(&loaded, &error));
  same_vectors(&m.pipeline, &loaded);
  // Fine-tuned once more, it is what it was.
  on_pipeline more;
  f->files[0].bytes = on_buf_view(&model);
  if (!create(&more, &m.files, SETTINGS, &error)) fail_msg("%s: %s", of, error.text);
  assert_int_equal(more.encoders[0].params.n, m.pipeline.encoders[0].params.n);
  on_pipeline_free(&more);
  on_buf_free(&settings);
  on_pipeline_free(&loaded);
  on_buf_free(&model);
  on_buf_free(&again);
  on_buf_free(&file);
  on_buf_free(&name);
  f->count--;  // the last is no block of the folder
  close_filled(&m);
}

static void beside(void **state) {
  (void)state;
  static const char *const of[] = {"bert", "roberta", "xlmr", "modernbert", "modernbert-11", "bert-half", "bert-typed",
                                   "bert-int8", "modernbert-half"};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) exported(of[i], ON_F32);
  exported("bert", ON_F16);
  exported("modernbert", ON_F16);
  exported("bert", ON_I8);
}

// The node that reads a value.
static const on_onnx_node *reader_of(const on_onnx *onnx, uint32_t value) {
  for (size_t i = 0; i < onnx->node_count; i++) {
    for (uint32_t k = 0; k < onnx->nodes[i].input_count; k++) {
      if (onnx->nodes[i].inputs[k] == value) return &onnx->nodes[i];
    }
  }
  fail_msg("nothing reads value %u", value);
  return NULL;
}

static float number_of(const on_onnx *onnx, on_arena *arena, uint32_t value) {
  assert_true(onnx->values[value].tensor != ON_ONNX_NONE);
  return on_onnx_floats(onnx, &onnx->tensors[onnx->values[value].tensor], arena, NULL)[0];
}

// Other programs fill sequences up to the longest: (1 - mask) times a number far below 0 is added to the scores. (This
// program never does, so that its own reading of the graph does not show it.)
static void padding_is_not_seen(void **state) {
  (void)state;
  filled m;
  on_arena arena = {0};
  on_error error;
  on_buf model = {0};
  const on_sink sink = {&model, append};
  char hash[65];
  open_filled(&m, "bert", ON_F32);
  assert_true(on_pipeline_export(&m.pipeline, 0, &sink, hash, &error));
  const on_str bytes = on_buf_view(&model);
  const on_data_source source = on_data_bytes(&bytes);
  on_onnx onnx;
  assert_true(on_onnx_read(&onnx, &arena, &source, &error));
  static const char *const way[] = {"Unsqueeze", "Cast", "Sub", "Mul", "Add", "Softmax"};
  uint32_t value = 0;
  while (!on_str_eq(onnx.values[value].name, ON_STR("attention_mask"))) assert_true(++value < onnx.value_count);
  assert_true(onnx.values[value].input);
  for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
    const on_onnx_node *node = reader_of(&onnx, value);
    if (!on_onnx_is(node, way[i])) fail_msg("%.*s, want %s", ON_SHOW(node->op), way[i]);
    if (i == 2) assert_true(node->inputs[1] == value && number_of(&onnx, &arena, node->inputs[0]) == 1.0f);
    if (i == 3) assert_true(number_of(&onnx, &arena, node->inputs[node->inputs[0] == value]) < -1e8f);
    value = node->outputs[0];
  }
  on_buf_free(&model);
  on_arena_free(&arena);
  close_filled(&m);
}

typedef struct full_disk {
  size_t room;
} full_disk;

static bool fill_disk(void *context, on_str bytes, on_error *error) {
  full_disk *disk = context;
  if (bytes.n > disk->room) return on_fail(error, ON_IO, -1, "the disk is full");
  disk->room -= bytes.n;
  return true;
}

static void failures(void **state) {
  (void)state;
  filled m;
  on_error error;
  char hash[65];
  open_filled(&m, "bert", ON_F32);
  full_disk disk = {10};
  const on_sink sink = {&disk, fill_disk};
  assert_false(on_pipeline_export(&m.pipeline, 0, &sink, hash, &error));
  assert_non_null(strstr(error.text, "the disk is full"));
  on_trainable *trainable = m.pipeline.encoders[0].state;
  trainable->model.transformer.layers[1].activation = ON_GELU_TANH;
  assert_false(on_pipeline_export(&m.pipeline, 0, &sink, hash, &error));
  assert_int_equal(error.code, ON_UNSUPPORTED);
  assert_non_null(strstr(error.text, "m.onnx: layer 1 has another activation"));
  close_filled(&m);
}

// Without memory at any place nothing is left behind.
static void memory_failures(void **state) {
  (void)state;
  filled m;
  on_pipeline pipeline;
  on_error error;
  bool done = false;
  open_filled(&m, "modernbert", ON_I8);
  for (size_t n = 1; !done; n++) {
    const size_t before = on_alloc_used();
    on_alloc_fail_at(n, 0);
    const bool ok = create(&pipeline, &m.files, SETTINGS, &error);
    done = on_alloc_fail_at(0, 0) > 0;
    // Some things are done in another way where there is no memory for the quick one.
    assert_true(ok || (!done && error.code == ON_OUT_OF_MEMORY));
    if (ok) on_pipeline_free(&pipeline);
    assert_int_equal(on_alloc_used(), before);
  }
  done = false;
  for (size_t n = 1; !done; n++) {
    on_buf model = {0}, file = {0};
    const on_sink sink = {&model, append};
    char hashes[1][65];
    const size_t before = on_alloc_used();
    on_alloc_fail_at(n, 0);
    const bool ok = on_pipeline_export(&m.pipeline, 0, &sink, hashes[0], &error) &&
                    on_pipeline_save_exported(&m.pipeline, ON_STR("en"), hashes, NULL, 0, &file, &error);
    done = on_alloc_fail_at(0, 0) > 0;
    assert_true(ok ? done : error.code == ON_OUT_OF_MEMORY);
    on_buf_free(&model);
    on_buf_free(&file);
    assert_int_equal(on_alloc_used(), before);
  }
  close_filled(&m);
}

// ---- settings ---------------------------------------------------------------------------------------

static void written(const char *of, const char *given, const char *want) {
  folder f = open_folder(of);
  const on_files files = files_of(&f);
  on_pipeline pipeline;
  on_error error;
  on_buf text = {0};
  if (!create(&pipeline, &files, given, &error)) fail_msg("%s: %s", of, error.text);
  pipeline.encoders[0].kind->write_settings(&pipeline.encoders[0], &text);
  on_buf_char(&text, 0);
  assert_string_equal(text.p, want);
  on_pipeline_free(&pipeline);
  // What is written is read as the same.
  text.p[text.n - 2] = 0;
  if (!create(&pipeline, &files, text.p + 1, &error)) fail_msg("%s: %s", text.p, error.text);
  on_buf_clear(&text);
  pipeline.encoders[0].kind->write_settings(&pipeline.encoders[0], &text);
  on_buf_char(&text, 0);
  assert_string_equal(text.p, want);
  on_pipeline_free(&pipeline);
  on_buf_free(&text);
  close_folder(&f);
}

static void settings_from_the_model(void **state) {
  (void)state;
  written("bert", SETTINGS,
          "{\"family\": \"postnorm\", " SETTINGS ", \"heads\": 2, \"normEpsilon\": 1e-12, \"positionOffset\": 0, "
          "\"maxBatchPieces\": 1024}");
  written("roberta", SETTINGS ", \"maxBatchPieces\": 7",
          "{\"family\": \"postnorm\", " SETTINGS ", \"heads\": 2, \"normEpsilon\": 1e-12, \"positionOffset\": 2, "
          "\"maxBatchPieces\": 7}");
  written("modernbert", SETTINGS ", \"family\": \"modernbert\", \"ropeThetaGlobal\": 160000",
          "{\"family\": \"modernbert\", " SETTINGS ", \"heads\": 2, \"globalEvery\": 2, \"localWindow\": 8, "
          "\"ropeThetaGlobal\": 160000, \"ropeThetaLocal\": 10000, \"normEpsilon\": 1e-05, \"maxBatchPieces\": 1024}");
}

static void refused(const char *of, const char *settings, const char *says) {
  folder f = open_folder(of);
  const on_files files = files_of(&f);
  on_pipeline pipeline;
  on_error error;
  if (create(&pipeline, &files, settings, &error)) fail_msg("%s was taken", settings);
  if (error.code != ON_INVALID_DATA || !strstr(error.text, says)) fail_msg("%s; want %s", error.text, says);
  close_folder(&f);
}

static void settings_bounds(void **state) {
  (void)state;
  refused("bert", SETTINGS ", \"family\": \"prenorm\"", "family is 'prenorm', the model has 'postnorm'");
  refused("bert", SETTINGS ", \"family\": \"modernbert\"", "the model has 'postnorm'");
  refused("bert", SETTINGS ", \"heads\": 4", "heads is 4, the model has 2");
  refused("bert", SETTINGS ", \"heads\": 0", "heads");
  refused("bert", SETTINGS ", \"heads\": 1025", "heads");
  refused("bert", SETTINGS ", \"normEpsilon\": 0.001", "normEpsilon is 0.001");
  refused("bert", SETTINGS ", \"normEpsilon\": \"small\"", "normEpsilon must be a number");
  refused("bert", SETTINGS ", \"positionOffset\": 2", "positionOffset is 2, the model has 0");
  refused("bert", SETTINGS ", \"globalEvery\": 0", "globalEvery");
  refused("bert", SETTINGS ", \"ropeThetaLocal\": -1", "ropeThetaLocal must be a number");
  refused("bert", SETTINGS ", \"maxBatchPieces\": 0", "maxBatchPieces");
  refused("bert", SETTINGS ", \"maxBatchPieces\": 1.5", "maxBatchPieces");
  refused("modernbert", SETTINGS ", \"family\": \"postnorm\"", "the model has 'modernbert'");
  refused("modernbert", SETTINGS ", \"globalEvery\": 3", "globalEvery is 3, the model has 2");
  refused("modernbert", SETTINGS ", \"localWindow\": 16", "localWindow is 16, the model has 8");
  refused("modernbert", SETTINGS ", \"ropeThetaGlobal\": 10000", "ropeThetaGlobal is 10000, the model has 160000");
  refused("modernbert", SETTINGS ", \"ropeThetaLocal\": 160000", "ropeThetaLocal is 160000, the model has 10000");
  refused("bert", "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"pooling\": \"last\"", "pooling");
  refused("bert", "\"model\": \"m.onnx\", \"tokenizer\": \"t.json\", \"maxLength\": 35", "the model has 34 positions");
  refused("bert", "\"model\": \"m.onnx\"", "tokenizer");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),           cmocka_unit_test(kept_inside),     cmocka_unit_test(beside),
      cmocka_unit_test(padding_is_not_seen), cmocka_unit_test(failures),    cmocka_unit_test(memory_failures),
      cmocka_unit_test(settings_from_the_model), cmocka_unit_test(settings_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
