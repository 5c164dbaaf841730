#include "score/examples.h"

#include "base/alloc.h"
#include "format/json.h"
#include "score/entities.h"
#include "score/spans.h"
#include "score/textcat.h"

static const float GIVEN = 0.5f;  // a category of a text with several is given from this value on

// The number of a string; the copy of it that stays is name_list[number].
static bool intern(on_example_scores *s, on_str name, uint32_t *number, on_error *error) {
  const uint32_t *known = on_map_get(&s->names, name);
  if (known) {
    *number = *known;
    return true;
  }
  on_str copy = on_arena_str(&s->arena, name);
  *number = (uint32_t)s->name_count;
  if (!copy.p || !on_grow((void **)&s->name_list, &s->name_cap, s->name_count + 1, sizeof *s->name_list) ||
      !on_map_put(&s->names, copy, *number, NULL)) {
    return on_fail_memory(error);
  }
  s->name_list[s->name_count++] = copy;
  return true;
}

static bool own_labels(on_example_scores *s, on_labelled_list *list, size_t from, on_error *error) {
  for (size_t i = from; i < list->count; i++) {
    uint32_t number;
    if (!intern(s, list->items[i].label, &number, error)) return false;
    list->items[i].label = s->name_list[number];
  }
  return true;
}

static on_scored_group *group_named(on_example_scores *s, on_str name, on_error *error) {
  for (size_t i = 0; i < s->group_count; i++) {
    if (on_str_eq(s->groups[i].name, name)) return &s->groups[i];
  }
  uint32_t number;
  if (!intern(s, name, &number, error)) return NULL;
  if (!on_grow((void **)&s->groups, &s->group_cap, s->group_count + 1, sizeof *s->groups)) {
    on_fail_memory(error);
    return NULL;
  }
  on_scored_group *group = &s->groups[s->group_count++];
  *group = (on_scored_group){.name = s->name_list[number], .threshold = 0.5f};
  return group;
}

bool on_example_scores_threshold(on_example_scores *scores, on_str group, float threshold, on_error *error) {
  on_scored_group *g = group_named(scores, group, error);
  if (g) g->threshold = threshold;
  return g != NULL;
}

static bool add_cats(on_example_scores *s, const on_doc *doc, on_scored_cat **list, size_t *count, size_t *cap,
                     on_error *error) {
  if (!on_grow((void **)list, cap, *count + doc->cat_count, sizeof **list)) return on_fail_memory(error);
  for (size_t i = 0; i < doc->cat_count; i++) {
    on_scored_cat *cat = &(*list)[*count];
    *cat = (on_scored_cat){.document = s->documents - 1, .score = doc->cats[i].score};
    if (!intern(s, doc->cats[i].label, &cat->label, error)) return false;
    ++*count;
  }
  return true;
}

bool on_example_scores_gold(on_example_scores *s, const on_doc *gold, on_error *error) {
  uint32_t document = s->documents++;
  size_t from = s->gold_ents.count;
  if (gold->has_ents) {
    s->gold_entities = true;
    if (!on_entities_of_doc(&s->gold_ents, document, gold, error) || !own_labels(s, &s->gold_ents, from, error)) {
      return false;
    }
  }
  for (size_t i = 0; i < gold->group_count; i++) {
    on_scored_group *group = group_named(s, gold->groups[i].name, error);
    if (!group) return false;
    from = group->gold.count;
    if (!on_spans_of_doc(&group->gold, document, gold, group->name, error) ||
        !own_labels(s, &group->gold, from, error)) {
      return false;
    }
  }
  if (!gold->cats) return true;
  size_t given = 0;
  for (size_t i = 0; i < gold->cat_count; i++) given += gold->cats[i].score >= GIVEN;
  if (given != 1) s->multi_label = true;
  s->cat_documents++;
  return add_cats(s, gold, &s->gold_cats, &s->gold_cat_count, &s->gold_cat_cap, error);
}

bool on_example_scores_system(on_example_scores *s, const on_doc *gold, const on_doc *unit, on_error *error) {
  uint32_t document = s->documents - 1;
  if (gold->has_ents && unit->has_ents) {
    size_t from = s->system_ents.count;
    s->system_entities = true;
    if (!on_entities_of_doc(&s->system_ents, document, unit, error) || !own_labels(s, &s->system_ents, from, error)) {
      return false;
    }
  }
  for (size_t i = 0; i < unit->group_count; i++) {
    if (!on_doc_group(gold, unit->groups[i].name)) continue;
    on_scored_group *group = group_named(s, unit->groups[i].name, error);
    if (!group) return false;
    size_t from = group->system.count;
    group->predicted = true;
    if (!on_spans_of_doc(&group->system, document, unit, group->name, error) ||
        !own_labels(s, &group->system, from, error)) {
      return false;
    }
  }
  if (!gold->cats || unit->cat_count == 0) return true;
  while (s->system_cat_count && s->system_cats[s->system_cat_count - 1].document == document) s->system_cat_count--;
  return add_cats(s, unit, &s->system_cats, &s->system_cat_count, &s->system_cat_cap, error);
}

