// Post-processors of a tokenizer.json: special tokens around a single text, and offsets without blanks.
#ifndef ON_PIECES_POST_H
#define ON_PIECES_POST_H

#include "format/json.h"
#include "pieces/model.h"

enum { ON_TRIMS_MOST = 4 };

typedef struct on_trim {
  bool prefix_space;  // one blank before the first piece is the tokenizer's own and stays
  bool behind;        // runs when the special tokens are there already
} on_trim;

typedef struct on_post {
  uint32_t *before, *after;  // ids of special tokens
  size_t before_count, after_count;
  bool added;                // some processor adds them
  on_trim trims[ON_TRIMS_MOST];
  size_t trim_count;
} on_post;

bool on_post_read(on_post *post, const on_json *json, on_arena *arena, on_error *error);
// `text` is the original one: blanks are counted in characters.
void on_post_trim(const on_post *post, on_pieces *pieces, on_str16 text);

#endif
