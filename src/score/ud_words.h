// The two files of a CoNLL 2018 evaluation as flat arrays: characters, tokens, sentences, words, trees.
// For src/score only.
#ifndef ON_SCORE_UD_WORDS_H
#define ON_SCORE_UD_WORDS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/map.h"
#include "format/conllu.h"

#define ON_UD_NONE UINT32_MAX  // no word

// Half-open, in bytes of the concatenated forms.
typedef struct on_ud_extent {
  size_t start, end;
} on_ud_extent;

typedef struct on_ud_word {
  const on_conllu_word *columns;  // of the caller's sentence
  on_ud_extent extent;            // of its token: all words of a range have the extent of the range
  on_str deprel;                  // up to its ':'
  uint32_t features;              // equal numbers: the same universal features
  uint32_t parent;                // index of a word, or ON_UD_NONE for a root; all NONE without trees
  uint32_t first_function;        // its function-word dependents, in order, as a list
  uint32_t next_function;
  bool in_range;
  bool is_content;                // by its deprel; a deprel may be neither content nor function
  bool is_function;
} on_ud_word;

typedef enum on_ud_column {
  ON_UD_LEMMA, ON_UD_UPOS, ON_UD_XPOS, ON_UD_FEATS, ON_UD_HEAD, ON_UD_DEPREL, ON_UD_COLUMNS
} on_ud_column;

typedef struct on_ud_file {
  const char *name;  // "gold" or "system", for messages
  const on_conllu_sentence *const *source;
  on_arena arena;
  on_buf characters;        // the forms without white space, one after another
  on_ud_extent *tokens;     // ranges and the words outside ranges
  size_t token_count;
  on_ud_extent *sentences;
  size_t sentence_count;
  on_ud_word *words;
  size_t word_count;
  bool has[ON_UD_COLUMNS];  // some word sets the column
} on_ud_file;

// Numbers for feature sets, common to both files.
typedef struct on_ud_features {
  on_arena arena;
  on_map written;     // FEATS as written
  on_map normal;      // the universal features in order
  on_buf text;        // scratch
  on_str *items;      // scratch
  size_t item_room;
} on_ud_features;
void on_ud_features_free(on_ud_features *features);

// Reads the sentences into a zeroed *file, which borrows from them. Free it after a failure as well.
bool on_ud_load(on_ud_file *file, const char *name, const on_conllu_sentence *const *sentences, size_t count,
                on_ud_features *features, on_error *error);
// Fills parent, first_function and next_function, and checks the trees.
bool on_ud_link(on_ud_file *file, on_error *error);
void on_ud_free(on_ud_file *file);

// The line in the file of the token that covers the character at `offset`, or the last token's; 1 in an empty file.
int64_t on_ud_line_at(const on_ud_file *file, size_t offset);

#endif
