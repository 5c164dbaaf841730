#include "format/json_scan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/sort.h"
#include "text/utf.h"

// A key of an object that is still open.
typedef struct key_ref {
  uint64_t hash;
  on_str name;  // unescaped; in the text or in the arena
  size_t at;    // offset of its opening quote
} key_ref;

typedef struct frame {
  bool object;
  size_t first_key;  // of this object, in scan.keys
} frame;

typedef struct scan {
  const char *p;
  size_t n, i;
  unsigned max_depth, depth;
  bool allow_nul, nul;  // \u0000 in a string: whether it may stand there, and does
  frame frames[ON_JSON_MAX_DEPTH];
  key_ref *keys;
  size_t key_count, key_cap;
  on_arena arena;  // unescaped keys
  on_error *error;
} scan;

static bool fail_at(scan *s, size_t at, const char *what) {
  return on_fail(s->error, ON_INVALID_DATA, (int64_t)at, "JSON: %s", what);
}

// The character at hand, or 0 at the end (a NUL in the text is an error wherever it stands).
static char peek(const scan *s) { return s->i < s->n ? s->p[s->i] : 0; }

static void skip_space(scan *s) {
  while (s->i < s->n && (s->p[s->i] == ' ' || s->p[s->i] == '\n' || s->p[s->i] == '\r' || s->p[s->i] == '\t')) s->i++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool unexpected(scan *s, const char *wanted) {
  if (s->i == s->n) return on_fail(s->error, ON_INVALID_DATA, (int64_t)s->i, "JSON: ends where %s should be", wanted);
  unsigned char c = (unsigned char)s->p[s->i];
  if (c > 0x20 && c < 0x7F) {
    return on_fail(s->error, ON_INVALID_DATA, (int64_t)s->i, "JSON: '%c' stands where %s should be", c, wanted);
  }
  return on_fail(s->error, ON_INVALID_DATA, (int64_t)s->i, "JSON: byte 0x%02X stands where %s should be", c, wanted);
}

// --- numbers ---

// The first digits of 2^1024 - 2^970: from there on a decimal number rounds to infinity. As a
// number has at most 63 characters and more digits follow here, equal digits mean that it is smaller.
static const char overflow_digits[] = "179769313486231580793728971405303415079934132710037826936173778";

// Whether the number text[from, to), of correct grammar, is finite as a double. Not by strtod, which
// depends on the process's locale.
static bool is_finite(const char *text, size_t from, size_t to) {
  char digits[ON_JSON_MAX_NUMBER];
  size_t count = 0;
  int magnitude = 0;  // the number is 0.<digits> times 10^magnitude
  bool fraction = false, negative = false;
  size_t i = text[from] == '-' ? from + 1 : from;
  for (; i < to && text[i] != 'e' && text[i] != 'E'; i++) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    bool leading_zero = count == 0 && text[i] == '0';
    if (!leading_zero) digits[count++] = text[i];
    if (!fraction && !leading_zero) magnitude++;
    if (fraction && leading_zero) magnitude--;
  }
  if (count == 0) return true;
  int exponent = 0;
  for (i++; i < to; i++) {
    if (text[i] == '-') negative = true;
    if (is_digit(text[i]) && exponent < 100000) exponent = exponent * 10 + (text[i] - '0');
  }
  magnitude += negative ? -exponent : exponent;
  return magnitude < 309 || (magnitude == 309 && memcmp(digits, overflow_digits, count) <= 0);
}

static bool scan_digits(scan *s, const char *wanted) {
  if (!is_digit(peek(s))) return unexpected(s, wanted);
  while (is_digit(peek(s))) s->i++;
  return true;
}

static bool scan_number(scan *s) {
  size_t from = s->i;
  if (peek(s) == '-') s->i++;
  if (peek(s) == '0') {
    s->i++;
    if (is_digit(peek(s))) return fail_at(s, s->i, "a number has a leading zero");
  } else if (!scan_digits(s, "a digit")) {
    return false;
  }
  if (peek(s) == '.') {
    s->i++;
    if (!scan_digits(s, "a digit after the decimal point")) return false;
  }
  if (peek(s) == 'e' || peek(s) == 'E') {
    s->i++;
    if (peek(s) == '+' || peek(s) == '-') s->i++;
    if (!scan_digits(s, "a digit of the exponent")) return false;
  }
  if (s->i - from > ON_JSON_MAX_NUMBER) return fail_at(s, from, "a number has more than 63 characters");
  if (!is_finite(s->p, from, s->i)) return fail_at(s, from, "a number is too large");
  return true;
}

// --- strings ---