void on_example_scores_free(on_example_scores *s) {
  on_labelled_free(&s->gold_ents);
  on_labelled_free(&s->system_ents);
  for (size_t i = 0; i < s->group_count; i++) {
    on_labelled_free(&s->groups[i].gold);
    on_labelled_free(&s->groups[i].system);
  }
  on_free(s->groups);
  on_free(s->gold_cats);
  on_free(s->system_cats);
  on_free(s->name_list);
  on_map_free(&s->names);
  on_arena_free(&s->arena);
  *s = (on_example_scores){0};
}

// ---- categories -------------------------------------------------------------------------------------

typedef struct cat_scores {
  on_str *labels;
  size_t count;
  on_category_score *categories;
  on_textcat_scores all;
} cat_scores;

// Categories are numbered in the order in which they were met; `number_of` by the number of the string.
static bool number_labels(const on_example_scores *s, on_arena *arena, uint32_t *number_of, cat_scores *out) {
  out->labels = ON_NEW(arena, on_str, s->name_count);
  if (!out->labels) return false;
  memset(number_of, 0xFF, s->name_count * sizeof *number_of);
  const on_scored_cat *lists[] = {s->gold_cats, s->system_cats};
  size_t counts[] = {s->gold_cat_count, s->system_cat_count};
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < counts[side]; i++) {
      uint32_t name = lists[side][i].label;
      if (number_of[name] != UINT32_MAX) continue;
      number_of[name] = (uint32_t)out->count;
      out->labels[out->count++] = s->name_list[name];
    }
  }
  out->categories = ON_NEW(arena, on_category_score, out->count);
  return out->categories != NULL;
}

// The best category of the document whose entries start at *at; the first among equals. UINT32_MAX: none.
static uint32_t take_best(const on_scored_cat *list, size_t count, size_t *at, uint32_t document,
                          const uint32_t *number_of) {
  const on_scored_cat *best = NULL;
  while (*at < count && list[*at].document < document) ++*at;
  for (; *at < count && list[*at].document == document; ++*at) {
    if (!best || list[*at].score > best->score) best = &list[*at];
  }
  return best ? number_of[best->label] : UINT32_MAX;
}

static bool score_single(const on_example_scores *s, on_arena *arena, const uint32_t *number_of, cat_scores *out,
                         on_error *error) {
  uint32_t *gold = ON_NEW(arena, uint32_t, s->documents), *system = ON_NEW(arena, uint32_t, s->documents);
  if (!gold || !system) return on_fail_memory(error);
  size_t n = 0, g = 0, p = 0;
  for (uint32_t d = 0; d < s->documents; d++) {
    gold[n] = take_best(s->gold_cats, s->gold_cat_count, &g, d, number_of);
    system[n] = take_best(s->system_cats, s->system_cat_count, &p, d, number_of);
    if (gold[n] == UINT32_MAX) continue;
    if (system[n] == UINT32_MAX) return on_fail(error, ON_INVALID_ARGUMENT, -1, "document %u: no category", d + 1);
    n++;
  }
  return on_textcat_single(gold, system, n, out->count, out->categories, &out->all, error);
}

static bool score_multi(const on_example_scores *s, on_arena *arena, const uint32_t *number_of, cat_scores *out,
                        on_error *error) {
  // Rows of the documents that the system said something about.
  uint32_t *row = ON_NEW(arena, uint32_t, s->documents);
  if (!row) return on_fail_memory(error);
  memset(row, 0xFF, s->documents * sizeof *row);
  size_t n = 0, labels = out->count;
  for (size_t i = 0; i < s->system_cat_count; i++) {
    uint32_t d = s->system_cats[i].document;
    if (row[d] == UINT32_MAX) row[d] = (uint32_t)n++;
  }
  uint8_t *gold = labels && n > SIZE_MAX / labels ? NULL : ON_NEW0(arena, uint8_t, n * labels);
  float *scores = gold ? ON_NEW0(arena, float, n * labels) : NULL;
  if (!gold || !scores) return on_fail_memory(error);
  for (size_t i = 0; i < s->gold_cat_count; i++) {
    const on_scored_cat *cat = &s->gold_cats[i];
    if (row[cat->document] == UINT32_MAX) continue;
    gold[row[cat->document] * labels + number_of[cat->label]] = cat->score >= GIVEN;
  }
  for (size_t i = 0; i < s->system_cat_count; i++) {
    const on_scored_cat *cat = &s->system_cats[i];
    scores[row[cat->document] * labels + number_of[cat->label]] = cat->score;
  }
  return on_textcat_multi(gold, scores, n, labels, GIVEN, out->categories, &out->all, error);
}

