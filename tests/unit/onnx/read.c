// Reading ONNX: damaged files, what is refused and how, typed data.
#include "base/buffer.h"
#include "onnx/encoder.h"
#include "onnx/wire.h"
#include "test.h"

// ---- a writer of protobuf, for models that no exporter writes

static void varint(on_buf *out, uint64_t value) {
  for (; value >= 128; value >>= 7) on_buf_char(out, (char)((value & 127) | 128));
  on_buf_char(out, (char)value);
}

static void number(on_buf *out, uint32_t field, uint64_t value) {
  varint(out, field << 3);
  varint(out, value);
}

static void bytes(on_buf *out, uint32_t field, const void *p, size_t n) {
  varint(out, field << 3 | 2);
  varint(out, n);
  on_buf_add(out, p, n);
}

static void text(on_buf *out, uint32_t field, const char *s) { bytes(out, field, s, strlen(s)); }

static void message(on_buf *out, uint32_t field, on_buf *inner) {
  bytes(out, field, inner->p, inner->n);
  on_buf_free(inner);
}

// A graph of one node and, where `tensor` is given, one initializer.
static on_buf model(uint64_t opset, const char *domain, const char *op, on_buf *tensor) {
  on_buf node = {0}, output = {0}, graph = {0}, set = {0}, all = {0};
  text(&node, 1, "input_ids");
  text(&node, 2, "y");
  text(&node, 4, op);
  text(&node, 7, domain);
  message(&graph, 1, &node);
  if (tensor) message(&graph, 5, tensor);
  text(&output, 1, "y");
  message(&graph, 12, &output);
  number(&set, 2, opset);
  number(&all, 1, 8);
  message(&all, 8, &set);
  message(&all, 7, &graph);
  return all;
}

static bool read(on_str file, on_error *error) {
  on_arena arena = {0};
  on_data_source source = on_data_bytes(&file);
  on_onnx onnx;
  on_onnx_encoder encoder;
  *error = (on_error){0};
  bool ok = on_onnx_read(&onnx, &arena, &source, error) && on_onnx_encoder_find(&onnx, &arena, &encoder, error);
  on_arena_free(&arena);
  return ok;
}

static void refused(on_buf *file, on_code code, const char *says) {
  on_error error;
  assert_false(read(on_buf_view(file), &error));
  if (error.code != code || !strstr(error.text, says)) fail_msg("%d %s; want %d %s", error.code, error.text, code, says);
  on_buf_free(file);
}

static void refusals(void **state) {
  (void)state;
  on_buf file = model(10, "", "Relu", NULL);
  refused(&file, ON_UNSUPPORTED, "opset 10");
  file = model(19, "", "Relu", NULL);
  refused(&file, ON_UNSUPPORTED, "export the model with opset 17");
  file = model(17, "com.microsoft", "MatMulNBits", NULL);
  refused(&file, ON_UNSUPPORTED, "4 bits");
  file = model(17, "com.microsoft", "EmbedLayerNormalization", NULL);
  refused(&file, ON_UNSUPPORTED, "take the model as it was exported");
  file = model(17, "", "Relu", NULL);
  refused(&file, ON_UNSUPPORTED, "no BERT");
  on_buf tensor = {0};
  number(&tensor, 1, 2);
  number(&tensor, 2, ON_ONNX_FLOAT);
  text(&tensor, 8, "weights");
  number(&tensor, 14, 1);
  file = model(17, "", "Relu", &tensor);
  refused(&file, ON_UNSUPPORTED, "tensor weights lies in a file of its own");
  file = (on_buf){0};
  refused(&file, ON_INVALID_DATA, "no graph");
  on_buf_str(&file, ON_STR("not an ONNX file"));
  refused(&file, ON_INVALID_DATA, "at byte");
}

