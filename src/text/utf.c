#include "text/utf.h"

#include <string.h>

// Most text is ASCII or has long runs of it: the loops below take such runs a block at a time. The
// copies are plain loops of fixed length, which compilers turn into vector instructions.
enum { BLOCK = 16, SHORT = 64 };

static uint64_t load64(const void *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static bool ascii_block(const unsigned char *p) {
  return ((load64(p) | load64(p + 8)) & 0x8080808080808080u) == 0;
}

static bool ascii_block16(const uint16_t *p) {
  uint64_t all = load64(p) | load64(p + 4) | load64(p + 8) | load64(p + 12);
  return (all & 0xFF80FF80FF80FF80u) == 0;
}

static bool is_tail(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Length of the well-formed character at p, of which n > 0 bytes are there; 0 when there is none.
// The ranges of the second byte exclude overlong forms, surrogates and what is above U+10FFFF.
static size_t character(const unsigned char *p, size_t n) {
  unsigned char lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return n >= 2 && is_tail(p[1]) ? 2 : 0;
  if (lead < 0xF0) {
    if (n < 3 || !is_tail(p[1]) || !is_tail(p[2])) return 0;
    if ((lead == 0xE0 && p[1] < 0xA0) || (lead == 0xED && p[1] > 0x9F)) return 0;
    return 3;
  }
  if (lead > 0xF4 || n < 4 || !is_tail(p[1]) || !is_tail(p[2]) || !is_tail(p[3])) return 0;
  if ((lead == 0xF0 && p[1] < 0x90) || (lead == 0xF4 && p[1] > 0x8F)) return 0;
  return 4;
}

// Validates and counts the UTF-16 units; false with the offset of the first ill-formed character.
static bool check(on_str s, size_t *units, size_t *bad) {
  const unsigned char *p = (const unsigned char *)s.p;
  size_t i = 0, count = 0;
  while (i < s.n) {
    if (s.n - i >= BLOCK && ascii_block(p + i)) {
      i += BLOCK;
      count += BLOCK;
      continue;
    }
    // Not again per character: a block's worth of bytes, so that text without ASCII runs is not
    // slowed down by looking for them.
    size_t stop = s.n - i > BLOCK ? i + BLOCK : s.n;
    while (i < stop) {
      size_t length = character(p + i, s.n - i);
      if (length == 0) {
        *bad = i;
        return false;
      }
      i += length;
      count += length == 4 ? 2 : 1;
    }
  }
  *units = count;
  return true;
}

bool on_utf8_valid(on_str s, size_t *bad) {
  size_t units, at;
  if (check(s, &units, &at)) return true;
  if (bad) *bad = at;
  return false;
}

size_t on_utf16_length(on_str s) {
  const unsigned char *p = (const unsigned char *)s.p;
  size_t total = 0, i = 0;
  // Every byte but the tails begins a character, and the four-byte ones take a second unit. Sums of
  // blocks in a byte keep the loop in narrow lanes.
  for (; s.n - i >= 64; i += 64) {
    uint8_t sum = 0;
    for (size_t k = 0; k < 64; k++) sum = (uint8_t)(sum + ((p[i + k] & 0xC0) != 0x80) + (p[i + k] >= 0xF0));
    total += sum;
  }
  for (; i < s.n; i++) total += (size_t)!is_tail(p[i]) + (p[i] >= 0xF0);
  return total;
}

uint32_t on_utf8_next(on_str s, size_t *i) {
  const unsigned char *p = (const unsigned char *)s.p + *i;
  uint32_t lead = p[0];
  if (lead < 0x80) {
    *i += 1;
    return lead;
  }
  if (lead < 0xE0) {
    *i += 2;
    return (lead & 0x1F) << 6 | (p[1] & 0x3Fu);
  }
  if (lead < 0xF0) {
    *i += 3;
    return (lead & 0x0F) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  }
  *i += 4;
  return (lead & 0x07) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
}

size_t on_utf16_put(uint16_t *out, uint32_t c) {
  if (c < 0x10000) {
    out[0] = (uint16_t)c;
    return 1;
  }
  out[0] = (uint16_t)(0xD7C0 + (c >> 10));  // 0xD800 + ((c - 0x10000) >> 10)
  out[1] = (uint16_t)(0xDC00 | (c & 0x3FF));
  return 2;
}

size_t on_utf16_write(uint16_t *out, on_str s) {
  const unsigned char *p = (const unsigned char *)s.p;
  uint16_t *start = out;
  size_t i = 0;
  while (i < s.n) {
    if (s.n - i >= BLOCK && ascii_block(p + i)) {
      for (size_t k = 0; k < BLOCK; k++) out[k] = p[i + k];
      i += BLOCK;
      out += BLOCK;
      continue;
    }
    size_t stop = s.n - i > BLOCK ? i + BLOCK : s.n;
    while (i < stop) {
      if (p[i] < 0x80) {
        *out++ = p[i++];
      } else {
        out += on_utf16_put(out, on_utf8_next(s, &i));
      }
    }
  }
  return (size_t)(out - start);
}

bool on_utf16_from_utf8(on_arena *arena, on_str s, on_str16 *out, on_error *error) {
  size_t units, bad;
  if (!check(s, &units, &bad)) {
    return on_fail(error, ON_INVALID_UTF8, (int64_t)bad, "invalid UTF-8 at byte %llu (0x%02X)",
                   (unsigned long long)bad, (unsigned)(unsigned char)s.p[bad]);
  }
  uint16_t *text = ON_NEW(arena, uint16_t, units);
  if (!text) return on_fail_memory(error);
  on_utf16_write(text, s);
  *out = (on_str16){text, units};
  return true;
}

static bool pair_at(on_str16 s, size_t i) {
  return on_is_high_surrogate(s.p[i]) && i + 1 < s.n && on_is_low_surrogate(s.p[i + 1]);
}

static uint32_t join(uint32_t high, uint32_t low) { return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00); }

uint32_t on_utf16_next(on_str16 s, size_t *i) {
  size_t at = *i;
  if (pair_at(s, at)) {
    *i = at + 2;
    return join(s.p[at], s.p[at + 1]);
  }
  *i = at + 1;
  return s.p[at];
}

uint32_t on_utf16_prev(on_str16 s, size_t *i) {
  size_t at = *i - 1;
  if (at > 0 && on_is_low_surrogate(s.p[at]) && on_is_high_surrogate(s.p[at - 1])) {
    *i = at - 1;
    return join(s.p[at - 1], s.p[at]);
  }
  *i = at;
  return s.p[at];
}

// Bytes that s takes as UTF-8. s.n <= SIZE_MAX / 3.
static size_t utf8_length(on_str16 s) {
  size_t total = 0, i = 0;
  while (i < s.n) {
    if (s.n - i >= BLOCK && ascii_block16(s.p + i)) {
      i += BLOCK;
      total += BLOCK;
      continue;
    }
    size_t stop = s.n - i > BLOCK ? i + BLOCK : s.n;
    while (i < stop) {
      uint32_t unit = s.p[i];
      if (pair_at(s, i)) {
        total += 4;
        i += 2;
      } else {
        total += 1 + (unit >= 0x80) + (unit >= 0x800);
        i++;
      }
    }
  }
  return total;
}

// The end of what was written.
static char *utf8_write(char *out, on_str16 s) {
  size_t i = 0;
  while (i < s.n) {
    if (s.n - i >= BLOCK && ascii_block16(s.p + i)) {
      for (size_t k = 0; k < BLOCK; k++) out[k] = (char)s.p[i + k];
      i += BLOCK;
      out += BLOCK;
      continue;
    }
    size_t stop = s.n - i > BLOCK ? i + BLOCK : s.n;
    while (i < stop) {
      uint32_t c = on_utf16_next(s, &i);
      if (c < 0x80) {
        *out++ = (char)c;
      } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
      } else if (c < 0x10000) {
        if ((c & 0xF800) == 0xD800) c = 0xFFFD;
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
      } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
      }
    }
  }
  return out;
}

void on_utf8_append(on_buf *buf, on_str16 s) {
  if (s.n > SIZE_MAX / 3) {
    buf->failed = true;
    return;
  }
  // Words are short: room for the most they can take is cheaper than counting.
  size_t room = s.n <= SHORT ? 3 * s.n : utf8_length(s);
  if (room == 0 || (buf->cap - buf->n < room && !on_buf_reserve(buf, room)) || buf->failed) return;
  buf->n = (size_t)(utf8_write(buf->p + buf->n, s) - buf->p);
}

on_str on_utf8_from_utf16(on_arena *arena, on_str16 s) {
  if (s.n > SIZE_MAX / 3) {
    arena->failed = true;
    return ON_STR_NONE;
  }
  size_t n = utf8_length(s);
  char *text = ON_NEW(arena, char, n);
  if (!text) return ON_STR_NONE;
  utf8_write(text, s);
  return (on_str){text, n};
}
