#include "segment/mwt.h"

#include "base/alloc.h"
#include "head/tagger.h"
#include "nn/math.h"
#include "segment/chars.h"
#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"

bool on_mwt_takes(on_str16 token) {
  if (token.n < ON_MWT_MIN_UNITS || token.n > ON_MWT_MAX_UNITS) return false;
  for (size_t i = 0; i < token.n;) {
    bool first = i == 0;
    uint32_t c = on_utf16_next(token, &i);
    if (!on_is_letter(c) && (first || !on_is_mark(c))) return false;
  }
  return true;
}

typedef struct splitter {
  const on_char_tagger *tagger;
  uint32_t min_cut_percent;
  on_str16 text;
  on_doc doc;
  on_piece *list;
  size_t n, cap;
} splitter;

static bool add(splitter *s, on_piece piece) {
  if (!on_grow((void **)&s->list, &s->cap, s->n + 1, sizeof *s->list)) return false;
  s->list[s->n++] = piece;
  return true;
}

// Whether B has the confidence that a cut needs: its probability is 1 / (1 + e^(inside - begin)).
static bool is_cut(float begin, float inside, uint32_t min_cut_percent) {
  return (1.0f + on_exp(inside - begin)) * (float)min_cut_percent <= 100.0f;
}

static bool split(splitter *s, const on_piece *piece, on_error *error) {
  const on_char_tagger *tagger = s->tagger;
  const on_tagger *head = tagger->head->state;
  const uint32_t begin = on_char_head_begin(tagger->head);
  on_doc *doc = &s->doc;
  on_arena *scratch = &tagger->workspace->scratch;
  on_arena_reset(scratch);
  if (!on_char_doc(doc, s->text, piece->start, piece->end)) return on_fail_memory(error);
  float *h = ON_NEW(scratch, float, doc->n * tagger->encoder->width);
  if (!h) return on_fail_memory(error);
  if (!tagger->encoder->kind->run(tagger->encoder, tagger->workspace, tagger->cache, doc, h, error)) return false;
  on_piece word = *piece;
  size_t boundary = 0;
  for (size_t i = 1; i < doc->n; i++) {
    while (boundary < doc->start[i]) boundary = on_next_grapheme_break(doc->text, boundary);
    if (boundary != doc->start[i]) continue;
    float scores[2];
    if (!on_output_scores(&head->output, tagger->workspace, h + i * tagger->encoder->width, scores)) {
      return on_fail_memory(error);
    }
    if (!is_cut(scores[begin], scores[1 - begin], s->min_cut_percent)) continue;
    word.end = piece->start + doc->start[i];
    if (!add(s, word)) return on_fail_memory(error);
    word.start = word.end;
  }
  word.end = piece->end;
  return add(s, word) || on_fail_memory(error);
}

static bool split_all(splitter *s, const on_pieces *inner, on_error *error) {
  for (size_t i = 0; i < inner->n; i++) {
    const on_piece *piece = &inner->list[i];
    bool alone = (i == 0 || inner->list[i - 1].surface != piece->surface) &&
                 (i + 1 == inner->n || inner->list[i + 1].surface != piece->surface) && !piece->form.p;
    bool takes = alone && on_mwt_takes(on_str16_sub(s->text, piece->start, piece->end));
    if (takes ? !split(s, piece, error) : !add(s, *piece) && !on_fail_memory(error)) return false;
  }
  return true;
}

bool on_mwt_split(const on_char_tagger *tagger, uint32_t min_cut_percent, on_arena *arena, on_str16 text,
                  const on_pieces *inner, on_pieces *out, on_error *error) {
  splitter s = {.tagger = tagger, .min_cut_percent = min_cut_percent, .text = text};
  on_doc_init(&s.doc);
  bool ok = split_all(&s, inner, error);
  if (ok) {
    *out = (on_pieces){ON_NEW(arena, on_piece, s.n), s.n, inner->surfaces};
    ok = out->list || on_fail_memory(error);
  }
  if (ok && s.n) memcpy(out->list, s.list, s.n * sizeof *s.list);
  on_free(s.list);
  on_doc_free(&s.doc);
  return ok;
}
