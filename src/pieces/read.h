// Reading the small parts of a tokenizer.json: typed members, with errors that name their JSON path.
#ifndef ON_PIECES_READ_H
#define ON_PIECES_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "format/json.h"

// A place in the file, as "normalizer.normalizers[2]".
typedef struct on_place {
  char text[96];
} on_place;

on_place on_place_of(const char *root);
on_place on_place_index(const on_place *list, const char *key, size_t index);  // list.key[index]

bool on_place_fail(const on_place *place, const char *key, on_error *error, on_code code, const char *what);
// Puts "<place>.<key>: " before an error's message; returns false.
bool on_place_context(const on_place *place, const char *key, on_error *error);

// NULL and JSON null mean "not there".
const on_json *on_read_member(const on_json *object, const char *key);
bool on_read_type(const on_json *object, const on_place *place, on_str *type, on_error *error);
// An absent member gives `absent`.
bool on_read_bool(const on_json *object, const on_place *place, const char *key, bool absent, bool *out,
                  on_error *error);
// Required; borrowed from the tree.
bool on_read_text(const on_json *object, const on_place *place, const char *key, on_str *out, on_error *error);
// The same as characters in the arena.
bool on_read_chars(const on_json *object, const on_place *place, const char *key, on_arena *arena, const uint32_t **out,
                   size_t *n, on_error *error);
bool on_read_id(const on_json *value, const on_place *place, const char *key, uint32_t *out, on_error *error);
// {"String": ...} or {"Regex": ...}
struct on_pattern;
bool on_read_pattern(const on_json *object, const on_place *place, on_arena *arena, struct on_pattern **out,
                     on_error *error);

enum { ON_PIECE_ID_MOST = 0x00FFFFFF };  // ids are below 2^24

#endif
