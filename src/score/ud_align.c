#include "score/ud_align.h"

#include "base/alloc.h"
#include "text/chars.h"
#include "text/utf.h"

enum { CAPITAL_SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2, CAPITAL_I_DOT = 0x130, DOT_ABOVE = 0x307 };

// Characters that the rule for the final sigma looks through (Case_Ignorable, as far as words hold it).
static bool is_case_ignorable(uint32_t c) {
  if (on_is_mark(c)) return true;
  switch (c) {
    case '\'': case '.': case ':': case '^': case '`': case 0xA8: case 0xAD: case 0xAF: case 0xB4: case 0xB7:
    case 0xB8: case 0x387: case 0x55F: case 0x5F4: case 0x2018: case 0x2019: case 0x2024: case 0x2027: return true;
    default: return (c >= 0x2B0 && c <= 0x2FF) || (c >= 0x200B && c <= 0x200F) || (c >= 0x1D2C && c <= 0x1D6A);
  }
}

void on_ud_lower(on_buf *out, on_str form) {
  size_t bad;
  if (!on_utf8_valid(form, &bad)) {
    on_buf_str(out, form);
    return;
  }
  bool after_cased = false;       // the last character that is not ignorable is a cased one
  size_t open_sigma = SIZE_MAX;   // a sigma that is final unless a cased character follows
  for (size_t at = 0; at < form.n;) {
    uint32_t c = on_utf8_next(form, &at);
    if (!is_case_ignorable(c)) {
      bool cased = on_is_upper(c) || on_is_lower(c);
      if (cased && open_sigma != SIZE_MAX && !out->failed) {
        out->p[open_sigma + 1] = (char)(0x80 | (SMALL_SIGMA & 63));  // both sigmas have the same first byte
      }
      open_sigma = c == CAPITAL_SIGMA && after_cased ? out->n : SIZE_MAX;
      after_cased = cased;
    }
    if (c == CAPITAL_SIGMA) {
      on_buf_codepoint(out, open_sigma == SIZE_MAX ? SMALL_SIGMA : FINAL_SIGMA);
    } else if (c == CAPITAL_I_DOT) {
      on_buf_codepoint(out, 'i');
      on_buf_codepoint(out, DOT_ABOVE);
    } else {
      on_buf_codepoint(out, on_lower(c));
    }
  }
}

typedef struct aligner {
  const on_ud_file *gold, *system;
  uint32_t *gold_of;
  on_map forms;       // lower-cased forms to numbers
  on_arena arena;     // of the keys
  on_buf lower;       // scratch
  uint32_t *numbers;  // scratch: form numbers of the gold, then the system words of a stretch
  size_t number_room;
  uint16_t *table;    // scratch
  size_t table_room;
} aligner;

// Stretch of words: [gold_start, gold_end) and [system_start, system_end).
typedef struct stretch {
  size_t gold_start, gold_end, system_start, system_end;
} stretch;

// Does the word lie inside a stretch of text that reaches to `end`? A range that begins inside does, for
// it draws the end with it.
static bool is_within(const on_ud_file *file, size_t word, size_t end) {
  if (word >= file->word_count) return false;
  const on_ud_word *w = &file->words[word];
  return w->in_range ? w->extent.start < end : w->extent.end <= end;
}

// The stretch that begins at the current words, one of which is in a range. Takes words from either side,
// the earlier first, and grows with every range that it meets.
static stretch find_stretch(const on_ud_file *gold, const on_ud_file *system, size_t g, size_t s) {
  const on_ud_word *gold_word = &gold->words[g], *system_word = &system->words[s];
  size_t end = gold_word->in_range ? gold_word->extent.end : system_word->extent.end;
  // A word that begins before the range has no partner in it.
  if (!system_word->in_range && system_word->extent.start < gold_word->extent.start) s++;
  if (!gold_word->in_range && gold_word->extent.start < system_word->extent.start) g++;
  stretch found = {.gold_start = g, .system_start = s};
  while (is_within(gold, g, end) || is_within(system, s, end)) {
    bool take_gold = g < gold->word_count && (s >= system->word_count ||
                                              gold->words[g].extent.start <= system->words[s].extent.start);
    const on_ud_word *taken = take_gold ? &gold->words[g++] : &system->words[s++];
    if (taken->in_range && taken->extent.end > end) end = taken->extent.end;
  }
  found.gold_end = g;
  found.system_end = s;
  return found;
}

// Blanks count in the form of a word inside a range, and are cut out of other forms, which are tokens.
static bool number_forms(aligner *a, const on_ud_file *file, size_t start, size_t end, uint32_t *numbers) {
  for (size_t i = start; i < end; i++) {
    const on_ud_word *word = &file->words[i];
    on_str form = word->columns->form;
    if (!word->in_range) {
      form = on_str_sub(on_buf_view(&file->characters), word->extent.start, word->extent.end);
    }
    on_buf_clear(&a->lower);
    on_ud_lower(&a->lower, form);
    if (a->lower.failed) return false;
    const uint32_t *number = on_map_get(&a->forms, on_buf_view(&a->lower));
    if (!number) {
      on_str key = on_arena_str(&a->arena, on_buf_view(&a->lower));
      number = key.p ? on_map_put(&a->forms, key, (uint32_t)a->forms.count, NULL) : NULL;
      if (!number) return false;
    }
    *numbers++ = *number;
  }
  return true;
}

