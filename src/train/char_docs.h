// The training half of the trained tokenizers (segmenter, mwt): gold words as labelled characters. The gradients
// are those of any encoder and of the tagger.
#ifndef ON_TRAIN_CHAR_DOCS_H
#define ON_TRAIN_CHAR_DOCS_H

#include "pipeline/pipeline.h"

// Character Docs with the gold labels B and I in `tag` (p NULL: the character is not to be learned from).
typedef struct on_char_docs {
  on_doc *list;
  size_t n, cap;       // docs that are filled; docs there is memory for
  size_t characters;   // labelled ones, in all
} on_char_docs;        // a zeroed one is empty

// Adds what the tokenizer would see of a Doc with gold tokens: windows of its source text for a segmenter, the
// surface tokens that the splitter takes for mwt (not those that the inner tokenizer's contractions decide, nor
// those whose words are not pieces of the surface). The texts are borrowed from `gold`.
bool on_char_docs_add(on_char_docs *docs, const on_pipeline *pipeline, const on_doc *gold);
void on_char_docs_clear(on_char_docs *docs);  // keeps the memory
void on_char_docs_free(on_char_docs *docs);

#endif
