#include "pieces/read.h"

#include <stdio.h>

#include "pieces/pattern.h"
#include "text/utf.h"

on_place on_place_of(const char *root) {
  on_place place;
  snprintf(place.text, sizeof place.text, "%s", root);
  return place;
}

on_place on_place_index(const on_place *list, const char *key, size_t index) {
  on_place place;
  snprintf(place.text, sizeof place.text, "%.60s%s%.20s[%zu]", list->text, *list->text ? "." : "", key, index);
  return place;
}

bool on_place_fail(const on_place *place, const char *key, on_error *error, on_code code, const char *what) {
  return on_fail(error, code, -1, "%s%s%s: %s", place->text, *place->text && *key ? "." : "", key, what);
}

bool on_place_context(const on_place *place, const char *key, on_error *error) {
  return on_fail_context(error, "%s%s%s", place->text, *key ? "." : "", key);
}

const on_json *on_read_member(const on_json *object, const char *key) {
  const on_json *value = object ? on_json_get(object, key) : NULL;
  return value && on_json_type(value) == ON_JSON_NULL ? NULL : value;
}

bool on_read_text(const on_json *object, const on_place *place, const char *key, on_str *out, on_error *error) {
  const on_json *value = on_read_member(object, key);
  if (!value || on_json_type(value) != ON_JSON_STRING) {
    return on_place_fail(place, key, error, ON_INVALID_DATA, "must be a string");
  }
  *out = on_json_string(value);
  return true;
}

bool on_read_type(const on_json *object, const on_place *place, on_str *type, on_error *error) {
  if (on_json_type(object) != ON_JSON_OBJECT) {
    return on_place_fail(place, "", error, ON_INVALID_DATA, "must be an object");
  }
  return on_read_text(object, place, "type", type, error);
}

bool on_read_bool(const on_json *object, const on_place *place, const char *key, bool absent, bool *out,
                  on_error *error) {
  const on_json *value = on_read_member(object, key);
  *out = absent;
  if (!value) return true;
  if (on_json_type(value) != ON_JSON_BOOL) {
    return on_place_fail(place, key, error, ON_INVALID_DATA, "must be true or false");
  }
  *out = on_json_bool(value);
  return true;
}

bool on_read_chars(const on_json *object, const on_place *place, const char *key, on_arena *arena, const uint32_t **out,
                   size_t *n, on_error *error) {
  on_str text;
  if (!on_read_text(object, place, key, &text, error)) return false;
  if (text.n > 1024) return on_place_fail(place, key, error, ON_LIMIT, "has more than 1,024 bytes");
  uint32_t *chars = ON_NEW(arena, uint32_t, text.n);
  if (!chars) return on_fail_memory(error);
  *n = 0;
  for (size_t i = 0; i < text.n;) chars[(*n)++] = on_utf8_next(text, &i);
  *out = chars;
  return true;
}

bool on_read_id(const on_json *value, const on_place *place, const char *key, uint32_t *out, on_error *error) {
  int64_t id;
  if (!value || !on_json_as_int(value, 0, ON_PIECE_ID_MOST, &id)) {
    return on_place_fail(place, key, error, ON_INVALID_DATA, "must be an integer from 0 to 16777215");
  }
  *out = (uint32_t)id;
  return true;
}

bool on_read_pattern(const on_json *object, const on_place *place, on_arena *arena, on_pattern **out, on_error *error) {
  const on_json *pattern = on_read_member(object, "pattern");
  const on_json *string = on_read_member(pattern, "String"), *regex = on_read_member(pattern, "Regex");
  const on_json *text = string ? string : regex;
  if (!text || on_json_type(text) != ON_JSON_STRING || (string && regex)) {
    return on_place_fail(place, "pattern", error, ON_INVALID_DATA, "must be {\"String\": ..} or {\"Regex\": ..}");
  }
  *out = on_pattern_compile(on_json_string(text), string != NULL, arena, error);
  return *out || on_place_context(place, "pattern", error);
}
