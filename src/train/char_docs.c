#include "train/char_docs.h"

#include "base/alloc.h"
#include "pipeline/tokenizer_trained.h"
#include "segment/chars.h"
#include "segment/mwt.h"

void on_char_docs_clear(on_char_docs *docs) { docs->n = docs->characters = 0; }

void on_char_docs_free(on_char_docs *docs) {
  for (size_t i = 0; i < docs->cap; i++) on_doc_free(&docs->list[i]);
  on_free(docs->list);
  *docs = (on_char_docs){0};
}

// The next Doc, as the characters of text[from, to) with an empty tag column.
static on_doc *add_doc(on_char_docs *docs, on_str16 text, size_t from, size_t to) {
  size_t before = docs->cap;
  if (!on_grow((void **)&docs->list, &docs->cap, docs->n + 1, sizeof *docs->list)) return NULL;
  for (size_t i = before; i < docs->cap; i++) on_doc_init(&docs->list[i]);
  on_doc *doc = &docs->list[docs->n];
  if (!on_char_doc(doc, text, from, to) || !on_doc_column(doc, &doc->tag)) return NULL;
  docs->n++;
  return doc;
}

static void set_label(on_char_docs *docs, on_doc *doc, size_t i, bool begins) {
  doc->tag[i] = begins ? ON_STR("B") : ON_STR("I");
  docs->characters++;
}

// One surface token: words [first, first + count).
typedef struct surface {
  size_t first, count;
  uint32_t start, end;  // in the source
  bool pieces;          // the words are pieces of the surface
} surface;

static surface next_surface(const on_doc *gold, size_t first, size_t *mwt) {
  surface s = {first, 1, gold->source_start[first], gold->source_end[first], true};
  if (*mwt < gold->mwt_count && gold->mwts[*mwt].first == first) {
    const on_mwt *range = &gold->mwts[(*mwt)++];
    s.count = range->count;
    s.start = range->source_start;
    s.end = range->source_end;
    for (size_t i = first; i < first + s.count; i++) s.pieces = s.pieces && !(gold->form && gold->form[i].p);
    for (size_t i = first + 1; i < first + s.count; i++) {
      s.pieces = s.pieces && gold->source_start[i] == gold->source_end[i - 1];
    }
  }
  return s;
}

// marks[i]: 1 where a word begins, 2 inside one, 0 between words; i counted from unit_start.
static void mark_words(const on_doc *gold, uint8_t *marks) {
  size_t mwt = 0, base = gold->unit_start;
  for (size_t i = 0; i < gold->n;) {
    surface s = next_surface(gold, i, &mwt);
    for (uint32_t at = s.start; at < s.end; at++) marks[at - base] = 2;
    marks[s.start - base] = 1;
    for (size_t k = i; s.pieces && k < i + s.count; k++) marks[gold->source_start[k] - base] = 1;
    i += s.count;
  }
}

static bool add_windows(on_char_docs *docs, const on_doc *gold) {
  uint8_t *marks = on_calloc(gold->unit_end - gold->unit_start + 1u, 1);
  if (!marks) return false;
  mark_words(gold, marks);
  on_char_window window = {0};
  bool ok = true, first = true;
  while (ok && on_next_char_window(gold->source, gold->unit_start, gold->unit_end, first, &window)) {
    first = false;
    on_doc *doc = add_doc(docs, gold->source, window.from, window.to);
    ok = doc != NULL;
    for (size_t i = 0; ok && i < doc->n; i++) {
      size_t at = window.from + doc->start[i];
      if (at >= window.decide_from && at < window.decide_to) set_label(docs, doc, i, marks[at - gold->unit_start] != 2);
    }
  }
  on_free(marks);
  return ok;
}

// Whether the inner tokenizer leaves the surface token one plain word.
static bool is_plain(const on_pipeline *pipeline, on_arena *arena, on_str16 text, const surface *s, bool *ok) {
  on_pieces pieces;
  on_arena_reset(arena);
  *ok = pipeline->tokenizer.inner->split(pipeline, NULL, arena, text, s->start, s->end, &pieces, NULL);
  return *ok && pieces.n == 1 && !pieces.list[0].form.p;
}

static bool add_surfaces(on_char_docs *docs, const on_pipeline *pipeline, const on_doc *gold) {
  on_arena arena = {0};
  bool ok = true;
  size_t mwt = 0;
  for (size_t i = 0; ok && i < gold->n;) {
    surface s = next_surface(gold, i, &mwt);
    bool takes = s.pieces && on_mwt_takes(on_str16_sub(gold->source, s.start, s.end)) &&
                 is_plain(pipeline, &arena, gold->source, &s, &ok);
    on_doc *doc = takes ? add_doc(docs, gold->source, s.start, s.end) : NULL;
    ok = ok && (!takes || doc);
    size_t word = i;
    for (size_t k = 0; doc && k < doc->n; k++) {
      uint32_t at = s.start + doc->start[k];
      while (word + 1 < i + s.count && gold->source_start[word] < at) word++;
      set_label(docs, doc, k, gold->source_start[word] == at);
    }
    i += s.count;
  }
  on_arena_free(&arena);
  return ok;
}

bool on_char_docs_add(on_char_docs *docs, const on_pipeline *pipeline, const on_doc *gold) {
  return pipeline->tokenizer.kind == &on_segmenter_kind ? add_windows(docs, gold) : add_surfaces(docs, pipeline, gold);
}
