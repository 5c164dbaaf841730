// Added tokens: strings that are found in the text before (or, when `normalized`, after) it is normalized.
#ifndef ON_PIECES_ADDED_H
#define ON_PIECES_ADDED_H

#include "pieces/model.h"
#include "pieces/normalizer.h"

typedef struct on_added_token {
  uint32_t id;
  bool single_word, left, right, normalized;
} on_added_token;

typedef struct on_added {
  on_added_token *tokens;  // by the entries of `contents`
  on_vocab contents;
  on_vocab plain, normalized;  // what to look for; an entry's id is the token's entry in `contents`
  uint64_t plain_starts[4], normalized_starts[4];  // first bytes
} on_added;

// Reads "added_tokens" (NULL: none). Ids are those that the library gives: of the vocabulary, else the next free one.
bool on_added_read(on_added *added, const on_json *json, const on_model *model, const on_normalizer *normalizer,
                   on_arena *arena, on_error *error);
// Cuts the spans of text at the tokens of one of the two kinds.
void on_added_cut(const on_added *added, bool normalized, on_flow *flow);

#endif
