#include "break_rules.h"

#include "text/break_tables.h"

/* WB4 and SB5 join characters to the one before them. A unit is such a group: its first character's
 * class counts. Units are numbered from 0; class_at of what lies outside is NONE. */
typedef struct units {
  uint8_t class[MAX_CHARACTERS];
  size_t start[MAX_CHARACTERS];
  long n;
} units;

enum { NONE = 255 };

static uint8_t class_at(const units *u, long i) { return i < 0 || i >= u->n ? NONE : u->class[i]; }

static void join_units(units *u, const uint8_t *classes, size_t n, bool (*joins)(uint8_t), bool (*apart)(uint8_t)) {
  u->n = 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && joins(classes[i]) && !apart(class_at(u, u->n - 1))) continue;
    u->class[u->n] = classes[i];
    u->start[u->n++] = i;
  }
}

/* ---- words ---- */

static bool word_joins(uint8_t c) { return c == ON_WB_EXTEND || c == ON_WB_FORMAT || c == ON_WB_ZWJ; }
static bool new_line(uint8_t c) { return c == ON_WB_CR || c == ON_WB_LF || c == ON_WB_NEWLINE; }
static bool pictographic(uint8_t c) { return c == ON_WB_PICTOGRAPHIC || c == ON_WB_PICTOGRAPHIC_ALETTER; }
static bool letter(uint8_t c) {
  return c == ON_WB_ALETTER || c == ON_WB_PICTOGRAPHIC_ALETTER || c == ON_WB_HEBREW_LETTER;
}
static bool num_let_q(uint8_t c) { return c == ON_WB_MIDNUMLET || c == ON_WB_SINGLE_QUOTE; }

static bool word_boundary(const units *u, long i, uint8_t raw_left) {
  uint8_t before = class_at(u, i - 2), left = class_at(u, i - 1), right = class_at(u, i), after = class_at(u, i + 1);
  if (left == ON_WB_CR && right == ON_WB_LF) return false;                                          /* WB3 */
  if (new_line(left) || new_line(right)) return true;                                               /* WB3a, b */
  if (raw_left == ON_WB_ZWJ && pictographic(right)) return false;                                   /* WB3c */
  if (raw_left == ON_WB_WSEGSPACE && right == ON_WB_WSEGSPACE) return false;                        /* WB3d */
  if (letter(left) && letter(right)) return false;                                                  /* WB5 */
  if (letter(left) && (right == ON_WB_MIDLETTER || num_let_q(right)) && letter(after)) return false; /* WB6 */
  if (letter(before) && (left == ON_WB_MIDLETTER || num_let_q(left)) && letter(right)) return false; /* WB7 */
  if (left == ON_WB_HEBREW_LETTER && right == ON_WB_SINGLE_QUOTE) return false;                     /* WB7a */
  if (left == ON_WB_HEBREW_LETTER && right == ON_WB_DOUBLE_QUOTE && after == ON_WB_HEBREW_LETTER) return false;
  if (before == ON_WB_HEBREW_LETTER && left == ON_WB_DOUBLE_QUOTE && right == ON_WB_HEBREW_LETTER) return false;
  if (left == ON_WB_NUMERIC && right == ON_WB_NUMERIC) return false;                                /* WB8 */
  if (letter(left) && right == ON_WB_NUMERIC) return false;                                         /* WB9 */
  if (left == ON_WB_NUMERIC && letter(right)) return false;                                         /* WB10 */
  if (before == ON_WB_NUMERIC && (left == ON_WB_MIDNUM || num_let_q(left)) && right == ON_WB_NUMERIC) return false;
  if (left == ON_WB_NUMERIC && (right == ON_WB_MIDNUM || num_let_q(right)) && after == ON_WB_NUMERIC) return false;
  if (left == ON_WB_KATAKANA && right == ON_WB_KATAKANA) return false;                              /* WB13 */
  bool from = letter(left) || left == ON_WB_NUMERIC || left == ON_WB_KATAKANA || left == ON_WB_EXTENDNUMLET;
  if (from && right == ON_WB_EXTENDNUMLET) return false;                                            /* WB13a */
  if (left == ON_WB_EXTENDNUMLET && (letter(right) || right == ON_WB_NUMERIC || right == ON_WB_KATAKANA)) return false;
  if (right == ON_WB_REGIONAL_INDICATOR) {                                                          /* WB15, 16 */
    long indicators = 0;
    while (class_at(u, i - 1 - indicators) == ON_WB_REGIONAL_INDICATOR) indicators++;
    if (indicators % 2 == 1) return false;
  }
  return true;                                                                                      /* WB999 */
}

void rules_of_words(const uint8_t *classes, size_t n, bool *breaks) {
  units u;
  join_units(&u, classes, n, word_joins, new_line);
  for (size_t i = 0; i < n; i++) breaks[i] = false;
  for (long i = 1; i < u.n; i++) breaks[u.start[i]] = word_boundary(&u, i, classes[u.start[i] - 1]);
}

