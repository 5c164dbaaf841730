// JSON Lines as training data: tokens and entities, for what is learned from nothing else (segmenter, ner).
#ifndef ON_TRAIN_CORPUS_JSONL_H
#define ON_TRAIN_CORPUS_JSONL_H

#include "base/buffer.h"
#include "base/error.h"

// Appends each example as CoNLL-U, a paragraph of one sentence. A line without "tokens" is an error, as is one
// that the reader does not take.
bool on_conllu_from_jsonl(on_str jsonl, on_buf *out, on_error *error);

#endif
