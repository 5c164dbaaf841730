// From CoNLL-U sentences to a Doc.
#include "format/conllu_internal.h"

#include "base/alloc.h"
#include "text/utf.h"

// What is known about a range before its words are laid out.
typedef enum sharing {
  CONCATENATED,  // the word forms make up the surface form: each word covers its own
  DIVIDED,       // pieces of nearly equal length
  RESPELLED      // fewer characters than words: Doc.Text has the word forms instead
} sharing;

static size_t code_points(on_str s) {
  size_t count = 0;
  for (size_t i = 0; i < s.n; i++) count += ((unsigned char)s.p[i] & 0xC0) != 0x80;
  return count;
}

static sharing share(const on_conllu_sentence *sentence, const on_conllu_surface *surface) {
  const on_conllu_word *words = sentence->words + surface->first;
  size_t at = 0;
  bool concatenated = true;
  for (uint32_t i = 0; i < surface->count && concatenated; i++) {
    const on_str form = words[i].form;
    concatenated = form.n <= surface->form.n - at && memcmp(surface->form.p + at, form.p, form.n) == 0;
    if (concatenated) at += form.n;
  }
  if (concatenated && at == surface->form.n) return CONCATENATED;
  return code_points(surface->form) < surface->count ? RESPELLED : DIVIDED;
}

static bool no_space_after(on_str misc) {
  return on_str_eq(on_conllu_misc(misc, "SpaceAfter"), ON_STR("No"));
}

typedef struct layout {
  on_doc *doc;
  const on_conllu_sentence *const *sentences;
  size_t count;
  uint16_t *text;  // Doc.Text as it grows
  size_t at;       // its length so far
  size_t token;    // the next token
} layout;

static bool append_token(layout *l, on_str slice) {
  l->doc->start[l->token] = (uint32_t)l->at;
  l->at += on_utf16_write(l->text + l->at, slice);
  l->doc->end[l->token] = (uint32_t)l->at;
  l->token++;
  return true;
}

static bool own_form(layout *l, size_t token, on_str form) {
  on_doc *doc = l->doc;
  if (!on_doc_column(doc, &doc->form)) return false;
  doc->form[token] = on_arena_str(&doc->arena, form);
  return doc->form[token].p != NULL;
}

// Cuts the surface form into `count` pieces, longer ones first. Lengths are counted in code points: that is
// UTF-16 units as long as the form has no surrogate pair, and with pairs no cut can fall inside one.
static bool divide(layout *l, const on_conllu_word *words, const on_conllu_surface *surface) {
  const on_str form = surface->form;
  const size_t points = code_points(form), count = surface->count;
  size_t from = 0;
  for (size_t i = 0; i < count; i++) {
    size_t take = points / count + (i < points % count);
    size_t to = from;
    for (; take > 0; take--) on_utf8_next(form, &to);
    const on_str piece = on_str_sub(form, from, to);
    if (!on_str_eq(piece, words[i].form) && !own_form(l, l->token, words[i].form)) return false;
    append_token(l, piece);
    from = to;
  }
  return true;
}

static bool add_surface(layout *l, const on_conllu_sentence *sentence, const on_conllu_surface *surface) {
  if (!surface->range) return append_token(l, surface->form);
  const on_conllu_word *words = sentence->words + surface->first;
  const sharing how = share(sentence, surface);
  if (how == DIVIDED) return divide(l, words, surface);
  for (uint32_t i = 0; i < surface->count; i++) {
    if (how == RESPELLED && i > 0) l->text[l->at++] = ' ';
    append_token(l, words[i].form);
  }
  return true;
}

// Counts words, ranges and an upper bound of the text's units.
static bool measure(const layout *l, size_t *words, size_t *ranges, uint64_t *units) {
  *words = *ranges = 0;
  *units = 0;
  for (size_t s = 0; s < l->count; s++) {
    const on_conllu_sentence *sentence = l->sentences[s];
    *words += sentence->word_count;
    *ranges += sentence->range_count;
    uint32_t next = 0;
    size_t range = 0;
    on_conllu_surface surface;
    while (on_conllu_next_surface(sentence, &next, &range, &surface)) {
      *units += on_utf16_length(surface.form) + 1;
      if (!surface.range || share(sentence, &surface) != RESPELLED) continue;
      for (uint32_t i = 0; i < surface.count; i++) {
        *units += on_utf16_length(sentence->words[surface.first + i].form) + 1;
      }
    }
  }
  return *units < UINT32_MAX && (uint64_t)*words < UINT32_MAX;
}

