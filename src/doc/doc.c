#include "doc/doc.h"

#include "text/utf.h"

void on_doc_init(on_doc *doc) { *doc = (on_doc){0}; }

void on_doc_free(on_doc *doc) {
  on_arena_free(&doc->arena);
  *doc = (on_doc){0};
}

void on_doc_reset(on_doc *doc) {
  on_arena arena = doc->arena;
  on_arena_reset(&arena);
  *doc = (on_doc){.arena = arena};
}

bool on_doc_set_tokens(on_doc *doc, size_t n) {
  doc->start = ON_NEW(&doc->arena, uint32_t, n);
  doc->end = ON_NEW(&doc->arena, uint32_t, n);
  doc->source_start = ON_NEW(&doc->arena, uint32_t, n);
  doc->source_end = ON_NEW(&doc->arena, uint32_t, n);
  doc->sent_start = ON_NEW0(&doc->arena, uint8_t, n);
  if (doc->arena.failed) return false;
  doc->n = n;
  if (n) doc->sent_start[0] = 1;
  return true;
}

bool on_doc_column(on_doc *doc, on_str **column) {
  if (!*column) *column = ON_NEW0(&doc->arena, on_str, doc->n);
  return *column != NULL;
}

void on_doc_clear_labels(on_doc *doc) {
  doc->lemma = doc->pos = doc->tag = doc->morph = doc->dep = NULL;
  doc->head = NULL;
  doc->has_ents = false;
  doc->ents = NULL;
  doc->groups = NULL;
  doc->cats = NULL;
  doc->text_sums = NULL;
  doc->ent_count = doc->group_count = doc->cat_count = 0;
}

on_cat *on_doc_add_cats(on_doc *doc, size_t count) {
  on_cat *cats = ON_NEW(&doc->arena, on_cat, doc->cat_count + count);
  if (!cats) return NULL;
  if (doc->cat_count) memcpy(cats, doc->cats, doc->cat_count * sizeof *cats);
  on_cat *added = cats + doc->cat_count;
  doc->cats = cats;
  doc->cat_count += count;
  return added;
}

on_span_group *on_doc_group(const on_doc *doc, on_str name) {
  for (size_t i = 0; i < doc->group_count; i++) {
    if (on_str_eq(doc->groups[i].name, name)) return &doc->groups[i];
  }
  return NULL;
}

on_span_group *on_doc_add_group(on_doc *doc, on_str name) {
  on_span_group *groups = ON_NEW(&doc->arena, on_span_group, doc->group_count + 1);
  if (!groups) return NULL;
  if (doc->group_count) memcpy(groups, doc->groups, doc->group_count * sizeof *groups);
  doc->groups = groups;
  groups[doc->group_count] = (on_span_group){.name = name};
  return &groups[doc->group_count++];
}

size_t on_doc_sentence_end(const on_doc *doc, size_t first) {
  size_t end = first + 1;
  while (end < doc->n && !doc->sent_start[end]) end++;
  return end;
}

on_str on_doc_form(const on_doc *doc, size_t i, on_arena *arena) {
  if (doc->form && doc->form[i].p) return doc->form[i];
  return on_utf8_from_utf16(arena, on_doc_token(doc, i));
}
