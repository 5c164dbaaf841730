#include "train/dev_labels.h"

#include "head/textcat.h"

static bool has_span(const on_span *spans, size_t count, const on_span *wanted) {
  for (size_t i = 0; i < count; i++) {
    if (spans[i].first == wanted->first && spans[i].end == wanted->end && on_str_eq(spans[i].label, wanted->label)) {
      return true;
    }
  }
  return false;
}

// A unit has few spans: all pairs will do. Spans without a label (of which nothing is known) do not count.
static void compare(const on_span *gold, size_t gold_count, const on_span *system, size_t system_count,
                    on_dev_count count) {
  for (size_t i = 0; i < gold_count; i++) {
    if (!gold[i].label.p) continue;
    ++*count.all;
    *count.right += has_span(system, system_count, &gold[i]) ? 2 : 0;
  }
  *count.all += system_count;
}

void on_dev_compare_entities(const on_doc *gold, const on_doc *system, on_dev_count count) {
  if (!gold->has_ents || !system->has_ents) return;
  compare(gold->ents, gold->ent_count, system->ents, system->ent_count, count);
}

void on_dev_compare_spans(const on_doc *gold, const on_doc *system, on_dev_count count) {
  for (size_t i = 0; i < system->group_count; i++) {
    const on_span_group *group = on_doc_group(gold, system->groups[i].name);
    if (!group) continue;
    compare(group->spans, group->count, system->groups[i].spans, system->groups[i].count, count);
  }
}

static bool is_given(const on_cat *cat) { return cat->score >= ON_CATEGORY_THRESHOLD; }

static size_t given(const on_cat *cats, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) n += is_given(&cats[i]);
  return n;
}

static const on_cat *best(const on_cat *cats, size_t count) {
  const on_cat *top = NULL;
  for (size_t i = 0; i < count; i++) {
    if (!top || cats[i].score > top->score) top = &cats[i];
  }
  return top;
}

void on_dev_compare_cats(const on_doc *gold, const on_doc *system, on_dev_count count) {
  if (!gold->cats || !system->cat_count) return;
  size_t n = given(gold->cats, gold->cat_count);
  if (n == 1) {
    *count.all += 2;
    bool same = on_str_eq(best(gold->cats, gold->cat_count)->label, best(system->cats, system->cat_count)->label);
    *count.right += same ? 2 : 0;
    return;
  }
  *count.all += n + given(system->cats, system->cat_count);
  for (size_t i = 0; i < gold->cat_count; i++) {
    for (size_t k = 0; is_given(&gold->cats[i]) && k < system->cat_count; k++) {
      *count.right += is_given(&system->cats[k]) && on_str_eq(gold->cats[i].label, system->cats[k].label) ? 2 : 0;
    }
  }
}
