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

size_t on_doc_sentence_end(const on_doc *doc, size_t first) {
  size_t end = first + 1;
  while (end < doc->n && !doc->sent_start[end]) end++;
  return end;
}

on_str on_doc_form(const on_doc *doc, size_t i, on_arena *arena) {
  if (doc->form && doc->form[i].p) return doc->form[i];
  return on_utf8_from_utf16(arena, on_doc_token(doc, i));
}
