// ONNX models: whatever is recognized as an encoder can be loaded or says why not, and runs; the settings with which it
// could be trained are those that are read from it again.
#include <stdlib.h>

#include "transformer/trainable_settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const on_transformer *transformer, on_arena *arena) {
  enum { PIECES = 3 };
  on_error error = {0};
  uint32_t ids[PIECES] = {0, transformer->vocabulary - 1, transformer->vocabulary / 2};
  on_sequence sequences[2] = {{0, 1}, {1, PIECES - 1}};
  if (transformer->position_count && transformer->position_count < PIECES - 1) return;
  float *out = ON_NEW(arena, float, PIECES * (size_t)transformer->width);
  if (!out) return;
  if (!on_transformer_run(transformer, on_kernels_best(), arena, ids, PIECES, sequences, 2, out, &error) &&
      !error.text[0]) {
    abort();
  }
}

static bool read_settings(on_trainable_settings *out, on_str text, const on_transformer *transformer, uint32_t offset) {
  on_error error = {0};
  on_json *settings = on_json_parse(text, 4, NULL);
  if (!settings) abort();
  bool ok = on_trainable_settings_read(out, settings, transformer, offset, "settings", &error);
  if (!ok && error.code != ON_UNSUPPORTED) abort();
  on_json_free(settings);
  return ok;
}

static void describe(const on_transformer *transformer, uint32_t offset) {
  on_trainable_settings settings, again;
  if (!read_settings(&settings, ON_STR("{}"), transformer, offset)) return;
  on_buf text = {0};
  on_buf_char(&text, '{');
  on_trainable_settings_write_family(&settings, &text);
  on_buf_str(&text, ON_STR("\"maxLength\": 2"));
  on_trainable_settings_write(&settings, &text);
  on_buf_char(&text, '}');
  if (!read_settings(&again, on_buf_view(&text), transformer, offset)) abort();
  on_buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_arena arena = {0};
  on_str bytes = {(const char *)data, size};
  on_data_source source = on_data_bytes(&bytes);
  on_onnx onnx;
  on_onnx_encoder found;
  on_transformer transformer;
  on_error error = {0};
  bool ok = on_onnx_read(&onnx, &arena, &source, &error) && on_onnx_encoder_find(&onnx, &arena, &found, &error) &&
            on_transformer_load(&transformer, &onnx, &found, &arena, &error);
  if (ok) {
    describe(&transformer, found.position_offset);
    run(&transformer, &arena);
  } else if (error.code == ON_OK || !error.text[0]) {
    abort();
  }
  on_arena_free(&arena);
  return 0;
}
