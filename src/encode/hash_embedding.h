// The `hash-embedding` encoder: project(embed[row of the lower-cased text]) for every token.
#ifndef ON_ENCODE_HASH_EMBEDDING_H
#define ON_ENCODE_HASH_EMBEDDING_H

#include "encode/encode.h"

typedef struct on_hash_embedding {
  uint32_t width, buckets;
  uint64_t seed;
  const on_param *embed, *weight, *bias;  // [buckets, width], [width, width], [width]
  on_packed packed;
  const float *b;
} on_hash_embedding;

extern const on_encoder_kind on_hash_embedding_kind;

// rows[doc->n]: the embedding row of every token. False: out of memory.
bool on_hash_embedding_rows(const on_hash_embedding *state, const on_doc *doc, on_arena *scratch, uint32_t *rows);

#endif
