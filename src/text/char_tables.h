// Written by tools/gen-unicode.mjs out of the Unicode Character Database 15.0; not to be edited.
#ifndef ON_TEXT_CHAR_TABLES_H
#define ON_TEXT_CHAR_TABLES_H

#include <stdint.h>

// General_Category.
enum {
  ON_GC_CN,
  ON_GC_LU,
  ON_GC_LL,
  ON_GC_LT,
  ON_GC_LM,
  ON_GC_LO,
  ON_GC_MN,
  ON_GC_MC,
  ON_GC_ME,
  ON_GC_ND,
  ON_GC_NL,
  ON_GC_NO,
  ON_GC_PC,
  ON_GC_PD,
  ON_GC_PS,
  ON_GC_PE,
  ON_GC_PI,
  ON_GC_PF,
  ON_GC_PO,
  ON_GC_SM,
  ON_GC_SC,
  ON_GC_SK,
  ON_GC_SO,
  ON_GC_ZS,
  ON_GC_ZL,
  ON_GC_ZP,
  ON_GC_CC,
  ON_GC_CF,
  ON_GC_CS,
  ON_GC_CO,
  ON_GC_COUNT
};

enum { ON_CHAR_DIRECT = 0x530 };  // the tables cover what is below this

extern const uint8_t on_char_category[ON_CHAR_DIRECT];
extern const uint16_t on_char_lower[ON_CHAR_DIRECT];  // the simple lower-case mapping, or the character itself

// All characters; those of a kind have the category on_char_category_of[kind], and case mappings add
// on_char_lower_adds[kind] and on_char_upper_adds[kind].
extern const uint8_t on_char_top[1088];
extern const uint16_t on_char_middle[2112];
extern const uint8_t on_char_leaf[19232];
extern const uint8_t on_char_category_of[208];
extern const int32_t on_char_lower_adds[208];
extern const int32_t on_char_upper_adds[208];

// The kind of c, which is at most U+10FFFF.
static inline uint8_t on_char_kind(uint32_t c) {
  uint32_t middle = on_char_top[c >> 10];
  uint32_t leaf = on_char_middle[middle << 5 | (c >> 5 & 31)];
  return on_char_leaf[leaf << 5 | (c & 31)];
}

#endif
