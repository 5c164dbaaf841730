// Walking through a JSON text without building a tree, for files whose arrays have hundreds of thousands of elements.
// The text must have been accepted by on_json_scan: the cursor does not check the grammar again, though it never
// leaves the text.
#ifndef ON_FORMAT_JSON_CURSOR_H
#define ON_FORMAT_JSON_CURSOR_H

#include "base/buffer.h"
#include "base/slice.h"
#include "format/json.h"

typedef struct on_json_cursor {
  on_str text;
  size_t i;
} on_json_cursor;

// The kind of the value at hand.
on_json_kind on_json_cursor_type(on_json_cursor *cursor);
// Steps into the array or object at hand.
void on_json_cursor_open(on_json_cursor *cursor);
// Whether an element or member follows (and moves to it); if not, moves behind the array or object.
bool on_json_cursor_more(on_json_cursor *cursor);
// Appends the string at hand to *out, unescaped, and moves behind it (behind the colon too, after a key).
void on_json_cursor_string(on_json_cursor *cursor, on_buf *out);
// The text of the value (or key) at hand; moves behind it.
on_str on_json_cursor_skip(on_json_cursor *cursor);

// The value of a number's text: its digits as a double, times or divided by a power of ten. The same bits on every
// platform and in every locale, and (up to 22 decimals) those of Rust's serde_json, which may be one ulp beside the
// nearest double when there are more than 15 digits.
double on_json_number_value(on_str text);

#endif
