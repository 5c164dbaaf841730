// Sentence starts: the boundaries of UAX #29, corrected by what the tokens are and by the data set.
#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/scan.h"

// What ended just before the next token; closing quotes and brackets leave it as it is.
typedef enum state {
  S_NONE,
  S_ABBREVIATION,  // a full stop that belongs to a word
  S_PERIOD,
  S_ELLIPSIS,
  S_STRONG,        // with a question or an exclamation mark
  S_ADDRESS,       // a URL or an e-mail address
  S_FACE,          // an emoticon that follows none of the above
  S_RULE           // a line of signs (-----)
} state;

typedef struct token {
  size_t start, end;  // in the range
  bool space;         // white space before it
  bool line;          // with a line break, and
  bool paragraph;     // with an empty line
} token;

typedef struct sentencizer {
  const on_segmentation *data;
  const uint16_t *t;
  const uint16_t *f;
  size_t n;
  size_t next_break;  // the first boundary of UAX #29 that has not been passed
  size_t width;       // length of the longest line of the paragraph, which ends at
  size_t width_end;
  // What came before the token in question:
  token before;
  size_t line_start;  // of its line
  state last;
  bool closed;        // closing quotes or brackets came after what made the state
  size_t count;       // tokens of the sentence so far
  bool marker;        // the first of them may be the number of a list item
} sentencizer;

enum { SHORTEST_RULE = 5, LONGEST_MARKER = 3, LONGEST_STARTER = 32, LONGEST_WRAPPED = 120, MOST_OPENERS = 4 };
enum { GREEK_QUESTION_MARK = 0x37E };

static bool is(const sentencizer *s, size_t i, uint32_t flags) { return (s->f[i] & flags) != 0; }

static on_str16 text_of(const sentencizer *s, token k) { return (on_str16){s->t + k.start, k.end - k.start}; }

static bool line_break(const sentencizer *s, size_t i) {
  return is(s, i, ON_F_LINE) && !(s->t[i] == '\r' && i + 1 < s->n && s->t[i + 1] == '\n');
}

static bool is_address(const sentencizer *s, token k) {
  bool at = false;
  for (size_t i = k.start; i + 2 < k.end; i++) {
    if (s->t[i] == ':' && s->t[i + 1] == '/' && s->t[i + 2] == '/') return true;
    if (s->t[i] == '@') at = i > k.start;
    if (at && s->t[i] == '.') return true;
  }
  const uint16_t *t = s->t + k.start;
  return k.end - k.start > 4 && (t[0] | 32) == 'w' && (t[1] | 32) == 'w' && (t[2] | 32) == 'w' && t[3] == '.';
}

// The state that a token leaves on its own.
static state state_of(const sentencizer *s, token k) {
  size_t periods = 0, strong = 0, words = 0, same = 0, n = k.end - k.start;
  bool semicolons = (s->data->options & ON_QUESTION_SEMICOLONS) != 0;
  for (size_t i = k.start; i < k.end; i++) {
    uint16_t c = s->t[i];
    periods += c == '.';
    strong += c == '!' || c == '?' || c == GREEK_QUESTION_MARK || (semicolons && c == ';');
    words += is(s, i, ON_F_ALNUM);
    same += c == s->t[k.start];
  }
  if (words == 0) {
    if (n == 1 && s->t[k.start] == 0x2026) return S_ELLIPSIS;
    if (periods == n) return n == 1 ? S_PERIOD : S_ELLIPSIS;
    if (strong > 0 && strong + periods == n) return S_STRONG;
    if (same == n && n >= SHORTEST_RULE && is(s, k.start, ON_F_SIGN)) return S_RULE;
  } else {
    if (is_address(s, k)) return S_ADDRESS;
    if (s->t[k.end - 1] == '.' && is(s, k.start, ON_F_ALNUM)) return S_ABBREVIATION;
  }
  return S_NONE;
}

static bool is_face(const sentencizer *s, token k) {
  return on_table_find(s->data, &s->data->emoticons, text_of(s, k)) != NULL;
}

