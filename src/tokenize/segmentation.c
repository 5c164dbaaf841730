#include "tokenize/segmentation.h"

#include "text/chars.h"
#include "text/utf.h"

const on_segmentation *on_segmentation_at(size_t i) {
  size_t n = 0;
  while (n < i && on_segmentations[n]) n++;
  return on_segmentations[n];
}

const on_segmentation *on_segmentation_find(on_str name) {
  for (size_t i = 0; on_segmentations[i]; i++) {
    if (on_str_eq(on_str_c(on_segmentations[i]->name), name)) return on_segmentations[i];
  }
  return NULL;
}

const on_segmentation *on_segmentation_for_language(on_str language) {
  // A region or script after the code ("en-GB", "en_US") does not change the data set.
  size_t n = 0;
  while (n < language.n && language.p[n] != '-' && language.p[n] != '_') n++;
  on_str code = {language.p, n};
  for (size_t i = 0; on_segmentations[i]; i++) {
    const char *const *languages = on_segmentations[i]->languages;
    for (; languages && *languages; languages++) {
      if (on_str_eq(on_str_c(*languages), code)) return on_segmentations[i];
    }
  }
  return on_segmentation_find(ON_STR("neutral"));
}

on_str on_segmentation_name(const on_segmentation *data) { return on_str_c(data->name); }

bool on_characters_have(const on_characters *set, uint32_t c) {
  uint32_t low = 0, high = set->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (set->list[middle] < c) low = middle + 1;
    else high = middle;
  }
  return low < set->n && set->list[low] == c;
}

uint32_t on_run_of(const on_segmentation *data, uint32_t c) {
  for (uint32_t i = 0; i < data->n_runs && data->runs[i].code <= c; i++) {
    if (data->runs[i].code == c) return data->runs[i].run;
  }
  return 0;
}

uint16_t on_fold_beyond(const on_segmentation *data, uint16_t unit) {
  if (on_characters_have(&data->apostrophes, unit)) return '\'';
  // Letters outside the BMP stand in no data set; their units are left alone.
  if (on_is_high_surrogate(unit) || on_is_low_surrogate(unit)) return unit;
  return (uint16_t)on_lower(unit);
}

static uint16_t key_unit(const on_segmentation *data, const on_entry *entry, size_t i) {
  return data->pool[entry->key + i];
}

// The first entry of list[low, high), all of which agree before unit `depth`, whose unit there is at
// least (or, with `after`, greater than) `unit`. An entry that has ended is before all units.
static uint32_t bound(const on_segmentation *data, const on_entry *list, uint32_t low, uint32_t high, size_t depth,
                      uint16_t unit, bool after) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const on_entry *entry = &list[middle];
    bool before = entry->length <= depth || key_unit(data, entry, depth) < unit ||
                  (after && key_unit(data, entry, depth) == unit);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool spelled(const on_segmentation *data, const on_entry *entry, const uint16_t *text) {
  return !entry->exact || memcmp(data->pool + entry->as, text, entry->length * sizeof *text) == 0;
}

// Narrows list[*low, *high), all of which agree before unit `depth`, to those that have `unit` there.
static void narrow(const on_segmentation *data, const on_table *table, uint32_t *low, uint32_t *high, size_t depth,
                   uint16_t unit) {
  if (depth == 0 && table->letters && unit >= 'a' && unit <= 'z') {
    *low = table->letters->from[unit - 'a'];
    *high = table->letters->from[unit - 'a' + 1];
    return;
  }
  const on_entry *list = table->list;
  uint32_t end = *high;
  *low = bound(data, list, *low, end, depth, unit, false);
  const bool none = *low == end || key_unit(data, &list[*low], depth) != unit;  // mostly
  *high = none ? *low : bound(data, list, *low + 1, end, depth, unit, true);
}

const on_entry *on_table_search_prefix(const on_segmentation *data, const on_table *table, on_str16 text) {
  const on_entry *best = NULL;
  uint32_t low = 0, high = table->n;
  for (size_t depth = 0; depth < text.n && low < high; depth++) {
    narrow(data, table, &low, &high, depth, on_fold_unit(data, text.p[depth]));
    // The entries that end here come first among those that are left.
    for (uint32_t i = low; i < high && table->list[i].length == depth + 1; i++) {
      if (spelled(data, &table->list[i], text.p)) {
        best = &table->list[i];
        break;
      }
    }
  }
  return best;
}

const on_entry *on_table_search(const on_segmentation *data, const on_table *table, on_str16 text) {
  uint32_t low = 0, high = table->n;
  for (size_t depth = 0; depth < text.n && low < high; depth++) {
    narrow(data, table, &low, &high, depth, on_fold_unit(data, text.p[depth]));
  }
  for (uint32_t i = low; i < high && table->list[i].length == text.n; i++) {
    if (spelled(data, &table->list[i], text.p)) return &table->list[i];
  }
  return NULL;
}
