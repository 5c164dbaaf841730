#include "score/labelled.h"

#include <math.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/sort.h"

bool on_labelled_add(on_labelled_list *list, on_labelled item, on_error *error) {
  if (!on_grow((void **)&list->items, &list->room, list->count + 1, sizeof *list->items)) return on_fail_memory(error);
  list->items[list->count++] = item;
  return true;
}

void on_labelled_free(on_labelled_list *list) {
  on_free(list->items);
  *list = (on_labelled_list){0};
}

static int compare_labels(const void *a, const void *b) {
  const on_str *x = a, *y = b;
  return on_str_cmp(*x, *y);
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_places(const on_match *x, const on_match *y) {
  int order = compare_numbers(x->document, y->document);
  if (!order) order = compare_numbers(x->start, y->start);
  if (!order) order = compare_numbers(x->end, y->end);
  return order ? order : compare_numbers(x->label, y->label);
}

static int compare_matches(const void *a, const void *b) {
  const on_match *x = a, *y = b;
  int order = compare_places(x, y);
  return order ? order : (x->score < y->score) - (x->score > y->score);
}

static bool add_labels(on_map *map, const on_labelled *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!on_map_put(map, items[i].label, 0, NULL)) return false;
  }
  return true;
}

// The labels of the map in byte order; their values in the map become their indices.
static bool sort_labels(const on_map *map, on_arena *arena, on_matched *out) {
  out->labels = ON_NEW(arena, on_str, map->count);
  if (!out->labels) return false;
  for (size_t i = 0; i < map->capacity; i++) {
    if (!map->entries[i].taken) continue;
    on_str label = on_arena_str(arena, map->entries[i].key);
    if (!label.p) return false;
    out->labels[out->label_count++] = label;
  }
  if (!on_sort(out->labels, out->label_count, sizeof *out->labels, compare_labels)) return false;
  for (size_t i = 0; i < out->label_count; i++) *on_map_get(map, out->labels[i]) = (uint32_t)i;
  return true;
}

// Sorted, and of equal items only the one with the highest score.
static bool sort_distinct(const on_labelled *items, size_t count, const on_map *map, on_arena *arena, on_match **out,
                          size_t *out_count) {
  on_match *list = ON_NEW(arena, on_match, count);
  if (!list) return false;
  for (size_t i = 0; i < count; i++) {
    list[i] = (on_match){.document = items[i].document, .start = items[i].start, .end = items[i].end,
                         .label = *on_map_get(map, items[i].label), .score = items[i].score};
  }
  if (!on_sort(list, count, sizeof *list, compare_matches)) return false;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || compare_places(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
  }
  *out = list;
  *out_count = kept;
  return true;
}

static void mark_correct(on_matched *m) {
  for (size_t g = 0, p = 0; g < m->gold_count && p < m->predicted_count;) {
    int order = compare_places(&m->gold[g], &m->predicted[p]);
    if (order == 0) m->gold[g].correct = m->predicted[p].correct = true;
    g += order <= 0;
    p += order >= 0;
  }
}

bool on_labelled_match(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                       size_t predicted_count, on_arena *arena, on_matched *out, on_error *error) {
  *out = (on_matched){0};
  for (size_t i = 0; i < predicted_count; i++) {
    if (isnan(predicted[i].score)) {
      return on_fail(error, ON_INVALID_ARGUMENT, -1, "document %lu: the score of [%lu, %lu) is not a number",
                     (unsigned long)predicted[i].document, (unsigned long)predicted[i].start,
                     (unsigned long)predicted[i].end);
    }
  }
  on_map map = {0};
  bool done = add_labels(&map, gold, gold_count) && add_labels(&map, predicted, predicted_count) &&
              sort_labels(&map, arena, out) &&
              sort_distinct(gold, gold_count, &map, arena, &out->gold, &out->gold_count) &&
              sort_distinct(predicted, predicted_count, &map, arena, &out->predicted, &out->predicted_count);
  on_map_free(&map);
  if (!done) return on_fail_memory(error);
  mark_correct(out);
  return true;
}

bool on_labelled_score(const on_labelled *gold, size_t gold_count, const on_labelled *predicted,
                       size_t predicted_count, float threshold, on_label_scores *out, on_error *error) {
  on_matched matched;
  if (!on_labelled_match(gold, gold_count, predicted, predicted_count, &out->arena, &matched, error)) return false;
  out->labels = ON_NEW(&out->arena, on_label_score, matched.label_count);
  if (!out->labels) return on_fail_memory(error);
  out->label_count = matched.label_count;
  out->all = (on_score){.present = true};
  for (size_t i = 0; i < matched.label_count; i++) {
    out->labels[i] = (on_label_score){.label = matched.labels[i], .score = {.present = true}};
  }
  for (size_t i = 0; i < matched.gold_count; i++) out->labels[matched.gold[i].label].score.gold++;
  for (size_t i = 0; i < matched.predicted_count; i++) {
    const on_match *match = &matched.predicted[i];
    if (match->score < threshold) continue;
    out->labels[match->label].score.system++;
    out->labels[match->label].score.correct += match->correct;
  }
  for (size_t i = 0; i < out->label_count; i++) {
    out->all.gold += out->labels[i].score.gold;
    out->all.system += out->labels[i].score.system;
    out->all.correct += out->labels[i].score.correct;
  }
  return true;
}

void on_label_scores_free(on_label_scores *scores) {
  on_arena_free(&scores->arena);
  *scores = (on_label_scores){0};
}
