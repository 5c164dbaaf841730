#include "transformer/word_layers.h"

#include "encode/attributes.h"
#include "encode/encode.h"

enum { SHAPE = 3, MAX_SIZE = 2048 };  // the attribute's number in the hash, as in the fast encoder

bool on_word_layers_read(on_word_layers *layers, const on_json *settings, const char *path, on_error *error) {
  int64_t rows, count, size, seed;
  if (!on_json_int(settings, path, "shapeRows", false, 0, ON_MAX_TABLE_ROWS, 0, &rows, error) ||
      !on_json_int(settings, path, "recurrentLayers", false, 0, ON_LSTM_MAX_LAYERS, 0, &count, error) ||
      !on_json_int(settings, path, "recurrentSize", false, 0, MAX_SIZE, 0, &size, error) ||
      !on_json_int(settings, path, "seed", false, 0, ((int64_t)1 << 53) - 1, 0, &seed, error)) {
    return false;
  }
  *layers = (on_word_layers){.shape_rows = (uint32_t)rows,
                             .recurrent_layers = (uint32_t)count,
                             .recurrent_size = (uint32_t)size,
                             .seed = (uint64_t)seed};
  return true;
}

static void write_setting(on_buf *out, const char *key, uint64_t value) {
  if (value) on_buf_format(out, ", \"%s\": %llu", key, (unsigned long long)value);
}

void on_word_layers_write(const on_word_layers *layers, on_buf *out) {
  write_setting(out, "shapeRows", layers->shape_rows);
  write_setting(out, "recurrentLayers", layers->recurrent_layers);
  write_setting(out, "recurrentSize", layers->recurrent_size);
  write_setting(out, "seed", layers->seed);
}

static bool fits(const on_word_layers *layers, const char *path, on_error *error) {
  const uint32_t width = layers->width;
  if ((uint64_t)layers->shape_rows * width > ON_MAX_TABLE_VALUES) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.shapeRows: %u rows of %u values, at most %u values are allowed",
                   path, layers->shape_rows, width, ON_MAX_TABLE_VALUES);
  }
  if (layers->recurrent_layers == 0) return true;
  const uint64_t size = layers->recurrent_size ? layers->recurrent_size : width / 2;
  const uint64_t values = 4 * size * (2 * size > width ? 2 * size : width);  // of the largest matrix
  return (values > 0 && values <= ON_MAX_MATRIX_VALUES) ||
         on_fail(error, ON_INVALID_DATA, -1,
                 "%s.recurrentSize: a matrix has %llu values with vectors of %u, want 1 to %u", path,
                 (unsigned long long)values, width, ON_MAX_MATRIX_VALUES);
}

bool on_word_layers_declare(on_word_layers *layers, on_params *params, on_arena *arena, uint32_t width,
                            const char *path, on_error *error) {
  layers->width = width;
  layers->first = params->n;
  if (!fits(layers, path, error)) return false;
  if (layers->shape_rows) {
    layers->shapes = on_params_add(params, arena, true, layers->shape_rows, width, "embed_shape.weight");
  }
  return ((!layers->shape_rows || layers->shapes) &&
          on_recurrent_declare(&layers->recurrent, params, arena, layers->recurrent_layers, width,
                               layers->recurrent_size)) ||
         on_fail_memory(error);
}

bool on_word_layers_prepare(on_word_layers *layers, on_arena *arena) {
  return on_recurrent_prepare(&layers->recurrent, arena);
}

bool on_word_layers_rows(const on_word_layers *layers, on_str16 word, on_arena *scratch,
                         uint32_t rows[ON_SHAPE_HASHES]) {
  uint16_t *shape = ON_NEW(scratch, uint16_t, word.n);
  if (!shape) return false;
  const uint64_t start = on_attr_start(layers->seed, SHAPE);
  const uint64_t hash = on_attr_hash(start, (on_str16){shape, on_attr_shape(shape, word)});
  for (unsigned f = 0; f < ON_SHAPE_HASHES; f++) rows[f] = on_attr_row(hash, f, layers->shape_rows);
  return true;
}

bool on_word_layers_run(const on_word_layers *layers, const on_kernels *kernels, on_arena *scratch, const on_doc *doc,
                        float *h) {
  uint32_t rows[ON_SHAPE_HASHES];
  for (size_t i = 0; layers->shapes && i < doc->n; i++) {
    if (!on_word_layers_rows(layers, on_doc_token(doc, i), scratch, rows)) return false;
    for (unsigned f = 0; f < ON_SHAPE_HASHES; f++) {
      on_param_add_row(layers->shapes, rows[f], h + i * layers->width);
    }
  }
  return on_recurrent_run(&layers->recurrent, kernels, scratch, h, &doc->n, 1);
}
