// Heads over a frozen transformer: its vectors are computed, nothing of it is trained.
#include "train/transformer.h"

#include "transformer/frozen.h"

static void init(const on_encoder *encoder, on_random *random) {
  (void)encoder;
  (void)random;
}

// The vectors of one Doc; `scratch` is emptied.
static bool encode(const on_encoder *encoder, on_workspace *workspace, const on_doc *doc, float *out,
                   on_error *error) {
  void *cache = NULL;
  bool ok = on_transformer_kind.run(encoder, workspace, &cache, doc, out, error);
  on_arena_reset(&workspace->scratch);
  return ok;
}

static bool forward(const on_encoder *encoder, on_train_step *step, float **h, void **kept) {
  on_workspace workspace;
  *kept = NULL;
  *h = ON_NEW(&step->arena, float, step->m * encoder->width);
  if (!*h || !on_workspace_init(&workspace, 0, NULL)) return false;
  const size_t width = encoder->width;
  bool ok = true;
  for (size_t d = 0; d < step->doc_count && ok; d++) {
    float *out = *h + step->starts[d] * width;
    if (step->cache && on_vector_cache_get(step->cache, encoder, &step->docs[d], width, out)) continue;
    ok = encode(encoder, &workspace, &step->docs[d], out, &step->error);
    if (ok && step->cache) on_vector_cache_put(step->cache, encoder, &step->docs[d], width, out);
  }
  on_workspace_free(&workspace);
  bool dropped = true;
  on_step_dropout(step, *h, step->m * encoder->width, step->rates->encoder, &dropped);
  return ok && dropped;
}

static bool backward(const on_encoder *encoder, on_train_step *step, void *kept, float *dh) {
  (void)encoder;
  (void)step;
  (void)kept;
  (void)dh;
  return true;
}

const on_encoder_trainer on_transformer_trainer = {.name = "transformer", .init = init, .forward = forward,
                                                   .backward = backward};
