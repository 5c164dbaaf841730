// Lists of words, and where their words stand in a Doc: of characters as tokens, what may be a word there; of words as
// tokens, names of several. docs/format.md, "word lists"; this project's own.
#ifndef ON_ENCODE_WORDS_H
#define ON_ENCODE_WORDS_H

#include "doc/doc.h"
#include "format/json.h"

enum {
  ON_MAX_WORD_TOKENS = 16,  // the longest match
  ON_MAX_WORD_LISTS = 128,
  ON_MAX_WORD_UNITS = 256,
  ON_WORD_PLACES = 3        // a token begins a match, ends it, stands inside
};
#define ON_MAX_WORDS 262144u

typedef struct on_word {
  on_str16 text;  // in the arena
  uint32_t list;
} on_word;

typedef struct on_words {
  uint32_t tokens;   // the longest match; 0: there are no lists
  uint32_t lists;
  on_word *list;     // in the order of the settings, where they were read
  uint32_t n, cap;
  uint32_t *slots;   // hash table of index + 1; 0: free
  uint32_t mask;
  size_t longest;    // units
} on_words;          // a zeroed one is empty

// Room for `most` words.
bool on_words_init(on_words *words, on_arena *arena, size_t most);
// Adds a word that is not there yet; its text is borrowed.
void on_words_add(on_words *words, on_str16 text, uint32_t list);
// The index of a word, or UINT32_MAX.
uint32_t on_words_find(const on_words *words, on_str16 text);

// Reads settings.wordTokens and settings.wordLists: both or neither; strings of words, each word and line break; no
// word twice.
bool on_words_read(on_words *words, on_arena *arena, const on_json *settings, const char *path, on_error *error);
void on_words_write(const on_words *words, on_buf *out);  // the array of strings

typedef struct on_word_match {
  uint32_t first, tokens;  // of the Doc
  uint32_t word;           // index
} on_word_match;

// The words that begin with token `first`, shorter ones first; found[ON_MAX_WORD_TOKENS]. Returns how many.
size_t on_words_match(const on_words *words, const on_doc *doc, size_t first, on_word_match *found);

static inline size_t on_word_rows(const on_words *words) {
  return (size_t)words->lists * ON_WORD_PLACES * words->tokens;
}

// The row of token `at` of a match of `tokens` tokens, in the table of a list's words.
static inline uint32_t on_word_row(const on_words *words, uint32_t list, uint32_t tokens, uint32_t at) {
  uint32_t place = at == 0 ? 0 : at + 1 == tokens ? 1 : 2;
  return (list * ON_WORD_PLACES + place) * words->tokens + tokens - 1;
}

#endif
