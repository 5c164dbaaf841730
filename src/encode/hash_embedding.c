// The `hash-embedding` encoder: one hashed embedding of the lower-cased text and a linear layer.
#include "encode/hash_embedding.h"

#include "encode/attributes.h"
#include "text/chars.h"

enum { MAX_WIDTH = 2048, MAX_VALUES = 67108864 };

static bool create(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  on_hash_embedding *state = ON_NEW0(arena, on_hash_embedding, 1);
  if (!state) return on_fail_memory(error);
  encoder->state = state;
  int64_t width, buckets, seed;
  if (!on_json_int(settings, path, "width", true, 1, MAX_WIDTH, 0, &width, error) ||
      !on_json_int(settings, path, "buckets", true, 1, MAX_VALUES, 0, &buckets, error) ||
      !on_json_int(settings, path, "seed", true, 0, ((int64_t)1 << 53) - 1, 0, &seed, error)) {
    return false;
  }
  if (width * buckets > MAX_VALUES) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: width %d times buckets %d is more than %d values", path, (int)width,
                   (int)buckets, MAX_VALUES);
  }
  state->width = encoder->width = (uint32_t)width;
  state->buckets = (uint32_t)buckets;
  state->seed = (uint64_t)seed;
  state->embed = on_params_add(&encoder->params, arena, true, state->buckets, state->width, "embed.weight");
  state->weight = on_params_add(&encoder->params, arena, false, state->width, state->width, "project.weight");
  state->bias = on_params_add(&encoder->params, arena, false, state->width, 0, "project.bias");
  return (state->embed && state->weight && state->bias) || on_fail_memory(error);
}

static void write_settings(const on_encoder *encoder, on_buf *out) {
  const on_hash_embedding *state = encoder->state;
  on_buf_format(out, "{\"width\": %u, \"buckets\": %u, \"seed\": %llu}", state->width, state->buckets,
                (unsigned long long)state->seed);
}

static bool prepare(on_encoder *encoder, on_arena *arena, on_error *error) {
  on_hash_embedding *state = encoder->state;
  state->packed = on_param_pack(state->weight, arena, 0, state->width);
  state->b = on_param_vector(state->bias, arena);
  return !arena->failed || on_fail_memory(error);
}

bool on_hash_embedding_rows(const on_hash_embedding *state, const on_doc *doc, on_arena *scratch, uint32_t *rows) {
  uint64_t start = on_attr_start(state->seed, 0);
  for (size_t i = 0; i < doc->n; i++) {
    on_str16 token = on_doc_token(doc, i);
    uint16_t *lower = ON_NEW(scratch, uint16_t, 2 * token.n);
    if (!lower) return false;
    uint64_t hash = on_attr_hash(start, (on_str16){lower, on_lower_text(lower, token, false)});
    rows[i] = on_attr_row(hash, 0, state->buckets);
  }
  return true;
}

static bool run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                on_error *error) {
  (void)cache;
  const on_hash_embedding *state = encoder->state;
  uint32_t *rows = ON_NEW(&workspace->scratch, uint32_t, doc->n);
  float *x = ON_NEW(&workspace->scratch, float, doc->n * state->width);
  if (!rows || !x || !on_hash_embedding_rows(state, doc, &workspace->scratch, rows)) return on_fail_memory(error);
  for (size_t i = 0; i < doc->n; i++) on_param_row(state->embed, rows[i], x + i * state->width);
  on_linear(workspace->kernels, out, state->width, x, state->width, doc->n, &state->packed, state->b, false);
  return true;
}

const on_encoder_kind on_hash_embedding_kind = {"hash-embedding", create, write_settings, prepare, run, NULL};