static void tensors(void **state) {
  (void)state;
  static const struct { uint32_t field; size_t n; const char *says; } CASES[] = {
      {9, 7, "7 bytes, want 8"}, {9, 12, "12 bytes, want 8"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    on_buf tensor = {0};
    number(&tensor, 1, 2);
    number(&tensor, 2, ON_ONNX_FLOAT);
    bytes(&tensor, CASES[i].field, "0123456789abcdef", CASES[i].n);
    on_buf file = model(17, "", "Relu", &tensor);
    refused(&file, ON_INVALID_DATA, CASES[i].says);
  }
  on_buf tensor = {0};
  for (int i = 0; i < 9; i++) number(&tensor, 1, 1);
  on_buf file = model(17, "", "Relu", &tensor);
  refused(&file, ON_INVALID_DATA, "more than 8 dimensions");
  number(&tensor, 1, 1 << 20);
  number(&tensor, 1, 1 << 20);
  file = model(17, "", "Relu", &tensor);
  refused(&file, ON_INVALID_DATA, "4 billion");
  number(&tensor, 1, UINT64_MAX);
  file = model(17, "", "Relu", &tensor);
  refused(&file, ON_INVALID_DATA, "out of range");
  // A large tensor with little data is found out before memory is taken for it.
  on_onnx onnx = {0};
  on_arena arena = {0};
  on_error error;
  on_str two = ON_STR("\x01\x02");
  on_data_source source = on_data_bytes(&two);
  onnx.source = &source;
  on_onnx_tensor claimed = {.name = ON_STR("big"), .type = ON_ONNX_INT8, .count = 4000000000u, .layout = ON_ONNX_VARINTS, .end = 2};
  assert_null(on_onnx_floats(&onnx, &claimed, &arena, &error));
  assert_int_equal(error.code, ON_INVALID_DATA);
  claimed.count = 2;
  const float *values = on_onnx_floats(&onnx, &claimed, &arena, &error);
  assert_true(values[0] == 1 && values[1] == 2);
  on_arena_free(&arena);
}

static char *fixture(const char *name, size_t *size) {
  char path[1200], relative[200];
  snprintf(relative, sizeof relative, "tests/fixtures/transformer/%s.onnx", name);
  return test_read_file(test_source_path(path, sizeof path, relative), size);
}

// Cut anywhere, a model is an error; never more than an error.
static void cut_off(void **state) {
  (void)state;
  size_t size;
  on_error error;
  char *file = fixture("bert-int8", &size);
  assert_true(read((on_str){file, size}, &error));
  for (size_t n = 0; n < size; n += 37) {
    char *part = malloc(n ? n : 1);  // of its own, so that reading beyond it shows
    memcpy(part, file, n);
    assert_false(read((on_str){part, n}, &error));
    assert_true(error.code == ON_INVALID_DATA || error.code == ON_UNSUPPORTED);
    free(part);
  }
  free(file);
}

// With an operator changed the graph is another one, and the message names where it stops being an encoder.
static void other_operators(void **state) {
  (void)state;
  static const struct { const char *was, *is; } CASES[] = {
      {"Softmax", "Hardmax"}, {"Erf", "Abs"}, {"LayerNormalization", "GroupNormalization"}, {"Gather", "Gathe1"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    size_t size, n = strlen(CASES[i].was), changed = 0;
    on_error error;
    char *file = fixture("bert", &size);
    for (size_t at = 0; at + n <= size; at++) {
      if (memcmp(file + at, CASES[i].was, n) || file[at - 1] != (char)n) continue;
      memcpy(file + at, CASES[i].is, n);
      changed++;
    }
    assert_true(changed > 0);
    assert_false(read((on_str){file, size}, &error));
    assert_int_equal(error.code, ON_UNSUPPORTED);
    assert_non_null(strstr(error.text, "then something else at"));
    free(file);
  }
}

static void wire(void **state) {
  (void)state;
  on_error error;
  on_wire *w = malloc(sizeof *w);
  on_field field;
  static const struct { const char *bytes; size_t n; int got; } CASES[] = {
      {"\x08\x96\x01", 3, 1},                                    // field 1 = 150
      {"\x08\x96", 2, -1},                                       // cut off
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 1},  // 2^64 - 1
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, -1},  // more
      {"\x00\x01", 2, -1},                                       // field 0
      {"\x0a\x05" "abc", 5, -1},                                 // longer than what is there
      {"\x0a\x03" "abc", 5, 1},
      {"\x0b", 1, -1},                                           // a group
      {"\x0d\x01\x02\x03\x04", 5, 1},
      {"\x0d\x01\x02\x03", 4, -1},
      {"\x09\x01\x02\x03\x04\x05\x06\x07\x08", 9, 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    on_str s = {CASES[i].bytes, CASES[i].n};
    on_data_source source = on_data_bytes(&s);
    on_wire_init(w, &source, &error);
    if (on_wire_next(w, s.n, &field) != CASES[i].got) fail_msg("case %zu", i);
    if (CASES[i].got == 1) assert_int_equal(on_wire_next(w, s.n, &field), 0);
  }
  free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wire),     cmocka_unit_test(refusals),       cmocka_unit_test(tensors),
                                     cmocka_unit_test(cut_off), cmocka_unit_test(other_operators)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
