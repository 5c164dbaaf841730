#include "pieces/normalizer.h"

#include "base/alloc.h"
#include "pieces/unicode.h"
#include "text/breaks.h"
#include "text/chars.h"
#include "text/normalize.h"
#include "text/utf.h"

size_t on_char_utf8(uint32_t c, char *out) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3F));
  out[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | c);
  return n;
}

uint32_t on_byte_char(uint8_t byte) {
  bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
  if (printable) return byte;
  // The others are numbered from U+0100 in their order: 00 to 20, 7F to A0, AD.
  return 0x100u + (byte <= 0x20 ? byte : byte == 0xAD ? 67u : byte - 0x7Fu + 33u);
}

// --- dropping characters ---

typedef bool (*char_test)(uint32_t c);

static bool is_cleaned(uint32_t c) {
  return c == 0 || c == 0xFFFD || (c != '\t' && c != '\n' && c != '\r' && on_old_is(c, ON_OLD_CONTROL));
}
static bool is_nonspacing(uint32_t c) { return on_old_is(c, ON_OLD_NONSPACING); }
static bool is_any_mark(uint32_t c) { return on_old_is(c, ON_OLD_MARK); }
static bool is_nmt_control(uint32_t c) {
  return (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
}

// Characters for which `drop` holds go; those that stay are replaced by what `map` gives (NULL: themselves).
static void filter(on_flow *flow, const on_span_of_text *span, char_test drop, uint32_t (*map)(uint32_t)) {
  const on_char *p = flow->chars.p;
  uint32_t i = span->from;
  while (i < span->to && drop(p[i].c)) i++;
  on_flow_open(flow, span, i < span->to ? i - span->from : 0);
  while (i < span->to) {
    uint32_t kept = p[i].c, next = i + 1;
    while (next < span->to && drop(p[next].c)) next++;
    on_flow_put(flow, map ? map(kept) : kept, -(int)(next - i - 1));
    i = next;
  }
  on_flow_close(flow);
}

static uint32_t bert_blank(uint32_t c) { return c == '\t' || c == '\n' || c == '\r' || on_is_space(c) ? ' ' : c; }

static uint32_t nmt_blank(uint32_t c) {
  bool blank = c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
               c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
  return blank ? ' ' : c;
}

// --- one character to several ---

static bool is_chinese(uint32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

static size_t spread_chinese(uint32_t c, uint32_t *out) {
  out[0] = out[1] = c;
  if (!is_chinese(c)) return 1;
  out[0] = out[2] = ' ';
  return 3;
}

static size_t spread_bytes(uint32_t c, uint32_t *out) {
  char utf8[4];
  size_t n = on_char_utf8(c, utf8);
  for (size_t i = 0; i < n; i++) out[i] = on_byte_char((uint8_t)utf8[i]);
  return n;
}

static void spread(on_flow *flow, const on_span_of_text *span, size_t (*to)(uint32_t c, uint32_t *out)) {
  uint32_t out[4];
  on_flow_open(flow, span, 0);
  for (uint32_t i = span->from; i < span->to; i++) {
    size_t n = to(flow->chars.p[i].c, out);
    for (size_t k = 0; k < n; k++) on_flow_put(flow, out[k], k > 0);
  }
  on_flow_close(flow);
}

void on_flow_bytes(on_flow *flow, const on_span_of_text *span) { spread(flow, span, spread_bytes); }

static void strip(on_flow *flow, const on_span_of_text *span, bool left, bool right) {
  const on_char *p = flow->chars.p;
  uint32_t from = span->from, to = span->to;
  while (left && from < to && on_is_space(p[from].c)) from++;
  while (right && to > from && on_is_space(p[to - 1].c)) to--;
  on_flow_open(flow, span, from - span->from);
  for (uint32_t i = from; i < to; i++) on_flow_put(flow, p[i].c, 0);
  on_flow_close(flow);
}

// --- Unicode normalization ---

typedef struct mark {
  uint32_t c;
  uint8_t combining;
  int16_t change;
} mark;

typedef struct marks {
  mark *p;
  size_t n, cap;
} marks;

static uint32_t combining_class(uint32_t c) {
  return c < 0x300 || on_old_is(c, ON_OLD_UNNORMALIZED) ? 0 : on_combining_class(c);
}

static uint32_t compose(uint32_t first, uint32_t second) {
  if (second < 0x300) return 0;
  uint32_t composed = on_compose(first, second);
  bool young = on_old_is(composed, ON_OLD_UNNORMALIZED) || on_old_is(second, ON_OLD_UNNORMALIZED);
  return young ? 0 : composed;
}

typedef struct normal_form {
  on_flow *flow;
  bool compatibility, compose;
  marks pending;  // decomposed, waiting for the next starter to be put in order
  marks behind;   // behind the starter, not composed with it
  mark *sorted;
  size_t sorted_cap;
  bool has_starter;
  uint32_t starter;
  int starter_change;
} normal_form;

static bool push(marks *to, mark m) {
  if (!on_grow((void **)&to->p, &to->cap, to->n + 1, sizeof *to->p)) return false;
  to->p[to->n++] = m;
  return true;
}

// Counting sort by combining class, stable: a run of marks may be as long as the text.
static bool sort_pending(normal_form *form) {
  size_t from[257] = {0}, n = form->pending.n;
  mark *p = form->pending.p;
  if (n < 2) return true;
  if (!on_grow((void **)&form->sorted, &form->sorted_cap, n, sizeof *form->sorted)) return false;
  for (size_t i = 0; i < n; i++) from[p[i].combining + 1]++;
  for (size_t k = 1; k < 257; k++) from[k] += from[k - 1];
  for (size_t i = 0; i < n; i++) form->sorted[from[p[i].combining]++] = p[i];
  memcpy(p, form->sorted, n * sizeof *p);
  return true;
}

static void put_starter(normal_form *form) {
  if (form->has_starter) on_flow_put(form->flow, form->starter, form->starter_change);
  for (size_t i = 0; i < form->behind.n; i++) on_flow_put(form->flow, form->behind.p[i].c, form->behind.p[i].change);
  form->behind.n = 0;
  form->has_starter = false;
}

// Takes the next character in canonical order.
static bool take(normal_form *form, mark m) {
  if (!form->compose || (!form->has_starter && m.combining != 0)) {
    on_flow_put(form->flow, m.c, m.change);
    return true;
  }
  bool blocked = form->behind.n > 0 && form->behind.p[form->behind.n - 1].combining >= m.combining;
  uint32_t composed = form->has_starter && !blocked ? compose(form->starter, m.c) : 0;
  if (composed) {
    form->starter = composed;
    form->starter_change += m.change - 1;
    return true;
  }
  if (m.combining != 0) return push(&form->behind, m);
  put_starter(form);
  form->starter = m.c;
  form->starter_change = m.change;
  form->has_starter = true;
  return true;
}

static bool take_pending(normal_form *form) {
  if (!sort_pending(form)) return false;
  for (size_t i = 0; i < form->pending.n; i++) {
    if (!take(form, form->pending.p[i])) return false;
  }
  form->pending.n = 0;
  return true;
}

static bool decompose(normal_form *form, uint32_t c) {
  uint32_t parts[ON_DECOMPOSE_MOST];
  size_t n = 1;
  parts[0] = c;
  if (c >= 0x80 && !on_old_is(c, ON_OLD_UNNORMALIZED)) n = on_decompose(c, form->compatibility, parts);
  for (size_t i = 0; i < n; i++) {
    mark m = {parts[i], (uint8_t)combining_class(parts[i]), i > 0};
    if (m.combining != 0 && !push(&form->pending, m)) return false;
    if (m.combining == 0 && !(take_pending(form) && take(form, m))) return false;
  }
  return true;
}

static void normalize(on_flow *flow, const on_span_of_text *span, bool compatibility, bool composed) {
  normal_form form = {.flow = flow, .compatibility = compatibility, .compose = composed};
  on_flow_open(flow, span, 0);
  bool ok = true;
  for (uint32_t i = span->from; ok && i < span->to; i++) ok = decompose(&form, flow->chars.p[i].c);
  if (!ok || !take_pending(&form)) flow->failed = true;
  put_starter(&form);
  on_flow_close(flow);
  on_free(form.pending.p);
  on_free(form.behind.p);
  on_free(form.sorted);
}

// --- replacing ---

// What is put in the place of a match gets the alignment of the match's last character.
static bool replace(on_flow *flow, const on_span_of_text *span, const on_normalize_step *step, on_error *error) {
  if (!on_pattern_mark(step->pattern, flow, span, error)) return false;
  const on_char *p = flow->chars.p;
  on_flow_begin(flow, span);
  uint32_t at = span->from;
  for (size_t m = 0; m < flow->mark_count; m += 2) {
    for (; at < flow->marks[m]; at++) on_flow_put_char(flow, p[at]);
    on_char last = p[flow->marks[m + 1] - 1];
    for (size_t i = 0; i < step->content_n; i++) {
      on_flow_put_char(flow, (on_char){step->content[i], last.start, last.end});
    }
    at = flow->marks[m + 1];
  }
  for (; at < span->to; at++) on_flow_put_char(flow, p[at]);
  on_flow_end(flow);
  flow->mark_count = 0;
  return true;
}

// One entry of the charsmap in the place of `old` characters: the characters pair up, and what is left over of either
// side belongs to the last pair.
typedef struct mapping {
  on_flow *flow;
  uint32_t c;  // the character that waits to be put, since deletions behind it are added to it
  int change;
  bool waits;
} mapping;

static void map_put(mapping *map, uint32_t c, int change) {
  if (map->waits) on_flow_put(map->flow, map->c, map->change);
  map->c = c;
  map->change = change;
  map->waits = true;
}

static void map_replace(mapping *map, int old, on_str text) {
  int put = 0;
  for (size_t i = 0; i < text.n; put++) map_put(map, on_utf8_next(text, &i), put >= old);
  // A deletion at the very start has nothing before it and is forgotten, so that the alignments behind are one early;
  // the library does so, and offsets must equal its.
  if (put < old && map->waits) map->change -= old - put;
}

static void map_characters(on_flow *flow, const on_span_of_text *span, const on_charsmap *charsmap,
                           const size_t *ends, size_t end_count) {
  mapping map = {.flow = flow};
  const on_char *p = flow->chars.p;
  uint32_t i = span->from;
  on_flow_open(flow, span, 0);
  for (size_t g = 0; g < end_count; g++) {
    uint32_t to = (uint32_t)ends[g];
    char utf8[8];
    size_t n = 0;
    for (uint32_t k = i; k < to && n < 6; k++) {
      char one[4];
      size_t length = on_char_utf8(p[k].c, one);
      if (n + length < 6) memcpy(utf8 + n, one, length);
      n += length;
    }
    on_str found = n < 6 ? on_charsmap_find(charsmap, (on_str){utf8, n}) : ON_STR_NONE;
    if (found.p) {
      map_replace(&map, (int)(to - i), found);
    } else {
      for (uint32_t k = i; k < to; k++) {
        found = on_charsmap_find(charsmap, (on_str){utf8, on_char_utf8(p[k].c, utf8)});
        if (found.p) map_replace(&map, 1, found);
        else map_put(&map, p[k].c, 0);
      }
    }
    i = to;
  }
  if (map.waits) on_flow_put(flow, map.c, map.change);
  on_flow_close(flow);
}

// The map is applied to grapheme clusters first, to their characters second.
static void apply_charsmap(on_flow *flow, const on_span_of_text *span, const on_charsmap *charsmap) {
  size_t n = span->to - span->from, units = 0, clusters = 0;
  uint16_t *text = on_malloc(2 * n * sizeof *text + 1);
  size_t *ends = on_malloc(n * sizeof *ends + 1);
  if (!text || !ends) {
    flow->failed = true;
  } else {
    for (uint32_t i = span->from; i < span->to; i++) units += on_utf16_put(text + units, flow->chars.p[i].c);
    size_t at = 0, unit = 0;
    for (size_t next = 0; next < units;) {
      next = on_next_grapheme_break((on_str16){text, units}, next);
      while (unit < next) {
        unit += flow->chars.p[span->from + at].c >= 0x10000 ? 2 : 1;
        at++;
      }
      ends[clusters++] = span->from + at;
    }
    map_characters(flow, span, charsmap, ends, clusters);
  }
  on_free(text);
  on_free(ends);
}

// --- running ---

static bool run_step(const on_normalize_step *step, on_flow *flow, const on_span_of_text *span, on_error *error) {
  switch (step->kind) {
    case ON_NORMALIZE_CLEAN: filter(flow, span, is_cleaned, bert_blank); break;
    case ON_NORMALIZE_CHINESE: spread(flow, span, spread_chinese); break;
    case ON_NORMALIZE_NO_NONSPACING: filter(flow, span, is_nonspacing, NULL); break;
    case ON_NORMALIZE_NO_MARKS: filter(flow, span, is_any_mark, NULL); break;
    case ON_NORMALIZE_NFD: normalize(flow, span, false, false); break;
    case ON_NORMALIZE_NFKD: normalize(flow, span, true, false); break;
    case ON_NORMALIZE_NFC: normalize(flow, span, false, true); break;
    case ON_NORMALIZE_NFKC: normalize(flow, span, true, true); break;
    case ON_NORMALIZE_LOWER: spread(flow, span, on_lower_full); break;
    case ON_NORMALIZE_STRIP: strip(flow, span, step->left, step->right); break;
    case ON_NORMALIZE_REPLACE: return replace(flow, span, step, error);
    case ON_NORMALIZE_PREPEND: on_flow_prepend(flow, span, step->content, step->content_n); break;
    case ON_NORMALIZE_CHARSMAP: apply_charsmap(flow, span, &step->charsmap); break;
    case ON_NORMALIZE_NMT: filter(flow, span, is_nmt_control, nmt_blank); break;
    case ON_NORMALIZE_BYTES: on_flow_bytes(flow, span); break;
  }
  return true;
}

bool on_normalizer_run(const on_normalizer *normalizer, on_flow *flow, on_error *error) {
  for (size_t k = 0; k < normalizer->count; k++) {
    for (size_t i = 0; i < flow->spans.n; i++) {
      const on_span_of_text *span = &flow->spans.p[i];
      if (span->added != ON_SPAN_TEXT) on_flow_keep(flow, span);
      else if (!run_step(&normalizer->steps[k], flow, span, error)) return false;
    }
    if (flow->failed) return on_fail_memory(error);
    on_flow_turn(flow);
  }
  return true;
}
