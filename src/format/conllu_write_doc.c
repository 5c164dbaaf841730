// Writing a Doc as CoNLL-U (open point 14).
#include "format/conllu_internal.h"

#include "doc/unit.h"
#include "text/chars.h"
#include "text/utf.h"

// Items of a MISC column, joined by bars; "_" when there is none.
typedef struct misc {
  on_buf *out;
  bool any;
} misc;

static void item(misc *m, const char *key) {
  if (m->any) on_buf_char(m->out, '|');
  m->any = true;
  on_buf_str(m->out, on_str_c(key));
}

static void end_line(misc *m) {
  if (!m->any) on_buf_char(m->out, '_');
  on_buf_char(m->out, '\n');
}

// What no column can hold: tabs and all that some reader takes for the end of a line.
static bool breaks_column(uint32_t c) { return c == '\t' || on_is_line_break(c); }

// Appends a slice of a text with blanks for tabs and line breaks; true when there were any.
static bool add_clean16(on_buf *out, on_str16 s) {
  bool replaced = false;
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    // All of them are single units.
    if (s.p[i] > '\r' && s.p[i] < 0x85) continue;
    if (!breaks_column(s.p[i])) continue;
    on_utf8_append(out, on_str16_sub(s, from, i));
    on_buf_char(out, ' ');
    from = i + 1;
    replaced = true;
  }
  on_utf8_append(out, on_str16_sub(s, from, s.n));
  return replaced;
}

// The same for UTF-8; "_" when it is empty or not set.
static void add_clean(on_buf *out, on_str s) {
  if (s.n == 0) {
    on_buf_char(out, '_');
    return;
  }
  size_t from = 0;
  for (size_t i = 0; i < s.n;) {
    const size_t at = i;
    const unsigned char byte = (unsigned char)s.p[i];
    if (byte > '\r' && byte < 0x80) {
      i++;
      continue;
    }
    if (!breaks_column(on_utf8_next(s, &i))) continue;
    on_buf_str(out, on_str_sub(s, from, at));
    on_buf_char(out, ' ');
    from = i;
  }
  on_buf_str(out, on_str_sub(s, from, s.n));
}

static void add_column(on_buf *out, const on_str *column, size_t i) {
  on_buf_char(out, '\t');
  add_clean(out, column ? column[i] : ON_STR_NONE);
}

static void add_escaped(on_buf *out, on_str16 s) {
  for (size_t i = 0; i < s.n;) {
    const size_t from = i;
    while (i < s.n && s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r' && s.p[i] != '\n' && s.p[i] != '|' &&
           s.p[i] != '\\') {
      i++;
    }
    if (i > from) on_utf8_append(out, on_str16_sub(s, from, i));
    if (i == s.n) break;
    const char c = (char)s.p[i++];
    on_conllu_escape(out, (on_str){&c, 1});
  }
}

// One line: a line break, CR LF as one, becomes a blank.
static void add_text_comment(on_buf *out, on_str16 s) {
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    if ((s.p[i] > '\r' && s.p[i] < 0x85) || !on_is_line_break(s.p[i])) continue;
    on_utf8_append(out, on_str16_sub(s, from, i));
    on_buf_char(out, ' ');
    if (s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n') i++;
    from = i + 1;
  }
  on_utf8_append(out, on_str16_sub(s, from, s.n));
}

static bool is_unit(on_str16 s, char c) { return s.n == 1 && s.p[0] == (unsigned char)c; }
static bool is_no(on_str16 s) { return s.n == 2 && s.p[0] == 'N' && s.p[1] == 'o'; }

typedef struct writer {
  on_buf *out;
  const on_doc *doc;
  size_t mwt, ent;      // the next ones
  on_str16 before;      // what the next surface token's SpacesBefore must hold
  on_buf scratch;
} writer;

static on_str16 source(const on_doc *doc, size_t from, size_t to) {
  return to > from ? on_str16_sub(doc->source, from, to) : (on_str16){NULL, 0};
}

// SpacesBefore, SpaceAfter/SpacesAfter of the surface token that ends at `end` in the source; `next` is the
// first token behind it.
static void add_spaces(writer *w, misc *m, size_t end, size_t next) {
  const on_doc *doc = w->doc;
  if (w->before.n) {
    item(m, "SpacesBefore=");
    add_escaped(w->out, w->before);
  }
  w->before = (on_str16){NULL, 0};
  const on_str16 gap = source(doc, end, next < doc->n ? doc->source_start[next] : doc->unit_end);
  if (is_unit(gap, ' ')) return;
  if (gap.n == 0) {
    item(m, "SpaceAfter=No");
  } else if (is_no(gap) && next < doc->n) {
    // Text between tokens (only given tokens leave any) that reads as the slip SpacesAfter=No.
    item(m, "SpaceAfter=No");
    w->before = gap;
  } else {
    item(m, "SpacesAfter=");
    add_escaped(w->out, gap);
  }
}

static void add_inside(writer *w, misc *m, on_str16 surface) {
  item(m, "SpacesInToken=");
  add_escaped(w->out, surface);
}

// Whether a form in UTF-8, as it was written to `out` from `at` on, is what the source has.
static bool same_as_source(writer *w, size_t at, on_str16 surface) {
  on_buf_clear(&w->scratch);
  on_utf8_append(&w->scratch, surface);
  if (w->scratch.failed || w->out->failed) return true;  // reported at the end
  return on_str_eq(on_str_sub(on_buf_view(w->out), at, w->out->n), on_buf_view(&w->scratch));
}

