// Outputs of the tiny models against onnxruntime's, in every row of kernels, alone and in a batch.
#include "base/alloc.h"
#include "fixture.h"

static void run(const fixture *f, const on_kernels *kernels, const on_sequence *sequences, size_t count,
                const uint32_t *ids, size_t n, float *out) {
  on_arena scratch = {0};
  on_error error;
  if (!on_transformer_run(&f->transformer, kernels, &scratch, ids, n, sequences, count, out, &error)) {
    fail_msg("%s", error.text);
  }
  on_arena_free(&scratch);
}

static float difference(const float *a, const float *b, size_t n) {
  float most = 0;
  for (size_t i = 0; i < n; i++) {
    float d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    if (!(d <= most)) most = d;  // a NaN stays
  }
  return most;
}

static void outputs(void **state) {
  (void)state;
  for (size_t i = 0; i < FIXTURE_COUNT; i++) {
    fixture f;
    fixture_open(&f, FIXTURES[i]);
    assert_int_equal(f.transformer.width, f.width);
    float *out = malloc(f.n * f.width * sizeof *out), *first = malloc(f.n * f.width * sizeof *out);
    for (size_t k = 0; on_kernels_at(k); k++) {
      run(&f, on_kernels_at(k), f.sequences, f.sequence_count, f.ids, f.n, out);
      float d = difference(out, f.output, f.n * f.width);
      if (!(d <= f.tolerance)) fail_msg("%s, %s: off by %g", FIXTURES[i], on_kernels_at(k)->name, (double)d);
      if (k == 0) memcpy(first, out, f.n * f.width * sizeof *out);
      assert_memory_equal(out, first, f.n * f.width * sizeof *out);
    }
    free(out);
    free(first);
    fixture_close(&f);
  }
}

static void alone_as_in_a_batch(void **state) {
  (void)state;
  for (size_t i = 0; i < FIXTURE_COUNT; i++) {
    fixture f;
    fixture_open(&f, FIXTURES[i]);
    size_t all = f.n * f.width;
    float *batch = malloc(all * sizeof *batch), *alone = malloc(all * sizeof *alone);
    run(&f, on_kernels_best(), f.sequences, f.sequence_count, f.ids, f.n, batch);
    for (size_t s = 0; s < f.sequence_count; s++) {
      on_sequence one = {0, f.sequences[s].count};
      size_t first = f.sequences[s].first;
      run(&f, on_kernels_best(), &one, 1, f.ids + first, one.count, alone + first * f.width);
    }
    assert_memory_equal(batch, alone, all * sizeof *batch);
    free(batch);
    free(alone);
    fixture_close(&f);
  }
}

static void families(void **state) {
  (void)state;
  fixture f;
  fixture_open(&f, "roberta");
  assert_int_equal(f.found.family, ON_POSTNORM);
  assert_int_equal(f.found.position_offset, 2);
  assert_int_equal(f.transformer.position_count, 34);
  assert_int_equal(f.transformer.layer_count, 2);
  assert_int_equal(f.transformer.heads, 2);
  assert_int_equal(f.transformer.vocabulary, 64);
  fixture_close(&f);
  fixture_open(&f, "modernbert");
  assert_int_equal(f.found.family, ON_MODERNBERT);
  assert_int_equal(f.transformer.layers[0].window, 0);
  assert_int_equal(f.transformer.layers[1].window, 4);
  assert_int_equal(f.transformer.layers[2].window, 0);
  assert_ptr_equal(f.transformer.layers[0].inv_freq, f.transformer.layers[2].inv_freq);
  assert_ptr_not_equal(f.transformer.layers[0].inv_freq, f.transformer.layers[1].inv_freq);
  assert_null(f.transformer.layers[0].attention_norm.gain);
  assert_int_equal(f.transformer.position_count, 0);
  fixture_close(&f);
}

// The table's rows stay in the file: a model whose table is gone still loads, and only running it fails.
static void table_stays_in_the_file(void **state) {
  (void)state;
  fixture f;
  on_error error;
  fixture_open(&f, "bert");
  const on_onnx_tensor *table = &f.transformer.table.tensor;
  assert_null(f.transformer.table.rows);
  float before[16], after[16];
  uint32_t id = 7;
  assert_true(on_transformer_tokens(&f.transformer, &id, 1, before, &error));
  memset(f.model + table->start + 7 * 16 * 4, 0, 4);
  assert_true(on_transformer_tokens(&f.transformer, &id, 1, after, &error));
  assert_true(before[0] != 0 && after[0] == 0 && before[1] == after[1]);
  id = 64;
  assert_false(on_transformer_tokens(&f.transformer, &id, 1, after, &error));
  assert_int_equal(error.code, ON_INVALID_DATA);
  fixture_close(&f);
}

// Every allocation may fail; nothing leaks (the sanitizer sees it) and the error says so.
static void failing_allocations(void **state) {
  (void)state;
  for (size_t i = 0; i < FIXTURE_COUNT; i += 3) {
    fixture f = {0};
    on_error error;
    f.model = fixture_file(FIXTURES[i], ".onnx", &f.bytes.n);
    f.bytes.p = f.model;
    f.source = on_data_bytes(&f.bytes);
    bool done = false;
    for (size_t at = 1; !done && at < 2000; at += at < 50 ? 1 : 17) {
      on_alloc_fail_at(at, 0);
      done = on_onnx_read(&f.onnx, &f.arena, &f.source, &error) &&
             on_onnx_encoder_find(&f.onnx, &f.arena, &f.found, &error) &&
             on_transformer_load(&f.transformer, &f.onnx, &f.found, &f.arena, &error);
      on_alloc_fail_at(0, 0);
      // Where a constant could not be read the graph is not recognized: an error too.
      if (!done) assert_true(error.code == ON_OUT_OF_MEMORY || error.code == ON_UNSUPPORTED);
      on_arena_free(&f.arena);
    }
    assert_true(done);
    free(f.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outputs), cmocka_unit_test(alone_as_in_a_batch),
                                     cmocka_unit_test(families), cmocka_unit_test(table_stays_in_the_file),
                                     cmocka_unit_test(failing_allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