// Longest common subsequence of gold[0, rows) and system[0, columns). Calls of `match` rise. Returns through
// *end_gold and *end_system how far the last match reaches (0: none).
static bool align_table(aligner *a, const uint32_t *gold, size_t rows, const uint32_t *system, size_t columns,
                        size_t gold_at, size_t system_at, size_t *end_gold, size_t *end_system) {
  size_t width = columns + 1;
  if (!on_grow((void **)&a->table, &a->table_room, (rows + 1) * width, sizeof *a->table)) return false;
  uint16_t *table = a->table;  // [rows + 1, width]: length of what the ends from there on have in common
  memset(table + rows * width, 0, width * sizeof *table);
  for (size_t g = rows; g-- > 0;) {
    uint16_t *row = table + g * width;
    const uint16_t *below = row + width;
    row[columns] = 0;
    for (size_t s = columns; s-- > 0;) {
      uint16_t skip = below[s] > row[s + 1] ? below[s] : row[s + 1];
      row[s] = gold[g] == system[s] ? (uint16_t)(below[s + 1] + 1) : skip;
    }
  }
  *end_gold = *end_system = 0;
  for (size_t g = 0, s = 0; g < rows && s < columns;) {
    if (gold[g] == system[s]) {
      a->gold_of[system_at + s++] = (uint32_t)(gold_at + g++);
      *end_gold = g;
      *end_system = s;
    } else if (table[g * width + s] == table[(g + 1) * width + s]) {
      g++;
    } else {
      s++;
    }
  }
  return true;
}

static size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

static bool align_stretch(aligner *a, stretch part) {
  size_t gold_n = part.gold_end - part.gold_start, system_n = part.system_end - part.system_start;
  if (gold_n == 0 || system_n == 0) return true;
  if (!on_grow((void **)&a->numbers, &a->number_room, gold_n + system_n, sizeof *a->numbers)) return false;
  uint32_t *gold = a->numbers, *system = a->numbers + gold_n;
  if (!number_forms(a, a->gold, part.gold_start, part.gold_end, gold) ||
      !number_forms(a, a->system, part.system_start, part.system_end, system)) {
    return false;
  }
  for (size_t g = 0, s = 0; g < gold_n && s < system_n;) {
    if (gold[g] == system[s]) {  // always part of a longest one
      a->gold_of[part.system_start + s++] = (uint32_t)(part.gold_start + g++);
      continue;
    }
    size_t rows = gold_n - g, columns = system_n - s, end_gold, end_system;
    bool whole = (uint64_t)rows * columns <= ON_UD_LCS_CELLS;
    if (!whole && rows > columns) {
      columns = at_most(columns, ON_UD_LCS_SIDE);
      rows = at_most(rows, ON_UD_LCS_CELLS / columns);
    } else if (!whole) {
      rows = at_most(rows, ON_UD_LCS_SIDE);
      columns = at_most(columns, ON_UD_LCS_CELLS / rows);
    }
    if (!align_table(a, gold + g, rows, system + s, columns, part.gold_start + g, part.system_start + s, &end_gold,
                     &end_system)) {
      return false;
    }
    // The next window begins behind the last match. Nothing behind that matched in this one, so what the next
    // one matches lies in its new part: of two windows in a row, one moves by half its size.
    bool behind_match = !whole && end_gold > 0;
    g += behind_match ? end_gold : rows;
    s += behind_match ? end_system : columns;
  }
  return true;
}

static bool align_all(aligner *a) {
  const on_ud_file *gold = a->gold, *system = a->system;
  for (size_t g = 0, s = 0; g < gold->word_count && s < system->word_count;) {
    const on_ud_word *x = &gold->words[g], *y = &system->words[s];
    if (x->in_range || y->in_range) {
      stretch part = find_stretch(gold, system, g, s);
      if (!align_stretch(a, part)) return false;
      g = part.gold_end;
      s = part.system_end;
    } else if (x->extent.start == y->extent.start && x->extent.end == y->extent.end) {
      a->gold_of[s++] = (uint32_t)g++;
    } else if (x->extent.start <= y->extent.start) {
      g++;
    } else {
      s++;
    }
  }
  return true;
}

bool on_ud_align(const on_ud_file *gold, const on_ud_file *system, uint32_t *gold_of, on_error *error) {
  aligner a = {.gold = gold, .system = system, .gold_of = gold_of};
  for (size_t i = 0; i < system->word_count; i++) gold_of[i] = ON_UD_NONE;
  bool done = align_all(&a);
  on_free(a.table);
  on_free(a.numbers);
  on_buf_free(&a.lower);
  on_map_free(&a.forms);
  on_arena_free(&a.arena);
  return done || on_fail_memory(error);
}
