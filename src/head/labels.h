// Label sets: distinct strings in output order.
#ifndef ON_HEAD_LABELS_H
#define ON_HEAD_LABELS_H

#include "base/map.h"
#include "format/json.h"
#include "base/arena.h"

#define ON_MAX_LABELS 1048576u
#define ON_MAX_LABEL_UNITS 4096u

typedef struct on_labels {
  on_str *list;
  uint32_t n;
} on_labels;

// True for a string that a column of CoNLL-U can hold: no tab, LF or CR in it.
bool on_fits_column(on_str s);

// Reads config.labels: an array of `min`..`max` distinct strings of 1 to 4,096 UTF-16 units. Those that go to a column
// of CoNLL-U (`column`) must fit there. Strings are borrowed from the JSON tree.
bool on_labels_read(on_labels *labels, on_arena *arena, const on_json *config, const char *path, uint32_t min,
                    uint32_t max, bool column, on_error *error);
void on_labels_write(const on_labels *labels, on_buf *out);  // a JSON array

#endif
