// Comments, MISC and the raw text of a sentence.
#include "format/conllu_internal.h"

#include "text/chars.h"
#include "text/utf.h"

static on_str trim(on_str s) {
  while (s.n && (s.p[0] == ' ' || s.p[0] == '\t')) s = on_str_sub(s, 1, s.n);
  while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t')) s.n--;
  return s;
}

on_str on_conllu_comment(const on_conllu_sentence *sentence, const char *key, bool *found) {
  const on_str wanted = on_str_c(key);
  if (found) *found = false;
  for (size_t i = 0; i < sentence->comment_count; i++) {
    const on_str comment = trim(on_str_sub(sentence->comments[i], 1, sentence->comments[i].n));
    if (!on_str_starts(comment, wanted)) continue;
    const on_str rest = trim(on_str_sub(comment, wanted.n, comment.n));
    if (rest.n && rest.p[0] != '=') continue;
    if (found) *found = true;
    if (rest.n) return trim(on_str_sub(rest, 1, rest.n));
  }
  return ON_STR_NONE;
}

on_str on_conllu_misc(on_str misc, const char *key) {
  const size_t n = strlen(key);
  const char *p = misc.p, *end = misc.p ? misc.p + misc.n : NULL;
  while (p < end) {
    const char *bar = memchr(p, '|', (size_t)(end - p));
    const char *stop = bar ? bar : end;
    if ((size_t)(stop - p) > n && p[n] == '=' && memcmp(p, key, n) == 0) {
      return (on_str){p + n + 1, (size_t)(stop - p) - n - 1};
    }
    p = stop + 1;
  }
  return ON_STR_NONE;
}

bool on_conllu_next_surface(const on_conllu_sentence *sentence, uint32_t *next, size_t *range,
                            on_conllu_surface *out) {
  if (*next >= sentence->word_count) return false;
  if (*range < sentence->range_count && sentence->ranges[*range].first == *next + 1) {
    const on_conllu_range *r = &sentence->ranges[*range];
    *out = (on_conllu_surface){r->form, r->misc, *next, r->last - r->first + 1, r};
    (*range)++;
  } else {
    const on_conllu_word *word = &sentence->words[*next];
    *out = (on_conllu_surface){word->form, word->misc, *next, 1, NULL};
  }
  *next += out->count;
  return true;
}

static const char escapes[][2] = {{' ', 's'}, {'\t', 't'}, {'\r', 'r'}, {'\n', 'n'}, {'|', 'p'}, {'\\', '\\'}};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

void on_conllu_escape(on_buf *out, on_str value) {
  for (size_t i = 0; i < value.n; i++) {
    char escape = 0;
    for (size_t k = 0; k < ESCAPES; k++) {
      if (escapes[k][0] == value.p[i]) escape = escapes[k][1];
    }
    if (escape) on_buf_char(out, '\\');
    on_buf_char(out, escape ? escape : value.p[i]);
  }
}

// The code point of \uXXXX at p (after the backslash), or 0.
static uint32_t hex_escape(const char *p, size_t n) {
  if (n < 5 || p[0] != 'u') return 0;
  uint32_t value = 0;
  for (size_t i = 1; i < 5; i++) {
    const char c = p[i];
    const int digit = c >= '0' && c <= '9' ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return 0;
    value = value << 4 | (uint32_t)digit;
  }
  return value >= 0xD800 && value <= 0xDFFF ? 0 : value;
}

void on_conllu_unescape(on_buf *out, on_str value) {
  for (size_t i = 0; i < value.n; i++) {
    char c = value.p[i];
    if (c == '\\') {
      const uint32_t point = hex_escape(value.p + i + 1, value.n - i - 1);
      if (point) {
        on_buf_codepoint(out, point);
        i += 5;
        continue;
      }
      for (size_t k = 0; k < ESCAPES && i + 1 < value.n; k++) {
        if (escapes[k][1] != value.p[i + 1]) continue;
        c = escapes[k][0];
        i++;
        break;
      }
    }
    on_buf_char(out, c);
  }
}

