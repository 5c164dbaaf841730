// Kind `uax`: the segments of UAX #29, and what the data set changes about them.
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/match.h"
#include "tokenize/plain.h"
#include "tokenize/word.h"

// Quotes that open a single quotation; the straight one and U+2019 close it as well.
static bool single_quote(uint16_t c) { return c == '\'' || c == 0x2018 || c == 0x2019 || c == '`'; }

static void note_quote(on_scan *s, size_t p, size_t end) {
  if (end != p + 1 || !single_quote(s->t[p])) return;
  bool starts = p == s->chunk || on_scan_is(s, p - 1, ON_F_OPEN) || s->t[p - 1] == '-' || s->t[p - 1] == 0x2014;
  s->single_open = starts && !on_scan_is(s, end, ON_F_SPACE) && s->t[p] != 0x2019;
}

static void open_chunk(on_scan *s, size_t p) {
  s->chunk = p;
  s->last_at = s->last_dot = 0;
  size_t end = p;
  for (; !on_scan_is(s, end, ON_F_SPACE); end++) {
    if (s->t[end] == '@') s->last_at = end + 1;
    else if (s->t[end] == '.') s->last_dot = end + 1;
  }
  s->chunk_end = end;
  s->after_currency = false;
  // An empty line before it: a new paragraph, where no quotation goes on.
  size_t lines = 0;
  for (size_t i = p; i > 0 && on_scan_is(s, i - 1, ON_F_SPACE) && lines < 2; i--) {
    if (on_scan_is(s, i - 1, ON_F_LINE) && !(s->t[i - 1] == '\r' && i < s->n && s->t[i] == '\n')) lines++;
  }
  if (lines >= 2) s->single_open = false;
}

// Things that are one token as they stand.
static size_t match_whole(const on_scan *s, size_t p) {
  static size_t (*const matchers[])(const on_scan *, size_t) = {
    on_match_url, on_match_email, on_match_file, on_match_host, on_match_emoticon, on_match_pattern, on_match_tag,
  };
  for (size_t i = 0; i < sizeof matchers / sizeof *matchers; i++) {
    size_t end = matchers[i](s, p);
    if (end == p) continue;
    while (!on_scan_is(s, end, ON_F_CLUSTER)) end++;
    return end;
  }
  return p;
}

// Over what stays with the number before it ("'s" of "1990's").
static size_t with_ending(const on_scan *s, size_t end) {
  const on_table *table = &s->data->number_endings;
  if (table->n == 0 || end >= s->chunk_end) return end;
  const on_entry *entry = on_table_prefix(s->data, table, on_scan_rest(s, end, s->chunk_end));
  if (!entry || on_scan_is(s, end + entry->length, ON_F_ALNUM)) return end;
  return on_scan_is(s, end + entry->length, ON_F_CLUSTER) ? end + entry->length : end;
}

// A number up to the unit or the letters that part from it ("5" of "5pm", "35" of "35mm"). Like
// segment_end it looks no further than it returns.
static size_t number_end(const on_scan *s, size_t p) {
  size_t i = p + 1;
  for (;; i++) {
    if (!on_scan_is(s, i, ON_F_CLUSTER)) continue;
    if (on_scan_is(s, i, ON_F_WORD)) return i;
    if (on_scan_is(s, i, ON_F_LETTER)) break;
    if (!on_scan_is(s, i, ON_F_DIGIT) && on_characters_have(&s->data->number_cuts, s->t[i])) return i;
  }
  if (s->after_currency) return i;
  const on_entry *unit = on_table_prefix(s->data, &s->data->units, on_scan_rest(s, i, s->chunk_end));
  if (unit) {
    size_t behind = i + unit->length;
    if (!on_scan_is(s, behind, ON_F_ALNUM) && on_scan_is(s, behind, ON_F_CLUSTER)) return i;
  }
  return on_match_segment(s, i);
}

static size_t token(on_scan *s, size_t p) {
  bool currency = s->after_currency;
  size_t end = match_whole(s, p);
  s->after_currency = false;
  if (end == p) {
    end = on_word(s, p);  // emits what it finds
    if (end > p) return end;
    if (on_scan_is(s, p, ON_F_DIGIT)) {
      s->after_currency = currency;
      end = number_end(s, p);
      s->after_currency = false;
      end = with_ending(s, end);
      // "4-річчя": a number is the first part of a word with a hyphen.
      bool letters = (s->data->options & ON_HYPHENS) && end + 1 < s->chunk_end && on_scan_is(s, end + 1, ON_F_LETTER);
      if (letters) end = on_extend_word(s, p, end);
    } else if (on_scan_is(s, p, ON_F_SIGN)) {
      end = on_match_run(s, p);
      // A sign where a segment was cut ends before the rest of it.
      if (end == p) end = on_scan_is(s, p, ON_F_WORD) ? on_match_segment(s, p) : on_match_cluster(s, p);
      s->after_currency = on_table_find(s->data, &s->data->currency, on_scan_rest(s, p, end)) != NULL;
      note_quote(s, p, end);
    } else {
      end = on_match_segment(s, p);
    }
  }
  on_scan_token(s, p, end);
  return end;
}

bool on_tokenize_uax(on_arena *arena, const on_segmentation *data, const on_plain_words *plain, on_str16 text,
                     size_t from, size_t to, on_pieces *out, on_error *error) {
  on_scan scan;
  if (!on_scan_open(&scan, arena, data, text, from, to, error)) return false;
  for (size_t p = 0; p < scan.n && !scan.failed;) {
    if (on_scan_is(&scan, p, ON_F_SPACE)) {
      p++;
    } else if (data->plain) {
      size_t end = on_match_segment(&scan, p);
      on_scan_token(&scan, p, end);
      p = end;
    } else {
      size_t end = plain ? on_plain_end(&scan, plain, p) : p;
      if (end == p) {
        if (p >= scan.chunk_end) open_chunk(&scan, p);
        end = token(&scan, p);
      }
      p = end;
    }
  }
  return on_scan_close(&scan, out, error);
}
