// A Doc from the words that a tokenizer found.
#include "pipeline/pipeline.h"
#include "text/utf.h"

// One surface token, or several that are one word each, spelled as it stands, which nearly all are.
typedef struct surface {
  const on_piece *pieces;
  size_t count;
  uint32_t start, end;
  bool plain;   // the latter
  bool shared;  // several words that all have the whole extent
} surface;

static surface next_surface(const on_piece *pieces, size_t n, size_t at) {
  size_t end = at;
  while (end < n && !pieces[end].form.p && (end + 1 == n || pieces[end + 1].surface != pieces[end].surface)) end++;
  if (end > at) return (surface){.pieces = pieces + at, .count = end - at, .plain = true};
  surface s = {.pieces = pieces + at, .count = 1, .start = pieces[at].start, .end = pieces[at].end};
  while (at + s.count < n && pieces[at + s.count].surface == pieces[at].surface) {
    const on_piece *piece = &pieces[at + s.count++];
    if (piece->start == s.start) s.shared = true;
    if (piece->end > s.end) s.end = piece->end;
  }
  return s;
}

static size_t code_points(on_str16 s) {
  size_t count = 0;
  for (size_t i = 0; i < s.n; count++) on_utf16_next(s, &i);
  return count;
}

static bool is_respelled(const surface *s, on_str16 text) {
  return s->shared && code_points(on_str16_sub(text, s->start, s->end)) < s->count;
}

// Words that stand for nothing of their own would be empty in Doc.Text.
static on_str word_form(const on_piece *piece) { return piece->form.n ? piece->form : ON_STR("_"); }

typedef struct layout {
  on_doc *doc;
  on_str16 source;
  uint16_t *text;   // Doc.Text as it grows, when it is respelled; else NULL
  size_t at;        // its length so far
  size_t copied;    // source offset up to which it was copied
  size_t token;     // the next token
} layout;

// Doc.Text offset of a source offset, up to the next respelling.
static uint32_t text_offset(const layout *l, size_t source) {
  return (uint32_t)(l->text ? l->at + (source - l->copied) : source - l->doc->unit_start);
}

static void copy_until(layout *l, size_t source) {
  if (!l->text) return;
  memcpy(l->text + l->at, l->source.p + l->copied, (source - l->copied) * sizeof *l->text);
  l->at += source - l->copied;
  l->copied = source;
}

static void add_token(layout *l, uint32_t start, uint32_t end, uint32_t source_start, uint32_t source_end) {
  on_doc *doc = l->doc;
  doc->start[l->token] = start;
  doc->end[l->token] = end;
  doc->source_start[l->token] = source_start;
  doc->source_end[l->token] = source_end;
  l->token++;
}

// Sets the word's own form where it is not its slice of Doc.Text.
static bool set_form(layout *l, size_t token, on_str form, on_str16 slice) {
  if (!form.p) return true;
  on_doc *doc = l->doc;
  size_t at = 0, i = 0;
  bool same = true;
  while (same && at < form.n && i < slice.n) same = on_utf8_next(form, &at) == on_utf16_next(slice, &i);
  if (same && at == form.n && i == slice.n) return true;
  if (!on_doc_column(doc, &doc->form)) return false;
  doc->form[token] = on_arena_str(&doc->arena, form);
  return doc->form[token].p != NULL;
}

static void respell(layout *l, const surface *s) {
  copy_until(l, s->start);
  for (size_t i = 0; i < s->count; i++) {
    if (i > 0) l->text[l->at++] = ' ';
    size_t start = l->at;
    l->at += on_utf16_write(l->text + l->at, word_form(&s->pieces[i]));
    add_token(l, (uint32_t)start, (uint32_t)l->at, s->start, s->end);
  }
  l->copied = s->end;
}

