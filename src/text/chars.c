#include "text/chars.h"

#include "text/utf.h"

enum { CODE_POINTS = 0x110000, CAPITAL_I_DOTTED = 0x130, SMALL_I_DOTLESS = 0x131 };

uint32_t on_category_beyond(uint32_t c) {
  return c < CODE_POINTS ? on_char_category_of[on_char_kind(c)] : ON_GC_CN;
}

bool on_is_space_beyond(uint32_t c) {
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x1680 || c == 0x3000;
}

bool on_is_line_break(uint32_t c) { return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029; }

uint32_t on_lower_beyond(uint32_t c) {
  return c < CODE_POINTS ? c + (uint32_t)on_char_lower_adds[on_char_kind(c)] : c;
}

uint32_t on_upper(uint32_t c) {
  if (c < 0x80) return c - 'a' < 26 ? c - 32 : c;
  return c < CODE_POINTS ? c + (uint32_t)on_char_upper_adds[on_char_kind(c)] : c;
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
