// The word lists of encoders: made from files of words and the words of the training data.
#ifndef ON_TRAIN_WORD_LISTS_H
#define ON_TRAIN_WORD_LISTS_H

#include "train/corpus.h"

// Adds the lines of a file, UTF-8: a word each; empty lines and lines that begin with # are skipped. The text must
// stay as long as the corpus.
bool on_word_lists_add(on_corpus *corpus, on_str text, on_error *error);

// Appends the settings of an encoder; where they have wordTokens, with the lists: of the words of all
// files and those of the documents, a list for each set of files and each use in the documents (word_counts.h).
bool on_word_lists_write(const on_corpus *corpus, const on_json *settings, const on_doc *docs, size_t count,
                         on_buf *out, on_error *error);

#endif
