#include "format/json_cursor.h"

#include "text/utf.h"

static char peek(const on_json_cursor *cursor) { return cursor->i < cursor->text.n ? cursor->text.p[cursor->i] : 0; }

static void skip_space(on_json_cursor *cursor) {
  for (char c = peek(cursor); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek(cursor)) cursor->i++;
}

on_json_kind on_json_cursor_type(on_json_cursor *cursor) {
  skip_space(cursor);
  switch (peek(cursor)) {
    case '{': return ON_JSON_OBJECT;
    case '[': return ON_JSON_ARRAY;
    case '"': return ON_JSON_STRING;
    case 't':
    case 'f': return ON_JSON_BOOL;
    case 'n':
    case 0: return ON_JSON_NULL;
    default: return ON_JSON_NUMBER;
  }
}

void on_json_cursor_open(on_json_cursor *cursor) {
  skip_space(cursor);
  if (cursor->i < cursor->text.n) cursor->i++;
}

bool on_json_cursor_more(on_json_cursor *cursor) {
  skip_space(cursor);
  if (peek(cursor) == ',') {
    cursor->i++;
    skip_space(cursor);
    return true;
  }
  if (peek(cursor) != ']' && peek(cursor) != '}') return cursor->i < cursor->text.n;
  cursor->i++;
  return false;
}

static uint32_t hex4(const on_json_cursor *cursor, size_t at) {
  uint32_t value = 0;
  for (size_t k = at; k < at + 4 && k < cursor->text.n; k++) {
    char c = cursor->text.p[k];
    value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

static void read_escape(on_json_cursor *cursor, on_buf *out) {
  static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  cursor->i++;
  char c = peek(cursor);
  if (c != 'u') {
    const char *letter = c ? strchr(letters, c) : NULL;
    on_buf_char(out, letter ? meanings[letter - letters] : c);
    if (cursor->i < cursor->text.n) cursor->i++;
    return;
  }
  uint32_t codepoint = hex4(cursor, cursor->i + 1);
  cursor->i += 5;
  if (on_is_high_surrogate(codepoint)) {
    codepoint = 0x10000 + ((codepoint & 0x3FF) << 10 | (hex4(cursor, cursor->i + 2) & 0x3FF));
    cursor->i += 6;
  }
  on_buf_codepoint(out, codepoint);
  if (cursor->i > cursor->text.n) cursor->i = cursor->text.n;
}

void on_json_cursor_string(on_json_cursor *cursor, on_buf *out) {
  skip_space(cursor);
  if (peek(cursor) != '"') return;
  cursor->i++;
  while (cursor->i < cursor->text.n && peek(cursor) != '"') {
    size_t from = cursor->i;
    while (cursor->i < cursor->text.n && peek(cursor) != '"' && peek(cursor) != '\\') cursor->i++;
    on_buf_add(out, cursor->text.p + from, cursor->i - from);
    if (peek(cursor) == '\\') read_escape(cursor, out);
  }
  if (cursor->i < cursor->text.n) cursor->i++;
  skip_space(cursor);
  if (peek(cursor) == ':') cursor->i++;
}

static void skip_string(on_json_cursor *cursor) {
  for (cursor->i++; cursor->i < cursor->text.n && peek(cursor) != '"'; cursor->i++) {
    if (peek(cursor) == '\\') cursor->i++;
  }
  if (cursor->i < cursor->text.n) cursor->i++;
}

on_str on_json_cursor_skip(on_json_cursor *cursor) {
  skip_space(cursor);
  if (peek(cursor) == ':') {  // the key before was skipped too
    cursor->i++;
    skip_space(cursor);
  }
  size_t from = cursor->i, depth = 0;
  do {
    char c = peek(cursor);
    if (c == '"') {
      skip_string(cursor);
    } else if (c == '{' || c == '[') {
      depth++;
      cursor->i++;
    } else if (c == '}' || c == ']') {
      depth--;
      cursor->i++;
    } else if (c == ',' || c == ':' || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      cursor->i++;
    } else {
      while (cursor->i < cursor->text.n && !strchr(",:]} \n\r\t\"", peek(cursor))) cursor->i++;
    }
  } while (depth > 0 && cursor->i < cursor->text.n);
  return on_str_sub(cursor->text, from, cursor->i);
}

// 10^n for n <= 308; exact up to 10^22.
static double power_of_ten(unsigned n) {
  static const double ones[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double value = 1;
  for (; n > 22; n -= 22) value *= 1e22;
  return value * ones[n];
}

double on_json_number_value(on_str text) {
  uint64_t digits = 0;
  int exponent = 0, written = 0;
  bool fraction = false, full = false;
  size_t i = text.n && text.p[0] == '-';
  for (; i < text.n && text.p[i] != 'e' && text.p[i] != 'E'; i++) {
    if (text.p[i] == '.') {
      fraction = true;
      continue;
    }
    uint64_t digit = (uint64_t)(text.p[i] - '0');
    if (full || digits > (UINT64_MAX - digit) / 10) full = true;  // the digits beyond are left out
    else digits = digits * 10 + digit;
    if (full && !fraction) exponent++;
    if (!full && fraction) exponent--;
  }
  bool negative = false;
  for (i++; i < text.n; i++) {
    if (text.p[i] == '-') negative = true;
    if (text.p[i] >= '0' && text.p[i] <= '9' && written < 10000) written = written * 10 + (text.p[i] - '0');
  }
  exponent += negative ? -written : written;
  double value = (double)digits;
  for (; exponent < -308 && value != 0; exponent += 308) value /= power_of_ten(308);
  if (exponent < 0 && value != 0) value /= power_of_ten((unsigned)-exponent);
  if (exponent > 0) value *= power_of_ten(exponent > 308 ? 308 : (unsigned)exponent);
  return text.n && text.p[0] == '-' ? -value : value;
}