// SpacesBefore, the form and what follows it. At a sentence's end the default blank is left to the caller.
static void add_surface(on_buf *out, const on_conllu_surface *surface, bool default_blank, on_conllu_extent *extent) {
  const on_str before = on_conllu_misc(surface->misc, "SpacesBefore");
  if (before.p) on_conllu_unescape(out, before);
  if (extent) extent->start = out->n;
  const on_str inside = on_conllu_misc(surface->misc, "SpacesInToken");
  if (inside.n) {
    on_conllu_unescape(out, inside);
  } else {
    on_buf_str(out, surface->form);
  }
  if (extent) extent->end = out->n;
  const on_str after = on_conllu_misc(surface->misc, "SpacesAfter");
  const on_str no = ON_STR("No");
  // Some treebanks have SpacesAfter=No where SpaceAfter=No is meant.
  if (after.p && !on_str_eq(after, no)) {
    on_conllu_unescape(out, after);
  } else if (default_blank && !after.p && !on_str_eq(on_conllu_misc(surface->misc, "SpaceAfter"), no)) {
    on_buf_char(out, ' ');
  }
}

unsigned on_conllu_trailing_breaks(const on_buf *out, size_t *length) {
  unsigned breaks = 0;
  size_t end = out->n;
  uint32_t follower = 0;
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && ((unsigned char)out->p[start] & 0xC0) == 0x80) start--;
    size_t i = start;
    const uint32_t c = on_utf8_next(on_buf_view(out), &i);
    if (!on_is_space(c)) break;
    breaks += on_is_line_break(c) && !(c == '\r' && follower == '\n');
    follower = c;
    end = start;
  }
  *length = out->n - end;
  return breaks;
}

// "# newpar", "# newdoc", with or without an id ("# newdoc id = x", "# newdoc_id = x").
static bool starts_paragraph(const on_conllu_sentence *sentence) {
  for (size_t i = 0; i < sentence->comment_count; i++) {
    const on_str comment = trim(on_str_sub(sentence->comments[i], 1, sentence->comments[i].n));
    if (!on_str_starts(comment, ON_STR("newpar")) && !on_str_starts(comment, ON_STR("newdoc"))) continue;
    if (comment.n == 6 || comment.p[6] == ' ' || comment.p[6] == '_' || comment.p[6] == '=') return true;
  }
  return false;
}

void on_conllu_rebuild_text(on_buf *out, const on_conllu_sentence *sentence) {
  if (out->n && starts_paragraph(sentence)) {
    // Where the file says nothing of the white space between two paragraphs, the last token has the default
    // blank or SpaceAfter=No.
    size_t length;
    if (on_conllu_trailing_breaks(out, &length) == 0) {
      if (length == 1) out->n--;
      on_buf_str(out, ON_STR("\n\n"));
    }
  }
  uint32_t next = 0;
  size_t range = 0;
  on_conllu_surface surface;
  while (on_conllu_next_surface(sentence, &next, &range, &surface)) add_surface(out, &surface, true, NULL);
}

size_t on_conllu_raw_extents(on_buf *out, const on_conllu_sentence *sentence, bool first,
                             on_conllu_extent *extents) {
  if (!first) {
    size_t spaces;
    unsigned breaks = on_conllu_trailing_breaks(out, &spaces);
    if (starts_paragraph(sentence)) {
      for (; breaks < 2; breaks++) on_buf_char(out, '\n');
    } else if (!spaces) {
      on_buf_char(out, ' ');
    }
  }
  uint32_t next = 0;
  size_t range = 0, count = 0;
  on_conllu_surface surface;
  while (on_conllu_next_surface(sentence, &next, &range, &surface)) {
    add_surface(out, &surface, next < sentence->word_count, extents ? &extents[count] : NULL);
    count++;
  }
  return count;
}

void on_conllu_raw_text(on_buf *out, const on_conllu_sentence *sentence, bool first) {
  on_conllu_raw_extents(out, sentence, first, NULL);
}
