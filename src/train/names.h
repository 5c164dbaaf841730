// Lists of names, a list for each label of an entity, which stand in for the names of the training data: a
// pipeline then knows more names than its training data has.
#ifndef ON_TRAIN_NAMES_H
#define ON_TRAIN_NAMES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/random.h"
#include "base/slice.h"

enum { ON_MAX_NAME_LISTS = 64, ON_MAX_NAME_UNITS = 100 };

// How a name is written: "Rome", "IBM", or otherwise.
typedef enum on_name_case { ON_NAME_TITLE, ON_NAME_CAPITALS, ON_NAME_OTHER, ON_NAME_CASES } on_name_case;

typedef struct on_name_list {
  on_str label;  // in the arena
  struct {
    on_str16 *names;
    size_t count, cap;
  } written[ON_NAME_CASES];
  on_map known;  // all names, UTF-8
} on_name_list;

typedef struct on_names {
  on_arena arena;
  on_name_list lists[ON_MAX_NAME_LISTS];
  size_t count;
} on_names;  // a zeroed on_names holds none

// Adds the lines of `text`, UTF-8: a name of one word each; empty lines and lines that begin with # are skipped.
// The text must stay as long as the names. Errors say the line.
bool on_names_add(on_names *names, on_str label, on_str text, on_error *error);
void on_names_free(on_names *names);

on_name_case on_name_case_of(on_str16 name);

// The list of a label, NULL if there is none.
const on_name_list *on_names_find(const on_names *names, on_str label);

#endif