static bool lay_out_text(layout *l) {
  on_doc *doc = l->doc;
  for (size_t s = 0; s < l->count; s++) {
    const on_conllu_sentence *sentence = l->sentences[s];
    if (s > 0) l->text[l->at++] = ' ';
    doc->sent_start[l->token] = 1;
    uint32_t next = 0;
    size_t range = 0;
    on_conllu_surface surface;
    while (on_conllu_next_surface(sentence, &next, &range, &surface)) {
      if (!add_surface(l, sentence, &surface)) return false;
      if (next < sentence->word_count && !no_space_after(surface.misc)) l->text[l->at++] = ' ';
    }
  }
  doc->text = (on_str16){l->text, l->at};
  return true;
}

// The source offsets of one surface token's words: its pieces, when Doc.Text and the source spell it alike,
// else its whole extent for each.
static void place_words(on_doc *doc, size_t token, uint32_t count, const uint16_t *source, uint32_t start,
                        uint32_t end) {
  const uint32_t from = doc->start[token], to = doc->end[token + count - 1];
  const bool alike = end - start == to - from &&
                     memcmp(source + start, doc->text.p + from, (size_t)(to - from) * sizeof *source) == 0;
  for (uint32_t i = 0; i < count; i++) {
    doc->source_start[token + i] = alike ? start + (doc->start[token + i] - from) : start;
    doc->source_end[token + i] = alike ? start + (doc->end[token + i] - from) : end;
  }
}

// `raw` is the source in UTF-8; extents has an entry per surface token.
static bool lay_out_source(layout *l, on_str raw, const on_conllu_extent *extents, on_error *error) {
  on_doc *doc = l->doc;
  if ((uint64_t)raw.n > UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "the sentences are too long for one document");
  uint16_t *source = ON_NEW(&doc->arena, uint16_t, on_utf16_length(raw));
  if (!source) return on_fail_memory(error);
  size_t units = 0, from = 0, token = 0;
  for (size_t s = 0; s < l->count; s++) {
    const on_conllu_sentence *sentence = l->sentences[s];
    uint32_t next = 0;
    size_t range = 0;
    on_conllu_surface surface;
    while (on_conllu_next_surface(sentence, &next, &range, &surface)) {
      units += on_utf16_write(source + units, on_str_sub(raw, from, extents->start));
      const size_t start = units;
      units += on_utf16_write(source + units, on_str_sub(raw, extents->start, extents->end));
      from = extents->end;
      extents++;
      place_words(doc, token, surface.count, source, (uint32_t)start, (uint32_t)units);
      if (surface.range) {
        on_mwt *mwt = &doc->mwts[doc->mwt_count++];
        *mwt = (on_mwt){(uint32_t)token, surface.count, (uint32_t)start, (uint32_t)units,
                        on_arena_str(&doc->arena, surface.form)};
        if (!mwt->form.p) return on_fail_memory(error);
      }
      token += surface.count;
    }
  }
  units += on_utf16_write(source + units, on_str_sub(raw, from, raw.n));
  doc->source = (on_str16){source, units};
  doc->unit_end = (uint32_t)units;
  doc->respelled = !on_str16_eq(doc->source, doc->text);
  if (!doc->respelled) doc->source = doc->text;
  return true;
}

static bool make_source(layout *l, on_error *error) {
  on_buf raw = {0};
  on_conllu_extent *extents = on_malloc(l->doc->n * sizeof *extents);
  bool ok = extents != NULL;
  size_t count = 0;
  for (size_t s = 0; s < l->count && ok; s++) {
    count += on_conllu_raw_extents(&raw, l->sentences[s], s == 0, extents + count);
  }
  if (!ok || raw.failed) {
    ok = on_fail_memory(error);
  } else {
    ok = lay_out_source(l, on_buf_view(&raw), extents, error);
  }
  on_free(extents);
  on_buf_free(&raw);
  return ok;
}

static bool set_column(on_doc *doc, on_str **column, size_t token, on_str value) {
  if (!value.p) return true;
  if (!on_doc_column(doc, column)) return false;
  (*column)[token] = on_arena_str(&doc->arena, value);
  return (*column)[token].p != NULL;
}

