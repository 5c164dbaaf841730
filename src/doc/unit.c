#include "doc/unit.h"

#include "text/chars.h"

// The end of the white space at `at`; *parts tells whether a line of nothing but white space, or a
// paragraph separator, lies in it. (All white space is in the BMP: units will do.)
static size_t skip_space(on_str16 text, size_t at, bool *parts) {
  size_t breaks = 0;
  bool separator = false;
  for (; at < text.n && on_is_space(text.p[at]); at++) {
    uint16_t unit = text.p[at];
    if (unit == '\r' || (unit == '\n' && (at == 0 || text.p[at - 1] != '\r'))) breaks++;
    if (unit == 0x2029) separator = true;
  }
  *parts = separator || breaks >= 2;
  return at;
}

enum { AT_ONCE = 8 };

// Whether so many units lie in [0x0E, 0x7F]: a text is read here before anything else is done, in an engine's first,
// slow code.
static bool are_plain(const uint16_t *units) {
  typedef uint16_t lanes __attribute__((vector_size(2 * AT_ONCE)));
  typedef uint64_t halves __attribute__((vector_size(2 * AT_ONCE)));
  lanes all;
  memcpy(&all, units, sizeof all);
  const halves plain = (halves)(all - 0x0E < (lanes){0} + 0x72);
  return (plain[0] & plain[1]) == UINT64_MAX;
}

size_t on_next_paragraph(on_str16 text, size_t from) {
  bool parts;
  size_t at = skip_space(text, from, &parts);
  while (at < text.n) {
    while (at + AT_ONCE <= text.n && are_plain(text.p + at)) at += AT_ONCE;
    if (at == text.n) break;
    uint16_t unit = text.p[at];
    // Blanks and tabs before the first line break part nothing.
    if ((unit > '\r' && unit < 0x80) || unit == '\t' || !on_is_space(unit)) {
      at++;
      continue;
    }
    at = skip_space(text, at, &parts);
    if (parts) return at;
  }
  return text.n;
}
