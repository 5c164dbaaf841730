#include "segment/segmenter.h"

#include "base/alloc.h"
#include "head/tagger.h"
#include "segment/chars.h"
#include "text/chars.h"

bool on_char_head_check(const on_head *head, const char *path, on_error *error) {
  const on_tagger *tagger = head->state;
  if (tagger->column != ON_TAGGER_TAG) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: %s.column must be Tag", path);
  }
  const on_labels *labels = &tagger->labels;
  bool begin = false, inside = false;
  for (uint32_t i = 0; i < labels->n; i++) {
    begin = begin || on_str_eq(labels->list[i], ON_STR("B"));
    inside = inside || on_str_eq(labels->list[i], ON_STR("I"));
  }
  if (labels->n == 2 && begin && inside) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "config: %s.labels must be B and I", path);
}

uint32_t on_char_head_begin(const on_head *head) {
  const on_tagger *tagger = head->state;
  return on_str_eq(tagger->labels.list[0], ON_STR("B")) ? 0 : 1;
}

// begins[i - from] = 1 where the model labels the character at i with B, for every decided character.
static bool label(const on_char_tagger *tagger, on_doc *doc, on_str16 text, size_t from, size_t to, uint8_t *begins,
                  on_error *error) {
  const on_tagger *head = tagger->head->state;
  const uint32_t begin = on_char_head_begin(tagger->head);
  on_char_window window = {0};
  for (bool first = true; on_next_char_window(text, from, to, first, &window); first = false) {
    on_arena *scratch = &tagger->workspace->scratch;
    on_arena_reset(scratch);
    if (!on_char_doc(doc, text, window.from, window.to)) return on_fail_memory(error);
    float *h = ON_NEW(scratch, float, doc->n * tagger->encoder->width);
    uint32_t *best = ON_NEW(scratch, uint32_t, doc->n);
    if (!h || !best) return on_fail_memory(error);
    if (!tagger->encoder->kind->run(tagger->encoder, tagger->workspace, tagger->cache, doc, h, error)) return false;
    if (!on_output_classify(&head->output, tagger->workspace, h, NULL, doc->n, best)) return on_fail_memory(error);
    for (size_t i = 0; i < doc->n; i++) {
      size_t at = window.from + doc->start[i];
      if (at >= window.decide_from && at < window.decide_to) begins[at - from] = best[i] == begin;
    }
  }
  return true;
}

typedef struct words {
  on_piece *list;
  size_t n, cap;
} words;

static bool add_word(words *w, size_t start, size_t end) {
  if (!on_grow((void **)&w->list, &w->cap, w->n + 1, sizeof *w->list)) return false;
  w->list[w->n] = (on_piece){(uint32_t)start, (uint32_t)end, (uint32_t)w->n, ON_STR_NONE};
  w->n++;
  return true;
}

// begins: 1 where the model begins a word; whole: 1 where no word may begin.
static bool decode(on_str16 text, size_t from, size_t to, const uint8_t *begins, const uint8_t *whole, words *out) {
  size_t start = to, end = to;  // the word that is open: [start, end), or none
  bool joins = false;           // the white space since `end` is all labelled I
  for (size_t i = from; i < to; i++) {
    if (on_is_space(text.p[i])) {
      joins = joins && !begins[i - from] && !on_is_line_break(text.p[i]);
      continue;
    }
    bool space = i > from && on_is_space(text.p[i - 1]);
    bool goes_on = start < to && (space ? joins && !begins[i - from] : whole[i - from] || !begins[i - from]);
    if (!goes_on) {
      if (start < to && !add_word(out, start, end)) return false;
      start = i;
    }
    end = i + 1;
    joins = true;
  }
  return start == to || add_word(out, start, end);
}

bool on_segment(const on_char_tagger *tagger, on_arena *arena, on_str16 text, size_t from, size_t to, on_pieces *out,
                on_error *error) {
  if (from > to || to > text.n) return on_fail(error, ON_INVALID_ARGUMENT, -1, "no range of the text");
  if (to > UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "the text has more than 4294967295 UTF-16 units");
  on_doc doc;
  on_arena marks = {0};
  words found = {0};
  on_doc_init(&doc);
  uint8_t *begins = ON_NEW0(&marks, uint8_t, to - from), *whole = ON_NEW0(&marks, uint8_t, to - from);
  bool ok = begins && whole ? on_mark_whole(&marks, text, from, to, whole, error) &&
                                  label(tagger, &doc, text, from, to, begins, error)
                            : on_fail_memory(error);
  if (ok) ok = decode(text, from, to, begins, whole, &found) || on_fail_memory(error);
  if (ok) {
    *out = (on_pieces){ON_NEW(arena, on_piece, found.n), found.n, found.n};
    ok = out->list || on_fail_memory(error);
  }
  if (ok && found.n) memcpy(out->list, found.list, found.n * sizeof *found.list);
  on_free(found.list);
  on_arena_free(&marks);
  on_doc_free(&doc);
  return ok;
}