// The 4 hex digits at `at`, or -1.
static int32_t hex4(const scan *s, size_t at) {
  if (s->n - at < 4) return -1;
  int32_t value = 0;
  for (size_t k = at; k < at + 4; k++) {
    char c = s->p[k];
    int32_t digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// The escape whose backslash is at s->i; moves behind it and yields its code point.
static bool scan_escape(scan *s, uint32_t *codepoint) {
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  size_t from = s->i;
  s->i++;
  char c = peek(s);
  const char *letter = c ? strchr(letters, c) : NULL;
  if (letter) {
    *codepoint = (uint32_t)meanings[letter - letters];
    s->i++;
    return true;
  }
  if (c != 'u') return fail_at(s, from, "a string holds an unknown escape");
  int32_t first = hex4(s, from + 2);
  if (first < 0) return fail_at(s, from, "\\u is not followed by four hexadecimal digits");
  if (first == 0 && !s->allow_nul) return fail_at(s, from, "a string holds U+0000");
  s->nul |= first == 0;
  s->i = from + 6;
  *codepoint = (uint32_t)first;
  if (!on_is_high_surrogate((uint32_t)first) && !on_is_low_surrogate((uint32_t)first)) return true;
  int32_t second = s->n - s->i >= 6 && s->p[s->i] == '\\' && s->p[s->i + 1] == 'u' ? hex4(s, s->i + 2) : -1;
  if (on_is_low_surrogate((uint32_t)first) || second < 0 || !on_is_low_surrogate((uint32_t)second)) {
    return fail_at(s, from, "a string holds half of a surrogate pair");
  }
  s->i += 6;
  *codepoint = 0x10000 + (((uint32_t)first & 0x3FF) << 10 | ((uint32_t)second & 0x3FF));
  return true;
}

// The string whose opening quote is at s->i; moves behind it. *escapes tells whether it has any.
static bool scan_string(scan *s, bool *escapes) {
  size_t from = s->i++;
  *escapes = false;
  for (;;) {
    while (s->i < s->n && (unsigned char)s->p[s->i] >= 0x20 && s->p[s->i] != '"' && s->p[s->i] != '\\') s->i++;
    if (s->i == s->n) return fail_at(s, from, "a string has no end");
    if (s->p[s->i] == '"') break;
    if (s->p[s->i] != '\\') return fail_at(s, s->i, "a control character stands in a string");
    uint32_t codepoint;
    *escapes = true;
    if (!scan_escape(s, &codepoint)) return false;
  }
  s->i++;
  return true;
}

// Unescapes the string text(from, to) between its quotes, which scan_string has accepted.
static bool unescape(scan *s, size_t from, size_t to, on_str *out) {
  char *copy = on_arena_alloc(&s->arena, to - from, 1);  // an escape is never shorter than its character
  if (!copy) return on_fail_memory(s->error);
  on_buf buf = {.p = copy, .cap = to - from};
  scan inner = {.p = s->p, .n = to, .i = from, .allow_nul = true};
  while (inner.i < to) {
    const char *start = inner.p + inner.i, *escape = memchr(start, '\\', to - inner.i);
    const size_t plain = escape ? (size_t)(escape - start) : to - inner.i;
    on_buf_add(&buf, start, plain);
    inner.i += plain;
    uint32_t codepoint = 0;
    if (escape && scan_escape(&inner, &codepoint)) on_buf_codepoint(&buf, codepoint);
  }
  *out = (on_str){copy, buf.n};
  return true;
}

// --- keys ---

static int compare_keys(const void *a, const void *b) {
  const key_ref *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return on_str_cmp(x->name, y->name);
}

static bool scan_key(scan *s) {
  size_t from = s->i;
  bool escapes;
  if (peek(s) != '"') return unexpected(s, "a key in quotes");
  if (!scan_string(s, &escapes)) return false;
  on_str name = {s->p + from + 1, s->i - from - 2};
  if (escapes && !unescape(s, from + 1, s->i - 1, &name)) return false;
  if (!on_grow((void **)&s->keys, &s->key_cap, s->key_count + 1, sizeof *s->keys)) return on_fail_memory(s->error);
  s->keys[s->key_count++] = (key_ref){on_hash_bytes(name.p, name.n), name, from};
  skip_space(s);
  if (peek(s) != ':') return unexpected(s, "':'");
  s->i++;
  return true;
}

static bool fail_duplicate(scan *s, const key_ref *key) {
  return on_fail(s->error, ON_INVALID_DATA, (int64_t)key->at, "JSON: the key \"%.*s\" stands twice in an object",
                 ON_SHOW(key->name));
}

// Whether no key is repeated, by a table of hashes. False as well where one may be, or where too many places are taken,
// as keys made to collide can have it, or where memory is short.
static bool surely_differ(scan *s, const key_ref *keys, size_t count) {
  size_t places = 16, left = 4 * count;
  while (places < 2 * count) places *= 2;
  uint32_t *table = count < UINT32_MAX / 4 ? ON_NEW0(&s->arena, uint32_t, places) : NULL;
  if (!table) return false;
  for (size_t k = 0; k < count; k++) {
    size_t at = (size_t)(keys[k].hash ^ keys[k].hash >> 32) & (places - 1);
    for (; table[at]; at = (at + 1) & (places - 1)) {
      if (left-- == 0 || keys[table[at] - 1].hash == keys[k].hash) return false;
    }
    table[at] = (uint32_t)k + 1;
  }
  return true;
}

// Looks for a repeated key among those of an object that ends. Where the table does not do, sorting (by hash, then by
// name) keeps this n log n even for keys made to collide.
static bool check_keys(scan *s, size_t first) {
  enum { FEW = 8 };
  size_t count = s->key_count - first;
  s->key_count = first;
  if (count < 2) return true;
  key_ref *keys = s->keys + first;
  if (count <= FEW) {
    for (size_t i = 1; i < count; i++) {
      for (size_t k = 0; k < i; k++) {
        if (keys[i].hash == keys[k].hash && on_str_eq(keys[i].name, keys[k].name)) return fail_duplicate(s, &keys[i]);
      }
    }
    return true;
  }
  if (surely_differ(s, keys, count)) return true;
  if (!on_sort(keys, count, sizeof *keys, compare_keys)) return on_fail_memory(s->error);
  const key_ref *duplicate = NULL;  // the first in the text
  for (size_t i = 1; i < count; i++) {
    if (compare_keys(&keys[i - 1], &keys[i]) == 0 && (!duplicate || keys[i].at < duplicate->at)) duplicate = &keys[i];
  }
  return duplicate ? fail_duplicate(s, duplicate) : true;
}

// --- values ---

static bool scan_literal(scan *s, on_str literal) {
  if (s->n - s->i < literal.n || memcmp(s->p + s->i, literal.p, literal.n) != 0) return unexpected(s, "a value");
  s->i += literal.n;
  return true;
}

static bool scan_scalar(scan *s) {
  bool escapes;
  char c = peek(s);
  if (c == '"') return scan_string(s, &escapes);
  if (c == '-' || is_digit(c)) return scan_number(s);
  if (c == 't') return scan_literal(s, ON_STR("true"));
  if (c == 'f') return scan_literal(s, ON_STR("false"));
  if (c == 'n') return scan_literal(s, ON_STR("null"));
  return unexpected(s, "a value");
}

static bool open_container(scan *s, bool object) {
  if (s->depth == s->max_depth) {
    return on_fail(s->error, ON_INVALID_DATA, (int64_t)s->i, "JSON: arrays and objects are nested deeper than %u",
                   s->max_depth);
  }
  s->frames[s->depth++] = (frame){object, s->key_count};
  s->i++;
  skip_space(s);
  return true;
}

// Goes on behind a value, closing what ends there, up to the next value or the end of the text.
static bool after_value(scan *s, bool *done) {
  *done = false;
  while (s->depth > 0) {
    const frame *top = &s->frames[s->depth - 1];
    skip_space(s);
    if (peek(s) == ',') {
      s->i++;
      skip_space(s);
      return !top->object || scan_key(s);
    }
    if (peek(s) != (top->object ? '}' : ']')) return unexpected(s, top->object ? "',' or '}'" : "',' or ']'");
    s->i++;
    s->depth--;
    if (top->object && !check_keys(s, top->first_key)) return false;
  }
  *done = true;
  return true;
}

static bool scan_text(scan *s) {
  for (bool done = false; !done;) {
    skip_space(s);
    char c = peek(s);
    if (c == '{' || c == '[') {
      if (!open_container(s, c == '{')) return false;
      bool empty = peek(s) == (c == '{' ? '}' : ']');
      if (!empty) {
        if (c == '{' && !scan_key(s)) return false;
        continue;
      }
    } else if (!scan_scalar(s)) {
      return false;
    }
    if (!after_value(s, &done)) return false;
  }
  skip_space(s);
  return s->i == s->n || unexpected(s, "the end");
}

static bool run(on_str text, unsigned max_depth, bool *nul, on_error *error) {
  size_t bad;
  if (!on_utf8_valid(text, &bad)) return on_fail(error, ON_INVALID_DATA, (int64_t)bad, "JSON: invalid UTF-8");
  scan s = {.p = text.p, .n = text.n, .allow_nul = nul != NULL, .error = error};
  s.max_depth = max_depth < ON_JSON_MAX_DEPTH ? max_depth : ON_JSON_MAX_DEPTH;
  if (on_str_starts(text, ON_STR("\xEF\xBB\xBF"))) return fail_at(&s, 0, "starts with a byte-order mark");
  bool ok = scan_text(&s);
  on_free(s.keys);
  on_arena_free(&s.arena);
  if (nul) *nul = s.nul;
  return ok;
}

bool on_json_scan(on_str text, unsigned max_depth, on_error *error) { return run(text, max_depth, NULL, error); }

bool on_json_scan_line(on_str text, unsigned max_depth, bool *nul, on_error *error) {
  return run(text, max_depth, nul, error);
}