// A closing quote or bracket. A straight quote closes when it stands right behind something, or is
// followed by white space.
static bool closes(const sentencizer *s, token k) {
  for (size_t i = k.start; i < k.end; i++) {
    if (!is(s, i, ON_F_CLOSE) && s->t[i] != '>') return false;
  }
  if (!is(s, k.start, ON_F_OPEN)) return true;
  return !k.space || (is(s, k.end, ON_F_SPACE) && k.end < s->n);
}

static bool starter(const sentencizer *s, token k) {
  size_t n = k.end - k.start;
  return n <= LONGEST_STARTER && on_table_find(s->data, &s->data->starters, text_of(s, k)) != NULL;
}

// The letter or digit with which the token, or what its opening quotes and brackets hold, begins.
static size_t first_of(const sentencizer *s, token k) {
  size_t i = k.start;
  while (i < s->n && is(s, i, ON_F_OPEN) && i - k.start < MOST_OPENERS) i++;
  return i < s->n && !is(s, i, ON_F_SPACE) ? i : k.start;
}

// The number or letter of a list item: "1", "12", "b", "iv".
static bool is_marker(const sentencizer *s, token k) {
  if (k.end - k.start > LONGEST_MARKER) return false;
  bool digits = true, roman = true;
  for (size_t i = k.start; i < k.end; i++) {
    uint16_t c = s->t[i] | 32;
    digits = digits && is(s, i, ON_F_DIGIT);
    roman = roman && (c == 'i' || c == 'v' || c == 'x');
  }
  return digits || roman || (k.end - k.start == 1 && is(s, k.start, ON_F_LETTER));
}

static bool is_bullet(const sentencizer *s, token k) {
  size_t i = k.start;
  uint32_t c = on_utf16_next((on_str16){s->t, k.end}, &i);
  return i == k.end && is(s, k.end, ON_F_SPACE) && on_characters_have(&s->data->bullets, c);
}

// Finds the longest line of the paragraph that goes on at `at`, if it is not known yet.
static void measure_lines(sentencizer *s, size_t at) {
  if (at < s->width_end) return;
  size_t start = s->line_start, i = s->before.end;
  s->width = 0;
  for (;; i++) {
    if (i < s->n && !line_break(s, i)) continue;
    if (i - start > s->width) s->width = i - start;
    if (i == s->n || i == start) break;  // the end, or an empty line
    start = i + 1;
  }
  s->width_end = i;
}

// Whether a sentence starts at k because of the line break before it: an item of a list, or a line that
// its author ended, since the next word would have had room, or nobody wraps such long lines.
static bool line_starts(sentencizer *s, token k) {
  if (!k.line || s->last == S_ABBREVIATION) return false;
  if (is_bullet(s, k)) return true;
  if (is(s, first_of(s, k), ON_F_LOWER) || s->t[s->before.end - 1] == ',') return false;
  measure_lines(s, k.start);
  if (s->width > LONGEST_WRAPPED) return true;
  size_t word = k.start;
  while (word - k.start < LONGEST_WRAPPED && !is(s, word, ON_F_SPACE)) word++;
  return s->before.end - s->line_start + 1 + (word - k.start) <= s->width;
}

// Passes the boundaries of UAX #29 up to `to`; whether there was one behind `from`.
static bool pass_breaks(sentencizer *s, size_t from, size_t to) {
  on_str16 range = {s->t, s->n};
  bool passed = false;
  while (s->next_break <= to && s->next_break < s->n) {
    passed = passed || s->next_break > from;
    s->next_break = on_next_sentence_break(range, s->next_break);
  }
  return passed;
}

// Signs that do not start a sentence.
static bool goes_on(const sentencizer *s, token k, state own) {
  if (own == S_RULE || own == S_ELLIPSIS) return false;
  switch (s->t[k.start]) {
    case ',': case ';': case ':': case '.': case '?': case '!': case '/': case '*': return true;
    default: return closes(s, k);
  }
}

