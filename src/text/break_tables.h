// Written by tools/gen-unicode.mjs out of the Unicode Character Database 15.0; not to be edited.
#ifndef ON_TEXT_BREAK_TABLES_H
#define ON_TEXT_BREAK_TABLES_H

#include <stdint.h>

// Word_Break. Characters that are Extended_Pictographic as well stand apart (rule WB3c).
enum {
  ON_WB_OTHER,
  ON_WB_CR,
  ON_WB_LF,
  ON_WB_NEWLINE,
  ON_WB_EXTEND,
  ON_WB_ZWJ,
  ON_WB_FORMAT,
  ON_WB_REGIONAL_INDICATOR,
  ON_WB_KATAKANA,
  ON_WB_HEBREW_LETTER,
  ON_WB_ALETTER,
  ON_WB_SINGLE_QUOTE,
  ON_WB_DOUBLE_QUOTE,
  ON_WB_MIDNUMLET,
  ON_WB_MIDLETTER,
  ON_WB_MIDNUM,
  ON_WB_NUMERIC,
  ON_WB_EXTENDNUMLET,
  ON_WB_WSEGSPACE,
  ON_WB_PICTOGRAPHIC,
  ON_WB_PICTOGRAPHIC_ALETTER,
  ON_WB_COUNT
};

// Sentence_Break.
enum {
  ON_SB_OTHER,
  ON_SB_CR,
  ON_SB_LF,
  ON_SB_SEP,
  ON_SB_EXTEND,
  ON_SB_FORMAT,
  ON_SB_SP,
  ON_SB_LOWER,
  ON_SB_UPPER,
  ON_SB_OLETTER,
  ON_SB_NUMERIC,
  ON_SB_ATERM,
  ON_SB_SCONTINUE,
  ON_SB_STERM,
  ON_SB_CLOSE,
  ON_SB_COUNT
};

// Grapheme_Cluster_Break. Extended_Pictographic stands apart from Other (rule GB11).
enum {
  ON_GCB_OTHER,
  ON_GCB_CR,
  ON_GCB_LF,
  ON_GCB_CONTROL,
  ON_GCB_EXTEND,
  ON_GCB_ZWJ,
  ON_GCB_REGIONAL_INDICATOR,
  ON_GCB_PREPEND,
  ON_GCB_SPACINGMARK,
  ON_GCB_L,
  ON_GCB_V,
  ON_GCB_T,
  ON_GCB_LV,
  ON_GCB_LVT,
  ON_GCB_PICTOGRAPHIC,
  ON_GCB_COUNT
};

enum {
  ON_BREAK_DIRECT = 0x214,  // on_break_leaf[c] is the kind of every c below this
  ON_BREAK_KINDS = 54  // combinations of the three classes that occur
};

// The classes of a kind.
extern const uint8_t on_break_word_class[ON_BREAK_KINDS];
extern const uint8_t on_break_sentence_class[ON_BREAK_KINDS];
extern const uint8_t on_break_grapheme_class[ON_BREAK_KINDS];

extern const uint8_t on_break_top[1088];
extern const uint16_t on_break_middle[2304];
extern const uint8_t on_break_leaf[17408];

// The kind of c, which is at most U+10FFFF.
static inline uint8_t on_break_kind(uint32_t c) {
  if (c < ON_BREAK_DIRECT) return on_break_leaf[c];
  uint32_t middle = on_break_top[c >> 10];
  uint32_t leaf = on_break_middle[middle << 5 | (c >> 5 & 31)];
  return on_break_leaf[leaf << 5 | (c & 31)];
}

#endif
