// The models that divide a span of text into pieces: WordPiece, BPE and Unigram.
#ifndef ON_PIECES_MODEL_H
#define ON_PIECES_MODEL_H

#include "pieces/flow.h"
#include "pieces/vocab.h"

typedef enum on_model_kind { ON_MODEL_WORDPIECE, ON_MODEL_BPE, ON_MODEL_UNIGRAM } on_model_kind;

// left and right next to each other become `result`; the lowest rank goes first.
typedef struct on_merge {
  uint32_t left, right, rank, result;  // entries of the vocabulary
} on_merge;

typedef struct on_model {
  on_model_kind kind;
  on_vocab vocab;
  uint32_t id_count;      // the library's size of the vocabulary: where ids of added tokens go on
  uint32_t unknown;       // entry, or ON_VOCAB_NONE
  on_str prefix;          // WordPiece: of pieces that go on in a word
  uint32_t longest_word;  // WordPiece: longer words, in characters, are unknown
  bool byte_fallback;     // BPE, Unigram: unknown characters become <0x..>
  uint32_t bytes[256];    // their entries, or ON_VOCAB_NONE
  bool fuse_unknown;      // BPE
  bool ignore_merges;     // BPE: a span that is in the vocabulary is one piece
  on_merge *merges;       // BPE: by left and right
  uint32_t *merges_of;    // [count + 1]: where those of a left entry begin
  double *scores;         // Unigram, by entry
  double unknown_score;
} on_model;

// Reads the text of the member "model", which on_json_scan accepted. Everything lives in the arena.
bool on_model_read(on_model *model, on_str json, on_arena *arena, on_error *error);

typedef struct on_piece {
  uint32_t id;
  uint32_t start, end;         // UTF-16 units of the original text
  uint32_t leading, trailing;  // blanks at the ends of the piece's own text; counted when the output wants them
} on_piece;

typedef struct on_pieces {
  on_piece *p;
  size_t n, cap;
  bool failed;        // out of memory
  bool count_blanks;
} on_pieces;

// A span of text as UTF-8, and what the models need while they work on it; grows, and serves one span after another.
typedef struct on_segment {
  const on_char *chars;
  size_t char_count;
  char *bytes;
  uint32_t *char_of;  // of each byte
  size_t n, cap, at_cap;
  void *states, *queue;  // of the models
  size_t state_cap, queue_cap, queue_count;
} on_segment;

bool on_segment_set(on_segment *segment, const on_flow *flow, const on_span_of_text *span);
void on_segment_free(on_segment *segment);

// Appends the pieces of the segment. False: out of memory, or an unknown character in a model without a piece for it.
bool on_model_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error);

// Inside src/pieces: one piece for the segment's bytes [from, to), from < to.
void on_pieces_add(on_pieces *out, const on_segment *segment, const on_vocab *vocab, uint32_t entry, size_t from,
                   size_t to);
bool on_wordpiece_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error);
bool on_bpe_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error);
bool on_unigram_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error);
// Blanks (white space, and U+0120 that stands for it in byte-level BPE) at the ends of a piece's text.
void on_count_blanks(on_str text, uint32_t *leading, uint32_t *trailing);

#endif
