// The compiled form of a data set (tools/compile-segmentation.mjs writes it) and its look-ups.
#ifndef ON_TOKENIZE_SEGMENTATION_H
#define ON_TOKENIZE_SEGMENTATION_H

#include "tokenize/tokenize.h"

// What an entry of the lexicon is: the sections of these names.
enum { ON_KEEP = 1, ON_TITLE, ON_ABBREVIATION, ON_NUMBER_ABBREVIATION, ON_CONTRACTION };
// What a suffix or prefix makes: a word of the same surface token, or a token of its own.
enum { ON_CLITIC = 1, ON_SPLIT };

// Bits of `options`, in the order of OPTIONS in tools/compile-segmentation.mjs.
enum {
  ON_URLS = 1 << 0,
  ON_HOSTS = 1 << 1,
  ON_EMAILS = 1 << 2,
  ON_LOCAL_EMAILS = 1 << 3,
  ON_FILES = 1 << 4,
  ON_HASHTAGS = 1 << 5,
  ON_MENTIONS = 1 << 6,
  ON_ACRONYMS = 1 << 7,
  ON_INITIALS = 1 << 8,
  ON_SPLIT_FINAL_PERIOD = 1 << 9,
  ON_WRAPPED_LINES = 1 << 10,
  ON_LOWER_CASE_STARTS = 1 << 11,
  ON_HYPHENS = 1 << 12,
  ON_EMOJI_RUNS = 1 << 13,
  ON_JOINED_LETTERS = 1 << 14
};

typedef struct on_entry {
  uint32_t key;     // folded spelling in the pool
  uint32_t as;      // the spelling as written in the data set, of the same length
  uint32_t value;   // contraction, ending: its first part; suffix: its ending in `befores`
  uint16_t length;  // units
  uint8_t kind;
  uint8_t exact;    // matches only as written
} on_entry;

typedef struct on_table {
  const on_entry *list;  // sorted by key; of equal keys the exact ones first
  uint32_t n;
  uint32_t longest;
} on_table;

// A contraction: one part {NULL, number of words, flags}, then the words {UTF-8, bytes, UTF-16 units}.
enum {
  ON_PART_SLICED = 1,  // the words are slices of the surface
  ON_PART_GUARDED = 2  // only before one of the followers
};
typedef struct on_part {
  const char *text;
  uint16_t a;
  uint16_t b;
} on_part;

typedef struct on_ending {
  uint32_t at;
  uint16_t length;
} on_ending;

// A digit run of min to max digits (255: any number) whose value is at most `unit` (0: any), or,
// with max 0, the literal `unit`.
typedef struct on_pattern_item {
  uint8_t min, max;
  uint16_t unit;
} on_pattern_item;

typedef struct on_pattern {
  uint8_t n;
  on_pattern_item items[15];
} on_pattern;

typedef struct on_characters {
  const uint32_t *list;  // ascending
  uint32_t n;
} on_characters;

typedef struct on_run {
  uint32_t code;
  uint32_t run;
} on_run;

struct on_segmentation {
  const char *name;
  const char *const *languages;  // NULL-terminated, or NULL
  bool plain;                    // UAX #29 and nothing else
  uint32_t options;
  const uint16_t *pool;
  on_table lexicon, emoticons, schemes, domains, extensions, units, number_endings, currency;
  on_table hyphen_prefixes, hyphen_suffixes, starters, followers, suffixes, prefixes, endings, whole_after;
  const on_part *parts;
  const on_ending *befores;
  const on_pattern *patterns;
  uint32_t n_patterns;
  on_characters apostrophes, joiners, cuts, number_cuts, repeats, bullets;
  const on_run *runs;
  uint32_t n_runs;
};

extern const on_segmentation *const on_segmentations[];  // NULL at the end

bool on_characters_have(const on_characters *set, uint32_t c);
// The number of the [runs] line that holds c, counted from 1; 0 when none does.
uint32_t on_run_of(const on_segmentation *data, uint32_t c);

// Lower case, and every apostrophe variant to U+0027; works unit by unit.
uint16_t on_fold_unit(const on_segmentation *data, uint16_t unit);

// The longest entry that text begins with (its spelling, when exact); NULL when there is none.
// Further entries with the same key follow it in the list.
const on_entry *on_table_prefix(const on_segmentation *data, const on_table *table, on_str16 text);
// The entry that is the whole text, or NULL.
const on_entry *on_table_find(const on_segmentation *data, const on_table *table, on_str16 text);

#endif
