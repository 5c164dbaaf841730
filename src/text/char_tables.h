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

#endif
