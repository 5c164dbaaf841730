// UTF-8 and UTF-16: what is valid is what a decoder says that was written apart from the core's, and nothing is
// lost on the way from one to the other and back.
#include <stdlib.h>

#include "text/utf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
  if (!holds) abort();
}

// RFC 3629, by the value that the bytes spell. Returns the number of bytes, 0 for what is no character.
static size_t decode(const uint8_t *p, size_t n, uint32_t *out) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF8 ? 4 : 0;
  if (length == 0 || length > n) return 0;
  uint32_t c = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (p[i] & 0x3Fu);
  }
  *out = c;
  return c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : length;
}

static void check_valid(on_arena *arena, on_str s) {
  on_str16 units;
  require(on_utf16_from_utf8(arena, s, &units, NULL));
  require(units.n == on_utf16_length(s));
  on_buf back = {0};
  on_utf8_append(&back, units);
  require(on_str_eq(on_buf_view(&back), s));
  on_buf_free(&back);
  size_t at8 = 0, at16 = 0;
  while (at8 < s.n) {
    uint32_t c;
    const size_t before8 = at8, before16 = at16;
    const size_t length = decode((const uint8_t *)s.p + at8, s.n - at8, &c);
    require(on_utf8_next(s, &at8) == c && at8 == before8 + length);
    require(on_utf16_next(units, &at16) == c);
    size_t back16 = at16;
    require(on_utf16_prev(units, &back16) == c && back16 == before16);
    uint16_t pair[2];
    const size_t n = on_utf16_put(pair, c);
    require(n == at16 - before16 && memcmp(pair, units.p + before16, n * sizeof *pair) == 0);
  }
  require(at16 == units.n);
}

// Any units: lone surrogates become U+FFFD, once and for all.
static void check_units(on_arena *arena, on_str16 units) {
  on_str s = on_utf8_from_utf16(arena, units);
  on_str16 again;
  size_t bad;
  require(s.p && on_utf8_valid(s, &bad));
  require(on_utf16_from_utf8(arena, s, &again, NULL) && again.n == units.n);
  for (size_t i = 0; i < units.n; i++) require(again.p[i] == units.p[i] || again.p[i] == 0xFFFD);
  size_t ahead = 0, steps = 0;
  for (; ahead < units.n; steps++) on_utf16_next(units, &ahead);
  for (size_t back = units.n; back > 0; steps--) on_utf16_prev(units, &back);
  require(steps == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_arena arena = {0};
  const on_str s = {(const char *)data, size};
  size_t at = 0, bad = 0;
  uint32_t c;
  for (size_t n; at < size && (n = decode(data + at, size - at, &c)) > 0;) at += n;
  require(on_utf8_valid(s, &bad) == (at == size));
  if (at < size) {
    on_error error = {0};
    on_str16 units;
    require(bad == at);
    require(!on_utf16_from_utf8(&arena, s, &units, &error));
    require(error.code == ON_INVALID_UTF8 && error.position == (int64_t)at);
  }
  check_valid(&arena, (on_str){s.p, at});
  uint16_t *units = ON_NEW(&arena, uint16_t, size / 2);
  require(units != NULL);
  if (size > 1) memcpy(units, data, size / 2 * sizeof *units);
  check_units(&arena, (on_str16){units, size / 2});
  on_arena_free(&arena);
  return 0;
}
