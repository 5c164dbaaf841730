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
  ON_JOINED_LETTERS = 1 << 14,
  ON_QUESTION_SEMICOLONS = 1 << 15
};

typedef struct on_entry {
  uint32_t key;     // folded spelling in the pool
  uint32_t as;      // the spelling as written in the data set, of the same length
  uint32_t value;   // contraction, ending: its first part; suffix: its ending in `befores`
  uint16_t length;  // units
  uint8_t kind;
  uint8_t exact;    // matches only as written
} on_entry;

// For keys that begin with a letter of ASCII.
typedef struct on_letters {
  uint16_t from[27];    // where the keys of 'a' start, ..., those of 'z', and where these end
  uint32_t second[26];  // bit u % 32 for each unit u that comes second in one of them; all bits where one is that letter
} on_letters;

typedef struct on_table {
  const on_entry *list;  // sorted by key; of equal keys the exact ones first
  uint32_t n;
  uint32_t longest;
  const on_letters *letters;  // NULL: a small table
  uint32_t first[4];          // one bit for each ASCII unit that a key begins with
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
  uint8_t fold[128];         // what on_fold_unit gives for ASCII
  uint32_t pattern_first[4]; // one bit for each unit that a pattern begins with
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
uint16_t on_fold_beyond(const on_segmentation *data, uint16_t unit);  // for unit >= 0x80: call on_fold_unit
static inline uint16_t on_fold_unit(const on_segmentation *data, uint16_t unit) {
  return unit < 0x80 ? data->fold[unit] : on_fold_beyond(data, unit);
}

static inline bool on_in_set(const uint32_t set[4], uint16_t ascii) { return (set[ascii >> 5] >> (ascii & 31) & 1) != 0; }

// False where no key begins like this: most of the time, so it is asked before searching.
static inline bool on_table_may(const on_segmentation *data, const on_table *table, uint16_t unit) {
  return unit >= 0x80 ? table->n > 0 : on_in_set(table->first, data->fold[unit]);
}

// The longest entry that text begins with (its spelling, when exact); NULL when there is none.
// Further entries with the same key follow it in the list.
const on_entry *on_table_search_prefix(const on_segmentation *data, const on_table *table, on_str16 text);
static inline const on_entry *on_table_prefix(const on_segmentation *data, const on_table *table, on_str16 text) {
  if (text.n == 0 || !on_table_may(data, table, text.p[0])) return NULL;
  uint16_t letter = (uint16_t)(on_fold_unit(data, text.p[0]) - 'a');
  if (table->letters && letter < 26 && table->letters->second[letter] != UINT32_MAX &&
      (text.n == 1 || !(table->letters->second[letter] >> (on_fold_unit(data, text.p[1]) & 31) & 1))) {
    return NULL;
  }
  return on_table_search_prefix(data, table, text);
}
// The entry that is the whole text, or NULL.
const on_entry *on_table_search(const on_segmentation *data, const on_table *table, on_str16 text);
static inline const on_entry *on_table_find(const on_segmentation *data, const on_table *table, on_str16 text) {
  bool may = text.n > 0 && text.n <= table->longest && on_table_may(data, table, text.p[0]);
  return may ? on_table_search(data, table, text) : NULL;
}

#endif
