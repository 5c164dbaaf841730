#include "format/json.h"

#include <cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "format/json_scan.h"
#include "text/utf.h"

// cJSON's strtod. Nearly all numbers of a config are whole and short; the C library's function is large, and an engine of
// WebAssembly compiles it when it is first called.
double on_cjson_strtod(const char *text, char **end);

double on_cjson_strtod(const char *text, char **end) {
  enum { MOST_DIGITS = 15 };  // below 2^53
  const char *at = text + (*text == '-');
  uint64_t value = 0;
  size_t n = 0;
  for (; n <= MOST_DIGITS && at[n] >= '0' && at[n] <= '9'; n++) {
    value = value * 10 + (uint64_t)(at[n] - '0');
  }
  if (n == 0 || n > MOST_DIGITS || at[n] != 0) {
    return strtod(text, end);
  }
  *end = (char *)(uintptr_t)(at + n);
  return *text == '-' ? -(double)value : (double)value;
}

// Integers above this are not told apart from their neighbours once they are doubles.
static const double max_integer = 9007199254740991.0;  // 2^53 - 1

// cJSON keeps its allocator and the place of the last error in globals. One thread at a time parses;
// the lock is a spin lock because the core knows no threads, and parsing is rare and short.
static atomic_flag cjson_lock = ATOMIC_FLAG_INIT;
static bool cjson_ready;    // guarded by the lock
static bool cjson_starved;  // guarded by the lock: an allocation failed during this parse

static void *cjson_malloc(size_t size) {
  void *block = on_malloc(size);
  if (!block) cjson_starved = true;
  return block;
}

static cJSON *parse_tree(on_str text, bool *starved) {
  while (atomic_flag_test_and_set_explicit(&cjson_lock, memory_order_acquire)) {
  }
  if (!cjson_ready) {
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = cjson_malloc, .free_fn = on_free});
    cjson_ready = true;
  }
  cjson_starved = false;
  cJSON *root = cJSON_ParseWithLengthOpts(text.p, text.n, NULL, 0);
  *starved = cjson_starved;
  atomic_flag_clear_explicit(&cjson_lock, memory_order_release);
  return root;
}

static on_json *parse(on_str text, on_error *error) {
  bool starved;
  cJSON *root = parse_tree(text, &starved);
  if (!root && starved) on_fail_memory(error);
  if (!root && !starved) on_fail(error, ON_INVALID_DATA, -1, "JSON: cannot be read");
  return (on_json *)root;
}

on_json *on_json_parse(on_str text, unsigned max_depth, on_error *error) {
  return on_json_scan(text, max_depth, error) ? parse(text, error) : NULL;
}

// ---- U+0000 -----------------------------------------------------------------------------------------
//
// cJSON's strings end at a NUL. So the escape goes through it as C0 80, two bytes that no UTF-8 has, and becomes a NUL
// afterwards; the lengths of the strings that have one stand in fields of the item that such an item does not need.

enum {
  MAX_LINE_DEPTH = 16,
  KEY_LENGTH = 1 << 16,   // item->type: the key's length stands in valueint
  TEXT_LENGTH = 1 << 17,  // the string's length stands in valuedouble
};

// The text with C0 80 for each escape \u0000.
static bool hide_nul(on_str text, on_buf *out) {
  size_t from = 0;
  for (size_t i = 0; i < text.n;) {
    if (text.p[i] != '\\') {
      i++;
    } else if (on_str_starts(on_str_sub(text, i, text.n), ON_STR("\\u0000"))) {
      on_buf_str(out, on_str_sub(text, from, i));
      on_buf_str(out, ON_STR("\xC0\x80"));
      from = i += 6;
    } else {
      i += 2;
    }
  }
  on_buf_str(out, on_str_sub(text, from, text.n));
  return !out->failed;
}

// Puts the NULs back; returns the length, or 0 where there are none.
static size_t show_nul(char *text) {
  size_t to = 0, from = 0;
  bool any = false;
  for (; text[from]; from++) {
    bool nul = (unsigned char)text[from] == 0xC0;
    text[to++] = nul ? '\0' : text[from];
    from += nul;
    any |= nul;
  }
  return any ? to : 0;
}

