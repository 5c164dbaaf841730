// A frozen transformer: its vectors are computed, nothing of it is trained but the layers over them.
#include "train/transformer.h"

#include "train/word_layers.h"
#include "transformer/frozen.h"

static void init(const on_encoder *encoder, on_random *random) {
  const on_frozen *frozen = encoder->state;
  on_word_layers_init(&frozen->over, random);
}

// The vectors of one Doc; `scratch` is emptied.
static bool encode(const on_encoder *encoder, on_workspace *workspace, const on_doc *doc, float *out,
                   on_error *error) {
  bool ok = on_frozen_vectors(encoder, workspace, doc, out, error);
  on_arena_reset(&workspace->scratch);
  return ok;
}

static bool forward(const on_encoder *encoder, on_train_step *step, float **h, void **state) {
  const on_frozen *frozen = encoder->state;
  on_workspace workspace;
  on_train_word_layers *kept = ON_NEW0(&step->arena, on_train_word_layers, 1);
  *state = kept;
  *h = ON_NEW(&step->arena, float, step->m * encoder->width);
  if (!kept || !*h || !on_workspace_init(&workspace, 0, NULL)) return false;
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
  for (size_t d = 0; d < step->doc_count && ok; d++) {
    ok = on_train_word_layers_rows(&frozen->over, step, d, &step->docs[d], kept);
  }
  return ok && dropped &&
         on_train_word_layers_forward(&frozen->over, step, kept, *h);
}

static bool backward(const on_encoder *encoder, on_train_step *step, void *kept, float *dh) {
  const on_frozen *frozen = encoder->state;
  return on_train_word_layers_backward(&frozen->over, step, kept, dh);
}

const on_encoder_trainer on_transformer_trainer = {.name = "transformer", .init = init, .forward = forward,
                                                   .backward = backward};
