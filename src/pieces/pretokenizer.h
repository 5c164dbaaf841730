// The pre-tokenizers of a tokenizer.json as a list of steps (a Sequence is its steps, one after another).
#ifndef ON_PIECES_PRETOKENIZER_H
#define ON_PIECES_PRETOKENIZER_H

#include "format/json.h"
#include "pieces/flow.h"
#include "pieces/pattern.h"

typedef enum on_pretokenize {
  ON_PRETOKENIZE_SPACES,       // WhitespaceSplit, and the first half of BertPreTokenizer
  ON_PRETOKENIZE_PUNCTUATION,  // Punctuation, and the second half
  ON_PRETOKENIZE_DIGITS,
  ON_PRETOKENIZE_DELIMITER,    // CharDelimiterSplit
  ON_PRETOKENIZE_WORDS,        // Whitespace
  ON_PRETOKENIZE_SPLIT,        // Split, and the splitting half of ByteLevel
  ON_PRETOKENIZE_PREFIX,       // ByteLevel: add_prefix_space
  ON_PRETOKENIZE_BYTES,        // ByteLevel: bytes as characters
  ON_PRETOKENIZE_METASPACE     // Metaspace: the replacing half
} on_pretokenize;

typedef enum on_prepend { ON_PREPEND_ALWAYS, ON_PREPEND_FIRST, ON_PREPEND_NEVER } on_prepend;

typedef struct on_pretokenize_step {
  on_pretokenize kind;
  on_cut behavior;
  bool invert;
  uint32_t c;          // of DELIMITER and METASPACE
  on_prepend prepend;  // of METASPACE
  on_pattern *pattern; // of SPLIT
} on_pretokenize_step;

typedef struct on_pretokenizer {
  on_pretokenize_step *steps;
  size_t count;
} on_pretokenizer;

bool on_pretokenizer_read(on_pretokenizer *pretokenizer, const on_json *json, on_arena *arena, on_error *error);
bool on_pretokenizer_run(const on_pretokenizer *pretokenizer, on_flow *flow, on_error *error);

#endif
