// The `fast` encoder: hashed embeddings of token attributes, joined by one linear layer, then window
// layers and, if wanted, bidirectional LSTM layers (saved-pipelines.md, "Kinds"; docs/format.md).
//
//   x_i = mix of the attribute embeddings of token i and its neighbours
//   h   = norm(act(x)), or relu(x) with `plain`
//   h_i = h_i + norm(act(b + P h_(i-1) + S h_i + N h_(i+1)))     for each window layer, W = [P S N]
//   h   = h + lstm_out(LSTM(h))                                   with recurrent layers
#ifndef ON_ENCODE_FAST_H
#define ON_ENCODE_FAST_H

#include "encode/encode.h"
#include "encode/ngrams.h"
#include "encode/recurrent.h"
#include "encode/words.h"

enum { ON_FAST_MAX_WIDTH = 2048, ON_FAST_MAX_TABLES = 20, ON_FAST_MAX_DEPTH = 32, ON_FAST_MAX_HASHES = 4 };

// What a table looks at: an attribute of the token at a distance. Tables that look at one and the same
// token form a group; the contributions of a group are summed before the groups are.
typedef enum on_fast_group {
  ON_GROUP_OWN, ON_GROUP_PREV, ON_GROUP_NEXT, ON_GROUP_PREV2, ON_GROUP_NEXT2, ON_GROUP_BIGRAM_PREV,
  ON_GROUP_BIGRAM_NEXT, ON_FAST_GROUPS
} on_fast_group;

typedef enum on_fast_attribute {
  ON_ATTR_NORM, ON_ATTR_LOWER, ON_ATTR_PREFIX, ON_ATTR_SUFFIX, ON_ATTR_SHAPE, ON_ATTR_CASED, ON_ATTR_BIGRAM
} on_fast_attribute;

typedef struct on_fast_table {
  const char *name;         // "embed_norm"
  unsigned number;          // of the attribute, for the hash's seed
  on_fast_group group;
  on_fast_attribute attribute;
  uint32_t length;          // of prefixes and suffixes
  uint32_t rows;
  const on_param *param;    // [rows, embed_width]
  uint64_t start;           // hash state before the first unit
  on_packed mix;            // this table's slice of mix.weight: [width, embed_width]
} on_fast_table;

typedef struct on_fast {
  uint32_t width, embed_width, depth, hashes;
  uint32_t norm_rows, prefix_rows, suffix_rows, shape_rows, cased_rows, neighbour_rows, context_rows, bigram_rows;
  uint32_t prefix_length, suffix_length;
  // our own, written only when used: further affix tables
  uint32_t prefix2_rows, prefix2_length, suffix2_rows, suffix2_length, suffix3_rows, suffix3_length;
  on_ngrams ngrams;  // our own, too: rows 0 where there are none
  on_words words;    // our own: tokens 0 where there are no lists
  bool plain, relu, turkic_case;
  uint32_t recurrent_layers, recurrent_size;  // size as written: 0 means half the width
  uint64_t seed;

  on_fast_table tables[ON_FAST_MAX_TABLES];
  uint32_t table_count;
  const on_param *ngram_param;  // [ngrams.rows, embed_width]
  const on_param *word_param;   // [on_word_rows, embed_width]
  uint32_t joined;              // columns of mix.weight: embed_width for each table, for n-grams and for words
  const on_param *mix_weight, *mix_bias, *mix_gain, *mix_shift;
  const on_param *window_weight[ON_FAST_MAX_DEPTH], *window_bias[ON_FAST_MAX_DEPTH];
  const on_param *window_gain[ON_FAST_MAX_DEPTH], *window_shift[ON_FAST_MAX_DEPTH];
  on_recurrent recurrent;

  // set by prepare
  on_packed ngram_mix, word_mix;  // the n-grams' slice of mix.weight, and that of the words
  const float *mix_b, *mix_g, *mix_s;
  bool form_only;      // every table looks at the token itself: h before the first layer depends on its form alone
  uint32_t form_floats;  // of what is kept of a form (fast.c)
  uint32_t group_count;  // groups that look at one token
  uint32_t group_at[ON_FAST_GROUPS];  // where their sums stand in what is kept
  bool has_group[ON_FAST_GROUPS];
  on_packed window[ON_FAST_MAX_DEPTH][3];  // the columns for the previous token, the token itself, the next
  on_packed shares;    // form_only: those of the first layer, one below another, in place of window[0]
  const float *window_b[ON_FAST_MAX_DEPTH], *window_g[ON_FAST_MAX_DEPTH], *window_s[ON_FAST_MAX_DEPTH];
} on_fast;

extern const on_encoder_kind on_fast_kind;

// rows[doc->n][table_count][hashes]: the embedding rows of every token. Scratch memory from the arena.
// False: out of memory.
bool on_fast_rows(const on_fast *fast, const on_doc *doc, on_arena *scratch, uint32_t *rows);
// The same for the tables that look at bigrams alone; other rows are left.
bool on_fast_bigram_rows(const on_fast *fast, const on_doc *doc, on_arena *scratch, uint32_t *rows);
// rows[ON_NGRAM_MOST]: the rows of a token's n-grams, *count of them.
bool on_fast_ngram_rows(const on_fast *fast, on_str16 token, on_arena *scratch, uint32_t *rows, size_t *count);
// rows[table_count][hashes] of the tables that look at one token, where that is the given one; others are left.
bool on_fast_form_rows(const on_fast *fast, on_str16 token, on_arena *scratch, uint32_t *rows);

#endif