// Recursion is bounded by the depth of a line.
static void show_nul_in(cJSON *item) {
  for (; item; item = item->next) {
    size_t key = item->string ? show_nul(item->string) : 0;
    size_t text = item->valuestring ? show_nul(item->valuestring) : 0;
    if (key) item->valueint = (int)key;
    if (text) item->valuedouble = (double)text;
    item->type |= (key ? KEY_LENGTH : 0) | (text ? TEXT_LENGTH : 0);
    show_nul_in(item->child);
  }
}

on_json *on_json_parse_line(on_str text, on_error *error) {
  bool nul;
  if (!on_json_scan_line(text, MAX_LINE_DEPTH, &nul, error)) return NULL;
  if (!nul) return parse(text, error);
  on_buf hidden = {0};
  on_json *root = NULL;
  if (text.n > INT_MAX) on_fail(error, ON_INVALID_DATA, -1, "JSON: too long for a text with U+0000");
  else if (!hide_nul(text, &hidden)) on_fail_memory(error);
  else root = parse(on_buf_view(&hidden), error);
  on_buf_free(&hidden);
  if (root) show_nul_in((cJSON *)root);
  return root;
}

void on_json_free(on_json *root) { cJSON_Delete((cJSON *)root); }

static const cJSON *node(const on_json *value) { return (const cJSON *)value; }

on_json_kind on_json_type(const on_json *value) {
  switch (node(value)->type & 0xFF) {
    case cJSON_False:
    case cJSON_True: return ON_JSON_BOOL;
    case cJSON_Number: return ON_JSON_NUMBER;
    case cJSON_String: return ON_JSON_STRING;
    case cJSON_Array: return ON_JSON_ARRAY;
    case cJSON_Object: return ON_JSON_OBJECT;
    default: return ON_JSON_NULL;
  }
}

bool on_json_bool(const on_json *value) { return (node(value)->type & 0xFF) == cJSON_True; }

double on_json_number(const on_json *value) { return node(value)->valuedouble; }

on_str on_json_string(const on_json *value) {
  const cJSON *item = node(value);
  if (item->type & TEXT_LENGTH) return (on_str){item->valuestring, (size_t)item->valuedouble};
  return on_str_c(item->valuestring);
}

const on_json *on_json_first(const on_json *container) { return (const on_json *)node(container)->child; }

const on_json *on_json_next(const on_json *element) { return (const on_json *)node(element)->next; }

on_str on_json_key(const on_json *member) {
  const cJSON *item = node(member);
  if (item->type & KEY_LENGTH) return (on_str){item->string, (size_t)item->valueint};
  return on_str_c(item->string);
}

size_t on_json_count(const on_json *container) {
  size_t count = 0;
  for (const on_json *element = on_json_first(container); element; element = on_json_next(element)) count++;
  return count;
}

const on_json *on_json_get(const on_json *object, const char *key) {
  if (on_json_type(object) != ON_JSON_OBJECT) return NULL;
  for (const cJSON *member = node(object)->child; member; member = member->next) {
    if (strcmp(member->string, key) == 0 && !(member->type & KEY_LENGTH)) return (const on_json *)member;
  }
  return NULL;
}

bool on_json_as_int(const on_json *value, int64_t min, int64_t max, int64_t *out) {
  if (on_json_type(value) != ON_JSON_NUMBER) return false;
  double number = on_json_number(value);
  if (!(number >= -max_integer && number <= max_integer)) return false;
  int64_t integer = (int64_t)number;
  if ((double)integer != number || integer < min || integer > max) return false;
  *out = integer;
  return true;
}

// Finds a member for the typed readers. False after an error; *value is NULL when it may be absent.
static bool find_member(const on_json *object, const char *path, const char *key, bool required,
                        const on_json **value, on_error *error) {
  if (!object || on_json_type(object) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: must be an object", *path ? path : "JSON");
  }
  *value = on_json_get(object, key);
  if (*value || !required) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "%s%s%s: is missing", path, *path ? "." : "", key);
}

