#include "pipeline/compact.h"

#include <string.h>

#include "base/half.h"

typedef struct recoding {
  on_arena *arena;
  on_dtype type;
  on_error *error;
} recoding;

static void write_f32(uint8_t *out, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 4; i++) out[i] = (uint8_t)(bits >> (8 * i));
}

// The nearest whole number, ties to even, of |x| <= 127.
static int nearest(float x) {
  int whole = (int)(x < 0 ? -x : x);
  float rest = (x < 0 ? -x : x) - (float)whole;
  if (rest > 0.5f || (rest == 0.5f && whole % 2 != 0)) whole++;
  return x < 0 ? -whole : whole;
}

static void write_i8(uint8_t *out, uint8_t *scale, const float *row, size_t n) {
  float most = 0;
  for (size_t i = 0; i < n; i++) {
    float magnitude = row[i] < 0 ? -row[i] : row[i];
    if (magnitude > most) most = magnitude;
  }
  float step = most / 127;
  write_f32(scale, step);
  for (size_t i = 0; i < n; i++) {
    float steps = step > 0 ? row[i] / step : 0;
    int value = nearest(steps > 127 ? 127 : steps < -127 ? -127 : steps);
    out[i] = (uint8_t)(value & 0xFF);
  }
}

static bool recode(void *context, const char *name, on_param *param) {
  recoding *r = context;
  if (param->rank != 2) return true;
  size_t rows = param->shape[0], cols = param->shape[1];
  uint8_t *data = on_arena_alloc(r->arena, rows * cols, on_dtype_size(r->type));
  uint8_t *scale = r->type == ON_I8 ? on_arena_alloc(r->arena, rows, 4) : NULL;
  float *row = ON_NEW(r->arena, float, cols);
  if (!data || !row || (r->type == ON_I8 && !scale)) return on_fail_memory(r->error);
  for (size_t i = 0; i < rows; i++) {
    on_param_row(param, i, row);
    for (size_t j = 0; j < cols; j++) {
      if (!(row[j] - row[j] == 0)) {
        return on_fail(r->error, ON_INVALID_DATA, -1, "tensor %s: row %zu has a value that is not finite", name, i);
      }
    }
    if (r->type == ON_I8) write_i8(data + i * cols, scale + i * 4, row, cols);
    else if (r->type == ON_F16) on_halves_write(data + i * cols * 2, row, cols);
    else {
      for (size_t j = 0; j < cols; j++) write_f32(data + (i * cols + j) * 4, row[j]);
    }
  }
  param->type = r->type;
  param->data = data;
  param->scale = scale;
  return true;
}

bool on_pipeline_compact(on_pipeline *pipeline, on_dtype type, on_error *error) {
  recoding r = {&pipeline->arena, type, error};
  return on_pipeline_each_param(pipeline, recode, &r);
}
