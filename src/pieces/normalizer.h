// The normalizers of a tokenizer.json as a list of steps (a Sequence is its steps, one after another).
#ifndef ON_PIECES_NORMALIZER_H
#define ON_PIECES_NORMALIZER_H

#include "format/json.h"
#include "pieces/charsmap.h"
#include "pieces/flow.h"
#include "pieces/pattern.h"

typedef enum on_normalize {
  ON_NORMALIZE_CLEAN,          // BertNormalizer: clean_text
  ON_NORMALIZE_CHINESE,        // BertNormalizer: handle_chinese_chars
  ON_NORMALIZE_NO_NONSPACING,  // BertNormalizer: strip_accents, after NFD
  ON_NORMALIZE_NO_MARKS,       // StripAccents
  ON_NORMALIZE_NFD,
  ON_NORMALIZE_NFKD,
  ON_NORMALIZE_NFC,
  ON_NORMALIZE_NFKC,
  ON_NORMALIZE_LOWER,
  ON_NORMALIZE_STRIP,
  ON_NORMALIZE_REPLACE,
  ON_NORMALIZE_PREPEND,
  ON_NORMALIZE_CHARSMAP,
  ON_NORMALIZE_NMT,
  ON_NORMALIZE_BYTES
} on_normalize;

typedef struct on_normalize_step {
  on_normalize kind;
  bool left, right;         // of STRIP
  on_pattern *pattern;      // of REPLACE
  const uint32_t *content;  // of REPLACE and PREPEND
  size_t content_n;
  on_charsmap charsmap;
} on_normalize_step;

enum { ON_STEPS_MOST = 64 };

typedef struct on_normalizer {
  on_normalize_step *steps;
  size_t count;
} on_normalizer;

// Reads "normalizer" (NULL or JSON null: none). What it needs is copied into the arena.
bool on_normalizer_read(on_normalizer *normalizer, const on_json *json, on_arena *arena, on_error *error);
// Runs over all spans that are not added tokens.
bool on_normalizer_run(const on_normalizer *normalizer, on_flow *flow, on_error *error);

// Characters of the 256 bytes in the alphabet of byte-level BPE, and a span written in it.
uint32_t on_byte_char(uint8_t byte);
void on_flow_bytes(on_flow *flow, const on_span_of_text *span);
// Writes c as UTF-8 at out (room for 4); returns its length.
size_t on_char_utf8(uint32_t c, char *out);

#endif
