#include "text/breaks.h"

#include "text/break_tables.h"
#include "text/utf.h"

// One state machine for each sort of boundary. No rule of UAX #29 looks across a boundary to the left
// (pairs of regional indicators are complete at a boundary), so each search starts afresh at `from`.
// Characters that the rules for words and sentences ignore (Extend, Format, for words ZWJ) leave the
// state as it is, unless they come first.
//
// Word rules WB6, WB7b and WB12 and sentence rule SB8 look ahead. Here the search goes on instead, and
// keeps in `pending` where the boundary is if the rule turns out not to apply. What was read behind it
// is then read once more by the next search, but not a third time: the next search has nothing pending
// until it is past all that (it begins with the middle character, or behind the full stop, and the
// former search ended before or at the next letter or full stop). Hence linear time.

// The kind of the character at *i, which moves behind it.
static uint8_t next_kind(on_str16 text, size_t *i) {
  uint32_t unit = text.p[*i];
  if (unit < ON_BREAK_DIRECT) {
    ++*i;
    return on_break_leaf[unit];
  }
  return on_break_kind(on_utf16_next(text, i));
}

// What stands to the left, as far as a word rule depends on it. The rows are where each class leads;
// what a row does not name is a boundary.
enum {
  W_BREAK,
  W_OTHER,
  W_LETTER,       // AHLetter, but not Hebrew_Letter
  W_HEBREW,       // Hebrew_Letter
  W_NUMERIC,      // Numeric
  W_KATAKANA,     // Katakana
  W_EXTENDER,     // ExtendNumLet
  W_REGIONAL,     // the first Regional_Indicator of a pair
  W_HEBREW_QUOTE, // Hebrew_Letter Single_Quote: no boundary between them in any case (WB7a)
  W_PENDING,      // the states from here on have a pending boundary before their last character:
  W_LETTER_MID = W_PENDING,  // AHLetter (MidLetter | MidNumLetQ)
  W_HEBREW_MID,              // Hebrew_Letter Double_Quote
  W_NUMERIC_MID,             // Numeric (MidNum | MidNumLetQ)
  W_STATES
};

#define TO_LETTERS \
  [ON_WB_ALETTER] = W_LETTER, [ON_WB_PICTOGRAPHIC_ALETTER] = W_LETTER, [ON_WB_HEBREW_LETTER] = W_HEBREW

static const uint8_t word_next[W_STATES][ON_WB_COUNT] = {
  [W_LETTER] = {TO_LETTERS, [ON_WB_NUMERIC] = W_NUMERIC, [ON_WB_EXTENDNUMLET] = W_EXTENDER,
                [ON_WB_MIDLETTER] = W_LETTER_MID, [ON_WB_MIDNUMLET] = W_LETTER_MID,
                [ON_WB_SINGLE_QUOTE] = W_LETTER_MID},
  [W_HEBREW] = {TO_LETTERS, [ON_WB_NUMERIC] = W_NUMERIC, [ON_WB_EXTENDNUMLET] = W_EXTENDER,
                [ON_WB_MIDLETTER] = W_LETTER_MID, [ON_WB_MIDNUMLET] = W_LETTER_MID,
                [ON_WB_SINGLE_QUOTE] = W_HEBREW_QUOTE, [ON_WB_DOUBLE_QUOTE] = W_HEBREW_MID},
  [W_NUMERIC] = {TO_LETTERS, [ON_WB_NUMERIC] = W_NUMERIC, [ON_WB_EXTENDNUMLET] = W_EXTENDER,
                 [ON_WB_MIDNUM] = W_NUMERIC_MID, [ON_WB_MIDNUMLET] = W_NUMERIC_MID,
                 [ON_WB_SINGLE_QUOTE] = W_NUMERIC_MID},
  [W_KATAKANA] = {[ON_WB_KATAKANA] = W_KATAKANA, [ON_WB_EXTENDNUMLET] = W_EXTENDER},
  [W_EXTENDER] = {TO_LETTERS, [ON_WB_NUMERIC] = W_NUMERIC, [ON_WB_KATAKANA] = W_KATAKANA,
                  [ON_WB_EXTENDNUMLET] = W_EXTENDER},
  [W_REGIONAL] = {[ON_WB_REGIONAL_INDICATOR] = W_OTHER},
  [W_HEBREW_QUOTE] = {TO_LETTERS},
  [W_LETTER_MID] = {TO_LETTERS},
  [W_HEBREW_MID] = {[ON_WB_HEBREW_LETTER] = W_HEBREW},
  [W_NUMERIC_MID] = {[ON_WB_NUMERIC] = W_NUMERIC},
};

