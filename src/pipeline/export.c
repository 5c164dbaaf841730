#include "pipeline/export.h"

#include "base/sha256.h"
#include "transformer/export.h"

bool on_pipeline_exports(const on_pipeline *pipeline, size_t i) {
  return pipeline->encoders[i].kind == &on_trainable_kind;
}

void on_pipeline_export_name(on_str stem, size_t i, on_buf *out) {
  on_buf_str(out, stem);
  on_buf_format(out, ".encoder%zu.onnx", i);
}

typedef struct hashing {
  const on_sink *sink;
  on_sha256 hash;
} hashing;

static bool write_and_hash(void *context, on_str bytes, on_error *error) {
  hashing *h = context;
  on_sha256_add(&h->hash, bytes.p, bytes.n);
  return h->sink->write(h->sink->context, bytes, error);
}

bool on_pipeline_export(const on_pipeline *pipeline, size_t i, const on_sink *sink, char hash[65], on_error *error) {
  hashing h = {.sink = sink};
  const on_sink both = {&h, write_and_hash};
  on_sha256_init(&h.hash);
  if (!on_trainable_export(pipeline->encoders[i].state, &both, error)) {
    return on_fail_context(error, "encoders[%zu]", i);
  }
  on_sha256_hex(&h.hash, hash);
  return true;
}

// The encoder as it is recorded: a frozen one with the settings, and the layers over it.
static bool record(on_encoder *encoder, on_arena *arena, on_str stem, size_t i, const char *hash, on_error *error) {
  const on_frozen *from = encoder->state;
  on_frozen *to = ON_NEW0(arena, on_frozen, 1);
  on_buf name = {0};
  on_pipeline_export_name(stem, i, &name);
  bool ok = to && !name.failed;
  if (ok) {
    to->settings = from->settings;
    to->over = from->over;
    to->settings.model = on_arena_str(arena, on_buf_view(&name));
    to->settings.sha256 = on_arena_str(arena, on_str_c(hash));
    to->settings.beside = true;
    ok = to->settings.model.p && to->settings.sha256.p;
  }
  on_buf_free(&name);
  const on_params over = on_word_layers_params(&from->over, &encoder->params);
  *encoder = (on_encoder){.kind = &on_transformer_kind, .width = encoder->width, .params = over, .state = to};
  return ok || on_fail_memory(error);
}

bool on_pipeline_save_exported(const on_pipeline *pipeline, on_str stem, char (*hashes)[65], const on_meta *meta,
                               size_t meta_count, on_buf *out, on_error *error) {
  on_arena arena = {0};
  on_pipeline as = *pipeline;  // shares all but its encoders
  as.encoders = ON_NEW(&arena, on_encoder, pipeline->encoder_count);
  bool ok = as.encoders || on_fail_memory(error);
  for (size_t i = 0; i < pipeline->encoder_count && ok; i++) {
    as.encoders[i] = pipeline->encoders[i];
    if (on_pipeline_exports(pipeline, i)) ok = record(&as.encoders[i], &arena, stem, i, hashes[i], error);
  }
  ok = ok && on_pipeline_save(&as, meta, meta_count, out, error);
  on_arena_free(&arena);
  return ok;
}
