#include "tokenize/word.h"

#include "base/rare.h"
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/match.h"

enum { MAX_WORDS = 8, LONGEST_CONTEXT = 64 };

static bool has(const on_scan *s, uint32_t option) { return (s->data->options & option) != 0; }

static bool alnum(const on_scan *s, size_t i) { return on_scan_is(s, i, ON_F_ALNUM); }

// A cut at i leaves clusters whole and no word in pieces.
static bool edge(const on_scan *s, size_t i) { return on_scan_is(s, i, ON_F_CLUSTER) && !alnum(s, i); }

// The next place from i on that is no white space; *empty_line tells whether a paragraph ended.
static size_t skip_space(const on_scan *s, size_t i, bool *empty_line) {
  size_t lines = 0;
  for (; i < s->n && on_scan_is(s, i, ON_F_SPACE); i++) {
    if (on_scan_is(s, i, ON_F_LINE) && !(s->t[i] == '\r' && i + 1 < s->n && s->t[i + 1] == '\n')) lines++;
  }
  *empty_line = i == s->n || lines >= 2;
  return i;
}

// Whether the word at i is one of the table's.
static bool word_in(const on_scan *s, const on_table *table, size_t i) {
  size_t end = i;
  while (end - i <= table->longest && alnum(s, end)) end++;
  return on_table_find(s->data, table, on_scan_rest(s, i, end)) != NULL;
}

// Whether the full stop at `dot` belongs to the abbreviation before it. At the end of a sentence the
// data set may want it as a token of its own.
static bool keeps_period(const on_scan *s, size_t dot, uint32_t kind) {
  size_t i = dot + 1;
  if (i < s->n && s->t[i] == '.') {
    // "etc.." has two full stops, "etc..." an ellipsis.
    return !(i + 1 < s->n && s->t[i + 1] == '.');
  }
  if (kind == ON_NUMBER_ABBREVIATION) {
    bool end;
    return on_scan_is(s, skip_space(s, i, &end), ON_F_DIGIT);
  }
  if (!on_scan_is(s, i, ON_F_SPACE)) return !on_scan_is(s, i, ON_F_LOWER);
  if (!has(s, ON_SPLIT_FINAL_PERIOD)) return true;
  bool end;
  i = skip_space(s, i, &end);
  if (end) return false;
  if (kind == ON_TITLE) return true;
  while (on_scan_is(s, i, ON_F_OPEN)) i++;
  return !on_scan_is(s, i, ON_F_UPPER) || !word_in(s, &s->data->starters, i);
}

// Upper-cases the first letter of the form, or all of it.
ON_RARE static on_str cased(on_scan *s, on_str form, bool all) {
  on_buf buf = {0};
  for (size_t i = 0; i < form.n;) {
    bool first = i == 0;
    uint32_t c = on_utf8_next(form, &i);
    on_buf_codepoint(&buf, first || all ? on_upper(c) : c);
  }
  on_str out = buf.failed ? ON_STR_NONE : on_arena_str(s->arena, on_buf_view(&buf));
  on_buf_free(&buf);
  if (!out.p) s->failed = true;
  return out;
}

// Whether [whole-after] says that the contraction [p, end) is one word after the token before it ("^": there is
// none).
ON_RARE static bool stays_whole(const on_scan *s, size_t p, size_t end) {
  const on_table *table = &s->data->whole_after;
  uint16_t text[LONGEST_CONTEXT];
  on_str16 before = {(const uint16_t[]){'^'}, 1};
  if (s->count > 0) {
    const on_piece *piece = &s->list[s->count - 1];
    before = on_scan_rest(s, piece->start - s->base, piece->end - s->base);
  }
  if (before.n + 1 + (end - p) > LONGEST_CONTEXT) return false;
  memcpy(text, before.p, before.n * sizeof *text);
  text[before.n] = ' ';
  memcpy(text + before.n + 1, s->t + p, (end - p) * sizeof *text);
  return on_table_find(s->data, table, (on_str16){text, before.n + 1 + (end - p)}) != NULL;
}

static void emit_contraction(on_scan *s, const on_entry *entry, size_t p, size_t end) {
  const on_part *parts = s->data->parts + entry->value;
  uint32_t n = parts->a;
  bool sliced = (parts->b & ON_PART_SLICED) != 0;
  size_t at = p;
  for (uint32_t i = 1; sliced && i < n; i++) {
    at += parts[i].b;
    sliced = on_scan_is(s, at, ON_F_CLUSTER);
  }
  on_scan_surface(s);
  if (sliced) {
    at = p;
    for (uint32_t i = 1; i <= n; i++) {
      on_scan_word(s, at, at + parts[i].b, ON_STR_NONE);
      at += parts[i].b;
    }
    return;
  }
  bool upper = on_scan_is(s, p, ON_F_UPPER), all = upper && end - p > 1;
  for (size_t i = p; i < end; i++) all = all && !on_scan_is(s, i, ON_F_LOWER);
  for (uint32_t i = 1; i <= n; i++) {
    on_str form = {parts[i].text, parts[i].a};
    on_scan_word(s, p, end, all || (upper && i == 1) ? cased(s, form, all) : form);
  }
}

