#include "tokenize/plain.h"

#include <string.h>

#include "base/rare.h"

enum { MOST_LETTERS = 31, HASH_BITS = 11 };  // of a plain word; of as many bits as on_plain_words has

static bool ascii_letter(uint16_t unit) { return (unit | 32) >= 'a' && (unit | 32) <= 'z'; }

// Signs of which one alone may end a chunk behind a word.
static bool ends_chunk(uint16_t c) { return c == ',' || c == '.' || c == ';' || c == '?' || c == '!' || c == ':'; }

// By the first, the second and the last of its n ASCII letters, whatever their case, and n.
static uint32_t hash_of(const uint16_t *word, size_t n) {
  const uint32_t first = word[0] & 31, second = word[n > 1] & 31, last = word[n - 1] & 31;
  return ((first << 15 | second << 10 | last << 5 | (uint32_t)n) * 0x9E3779B1u) >> (32 - HASH_BITS);
}

static size_t count_letters(const uint16_t *units, size_t n) {
  size_t letters = 0;
  while (letters < n && ascii_letter(units[letters])) letters++;
  return letters;
}

static bool is_word(const uint16_t *key, size_t n) { return n > 0 && count_letters(key, n) == n; }

// A key that a word may be, also with a sign behind it. A sign alone is none that ends a word plainly.
static bool add_key(on_plain_words *plain, const uint16_t *key, size_t n) {
  if (n > 0 && ends_chunk(key[n - 1])) n--;
  if (is_word(key, n) && n <= MOST_LETTERS) {
    const uint32_t hash = hash_of(key, n);
    plain->special[hash >> 5] |= 1u << (hash & 31);
  }
  return n > 0;
}

static bool add_table(on_plain_words *plain, const on_segmentation *data, const on_table *table) {
  bool ok = true;
  for (uint32_t i = 0; i < table->n; i++) ok = add_key(plain, data->pool + table->list[i].key, table->list[i].length) && ok;
  return ok;
}

static bool add_patterns(on_plain_words *plain, const on_segmentation *data) {
  bool ok = true;
  for (uint32_t i = 0; i < data->n_patterns; i++) {
    const on_pattern *pattern = &data->patterns[i];
    uint16_t key[sizeof pattern->items / sizeof *pattern->items];
    uint8_t n = 0;
    for (; n < pattern->n && pattern->items[n].max == 0; n++) key[n] = pattern->items[n].unit;
    if (n == pattern->n) ok = add_key(plain, key, n) && ok;
  }
  return ok;
}

// Whether no affix is letters alone, or a sign that ends a word.
static bool parts_no_word(const on_segmentation *data, const on_table *affixes) {
  for (uint32_t i = 0; i < affixes->n; i++) {
    const uint16_t *key = data->pool + affixes->list[i].key;
    if (is_word(key, affixes->list[i].length) || (affixes->list[i].length == 1 && ends_chunk(key[0]))) return false;
  }
  return true;
}

ON_RARE void on_plain_words_find(on_plain_words *plain, const on_segmentation *data) {
  memset(plain, 0, sizeof *plain);
  bool ok = add_table(plain, data, &data->lexicon) && add_table(plain, data, &data->emoticons) &&
            add_table(plain, data, &data->schemes) && add_table(plain, data, &data->currency) &&
            add_patterns(plain, data) && parts_no_word(data, &data->suffixes) && parts_no_word(data, &data->prefixes) &&
            parts_no_word(data, &data->endings);
  if (!ok) memset(plain, 0xFF, sizeof *plain);  // every word is looked up
}

size_t on_plain_end(on_scan *s, const on_plain_words *plain, size_t p) {
  const size_t left = s->n - p, most = MOST_LETTERS + 1;
  const size_t n = count_letters(s->t + p, left < most ? left : most), end = p + n;
  if (n == 0 || n > MOST_LETTERS) return p;
  const bool sign = end < s->n && ends_chunk(s->t[end]);
  // A letter and a full stop may be initials. Where a quotation is open, a new chunk may close it, being a paragraph.
  if (!on_scan_is(s, end + sign, ON_F_SPACE) || (sign && n == 1 && s->t[end] == '.') || s->single_open) return p;
  const uint32_t hash = hash_of(s->t + p, n);
  if (plain->special[hash >> 5] >> (hash & 31) & 1) return p;
  on_scan_token(s, p, end);
  if (sign) on_scan_token(s, end, end + 1);
  return end + sign;
}