// Whether a sentence starts at k by what came before. `uax`: UAX #29 starts one there.
static bool starts(const sentencizer *s, token k, bool uax) {
  bool loose = (s->data->options & ON_LOWER_CASE_STARTS) != 0;
  size_t first = first_of(s, k);
  bool lower = is(s, first, ON_F_LOWER), upper = is(s, first, ON_F_UPPER);
  state own = state_of(s, k);
  switch (s->last) {
    case S_ABBREVIATION: return upper && !(s->data->options & ON_SPLIT_FINAL_PERIOD) && starter(s, k);
    case S_PERIOD:
      // "1." alone is no sentence.
      if (s->count == 2 && s->marker) return false;
      if (goes_on(s, k, own) || (own == S_ELLIPSIS && !k.space)) return false;
      return lower ? loose && !s->closed && k.space : uax || k.space;
    case S_ELLIPSIS: return !goes_on(s, k, own) && !lower && (uax || upper);
    case S_STRONG: return !goes_on(s, k, own) && own != S_ELLIPSIS && !(lower && s->closed);
    case S_ADDRESS:
      return loose && k.space && (own == S_RULE || own == S_ADDRESS || upper || is(s, first, ON_F_DIGIT));
    case S_FACE: return k.space && upper;
    case S_RULE: return true;
    default:
      // UAX #29 ends a sentence at each line break; where lines may be wrapped, that is no reason.
      return own == S_RULE || (uax && !(k.line && (s->data->options & ON_WRAPPED_LINES)));
  }
}

// What belongs to the mark before it: closing quotes and brackets, an emoticon.
static bool attaches(const sentencizer *s, token k, bool face) {
  return s->last != S_NONE && s->last != S_RULE && !k.line && (face || closes(s, k));
}

// Whether a sentence starts at k; takes note of k for what follows.
static bool next_token(sentencizer *s, token k, bool is_first) {
  size_t last_unit = is_first ? 0 : s->before.end - 1;
  bool uax = pass_breaks(s, last_unit, k.start);
  bool start = is_first || uax;
  if (!s->data->plain) {
    bool face = is_face(s, k);
    bool attached = !is_first && attaches(s, k, face);
    if (!is_first) {
      start = k.paragraph || (!attached && (starts(s, k, uax) ||
                                            ((s->data->options & ON_WRAPPED_LINES) && line_starts(s, k))));
    }
    if (attached) {
      s->closed = s->closed || !face;
    } else {
      s->last = face ? S_FACE : state_of(s, k);
      s->closed = false;
    }
    if (start) s->count = 0;
    if (s->count++ == 0) s->marker = is_marker(s, k);
    if (k.line || is_first) s->line_start = k.start;
  }
  s->before = k;
  return start;
}

static token token_at(const sentencizer *s, const on_pieces *pieces, size_t i, size_t from) {
  token k = {.start = pieces->list[i].start - from, .end = pieces->list[i].end - from};
  uint32_t surface = pieces->list[i].surface;
  for (size_t j = i + 1; j < pieces->n && pieces->list[j].surface == surface; j++) k.end = pieces->list[j].end - from;
  size_t lines = 0;
  for (size_t at = s->before.end; at < k.start; at++) {
    k.space = k.space || is(s, at, ON_F_SPACE);
    if (line_break(s, at)) lines++;
  }
  k.line = lines > 0;
  k.paragraph = lines > 1;
  return k;
}

bool on_sentencize(const on_segmentation *data, on_str16 text, size_t from, size_t to, const on_pieces *pieces,
                   uint8_t *sent_start, on_error *error) {
  if (from > to || to > text.n) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1, "no range of the text: %zu to %zu of %zu", from, to, text.n);
  }
  if (pieces->n == 0) return true;
  sentencizer s = {.data = data, .t = text.p + from, .n = to - from};
  on_arena arena = {0};
  uint16_t *flags = on_scan_flags(&arena, s.t, s.n, false);
  if (!flags) return on_fail_memory(error);
  s.f = flags;
  for (size_t i = 0; i < pieces->n; i++) {
    bool inside = i > 0 && pieces->list[i].surface == pieces->list[i - 1].surface;
    sent_start[i] = !inside && next_token(&s, token_at(&s, pieces, i, from), i == 0);
  }
  on_arena_free(&arena);
  return true;
}
