// Reads the models of tests/fixtures/transformer and what onnxruntime computed with them
// (tools/transformer-fixtures.py).
#ifndef TESTS_UNIT_TRANSFORMER_FIXTURE_H
#define TESTS_UNIT_TRANSFORMER_FIXTURE_H

#include "fixture_file.h"
#include "transformer/model.h"

static const char *const FIXTURES[] = {"bert",          "roberta",   "xlmr",      "modernbert",      "modernbert-11",
                                       "bert-half",     "bert-typed", "bert-int8", "modernbert-half", "modernbert-int8",
                                       // written by src/transformer/export.c
                                       "bert-tuned",    "modernbert-tuned"};
enum { FIXTURE_COUNT = sizeof FIXTURES / sizeof *FIXTURES, MAX_SEQUENCES = 8 };

typedef struct fixture {
  char *model;
  on_str bytes;
  on_data_source source;
  on_arena arena;
  on_onnx onnx;
  on_onnx_encoder found;
  on_transformer transformer;
  char *expected;
  float tolerance;
  uint32_t width;
  size_t sequence_count, n;
  on_sequence sequences[MAX_SEQUENCES];
  uint32_t *ids;
  const float *output;  // [n][width]
} fixture;

static void fixture_expected(fixture *f, const char *name) {
  size_t size;
  f->expected = fixture_file(name, ".bin", &size);
  const char *at = f->expected;
  uint32_t sequences;
  memcpy(&f->tolerance, at, 4);
  memcpy(&f->width, at + 4, 4);
  memcpy(&sequences, at + 8, 4);
  assert_in_range(sequences, 1, MAX_SEQUENCES);
  f->sequence_count = sequences;
  f->ids = malloc(size);
  at += 12;
  for (uint32_t s = 0; s < sequences; s++) {
    uint32_t count;
    memcpy(&count, at, 4);
    f->sequences[s] = (on_sequence){(uint32_t)f->n, count};
    memcpy(f->ids + f->n, at + 4, count * 4);
    at += 4 + count * 4;
    f->n += count;
  }
  assert_int_equal(size, (size_t)(at - f->expected) + f->n * f->width * 4);
  f->output = (const float *)(const void *)at;  // malloc's block and a multiple of 4 bytes
}

static void fixture_open(fixture *f, const char *name) {
  on_error error;
  *f = (fixture){0};
  f->model = fixture_file(name, ".onnx", &f->bytes.n);
  f->bytes.p = f->model;
  f->source = on_data_bytes(&f->bytes);
  if (!on_onnx_read(&f->onnx, &f->arena, &f->source, &error) ||
      !on_onnx_encoder_find(&f->onnx, &f->arena, &f->found, &error) ||
      !on_transformer_load(&f->transformer, &f->onnx, &f->found, &f->arena, &error)) {
    fail_msg("%s: %s", name, error.text);
  }
  fixture_expected(f, name);
}

static void fixture_close(fixture *f) {
  on_arena_free(&f->arena);
  free(f->model);
  free(f->expected);
  free(f->ids);
}

#endif
