// Errors: a stable code, a position, and a sentence for the user that names the place.
#ifndef ON_BASE_ERROR_H
#define ON_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

// The codes are stable: JavaScript throws them by the names of on_code_name. New ones go last.
typedef enum on_code {
  ON_OK = 0,
  ON_OUT_OF_MEMORY,      // an allocation failed or passed the memory limit
  ON_INVALID_ARGUMENT,   // the caller asked for something that cannot be
  ON_INVALID_UTF8,       // position: byte offset of the first invalid byte
  ON_DATA_FORMAT,        // CoNLL-U or JSON Lines; position: 1-based line number
  ON_INVALID_DATA,       // pipeline file or one of its parts; position: byte offset, or -1
  ON_UNSUPPORTED,        // well-formed, but this build cannot do it (unknown kind or version)
  ON_LIMIT,              // a documented limit was passed; position as for the input concerned
  ON_IO,                 // reading or writing a file failed (src/cli and JavaScript only)
  ON_CANCELLED,          // the caller asked to stop
  ON_CLOSED,             // the pipeline was closed already
  ON_INTERNAL,           // the WebAssembly module or a worker stopped (JavaScript only)
  ON_NO_WORKERS          // this place has no worker threads (JavaScript only)
} on_code;

typedef struct on_error {
  on_code code;
  int64_t position;  // -1 when there is none
  char text[512];    // UTF-8, terminated; never ends inside a character
} on_error;

// "OUT_OF_MEMORY", "INVALID_ARGUMENT", ...
const char *on_code_name(on_code code);

// Fills *error (which may be NULL) and returns false, so that a failing function can end with
// `return on_fail(error, ON_INVALID_DATA, offset, "...", ...)`.
bool on_fail(on_error *error, on_code code, int64_t position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool on_fail_memory(on_error *error);

// Puts "<context>: " before the message of an error that a called function made; returns false.
bool on_fail_context(on_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// At most `most` bytes of UTF-8, not ending inside a character.
on_str on_shorten(on_str s, size_t most);

// For messages: printf("%.*s", ON_SHOW(s)) with at most 80 bytes of s, cut at a character.
int on_show_length(on_str s);
#define ON_SHOW(s) on_show_length(s), (s).p ? (s).p : ""

#endif
