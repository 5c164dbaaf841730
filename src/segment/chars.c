#include "segment/chars.h"

#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/tokenize.h"

bool on_char_doc(on_doc *doc, on_str16 text, size_t from, size_t to) {
  on_doc_reset(doc);
  on_str16 part = on_str16_sub(text, from, to);
  size_t n = 0;
  for (size_t i = 0; i < part.n; n++) on_utf16_next(part, &i);
  doc->text = doc->source = part;
  doc->unit_end = (uint32_t)part.n;
  if (!on_doc_set_tokens(doc, n)) return false;
  n = 0;
  for (size_t i = 0; i < part.n; n++) {
    doc->start[n] = doc->source_start[n] = (uint32_t)i;
    on_utf16_next(part, &i);
    doc->end[n] = doc->source_end[n] = (uint32_t)i;
  }
  return true;
}

// Moves at most `count` characters on, not beyond `to` or a line break.
static size_t advance(on_str16 text, size_t at, size_t to, size_t count) {
  on_str16 part = {text.p, to};
  while (count > 0 && at < to) {
    size_t next = at;
    if (on_is_line_break(on_utf16_next(part, &next))) break;
    at = next;
    count--;
  }
  return at;
}

static bool line_ends(on_str16 text, size_t at, size_t to) {
  return at >= to || on_is_line_break(text.p[at]);  // all line breaks are in the BMP
}

bool on_next_char_window(on_str16 text, size_t from, size_t to, bool first, on_char_window *window) {
  if (first || line_ends(text, window->to, to)) {
    size_t at = first ? from : window->to;
    while (at < to && on_is_line_break(text.p[at])) at++;
    if (at >= to) return false;
    window->from = window->decide_from = at;
  } else {
    // The part that the window before left undecided has its context before and behind it.
    on_str16 part = {text.p, to};
    size_t at = window->decide_to;
    window->decide_from = at;
    for (int i = 0; i < ON_CHAR_CONTEXT; i++) on_utf16_prev(part, &at);
    window->from = at;
  }
  window->to = advance(text, window->from, to, ON_CHAR_WINDOW);
  window->decide_to = window->to;
  if (!line_ends(text, window->to, to)) {
    on_str16 part = {text.p, to};
    for (int i = 0; i < ON_CHAR_CONTEXT; i++) on_utf16_prev(part, &window->decide_to);
  }
  return true;
}

// Letters of the Latin script by their blocks; what else is in these blocks is no letter.
static bool is_latin(uint32_t c) {
  bool block = c < 0x250 || (c >= 0x1E00 && c < 0x1F00) || (c >= 0x2C60 && c < 0x2C80) || (c >= 0xA722 && c < 0xA800) ||
               (c >= 0xAB30 && c < 0xAB70) || (c >= 0xFB00 && c < 0xFB07) || (c >= 0xFF21 && c < 0xFF5B);
  return block && on_is_letter(c);
}

static bool is_sign(uint32_t c) { return c < 0x80 && (on_is_punctuation(c) || on_is_symbol(c)); }

// Marks the runs of letters, digits and the signs among them in a token, each from its first letter or digit to its
// last, or to the token's end. What is not of the Latin script parts them: "写信jo@example.com" is an address to the
// data set, but not to a reader.
static void mark_runs(on_str16 text, size_t start, size_t end, size_t from, uint8_t *whole) {
  on_str16 part = {text.p, end};
  size_t first = end, last = end;  // of the run at hand; none while first == end
  for (size_t i = start; i < end;) {
    size_t at = i;
    uint32_t c = on_utf16_next(part, &i);
    bool open = first < end;
    if (is_latin(c) || on_is_decimal(c)) {
      if (!open) first = at;
      last = i;
    } else if (open && on_is_mark(c)) {
      last = i;
    } else if (!open || !is_sign(c)) {
      for (size_t k = first + 1; open && k < last; k++) whole[k - from] = 1;
      first = end;
    }
  }
  for (size_t k = first + 1; k < end; k++) whole[k - from] = 1;
}

bool on_mark_whole(on_arena *scratch, on_str16 text, size_t from, size_t to, uint8_t *whole, on_error *error) {
  const on_segmentation *neutral = on_segmentation_find(ON_STR("neutral"));
  on_pieces pieces;
  if (!on_tokenize_uax(scratch, neutral, NULL, text, from, to, &pieces, error)) return false;
  for (size_t i = 0; i < pieces.n; i++) {
    mark_runs(text, pieces.list[i].start, pieces.list[i].end, from, whole);
  }
  on_str16 part = on_str16_sub(text, from, to);
  for (size_t i = 0; i < part.n;) {
    size_t next = on_next_grapheme_break(part, i);
    for (size_t k = i + 1; k < next; k++) {
      // A blank that takes a mark is white space all the same: the mark begins a word, as in every tokenizer.
      if (!on_is_space(part.p[k - 1])) whole[k] = 1;
    }
    i = next;
  }
  return true;
}