// Whether a suffix entry may follow the stem [p, at).
static bool fits(const on_scan *s, const on_entry *entry, size_t p, size_t at) {
  on_ending before = s->data->befores[entry->value];
  if (at - p < (before.length > 1 ? before.length : 1)) return false;
  if (!on_scan_is(s, at, ON_F_CLUSTER)) return false;
  if (before.length == 0) return on_scan_is(s, at - 1, ON_F_LETTER | ON_F_MARK) || s->t[at - 1] == '.';
  for (size_t i = 0; i < before.length; i++) {
    if (on_fold_unit(s->data, s->t[at - before.length + i]) != s->data->pool[before.at + i]) return false;
  }
  return true;
}

static const on_entry *fitting(const on_scan *s, const on_entry *entry, size_t p, size_t at) {
  const on_table *table = &s->data->suffixes;
  for (const on_entry *e = entry; e && e < table->list + table->n && e->key == entry->key; e++) {
    if (fits(s, e, p, at)) return e;
  }
  return NULL;
}

// A suffix that follows at `at`, outside the segment: where it ends, or `at`.
static size_t suffix_behind(const on_scan *s, size_t p, size_t at) {
  if (on_scan_is(s, at, ON_F_SPACE) || alnum(s, at)) return at;
  const on_table *table = &s->data->suffixes;
  const on_entry *entry = on_table_prefix(s->data, table, on_scan_rest(s, at, s->chunk_end));
  if (!entry || !edge(s, at + entry->length) || !fitting(s, entry, p, at)) return at;
  // An apostrophe alone may be a quotation that closes, or be part of a run of them.
  if (entry->length == 1 && (s->single_open || (at + 1 < s->n && s->t[at + 1] == s->t[at]))) return at;
  return at + entry->length;
}

// Emits [p, end) as a surface token whose last words are spelled otherwise in it, if its ending is one of
// [endings] (Portuguese tem-se = tem + se).
ON_RARE static bool emit_ending(on_scan *s, size_t p, size_t end) {
  const on_table *table = &s->data->endings;
  size_t length = end - p > table->longest ? table->longest : end - p - 1;
  const on_entry *found = NULL;
  for (; length > 0 && !found; length--) {
    size_t at = end - length;
    if (!on_scan_is(s, at, ON_F_CLUSTER) || !on_scan_is(s, at - 1, ON_F_LETTER | ON_F_MARK)) continue;
    found = on_table_find(s->data, table, on_scan_rest(s, at, end));
  }
  if (!found) return false;
  const on_part *parts = s->data->parts + found->value;
  on_buf first = {0};
  on_utf8_append(&first, on_scan_rest(s, p, end - found->length));
  on_buf_add(&first, parts[1].text, parts[1].a);
  on_str form = first.failed ? ON_STR_NONE : on_arena_str(s->arena, on_buf_view(&first));
  on_buf_free(&first);
  if (!form.p) {
    s->failed = true;
    return true;
  }
  on_scan_surface(s);
  on_scan_word(s, p, end, form);
  for (uint32_t i = 2; i <= parts->a; i++) on_scan_word(s, p, end, (on_str){parts[i].text, parts[i].a});
  return true;
}

// Emits [p, end) as a surface token with its clitics, or the tokens that its splits make.
static void emit_word(on_scan *s, size_t p, size_t end) {
  if (s->data->endings.n > 0 && end - p > 1 && emit_ending(s, p, end)) return;
  const on_table *table = &s->data->suffixes;
  size_t cuts[MAX_WORDS];
  bool splits[MAX_WORDS];
  size_t n = 0, limit = end;
  while (n < MAX_WORDS - 1) {
    const on_entry *found = NULL;
    size_t length = limit - p > table->longest ? table->longest : limit - p - 1;
    for (; length > 0 && !found; length--) {
      const on_entry *entry = on_table_find(s->data, table, on_scan_rest(s, limit - length, limit));
      if (entry) found = fitting(s, entry, p, limit - length);
    }
    if (!found) break;
    limit -= found->length;
    splits[n] = found->kind == ON_SPLIT;
    cuts[n++] = limit;
  }
  on_scan_surface(s);
  on_scan_word(s, p, n > 0 ? cuts[n - 1] : end, ON_STR_NONE);
  while (n > 0) {
    n--;
    if (splits[n]) on_scan_surface(s);
    on_scan_word(s, cuts[n], n > 0 ? cuts[n - 1] : end, ON_STR_NONE);
  }
}