static bool write_cats(const on_example_scores *s, bool json, on_buf *out, on_error *error) {
  if (s->system_cat_count == 0 || s->cat_documents == 0) {
    on_buf_str(out, json ? ON_STR("null") : ON_STR("Categories: -\n"));
    return true;
  }
  on_arena arena = {0};
  cat_scores scores = {0};
  uint32_t *number_of = ON_NEW(&arena, uint32_t, s->name_count);
  bool ok = number_of && number_labels(s, &arena, number_of, &scores);
  ok = !ok ? on_fail_memory(error)
           : (s->multi_label ? score_multi : score_single)(s, &arena, number_of, &scores, error);
  if (ok && json) {
    on_textcat_json(out, &scores.all, scores.labels, scores.categories, scores.count);
  } else if (ok) {
    on_buf_str(out, ON_STR("Categories\n"));
    on_textcat_table(out, &scores.all, scores.labels, scores.categories, scores.count);
  }
  on_arena_free(&arena);
  return ok;
}

// ---- entities and spans -----------------------------------------------------------------------------

static bool write_entities(const on_example_scores *s, bool json, on_buf *out, on_error *error) {
  if (!s->gold_entities || !s->system_entities) {
    on_buf_str(out, json ? ON_STR("null") : ON_STR("Entities: -\n"));
    return true;
  }
  on_label_scores scores = {0};
  bool ok = on_entities_evaluate(s->gold_ents.items, s->gold_ents.count, s->system_ents.items, s->system_ents.count,
                                 &scores, error);
  if (ok && json) {
    on_label_json(out, &scores);
  } else if (ok) {
    on_buf_str(out, ON_STR("Entities (exact span and label)\n"));
    on_label_table(out, &scores);
  }
  on_label_scores_free(&scores);
  return ok;
}

static void write_best(const on_best_threshold *best, bool json, on_buf *out) {
  const on_score *score = &best->score;
  double p = on_score_precision(score), r = on_score_recall(score), f1 = on_score_f1(score);
  if (!json) {
    on_buf_format(out, "best threshold %.4f: precision %.2f, recall %.2f, F1 %.2f\n", (double)best->threshold, 100 * p,
                  100 * r, 100 * f1);
    return;
  }
  on_buf_str(out, ON_STR("{\"threshold\": "));
  on_buf_f32(out, best->threshold);
  on_buf_str(out, ON_STR(", \"precision\": "));
  on_buf_f64(out, p);
  on_buf_str(out, ON_STR(", \"recall\": "));
  on_buf_f64(out, r);
  on_buf_str(out, ON_STR(", \"f1\": "));
  on_buf_f64(out, f1);
  on_buf_char(out, '}');
}

static bool write_group(const on_scored_group *g, bool json, on_buf *out, on_error *error) {
  on_label_scores scores = {0};
  on_best_threshold best;
  bool ok = on_spans_evaluate(g->gold.items, g->gold.count, g->system.items, g->system.count, g->threshold, &scores,
                              error) &&
            on_spans_best_threshold(g->gold.items, g->gold.count, g->system.items, g->system.count, &best, error);
  if (ok && json) {
    on_buf_str(out, ON_STR("{\"threshold\": "));
    on_buf_f32(out, g->threshold);
    on_buf_str(out, ON_STR(", \"scores\": "));
    on_label_json(out, &scores);
    on_buf_str(out, ON_STR(", \"best\": "));
    write_best(&best, true, out);
    on_buf_char(out, '}');
  } else if (ok) {
    on_buf_str(out, ON_STR("Spans \""));
    on_buf_str(out, g->name);
    on_buf_format(out, "\" (threshold %.4f)\n", (double)g->threshold);
    on_label_table(out, &scores);
    write_best(&best, false, out);
  }
  on_label_scores_free(&scores);
  return ok;
}

static bool write_groups(const on_example_scores *s, bool json, on_buf *out, on_error *error) {
  bool any = false, ok = true;
  for (size_t i = 0; ok && i < s->group_count; i++) {
    if (!s->groups[i].predicted) continue;
    if (json) {
      on_buf_str(out, any ? ON_STR(", ") : ON_STR("{"));
      on_json_write_string(out, s->groups[i].name);
      on_buf_str(out, ON_STR(": "));
    } else if (any) {
      on_buf_char(out, '\n');
    }
    any = true;
    ok = write_group(&s->groups[i], json, out, error);
  }
  if (!any) on_buf_str(out, json ? ON_STR("null") : ON_STR("Spans: -\n"));
  else if (json) on_buf_char(out, '}');
  return ok;
}

bool on_example_scores_write(on_example_scores *s, bool json, on_buf *out, on_error *error) {
  bool ok;
  if (json) {
    on_buf_format(out, "{\"documents\": %u, \"entities\": ", s->documents);
    ok = write_entities(s, json, out, error);
    on_buf_str(out, ON_STR(", \"cats\": "));
    ok = ok && write_cats(s, json, out, error);
    on_buf_str(out, ON_STR(", \"spans\": "));
    ok = ok && write_groups(s, json, out, error);
    on_buf_str(out, ON_STR("}\n"));
  } else {
    on_buf_format(out, "Documents: %u\n\n", s->documents);
    ok = write_entities(s, json, out, error);
    on_buf_char(out, '\n');
    ok = ok && write_cats(s, json, out, error);
    on_buf_char(out, '\n');
    ok = ok && write_groups(s, json, out, error);
  }
  return ok && (!out->failed || on_fail_memory(error));
}