/* ---- sentences ---- */

static bool sentence_joins(uint8_t c) { return c == ON_SB_EXTEND || c == ON_SB_FORMAT; }
static bool para_sep(uint8_t c) { return c == ON_SB_SEP || c == ON_SB_CR || c == ON_SB_LF; }
static bool sa_term(uint8_t c) { return c == ON_SB_STERM || c == ON_SB_ATERM; }

static bool sentence_boundary(const units *u, long i) {
  uint8_t before = class_at(u, i - 2), left = class_at(u, i - 1), right = class_at(u, i);
  if (left == ON_SB_CR && right == ON_SB_LF) return false;                          /* SB3 */
  if (para_sep(left)) return true;                                                  /* SB4 */
  if (left == ON_SB_ATERM && right == ON_SB_NUMERIC) return false;                  /* SB6 */
  if ((before == ON_SB_UPPER || before == ON_SB_LOWER) && left == ON_SB_ATERM && right == ON_SB_UPPER) return false;
  long after_close = i, at;
  while (class_at(u, after_close - 1) == ON_SB_SP) after_close--;
  for (at = after_close; class_at(u, at - 1) == ON_SB_CLOSE;) at--;
  uint8_t term = class_at(u, at - 1);
  if (!sa_term(term)) return false;                                                 /* SB998: nothing below fits */
  if (term == ON_SB_ATERM) {                                                        /* SB8 */
    long ahead = i;
    for (; ahead < u->n; ahead++) {
      uint8_t c = u->class[ahead];
      if (c == ON_SB_OLETTER || c == ON_SB_UPPER || c == ON_SB_LOWER || para_sep(c) || sa_term(c)) break;
    }
    if (class_at(u, ahead) == ON_SB_LOWER) return false;
  }
  if (right == ON_SB_SCONTINUE || sa_term(right)) return false;                     /* SB8a */
  bool spaces = after_close < i;
  if (!spaces && (right == ON_SB_CLOSE || right == ON_SB_SP || para_sep(right))) return false; /* SB9 */
  if (right == ON_SB_SP || para_sep(right)) return false;                           /* SB10 */
  return true;                                                                      /* SB11 */
}

void rules_of_sentences(const uint8_t *classes, size_t n, bool *breaks) {
  units u;
  join_units(&u, classes, n, sentence_joins, para_sep);
  for (size_t i = 0; i < n; i++) breaks[i] = false;
  for (long i = 1; i < u.n; i++) breaks[u.start[i]] = sentence_boundary(&u, i);
}

/* ---- grapheme clusters ---- */

static bool control(uint8_t c) { return c == ON_GCB_CR || c == ON_GCB_LF || c == ON_GCB_CONTROL; }

static bool grapheme_boundary(const uint8_t *c, size_t i) {
  uint8_t left = c[i - 1], right = c[i];
  if (left == ON_GCB_CR && right == ON_GCB_LF) return false;                                           /* GB3 */
  if (control(left) || control(right)) return true;                                              /* GB4, 5 */
  bool vowel = right == ON_GCB_V || right == ON_GCB_LV || right == ON_GCB_LVT;
  if (left == ON_GCB_L && (right == ON_GCB_L || vowel)) return false;                            /* GB6 */
  if ((left == ON_GCB_LV || left == ON_GCB_V) && (right == ON_GCB_V || right == ON_GCB_T)) return false;     /* GB7 */
  if ((left == ON_GCB_LVT || left == ON_GCB_T) && right == ON_GCB_T) return false;                        /* GB8 */
  if (right == ON_GCB_EXTEND || right == ON_GCB_ZWJ || right == ON_GCB_SPACINGMARK) return false;         /* GB9, 9a */
  if (left == ON_GCB_PREPEND) return false;                                                         /* GB9b */
  if (left == ON_GCB_ZWJ && right == ON_GCB_PICTOGRAPHIC) {                                            /* GB11 */
    size_t at = i - 1;
    while (at > 0 && c[at - 1] == ON_GCB_EXTEND) at--;
    if (at > 0 && c[at - 1] == ON_GCB_PICTOGRAPHIC) return false;
  }
  if (right == ON_GCB_REGIONAL_INDICATOR) {                                                         /* GB12, 13 */
    size_t indicators = 0;
    while (indicators < i && c[i - 1 - indicators] == ON_GCB_REGIONAL_INDICATOR) indicators++;
    if (indicators % 2 == 1) return false;
  }
  return true;                                                                                   /* GB999 */
}

void rules_of_graphemes(const uint8_t *classes, size_t n, bool *breaks) {
  breaks[0] = false;
  for (size_t i = 1; i < n; i++) breaks[i] = grapheme_boundary(classes, i);
}
