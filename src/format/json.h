// JSON. The only caller of cJSON, behind a strict pre-scan (RFC 8259: UTF-8, number grammar, no
// trailing bytes; nesting depth; no duplicate keys; no U+0000 in the strings of a config, where nothing needs it).
#ifndef ON_FORMAT_JSON_H
#define ON_FORMAT_JSON_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"

typedef struct on_json on_json;  // a value inside a tree; borrowed from the tree's root

typedef enum on_json_kind {
  ON_JSON_NULL, ON_JSON_BOOL, ON_JSON_NUMBER, ON_JSON_STRING, ON_JSON_ARRAY, ON_JSON_OBJECT
} on_json_kind;

// Parses one JSON text. max_depth counts arrays and objects that enclose each other (256 at most).
// On failure NULL: error->position is the byte offset and the code ON_INVALID_DATA, or there was no
// memory. A number has at most 63 characters. Free the root with on_json_free, which takes NULL.
on_json *on_json_parse(on_str text, unsigned max_depth, on_error *error);
// A line of JSON Lines, whose texts and labels may hold any character: \u0000 too, nesting at most 16.
on_json *on_json_parse_line(on_str text, on_error *error);
void on_json_free(on_json *root);

on_json_kind on_json_type(const on_json *value);
bool on_json_bool(const on_json *value);      // of a BOOL
double on_json_number(const on_json *value);  // of a NUMBER
on_str on_json_string(const on_json *value);  // of a STRING; UTF-8, lives as long as the root

// Elements of an array, or members of an object, in order: first, then next until NULL.
const on_json *on_json_first(const on_json *container);
const on_json *on_json_next(const on_json *element);
on_str on_json_key(const on_json *member);
size_t on_json_count(const on_json *container);
// The member of an object (case-sensitive), or NULL.
const on_json *on_json_get(const on_json *object, const char *key);

// The value of an integer in [min, max]; false when it is anything else. Integers beyond 2^53 - 1 are
// never accepted, because a double does not tell them from their neighbours.
bool on_json_as_int(const on_json *value, int64_t min, int64_t max, int64_t *out);

// Typed members, with an error that names `path`, e.g. "encoders[0].settings.width".
// on_json_int: the number must be an integer in [min, max]; when absent, *out is `absent` unless
// `required`. An absent string has p NULL. All report ON_INVALID_DATA.
bool on_json_int(const on_json *object, const char *path, const char *key, bool required, int64_t min, int64_t max,
                 int64_t absent, int64_t *out, on_error *error);
bool on_json_text(const on_json *object, const char *path, const char *key, bool required, size_t max_units,
                  on_str *out, on_error *error);

// Writing: a string with quotes and escapes (input is UTF-8; invalid bytes become U+FFFD).
void on_json_write_string(on_buf *out, on_str s);
// Appends a parsed value as JSON text on one line. Recursion is bounded by the depth given to the parser.
void on_json_write(on_buf *out, const on_json *value);

#endif