bool on_json_int(const on_json *object, const char *path, const char *key, bool required, int64_t min, int64_t max,
                 int64_t absent, int64_t *out, on_error *error) {
  const on_json *value = NULL;
  if (!find_member(object, path, key, required, &value, error)) return false;
  if (!value) {
    *out = absent;
    return true;
  }
  if (on_json_as_int(value, min, max, out)) return true;
  char shown[40] = "";
  if (on_json_type(value) == ON_JSON_NUMBER) snprintf(shown, sizeof shown, ", is %.17g", on_json_number(value));
  return on_fail(error, ON_INVALID_DATA, -1, "%s%s%s: must be an integer from %" PRId64 " to %" PRId64 "%s", path,
                 *path ? "." : "", key, min, max, shown);
}

bool on_json_text(const on_json *object, const char *path, const char *key, bool required, size_t max_units,
                  on_str *out, on_error *error) {
  const on_json *value = NULL;
  if (!find_member(object, path, key, required, &value, error)) return false;
  *out = ON_STR_NONE;
  if (!value) return true;
  const char *dot = *path ? "." : "";
  if (on_json_type(value) != ON_JSON_STRING) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s%s%s: must be a string", path, dot, key);
  }
  on_str text = on_json_string(value);
  if (text.n > max_units && on_utf16_length(text) > max_units) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s%s%s: has %zu characters, at most %zu are allowed", path, dot, key,
                   on_utf16_length(text), max_units);
  }
  *out = text;
  return true;
}

static void write_escape(on_buf *out, unsigned char c) {
  static const char hex[] = "0123456789abcdef";
  const char *at = c == 0 ? NULL : strchr("\"\"\\\\\bb\ff\nn\rr\tt", c);  // pairs: the character, its letter
  char letter = at ? at[1] : 'u';
  on_buf_char(out, '\\');
  on_buf_char(out, letter);
  if (letter != 'u') return;
  on_buf_add(out, "00", 2);
  on_buf_char(out, hex[c >> 4]);
  on_buf_char(out, hex[c & 15]);
}

static void write_valid(on_buf *out, on_str s) {
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    on_buf_add(out, s.p + from, i - from);
    write_escape(out, c);
    from = i + 1;
  }
  on_buf_add(out, s.p + from, s.n - from);
}

void on_json_write_string(on_buf *out, on_str s) {
  on_buf_char(out, '"');
  size_t bad;
  while (!on_utf8_valid(s, &bad)) {
    write_valid(out, (on_str){s.p, bad});
    on_buf_codepoint(out, 0xFFFD);
    s = on_str_sub(s, bad + 1, s.n);
  }
  write_valid(out, s);
  on_buf_char(out, '"');
}

static void write_members(on_buf *out, const on_json *container, bool keys) {
  for (const on_json *item = on_json_first(container); item; item = on_json_next(item)) {
    if (item != on_json_first(container)) on_buf_str(out, ON_STR(", "));
    if (keys) {
      on_json_write_string(out, on_json_key(item));
      on_buf_str(out, ON_STR(": "));
    }
    on_json_write(out, item);
  }
}

static void write_number(on_buf *out, double value) {
  if (value > -9e15 && value < 9e15 && value == (double)(int64_t)value) on_buf_i64(out, (int64_t)value);
  else on_buf_f64(out, value);
}

void on_json_write(on_buf *out, const on_json *value) {
  switch (on_json_type(value)) {
    case ON_JSON_NULL: on_buf_str(out, ON_STR("null")); break;
    case ON_JSON_BOOL: on_buf_str(out, on_json_bool(value) ? ON_STR("true") : ON_STR("false")); break;
    case ON_JSON_NUMBER: write_number(out, on_json_number(value)); break;
    case ON_JSON_STRING: on_json_write_string(out, on_json_string(value)); break;
    case ON_JSON_ARRAY:
    case ON_JSON_OBJECT: {
      bool object = on_json_type(value) == ON_JSON_OBJECT;
      on_buf_char(out, object ? '{' : '[');
      write_members(out, value, object);
      on_buf_char(out, object ? '}' : ']');
      break;
    }
  }
}