static bool set_head(on_doc *doc, size_t base, size_t word, int32_t head) {
  if (head < 0) return true;  // "_": the word is its own head, as the column is made
  if (!doc->head) {
    doc->head = ON_NEW(&doc->arena, uint32_t, doc->n);
    if (!doc->head) return false;
    for (size_t i = 0; i < doc->n; i++) doc->head[i] = (uint32_t)i;
  }
  if (head > 0) doc->head[base + word] = (uint32_t)(base + (size_t)head - 1);
  return true;
}

static bool set_columns(const layout *l) {
  on_doc *doc = l->doc;
  size_t base = 0;
  for (size_t s = 0; s < l->count; s++) {
    const on_conllu_sentence *sentence = l->sentences[s];
    for (size_t i = 0; i < sentence->word_count; i++) {
      const on_conllu_word *word = &sentence->words[i];
      const size_t token = base + i;
      if (!set_column(doc, &doc->lemma, token, word->lemma) || !set_column(doc, &doc->pos, token, word->upos) ||
          !set_column(doc, &doc->tag, token, word->xpos) || !set_column(doc, &doc->morph, token, word->feats) ||
          !set_column(doc, &doc->dep, token, word->deprel) || !set_head(doc, base, i, word->head)) {
        return false;
      }
    }
    base += sentence->word_count;
  }
  return true;
}

// NER=B-PER, I-PER, O; also BILUO (L, U) and BIOES (E, S) prefixes, and ner= as Stanza writes it. An I, L or
// E that continues nothing starts an entity, as the IOB1 files of older corpora mean it.
static bool set_entities(const layout *l) {
  on_doc *doc = l->doc;
  size_t token = 0, capacity = 0;
  bool open = false;
  on_buf label = {0};
  bool ok = true;
  for (size_t s = 0; s < l->count && ok; s++) {
    const on_conllu_sentence *sentence = l->sentences[s];
    for (size_t i = 0; i < sentence->word_count && ok; i++, token++) {
      const on_str misc = sentence->words[i].misc;
      on_str value = on_conllu_misc(misc, "NER");
      if (!value.p) value = on_conllu_misc(misc, "ner");
      if (value.p) doc->has_ents = true;
      if (!value.p || value.n < 3 || value.p[1] != '-' || !memchr("BILUES", value.p[0], 6)) {
        open = false;
        continue;
      }
      const char prefix = value.p[0];
      on_buf_clear(&label);
      on_conllu_unescape(&label, on_str_sub(value, 2, value.n));
      ok = !label.failed;
      if (!ok) break;
      on_span *last = doc->ent_count ? &doc->ents[doc->ent_count - 1] : NULL;
      const bool inside = prefix == 'I' || prefix == 'L' || prefix == 'E';
      if (inside && open && on_str_eq(last->label, on_buf_view(&label))) {
        last->end = (uint32_t)token + 1;
      } else {
        if (doc->ent_count == capacity) {
          const size_t larger = capacity ? capacity * 2 : 8;
          on_span *list = ON_NEW(&doc->arena, on_span, larger);
          ok = list != NULL;
          if (!ok) break;
          if (doc->ent_count) memcpy(list, doc->ents, doc->ent_count * sizeof *list);
          doc->ents = list;
          capacity = larger;
        }
        const on_str copy = on_arena_str(&doc->arena, on_buf_view(&label));
        ok = copy.p != NULL;
        doc->ents[doc->ent_count++] = (on_span){(uint32_t)token, (uint32_t)token + 1, copy, 1};
      }
      open = prefix == 'B' || prefix == 'I';
    }
  }
  on_buf_free(&label);
  return ok;
}

bool on_doc_from_conllu(on_doc *doc, const on_conllu_sentence *const *sentences, size_t count, on_error *error) {
  layout l = {.doc = doc, .sentences = sentences, .count = count};
  size_t words, ranges;
  uint64_t units;
  if (!measure(&l, &words, &ranges, &units)) {
    return on_fail(error, ON_LIMIT, -1, "the sentences are too long for one document");
  }
  l.text = ON_NEW(&doc->arena, uint16_t, (size_t)units);
  doc->mwts = ON_NEW(&doc->arena, on_mwt, ranges);
  if (!l.text || !doc->mwts || !on_doc_set_tokens(doc, words)) return on_fail_memory(error);
  if (words == 0) {
    doc->text = doc->source = (on_str16){l.text, 0};
    return true;
  }
  if (!lay_out_text(&l)) return on_fail_memory(error);
  if (!make_source(&l, error)) return false;
  doc->has_sents = true;
  if (!set_columns(&l) || !set_entities(&l)) return on_fail_memory(error);
  return true;
}