// Where a class leads that begins a word; what is not named here leads to W_OTHER, which 0 stands for.
static const uint8_t word_starts[ON_WB_COUNT] = {
  TO_LETTERS, [ON_WB_NUMERIC] = W_NUMERIC, [ON_WB_KATAKANA] = W_KATAKANA, [ON_WB_EXTENDNUMLET] = W_EXTENDER,
  [ON_WB_REGIONAL_INDICATOR] = W_REGIONAL,
};

static uint8_t word_start(uint32_t class) { return word_starts[class] ? word_starts[class] : W_OTHER; }

// WB3c and WB3d: the only rules about characters that really stand side by side.
static bool stay_together(uint32_t last, uint32_t class) {
  if (last == ON_WB_ZWJ) return class == ON_WB_PICTOGRAPHIC || class == ON_WB_PICTOGRAPHIC_ALETTER;
  return last == ON_WB_WSEGSPACE && class == ON_WB_WSEGSPACE;
}

size_t on_next_word_break(on_str16 text, size_t from) {
  size_t i = from, pending = 0;
  uint32_t last = on_break_word_class[next_kind(text, &i)];
  if (last == ON_WB_CR && i < text.n && text.p[i] == '\n') return i + 1;
  if (last == ON_WB_CR || last == ON_WB_LF || last == ON_WB_NEWLINE) return i;
  uint8_t state = word_start(last);
  while (i < text.n) {
    size_t at = i;
    uint32_t class = on_break_word_class[next_kind(text, &i)];
    uint8_t next = word_next[state][class];
    if (next == W_BREAK) {
      if (class == ON_WB_EXTEND || class == ON_WB_ZWJ || class == ON_WB_FORMAT) {
        next = state;
      } else if (state < W_PENDING && stay_together(last, class)) {
        next = word_start(class);
      } else {
        return state < W_PENDING ? at : pending;
      }
    } else if (next >= W_PENDING) {
      pending = at;
    }
    state = next;
    last = class;
  }
  return state < W_PENDING ? text.n : pending;
}

// The same for sentences, where a boundary needs a reason. The columns are the classes without those
// that end a paragraph, which are dealt with apart, and those that the rules ignore.
enum {
  S_BREAK,
  S_ANY,
  S_CASED,     // Upper | Lower
  S_AT,        // ATerm
  S_CASED_AT,  // (Upper | Lower) ATerm
  S_AT_CLOSE,  // ATerm Close+
  S_AT_SP,     // ATerm Close* Sp+
  S_ST,        // STerm Close*
  S_ST_SP,     // STerm Close* Sp+
  S_PENDING,   // ATerm Close* Sp*, a pending boundary, and then only what SB8 lets pass before Lower
  S_STATES
};

