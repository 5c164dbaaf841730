#include "text/chars.h"

#include <utf8proc.h>

#include "text/utf.h"

// on_category hands utf8proc's numbers on as they are.
_Static_assert(ON_GC_CN == (int)UTF8PROC_CATEGORY_CN && ON_GC_LU == (int)UTF8PROC_CATEGORY_LU &&
                   ON_GC_LO == (int)UTF8PROC_CATEGORY_LO && ON_GC_MN == (int)UTF8PROC_CATEGORY_MN &&
                   ON_GC_ME == (int)UTF8PROC_CATEGORY_ME && ON_GC_ND == (int)UTF8PROC_CATEGORY_ND &&
                   ON_GC_NO == (int)UTF8PROC_CATEGORY_NO && ON_GC_PC == (int)UTF8PROC_CATEGORY_PC &&
                   ON_GC_PO == (int)UTF8PROC_CATEGORY_PO && ON_GC_SM == (int)UTF8PROC_CATEGORY_SM &&
                   ON_GC_SO == (int)UTF8PROC_CATEGORY_SO && ON_GC_ZS == (int)UTF8PROC_CATEGORY_ZS &&
                   ON_GC_CO == (int)UTF8PROC_CATEGORY_CO,
               "the categories of char_tables.h are in the order of utf8proc's");

enum { LATIN_SMALL_SHARP_S = 0xDF, CAPITAL_I_DOTTED = 0x130, SMALL_I_DOTLESS = 0x131 };

// utf8proc takes signed numbers, and answers for what is out of range (Cn, no mapping).
static utf8proc_int32_t code_point(uint32_t c) { return c < 0x110000 ? (utf8proc_int32_t)c : -1; }

uint32_t on_category_beyond(uint32_t c) { return (uint32_t)utf8proc_category(code_point(c)); }

bool on_is_space_beyond(uint32_t c) {
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x1680 || c == 0x3000;
}

bool on_is_line_break(uint32_t c) { return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029; }

uint32_t on_lower_beyond(uint32_t c) { return c < 0x110000 ? (uint32_t)utf8proc_tolower(code_point(c)) : c; }

uint32_t on_upper(uint32_t c) {
  if (c < 0x80) return c - 'a' < 26 ? c - 32 : c;
  // utf8proc goes beyond UnicodeData.txt here and gives the capital sharp s.
  if (c == LATIN_SMALL_SHARP_S || c >= 0x110000) return c;
  return (uint32_t)utf8proc_toupper(code_point(c));
}

uint32_t on_lower_turkic(uint32_t c) {
  if (c == 'I') return SMALL_I_DOTLESS;
  return c == CAPITAL_I_DOTTED ? 'i' : on_lower(c);
}

size_t on_lower_text(uint16_t *out, on_str16 s, bool turkic) {
  uint16_t *start = out;
  size_t i = 0;
  while (i < s.n) {
    uint32_t c = s.p[i];
    if (c < ON_CHAR_DIRECT) {
      i++;
      *out++ = turkic && (c == 'I' || c == CAPITAL_I_DOTTED) ? (uint16_t)on_lower_turkic(c) : on_char_lower[c];
    } else {
      out += on_utf16_put(out, on_lower_beyond(on_utf16_next(s, &i)));
    }
  }
  return (size_t)(out - start);
}
