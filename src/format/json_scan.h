// The strict check in front of cJSON: RFC 8259 to the letter, and the project's own bounds.
#ifndef ON_FORMAT_JSON_SCAN_H
#define ON_FORMAT_JSON_SCAN_H

#include "base/error.h"
#include "base/slice.h"

enum {
  ON_JSON_MAX_DEPTH = 256,  // whatever the caller allows; cJSON recurses this deep at most
  ON_JSON_MAX_NUMBER = 63   // characters of a number; cJSON cuts longer ones
};

// True when `text` is one JSON text: well-formed UTF-8 without a byte-order mark; the grammar of
// RFC 8259; arrays and objects at most max_depth deep; no object with the same key twice (compared
// after unescaping); no U+0000 and no lone surrogate in a string; numbers finite as doubles.
// Time n log n at worst, memory for the keys of the objects that are open at the same time.
// Otherwise ON_INVALID_DATA with the byte offset, or out of memory.
bool on_json_scan(on_str text, unsigned max_depth, on_error *error);
// The same, but \u0000 may stand in a string; *nul tells whether it does.
bool on_json_scan_line(on_str text, unsigned max_depth, bool *nul, on_error *error);

#endif
