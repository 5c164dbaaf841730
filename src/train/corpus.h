// Training data in memory: treebank sentences from CoNLL-U and examples from JSON Lines, and the training units
// that are drawn from them.
#ifndef ON_TRAIN_CORPUS_H
#define ON_TRAIN_CORPUS_H

#include "base/random.h"
#include "format/conllu.h"
#include "pipeline/pipeline.h"
#include "train/names.h"
#include "train/recipe.h"

// An annotation unit of an example: the whole of it, unless it has several paragraphs or more than ON_UNIT_WORDS
// words.
typedef struct on_example {
  on_doc doc;      // columns that the file does not have are NULL, and so is what it is not annotated with
  bool continues;  // it belongs to the same text as the one before
  float share;     // of its file that is part of an epoch
} on_example;

enum { ON_MAX_WORD_FILES = 4 };

typedef struct on_corpus {
  on_conllu_sentence *sentences;
  const on_conllu_sentence **pointers;  // to the same, as other functions want them
  bool *paragraph;                      // a paragraph (or file) starts here
  size_t count, cap, pointer_cap, paragraph_cap;
  bool *entities;                       // NULL, or: the entities of sentence i are known (train/join.h)
  on_example *examples;
  size_t example_count, example_cap;
  on_doc **texts;                       // what the examples' Docs share
  size_t text_count, text_cap;
  on_names names;                       // that may stand in for those of entities
  on_str words[ON_MAX_WORD_FILES];      // files of words, one to a line, for encoders with word lists; borrowed
  size_t word_files;
  uint64_t misaligned;                  // entities and spans whose edges are not those of tokens
} on_corpus;  // a zeroed on_corpus is an empty one

// Adds a file's sentences. The bytes must stay as long as the corpus. Errors are the reader's.
bool on_corpus_add(on_corpus *corpus, on_str conllu, on_error *error);
// Adds a file's examples. Texts without tokens are split by the pipeline's tokenizer; an entity that then lies
// across a token's edge teaches nothing. Strings are copied. Errors are the reader's.
bool on_corpus_add_jsonl(on_corpus *corpus, on_str jsonl, const on_pipeline *tokenizer, on_error *error);
// So much of the examples from number `first` of them on, drawn anew, is part of each sample.
void on_corpus_share(on_corpus *corpus, size_t first, float share);
void on_corpus_free(on_corpus *corpus);

// How many words a sample has, as expected: of an example its share.
uint64_t on_corpus_words(const on_corpus *corpus);
// Sentences and examples are numbered together: first the sentences, then the examples.
static inline size_t on_corpus_size(const on_corpus *corpus) { return corpus->count + corpus->example_count; }

typedef struct on_sample {
  uint32_t first, end;  // sentences, or one example
  uint32_t words;
} on_sample;

// Cuts the sentences into units at random (on_hyper: unit_*), each sentence once, takes each example as a unit (of a
// file of which only a share is used, that share), and shuffles all. `units` has room for on_corpus_size; returns
// their number.
size_t on_corpus_sample(const on_corpus *corpus, const on_hyper *hyper, on_random *random, on_sample *units);

void on_samples_shuffle(on_sample *units, size_t n, on_random *random);

// A Doc with gold columns out of sentences [first, end), or the Doc of example `first`, whose memory it shares.
bool on_corpus_doc(const on_corpus *corpus, size_t first, size_t end, on_doc *doc, on_error *error);

#endif
