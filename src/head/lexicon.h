// A lexicon of exceptions: (form, tag) to lemma, for what no frequent edit tree gives. Our own addition to the
// lemmatizer's config: `lexicon`, an object of "<form>\t<tag>" to lemma (docs/format.md).
#ifndef ON_HEAD_LEXICON_H
#define ON_HEAD_LEXICON_H

#include "base/arena.h"
#include "format/json.h"

#define ON_MAX_LEXICON 262144u

typedef struct on_lexicon_entry {
  on_str16 form;
  on_str tag, lemma;  // borrowed from the config
} on_lexicon_entry;

typedef struct on_lexicon {
  on_lexicon_entry *entries;  // in the order of the config
  uint32_t n;
  uint32_t *slots;            // hash table of entry number + 1; 0: free
  uint32_t mask;
} on_lexicon;  // a zeroed one is empty

// Reads config.lexicon (absent: empty): at most 262,144 entries; the key has exactly one tab, a non-empty form
// and a tag that may be empty; key and lemma have at most 4,096 UTF-16 units, the lemma at least 1
// and no tab or line break.
bool on_lexicon_read(on_lexicon *lexicon, on_arena *arena, const on_json *config, const char *path, on_error *error);
void on_lexicon_write(const on_lexicon *lexicon, on_buf *out);  // a JSON object

// The lemma, or p NULL.
on_str on_lexicon_find(const on_lexicon *lexicon, on_str16 form, on_str tag);

#endif
