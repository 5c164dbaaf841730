#include "pieces/charsmap.h"

#include "text/utf.h"

static int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes standard base64 with padding; *n is the number of bytes written at out.
static bool decode(on_str text, uint8_t *out, size_t *n) {
  *n = 0;
  if (text.n % 4 != 0) return false;
  size_t length = text.n;
  while (length > 0 && text.n - length < 2 && text.p[length - 1] == '=') length--;
  uint32_t bits = 0;
  for (size_t i = 0; i < length; i++) {
    int digit = digit_of(text.p[i]);
    if (digit < 0) return false;
    bits = bits << 6 | (uint32_t)digit;
    if (i % 4 != 0) out[(*n)++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
  }
  return true;
}

static uint32_t unit_at(const on_charsmap *map, size_t i) {
  const uint8_t *p = map->units + 4 * i;
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool on_charsmap_read(on_charsmap *map, on_str base64, on_arena *arena, on_error *error) {
  uint8_t *bytes = ON_NEW(arena, uint8_t, base64.n);
  size_t n, bad;
  if (!bytes) return on_fail_memory(error);
  if (!decode(base64, bytes, &n)) return on_fail(error, ON_INVALID_DATA, -1, "is not base64");
  *map = (on_charsmap){.units = bytes};
  size_t size = n < 4 ? 0 : unit_at(map, 0);
  if (n < 4 || size % 4 != 0 || size < 4 || size > n - 4) {
    return on_fail(error, ON_INVALID_DATA, -1, "is cut off, or not a character map");
  }
  map->units = bytes + 4;
  map->unit_count = size / 4;
  map->replacements = (on_str){(const char *)bytes + 4 + size, n - 4 - size};
  if (!on_utf8_valid(map->replacements, &bad)) return on_fail(error, ON_INVALID_DATA, -1, "holds invalid UTF-8");
  return true;
}

on_str on_charsmap_find(const on_charsmap *map, on_str text) {
  // A unit: bits 0 to 7 and 31 its label, bit 8 "a value follows", bits 10 and up the offset to its children, times
  // 256 when bit 9 is set. A value's unit has it in bits 0 to 30.
  uint32_t unit = unit_at(map, 0);
  size_t node = 0;
  for (size_t i = 0; i <= text.n; i++) {
    node ^= (size_t)(unit >> 10) << ((unit & 0x200) >> 6);
    if (i > 0 && (unit >> 8 & 1)) {
      if (node >= map->unit_count) return ON_STR_NONE;
      size_t from = unit_at(map, node) & 0x7FFFFFFF;
      if (from > map->replacements.n) return ON_STR_NONE;
      on_str rest = on_str_sub(map->replacements, from, map->replacements.n);
      const char *end = rest.n ? memchr(rest.p, 0, rest.n) : NULL;
      if (((unsigned char)(rest.n ? rest.p[0] : 0) & 0xC0) == 0x80) return ON_STR_NONE;  // inside a character
      return (on_str){rest.p, end ? (size_t)(end - rest.p) : rest.n};
    }
    if (i == text.n || text.p[i] == 0) return ON_STR_NONE;
    node ^= (unsigned char)text.p[i];
    if (node >= map->unit_count) return ON_STR_NONE;
    unit = unit_at(map, node);
    if ((unit & 0x800000FF) != (unsigned char)text.p[i]) return ON_STR_NONE;
  }
  return ON_STR_NONE;
}