#define S_ROW(other, numeric, oletter, upper, lower, aterm, sterm, scontinue, close, sp)             \
  {[ON_SB_OTHER] = S_##other, [ON_SB_NUMERIC] = S_##numeric, [ON_SB_OLETTER] = S_##oletter,          \
   [ON_SB_UPPER] = S_##upper, [ON_SB_LOWER] = S_##lower, [ON_SB_ATERM] = S_##aterm,                  \
   [ON_SB_STERM] = S_##sterm, [ON_SB_SCONTINUE] = S_##scontinue, [ON_SB_CLOSE] = S_##close,          \
   [ON_SB_SP] = S_##sp}

static const uint8_t sentence_next[S_STATES][ON_SB_COUNT] = {
  //                    Other    Numeric  OLetter Upper   Lower  ATerm     STerm  SContinue Close   Sp
  [S_ANY] =      S_ROW(ANY,     ANY,     ANY,    CASED,  CASED, AT,       ST,    ANY,     ANY,      ANY),
  [S_CASED] =    S_ROW(ANY,     ANY,     ANY,    CASED,  CASED, CASED_AT, ST,    ANY,     ANY,      ANY),
  [S_AT] =       S_ROW(PENDING, ANY,     BREAK,  BREAK,  CASED, AT,       ST,    ANY,     AT_CLOSE, AT_SP),
  [S_CASED_AT] = S_ROW(PENDING, ANY,     BREAK,  CASED,  CASED, AT,       ST,    ANY,     AT_CLOSE, AT_SP),
  [S_AT_CLOSE] = S_ROW(PENDING, PENDING, BREAK,  BREAK,  CASED, AT,       ST,    ANY,     AT_CLOSE, AT_SP),
  [S_AT_SP] =    S_ROW(PENDING, PENDING, BREAK,  BREAK,  CASED, AT,       ST,    ANY,     PENDING,  AT_SP),
  [S_ST] =       S_ROW(BREAK,   BREAK,   BREAK,  BREAK,  BREAK, AT,       ST,    ANY,     ST,       ST_SP),
  [S_ST_SP] =    S_ROW(BREAK,   BREAK,   BREAK,  BREAK,  BREAK, AT,       ST,    ANY,     BREAK,    ST_SP),
  [S_PENDING] =  S_ROW(PENDING, PENDING, BREAK,  BREAK,  CASED, BREAK,    BREAK, PENDING, PENDING,  PENDING),
};

size_t on_next_sentence_break(on_str16 text, size_t from) {
  size_t i = from, pending = 0;
  uint8_t state = S_ANY;
  while (i < text.n) {
    size_t at = i;
    uint32_t class = on_break_sentence_class[next_kind(text, &i)];
    if (class == ON_SB_CR || class == ON_SB_LF || class == ON_SB_SEP) {
      if (state == S_PENDING) return pending;
      return class == ON_SB_CR && i < text.n && text.p[i] == '\n' ? i + 1 : i;
    }
    if (class == ON_SB_EXTEND || class == ON_SB_FORMAT) continue;
    uint8_t next = sentence_next[state][class];
    if (next == S_BREAK) return state == S_PENDING ? pending : at;
    if (next == S_PENDING && state != S_PENDING) pending = at;
    state = next;
  }
  return state == S_PENDING ? pending : text.n;
}

// Grapheme clusters. The rows are as those for words.
enum {
  G_BREAK,
  G_OTHER,
  G_CR,
  G_CONTROL,   // Control | LF
  G_L,         // Hangul: L
  G_V,         // LV | V
  G_T,         // LVT | T
  G_PREPEND,
  G_REGIONAL,  // the first Regional_Indicator of a pair
  G_PICTO,     // Extended_Pictographic Extend*
  G_PICTO_ZWJ, // the same and ZWJ
  G_STATES
};

// GB9 and GB9a: what joins to everything but controls.
#define JOINS(extend, zwj) \
  [ON_GCB_EXTEND] = (extend), [ON_GCB_ZWJ] = (zwj), [ON_GCB_SPACINGMARK] = G_OTHER

// Where a class leads that begins a cluster, and after Prepend.
#define JOINING_STARTS                                                                              \
  [ON_GCB_OTHER] = G_OTHER, [ON_GCB_REGIONAL_INDICATOR] = G_REGIONAL, [ON_GCB_PREPEND] = G_PREPEND, \
  [ON_GCB_L] = G_L, [ON_GCB_V] = G_V, [ON_GCB_LV] = G_V, [ON_GCB_T] = G_T, [ON_GCB_LVT] = G_T,      \
  [ON_GCB_PICTOGRAPHIC] = G_PICTO, JOINS(G_OTHER, G_OTHER)

static const uint8_t grapheme_start[ON_GCB_COUNT] = {
  JOINING_STARTS, [ON_GCB_CR] = G_CR, [ON_GCB_LF] = G_CONTROL, [ON_GCB_CONTROL] = G_CONTROL};

static const uint8_t grapheme_next[G_STATES][ON_GCB_COUNT] = {
  [G_OTHER] = {JOINS(G_OTHER, G_OTHER)},
  [G_CR] = {[ON_GCB_LF] = G_CONTROL},
  [G_L] = {JOINS(G_OTHER, G_OTHER), [ON_GCB_L] = G_L, [ON_GCB_V] = G_V, [ON_GCB_LV] = G_V, [ON_GCB_LVT] = G_T},
  [G_V] = {JOINS(G_OTHER, G_OTHER), [ON_GCB_V] = G_V, [ON_GCB_T] = G_T},
  [G_T] = {JOINS(G_OTHER, G_OTHER), [ON_GCB_T] = G_T},
  [G_PREPEND] = {JOINING_STARTS},
  [G_REGIONAL] = {JOINS(G_OTHER, G_OTHER), [ON_GCB_REGIONAL_INDICATOR] = G_OTHER},
  [G_PICTO] = {JOINS(G_PICTO, G_PICTO_ZWJ)},
  [G_PICTO_ZWJ] = {JOINS(G_OTHER, G_OTHER), [ON_GCB_PICTOGRAPHIC] = G_PICTO},
};

size_t on_next_grapheme_break(on_str16 text, size_t from) {
  size_t i = from;
  uint8_t state = grapheme_start[on_break_grapheme_class[next_kind(text, &i)]];
  while (i < text.n) {
    size_t at = i;
    state = grapheme_next[state][on_break_grapheme_class[next_kind(text, &i)]];
    if (state == G_BREAK) return at;
  }
  return text.n;
}
