// Vectors of documents under an encoder that is not trained, kept from epoch to epoch: where the same units come again
// (`unitRounds`), the encoder computes each once. As F16, half the memory.
#ifndef ON_TRAIN_VECTOR_CACHE_H
#define ON_TRAIN_VECTOR_CACHE_H

#include "doc/doc.h"

typedef struct on_vector_cache on_vector_cache;  // threads may share it

// NULL: out of memory. Nothing is added beyond `most_bytes` of vectors.
on_vector_cache *on_vector_cache_new(size_t most_bytes);
void on_vector_cache_free(on_vector_cache *cache);

// Fills out[doc->n][width], or returns false where the document (its text and the places of its words) is not there.
bool on_vector_cache_get(on_vector_cache *cache, const void *encoder, const on_doc *doc, size_t width, float *out);
// Keeps a copy, if there is room, and rounds `vectors` as copies are, so that every epoch sees the same, whichever
// documents found room.
void on_vector_cache_put(on_vector_cache *cache, const void *encoder, const on_doc *doc, size_t width, float *vectors);

#endif
