// Kind `segmenter`: words of text that is written without spaces, by one decision per character (B begins a
// word, I goes on) of a tagger over any encoder.
//
// A line break always cuts; other white space belongs to a word when it is labelled I and so is the character
// behind it (Vietnamese), else to none. Clusters, Latin words, numbers and addresses are never cut.
#ifndef ON_SEGMENT_SEGMENTER_H
#define ON_SEGMENT_SEGMENTER_H

#include "encode/encode.h"
#include "head/head.h"
#include "tokenize/tokenize.h"

// What a trained tokenizer runs with: the encoder, its slot in the workspace, the head.
typedef struct on_char_tagger {
  const on_encoder *encoder;
  const on_head *head;
  on_workspace *workspace;  // its scratch memory is reset
  void **cache;
} on_char_tagger;

// Checks that a head is a tagger over the column Tag with the labels B and I.
bool on_char_head_check(const on_head *head, const char *path, on_error *error);
// The index of the label B.
uint32_t on_char_head_begin(const on_head *head);

// Splits text[from, to); results in `arena`. Time linear in the length, memory bounded by the window beside
// what is proportional to the result.
bool on_segment(const on_char_tagger *tagger, on_arena *arena, on_str16 text, size_t from, size_t to, on_pieces *out,
                on_error *error);

#endif