// The end of the segment, or the sign before it at which the data set parts words ("end.Next"). It
// looks no further than it returns: a segment may be the whole text.
static size_t segment_end(const on_scan *s, size_t p) {
  size_t end = p + 1;
  for (;; end++) {
    if (!on_scan_is(s, end, ON_F_CLUSTER)) continue;
    if (on_scan_is(s, end, ON_F_WORD)) break;
    if (!alnum(s, end) && on_characters_have(&s->data->cuts, s->t[end])) break;
  }
  return end;
}

static bool hyphen(uint16_t c) { return c == '-' || c == 0x2010 || c == 0x2011; }

// Goes on over joiners between letters, over the hyphen after a prefix and before a suffix, or over all hyphens.
size_t on_extend_word(const on_scan *s, size_t p, size_t end) {
  size_t part = p;
  bool join = has(s, ON_JOINED_LETTERS);
  while (join && end < s->chunk_end && on_scan_is(s, end, ON_F_LETTER) && alnum(s, end - 1)) end = segment_end(s, end);
  while (end < s->chunk_end && end + 1 < s->chunk_end && alnum(s, end + 1)) {
    size_t next = segment_end(s, end + 1);
    bool go = false;
    if (hyphen(s->t[end])) {
      go = has(s, ON_HYPHENS) ||
           on_table_find(s->data, &s->data->hyphen_prefixes, on_scan_rest(s, part, end)) ||
           on_table_find(s->data, &s->data->hyphen_suffixes, on_scan_rest(s, end + 1, next));
    } else if (on_scan_is(s, end + 1, ON_F_LETTER)) {
      go = on_characters_have(&s->data->joiners, s->t[end]);
    }
    if (!go) break;
    part = end + 1;
    end = next;
    while (join && end < s->chunk_end && on_scan_is(s, end, ON_F_LETTER) && alnum(s, end - 1)) end = segment_end(s, end);
  }
  return end;
}

size_t on_word(on_scan *s, size_t p) {
  on_str16 rest = on_scan_rest(s, p, s->chunk_end);
  const on_entry *entry = on_table_prefix(s->data, &s->data->lexicon, rest);
  size_t spelled = has(s, ON_ACRONYMS) ? on_match_acronym(s, p) : p;
  // "U.S.A" is no "U.S." with something behind it.
  if (entry && p + entry->length >= spelled) {
    size_t end = p + entry->length;
    uint16_t last = s->t[end - 1];
    // A word must end where the entry does, and not go on behind an apostrophe, a full stop or a hyphen.
    bool fits_here = on_scan_is(s, end, ON_F_CLUSTER) && (!alnum(s, end) || !alnum(s, end - 1));
    if (fits_here && alnum(s, end - 1) && end < s->chunk_end && end + 1 < s->chunk_end && alnum(s, end + 1)) {
      fits_here = on_scan_is(s, end, ON_F_WORD) && !hyphen(s->t[end]);
    }
    if (entry->kind == ON_CONTRACTION && (s->data->parts[entry->value].b & ON_PART_GUARDED)) {
      bool paragraph;
      size_t next = skip_space(s, end, &paragraph);
      fits_here = fits_here && next > end && !paragraph && word_in(s, &s->data->followers, next);
    }
    if (fits_here && entry->kind == ON_CONTRACTION) {
      if (s->data->whole_after.n > 0 && stays_whole(s, p, end)) on_scan_token(s, p, end);
      else emit_contraction(s, entry, p, end);
      return end;
    }
    bool abbreviation = entry->kind != ON_KEEP && last == '.';
    if (fits_here && (!abbreviation || keeps_period(s, end - 1, entry->kind))) {
      size_t suffix = suffix_behind(s, p, end);
      if (suffix > end) emit_word(s, p, suffix);
      else on_scan_token(s, p, end);
      return suffix;
    }
  }
  if (!on_scan_is(s, p, ON_F_LETTER)) return p;

  size_t end = spelled;
  bool acronym = end > p;
  if (!acronym && has(s, ON_INITIALS) && on_scan_is(s, p, ON_F_UPPER)) {
    size_t next = p + 1;
    while (!on_scan_is(s, next, ON_F_CLUSTER)) next++;
    bool line;
    if (next < s->chunk_end && s->t[next] == '.') {
      size_t follower = skip_space(s, next + 1, &line);
      if (!line && on_scan_is(s, follower, ON_F_UPPER)) {
        end = next;
        acronym = true;
      }
    }
  }
  if (acronym) {
    if (end < s->chunk_end && s->t[end] == '.' && on_scan_is(s, end + 1, ON_F_CLUSTER) &&
        keeps_period(s, end, ON_ABBREVIATION)) {
      end++;
    }
  } else {
    const on_entry *prefix = on_table_prefix(s->data, &s->data->prefixes, rest);
    if (prefix && alnum(s, p + prefix->length) && on_scan_is(s, p + prefix->length, ON_F_CLUSTER)) {
      on_scan_token(s, p, p + prefix->length);
      return p + prefix->length;
    }
    end = on_extend_word(s, p, segment_end(s, p));
  }
  end = suffix_behind(s, p, end);
  emit_word(s, p, end);
  return end;
}
