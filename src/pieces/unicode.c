#include "pieces/unicode.h"

#include "pieces/unicode_tables.h"
#include "text/chars.h"

_Static_assert(sizeof on_old_from / sizeof *on_old_from == ON_OLD_SETS + 1, "unicode_tables.h has a list for each set");

static bool listed(uint32_t c, on_old_set set) {
  uint32_t low = on_old_from[set], high = on_old_from[set + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, first = on_old_runs[middle] >> 8;
    if (c < first) high = middle;
    else if (c > first + (on_old_runs[middle] & 0xFF)) low = middle + 1;
    else return true;
  }
  return false;
}

bool on_old_is(uint32_t c, on_old_set set) {
  bool now = false;
  switch (set) {
    case ON_OLD_NONSPACING: now = on_category_in(c, ON_GC_BIT(ON_GC_MN)); break;
    case ON_OLD_PUNCTUATION:
      now = c < 0x80 ? c > 0x20 && c < 0x7F && !on_is_letter(c) && !on_is_decimal(c) : on_is_punctuation(c);
      break;
    case ON_OLD_CONTROL:
      now = on_category_in(c, ON_GC_BIT(ON_GC_CC) | ON_GC_BIT(ON_GC_CF) | ON_GC_BIT(ON_GC_CO));
      break;
    case ON_OLD_MARK: now = on_is_mark(c); break;
    case ON_OLD_UNNORMALIZED: break;
    case ON_OLD_SETS: return false;
  }
  return now != listed(c, set);
}

// What is Alphabetic beside L*, Nl and M* are the circled and squared Latin letters.
bool on_word_oniguruma(uint32_t c) {
  static const uint32_t word = ON_GC_BITS(ON_GC_LU, ON_GC_LO) | ON_GC_BITS(ON_GC_MN, ON_GC_ME) | ON_GC_BIT(ON_GC_ND) |
                               ON_GC_BIT(ON_GC_NL) | ON_GC_BIT(ON_GC_PC);
  return on_category_in(c, word) || (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
         (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

bool on_word_rust(uint32_t c) { return c == 0x200C || c == 0x200D || on_word_oniguruma(c); }

size_t on_lower_full(uint32_t c, uint32_t *out) {
  if (c == 0x130) {
    out[0] = 'i';
    out[1] = 0x307;
    return 2;
  }
  out[0] = on_lower(c);
  return 1;
}
