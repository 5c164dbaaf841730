#include "train/names.h"

#include "base/alloc.h"
#include "text/chars.h"
#include "text/utf.h"

on_name_case on_name_case_of(on_str16 name) {
  size_t i = 0;
  if (name.n < 2 || on_is_lower(on_utf16_next(name, &i)) || i == name.n) return ON_NAME_OTHER;
  if (on_is_lower(on_utf16_next(name, &i))) return ON_NAME_TITLE;
  for (i = 0; i < name.n;) {
    uint32_t c = on_utf16_next(name, &i);
    if (on_lower(c) == c) return ON_NAME_OTHER;
  }
  return ON_NAME_CAPITALS;
}

static on_name_list *list_of(on_names *names, on_str label, on_error *error) {
  for (size_t i = 0; i < names->count; i++) {
    if (on_str_eq(names->lists[i].label, label)) return &names->lists[i];
  }
  if (names->count == ON_MAX_NAME_LISTS) {
    on_fail(error, ON_LIMIT, -1, "at most %d lists of names", ON_MAX_NAME_LISTS);
    return NULL;
  }
  on_name_list *list = &names->lists[names->count];
  list->label = on_arena_str(&names->arena, label);
  if (!list->label.p) {
    on_fail_memory(error);
    return NULL;
  }
  names->count++;
  return list;
}

static bool add(on_names *names, on_name_list *list, on_str line, size_t number, on_error *error) {
  on_str16 name;
  if (!on_utf16_from_utf8(&names->arena, line, &name, error)) return on_fail_context(error, "line %zu", number);
  if (name.n > ON_MAX_NAME_UNITS) {
    return on_fail(error, ON_LIMIT, -1, "line %zu: a name of more than %d characters", number, ON_MAX_NAME_UNITS);
  }
  for (size_t i = 0; i < line.n; i++) {
    if (line.p[i] == ' ' || line.p[i] == '\t') {
      return on_fail(error, ON_INVALID_DATA, -1, "line %zu: '%.*s' is not one word", number, ON_SHOW(line));
    }
  }
  bool added;
  if (!on_map_put(&list->known, line, 0, &added)) return on_fail_memory(error);
  if (!added) return true;
  on_name_case written = on_name_case_of(name);
  if (!on_grow((void **)&list->written[written].names, &list->written[written].cap, list->written[written].count + 1,
               sizeof name)) {
    return on_fail_memory(error);
  }
  list->written[written].names[list->written[written].count++] = name;
  return true;
}

bool on_names_add(on_names *names, on_str label, on_str text, on_error *error) {
  on_name_list *list = list_of(names, label, error);
  if (!list) return false;
  size_t number = 0;
  for (size_t at = 0; at < text.n;) {
    on_str line = on_str_line(text, &at);
    number++;
    if (line.n > 0 && line.p[0] != '#' && !add(names, list, line, number, error)) return false;
  }
  return list->known.count > 0 || on_fail(error, ON_INVALID_DATA, -1, "a list without names");
}

void on_names_free(on_names *names) {
  for (size_t i = 0; i < names->count; i++) {
    for (int c = 0; c < ON_NAME_CASES; c++) on_free(names->lists[i].written[c].names);
    on_map_free(&names->lists[i].known);
  }
  on_arena_free(&names->arena);
  *names = (on_names){0};
}

const on_name_list *on_names_find(const on_names *names, on_str label) {
  for (size_t i = 0; i < names->count; i++) {
    if (on_str_eq(names->lists[i].label, label)) return &names->lists[i];
  }
  return NULL;
}
