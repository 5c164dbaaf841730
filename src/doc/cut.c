#include "doc/cut.h"

#include "doc/unit.h"

// Whether a multiword token or an entity lies across the edge before `token`: binary searches, since both are in
// order.
static bool inside_mwt(const on_doc *doc, size_t token) {
  size_t low = 0, high = doc->mwt_count;  // the first multiword token that starts at `token` or behind
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (doc->mwts[middle].first < token) low = middle + 1;
    else high = middle;
  }
  return low > 0 && doc->mwts[low - 1].first + doc->mwts[low - 1].count > token;
}

static bool inside_entity(const on_doc *doc, size_t token) {
  size_t low = 0, high = doc->ent_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (doc->ents[middle].first < token) low = middle + 1;
    else high = middle;
  }
  return low > 0 && doc->ents[low - 1].end > token;
}

static bool cuts(const on_doc *doc, size_t token) { return inside_mwt(doc, token) || inside_entity(doc, token); }

bool on_doc_cut_next(on_doc_cut *cut, size_t *first, size_t *end) {
  const on_doc *doc = cut->doc;
  if (cut->token >= doc->n) return false;
  size_t from = cut->token, to = from + 1;
  if (doc->source_start[from] >= cut->paragraph_end) {
    cut->paragraph_end = on_next_paragraph(doc->source, doc->source_start[from]);
  }
  while (to < doc->n && to - from < ON_UNIT_WORDS && doc->source_start[to] < cut->paragraph_end) to++;
  if (to < doc->n && doc->source_start[to] < cut->paragraph_end) {
    size_t last = to;
    while (to > from && !(doc->sent_start[to] && !cuts(doc, to))) to--;
    if (to == from) {
      for (to = last; to > from && cuts(doc, to);) to--;
    }
    if (to == from) to = last;
  }
  *first = from;
  *end = cut->token = to;
  return true;
}

static bool part_spans(on_doc *part, const on_span *spans, size_t count, size_t first, size_t end, on_span **out,
                       size_t *out_count) {
  on_span *list = ON_NEW(&part->arena, on_span, count);
  if (!list) return false;
  *out = list;
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (spans[i].first < first || spans[i].end > end) continue;
    on_span span = spans[i];
    span.first -= (uint32_t)first;
    span.end -= (uint32_t)first;
    list[(*out_count)++] = span;
  }
  return true;
}

static bool part_lists(const on_doc *doc, size_t first, size_t end, on_doc *part) {
  on_arena *arena = &part->arena;
  part->mwts = ON_NEW(arena, on_mwt, doc->mwt_count);
  part->groups = doc->groups ? ON_NEW(arena, on_span_group, doc->group_count) : NULL;
  if (!part->mwts || (doc->groups && !part->groups)) return false;
  part->mwt_count = 0;
  for (size_t i = 0; i < doc->mwt_count; i++) {
    if (doc->mwts[i].first < first || doc->mwts[i].first + doc->mwts[i].count > end) continue;
    part->mwts[part->mwt_count] = doc->mwts[i];
    part->mwts[part->mwt_count++].first -= (uint32_t)first;
  }
  if (doc->ents && !part_spans(part, doc->ents, doc->ent_count, first, end, &part->ents, &part->ent_count)) {
    return false;
  }
  for (size_t i = 0; i < doc->group_count; i++) {
    part->groups[i].name = doc->groups[i].name;
    if (!part_spans(part, doc->groups[i].spans, doc->groups[i].count, first, end, &part->groups[i].spans,
                    &part->groups[i].count)) {
      return false;
    }
  }
  return true;
}

bool on_doc_part(const on_doc *doc, size_t first, size_t end, on_doc *part) {
  on_arena arena = part->arena;
  on_arena_reset(&arena);
  *part = *doc;
  part->arena = arena;
  if (first == 0 && end == doc->n) return true;
  size_t n = part->n = end - first;
  part->text_sums = NULL;
  part->unit_start = first == 0 ? doc->unit_start : doc->source_start[first];
  part->unit_end = end == doc->n ? doc->unit_end : doc->source_start[end];
  part->start += first;
  part->end += first;
  part->source_start += first;
  part->source_end += first;
  on_str **columns[] = {&part->form, &part->lemma, &part->pos, &part->tag, &part->morph, &part->dep};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    if (*columns[i]) *columns[i] += first;
  }
  part->sent_start = ON_NEW(&part->arena, uint8_t, n);
  if (!part->sent_start) return false;
  memcpy(part->sent_start, doc->sent_start + first, n);
  part->sent_start[0] = 1;
  if (doc->head) {
    part->head = ON_NEW(&part->arena, uint32_t, n);
    if (!part->head) return false;
    for (size_t i = 0; i < n; i++) {
      uint32_t head = doc->head[first + i];
      part->head[i] = head < first || head >= end ? (uint32_t)i : head - (uint32_t)first;
    }
  }
  return part_lists(doc, first, end, part);
}