// Cuts the surface token into pieces of nearly equal length, longer ones first, between characters (as
// on_doc_from_conllu does for the same words).
static bool divide(layout *l, const surface *s) {
  on_str16 whole = on_str16_sub(l->source, s->start, s->end);
  size_t points = code_points(whole), from = 0;
  for (size_t i = 0; i < s->count; i++) {
    size_t take = points / s->count + (i < points % s->count), to = from;
    for (; take > 0; take--) on_utf16_next(whole, &to);
    if (!set_form(l, l->token, s->pieces[i].form, on_str16_sub(whole, from, to))) return false;
    uint32_t start = s->start + (uint32_t)from, end = s->start + (uint32_t)to;
    add_token(l, text_offset(l, start), text_offset(l, end), start, end);
    from = to;
  }
  return true;
}

static void add_plain(layout *l, const surface *s) {
  on_doc *doc = l->doc;
  const uint32_t shift = text_offset(l, 0);
  for (size_t i = 0; i < s->count; i++, l->token++) {
    const on_piece *piece = &s->pieces[i];
    doc->start[l->token] = piece->start + shift;
    doc->end[l->token] = piece->end + shift;
    doc->source_start[l->token] = piece->start;
    doc->source_end[l->token] = piece->end;
  }
}

static bool add_surface(layout *l, const surface *s) {
  if (s->plain) {
    add_plain(l, s);
    return true;
  }
  if (is_respelled(s, l->source)) {
    respell(l, s);
    return true;
  }
  if (s->shared) return divide(l, s);
  for (size_t i = 0; i < s->count; i++) {
    const on_piece *piece = &s->pieces[i];
    if (!set_form(l, l->token, piece->form, on_str16_sub(l->source, piece->start, piece->end))) return false;
    add_token(l, text_offset(l, piece->start), text_offset(l, piece->end), piece->start, piece->end);
  }
  return true;
}

// A surface token is written as a range when it has several words, or one that is spelled otherwise.
static bool needs_range(const on_doc *doc, size_t first, size_t count) {
  return count > 1 || (doc->form && doc->form[first].p);
}

static bool add_range(layout *l, size_t first, const surface *s) {
  on_doc *doc = l->doc;
  if (s->plain || !needs_range(doc, first, s->count)) return true;
  on_mwt *mwt = &doc->mwts[doc->mwt_count++];
  *mwt = (on_mwt){(uint32_t)first, (uint32_t)s->count, s->start, s->end,
                  on_utf8_from_utf16(&doc->arena, on_str16_sub(l->source, s->start, s->end))};
  return mwt->form.p != NULL;
}

bool on_doc_from_pieces(on_doc *doc, on_str16 text, uint32_t start, uint32_t end, const on_piece *pieces, size_t n,
                        on_error *error) {
  layout l = {.doc = doc, .source = text, .copied = start};
  size_t ranges = 0, units = end - start;
  bool respelled = false;
  for (size_t i = 0; i < n;) {
    surface s = next_surface(pieces, n, i);
    ranges += !s.plain && (s.count > 1 || s.pieces->form.p);
    if (is_respelled(&s, text)) {
      respelled = true;
      for (size_t k = 0; k < s.count; k++) units += on_utf16_length(word_form(&s.pieces[k])) + 1;
    }
    i += s.count;
  }
  doc->source = text;
  doc->unit_start = start;
  doc->unit_end = end;
  doc->text = on_str16_sub(text, start, end);
  doc->mwts = ON_NEW(&doc->arena, on_mwt, ranges);
  if (!doc->mwts || !on_doc_set_tokens(doc, n)) return on_fail_memory(error);
  if (respelled) {
    l.text = ON_NEW(&doc->arena, uint16_t, units);
    if (!l.text) return on_fail_memory(error);
  }
  for (size_t i = 0; i < n;) {
    surface s = next_surface(pieces, n, i);
    if (!add_surface(&l, &s) || !add_range(&l, i, &s)) return on_fail_memory(error);
    i += s.count;
  }
  if (respelled) {
    copy_until(&l, end);
    doc->respelled = true;
    doc->text = (on_str16){l.text, l.at};
  }
  return true;
}
