#include "encode/encode.h"
#include "encode/fast.h"
#include "encode/hash_embedding.h"
#ifdef ON_TRANSFORMER
#include "transformer/frozen.h"
#include "transformer/trainable.h"
#endif

// Transformers are not in every build: see src/CMakeLists.txt.
static const on_encoder_kind *const KINDS[] = {
    &on_hash_embedding_kind,
    &on_fast_kind,
#ifdef ON_TRANSFORMER
    &on_transformer_kind,
    &on_trainable_kind,
#endif
};

const on_encoder_kind *on_encoder_kind_at(size_t i) { return i < sizeof KINDS / sizeof *KINDS ? KINDS[i] : NULL; }

const on_encoder_kind *on_encoder_kind_find(on_str name) {
  for (size_t i = 0; on_encoder_kind_at(i); i++) {
    if (on_str_eq(on_str_c(KINDS[i]->name), name)) return KINDS[i];
  }
  return NULL;
}