// A word's FORM; true when it differs from `surface`.
static bool add_form(writer *w, size_t i, on_str16 surface) {
  const on_doc *doc = w->doc;
  const size_t at = w->out->n;
  const bool own = doc->form && doc->form[i].n;
  if (own) {
    add_clean(w->out, doc->form[i]);
  } else if (add_clean16(w->out, on_doc_token(doc, i))) {
    return true;
  } else if (!doc->respelled) {
    return false;
  }
  return !same_as_source(w, at, surface);
}

static void add_entity(writer *w, misc *m, size_t i) {
  const on_doc *doc = w->doc;
  while (w->ent < doc->ent_count && doc->ents[w->ent].end <= i) w->ent++;
  if (w->ent == doc->ent_count || doc->ents[w->ent].first > i) return;
  item(m, doc->ents[w->ent].first == i ? "NER=B-" : "NER=I-");
  on_conllu_escape(w->out, doc->ents[w->ent].label);
}

// LEMMA to DEPS of token i in the sentence [first, end).
static void add_columns(writer *w, size_t i, size_t first, size_t end) {
  const on_doc *doc = w->doc;
  add_column(w->out, doc->lemma, i);
  add_column(w->out, doc->pos, i);
  add_column(w->out, doc->tag, i);
  add_column(w->out, doc->morph, i);
  on_buf_char(w->out, '\t');
  if (!doc->head) {
    on_buf_char(w->out, '_');
  } else if (doc->head[i] == i || doc->head[i] < first || doc->head[i] >= end) {
    on_buf_char(w->out, '0');
  } else {
    on_buf_u64(w->out, doc->head[i] - first + 1);
  }
  add_column(w->out, doc->dep, i);
  on_buf_str(w->out, ON_STR("\t_\t"));
}

static void add_range(writer *w, const on_mwt *mwt, size_t first) {
  on_buf *out = w->out;
  on_buf_u64(out, mwt->first - first + 1);
  on_buf_char(out, '-');
  on_buf_u64(out, mwt->first - first + mwt->count);
  on_buf_char(out, '\t');
  const on_str16 surface = source(w->doc, mwt->source_start, mwt->source_end);
  const size_t at = out->n;
  add_clean(out, mwt->form);
  const bool same = same_as_source(w, at, surface);
  on_buf_str(out, ON_STR("\t_\t_\t_\t_\t_\t_\t_\t"));
  misc m = {out, false};
  if (!same) add_inside(w, &m, surface);
  add_spaces(w, &m, mwt->source_end, (size_t)mwt->first + mwt->count);
  end_line(&m);
}

static void add_sentence(writer *w, size_t first, size_t end) {
  const on_doc *doc = w->doc;
  size_t range_end = first;  // tokens before this are words of a range
  for (size_t i = first; i < end; i++) {
    while (w->mwt < doc->mwt_count && doc->mwts[w->mwt].first < i) w->mwt++;
    const on_mwt *mwt = w->mwt < doc->mwt_count && doc->mwts[w->mwt].first == i ? &doc->mwts[w->mwt] : NULL;
    size_t source_start = doc->source_start[i], source_end = doc->source_end[i];
    if (mwt && i >= range_end) {
      if (mwt->count > 1 && mwt->count <= end - i) {
        add_range(w, mwt, first);
        range_end = i + mwt->count;
      } else {
        source_start = mwt->source_start;
        source_end = mwt->source_end;
      }
    }
    on_buf_u64(w->out, i - first + 1);
    on_buf_char(w->out, '\t');
    const on_str16 surface = source(doc, source_start, source_end);
    const bool differs = add_form(w, i, surface);
    add_columns(w, i, first, end);
    misc m = {w->out, false};
    if (i >= range_end) {
      if (differs) add_inside(w, &m, surface);
      add_spaces(w, &m, source_end, i + 1);
    }
    add_entity(w, &m, i);
    end_line(&m);
  }
}

bool on_conllu_write_doc(on_buf *out, const on_doc *doc, on_conllu_writer *state, on_error *error) {
  writer w = {.out = out, .doc = doc};
  if (doc->n) w.before = source(doc, doc->unit_start, doc->source_start[0]);
  for (size_t first = 0; first < doc->n;) {
    const size_t end = on_doc_sentence_end(doc, first);
    while (state->paragraphs && state->paragraph_end <= doc->source_start[first]) {
      state->paragraph_end = on_next_paragraph(doc->source, state->paragraph_end);
      state->new_paragraph = true;
    }
    if (state->new_paragraph) on_buf_str(out, ON_STR("# newpar\n"));
    state->new_paragraph = false;
    on_buf_str(out, ON_STR("# sent_id = "));
    on_buf_u64(out, state->next_sentence++);
    on_buf_str(out, ON_STR("\n# text = "));
    add_text_comment(out, source(doc, doc->source_start[first], doc->source_end[end - 1]));
    on_buf_char(out, '\n');
    add_sentence(&w, first, end);
    on_buf_char(out, '\n');
    first = end;
  }
  const bool failed = out->failed || w.scratch.failed;
  on_buf_free(&w.scratch);
  return failed ? on_fail_memory(error) : true;
}
