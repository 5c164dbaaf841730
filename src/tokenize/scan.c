#include "tokenize/scan.h"

#include "base/alloc.h"
#include "text/breaks.h"
#include "text/chars.h"
#include "text/utf.h"

static uint16_t flags_of(uint32_t c) {
  if (on_is_space(c)) return on_is_line_break(c) ? ON_F_SPACE | ON_F_LINE : ON_F_SPACE;
  switch (on_category(c)) {
    case ON_GC_LU:
    case ON_GC_LT: return ON_F_LETTER | ON_F_UPPER;
    case ON_GC_LL: return ON_F_LETTER | ON_F_LOWER;
    case ON_GC_LM:
    case ON_GC_LO: return ON_F_LETTER;
    case ON_GC_MN:
    case ON_GC_MC:
    case ON_GC_ME: return ON_F_MARK;
    case ON_GC_ND: return ON_F_DIGIT;
    case ON_GC_PS:
    case ON_GC_PI: return ON_F_SIGN | ON_F_OPEN;
    case ON_GC_PE:
    case ON_GC_PF: return ON_F_SIGN | ON_F_CLOSE;
    case ON_GC_PC:
    case ON_GC_PD:
    case ON_GC_PO:
      return c == '"' || c == '\'' ? ON_F_SIGN | ON_F_OPEN | ON_F_CLOSE : ON_F_SIGN;
    case ON_GC_SM:
    case ON_GC_SC:
    case ON_GC_SK:
    case ON_GC_SO: return ON_F_SIGN;
    default: return 0;
  }
}

// Below U+0300 nothing extends a cluster, so every character starts one, except LF after CR.
enum { FIRST_EXTENDER = 0x300 };

static void mark_clusters(const uint16_t *t, size_t n, uint16_t *f) {
  on_str16 text = {t, n};
  size_t i = 0;
  while (i < n) {
    f[i] |= ON_F_CLUSTER;
    if (t[i] < FIRST_EXTENDER && (i + 1 == n || t[i + 1] < FIRST_EXTENDER)) {
      i += t[i] == '\r' && i + 1 < n && t[i + 1] == '\n' ? 2 : 1;
    } else {
      i = on_next_grapheme_break(text, i);
    }
  }
}

uint16_t *on_scan_flags(const uint16_t *t, size_t n, bool words) {
  uint16_t *f = n < SIZE_MAX / sizeof *f ? on_malloc((n + 1) * sizeof *f) : NULL;
  if (!f) return NULL;
  on_str16 text = {t, n};
  for (size_t i = 0; i < n;) {
    size_t start = i;
    uint32_t c = on_utf16_next(text, &i);
    f[start] = flags_of(c);
    if (i - start == 2) f[start + 1] = (uint16_t)(f[start] | ON_F_TAIL);
  }
  f[n] = ON_F_SPACE | ON_F_LINE | ON_F_CLUSTER | ON_F_WORD;
  mark_clusters(t, n, f);
  if (words) {
    for (size_t i = 0; i < n; i = on_next_word_break(text, i)) f[i] |= ON_F_WORD;
  }
  // White space is in no token, even where a cluster or a segment holds it: a mark after a blank.
  for (size_t i = 0; i < n; i++) {
    if (!(f[i] & ON_F_TAIL) && ((f[i] & ON_F_SPACE) || (i > 0 && (f[i - 1] & ON_F_SPACE)))) {
      f[i] |= ON_F_CLUSTER | ON_F_WORD;
    }
  }
  return f;
}

bool on_scan_open(on_scan *scan, on_arena *arena, const on_segmentation *data, on_str16 text, size_t from, size_t to,
                  on_error *error) {
  *scan = (on_scan){.data = data, .arena = arena};
  if (from > to || to > text.n) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1, "no range of the text: %zu to %zu of %zu", from, to, text.n);
  }
  if (to > UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "the text has more than 4294967295 UTF-16 units");
  scan->t = text.p ? text.p + from : NULL;
  scan->n = to - from;
  scan->base = (uint32_t)from;
  scan->f = on_scan_flags(scan->t, scan->n, data != NULL);
  return scan->f ? true : on_fail_memory(error);
}

void on_scan_free(on_scan *scan) {
  on_free(scan->f);
  on_free(scan->list);
  *scan = (on_scan){0};
}

bool on_scan_close(on_scan *scan, on_pieces *out, on_error *error) {
  bool failed = scan->failed;
  if (!failed) {
    out->list = ON_NEW(scan->arena, on_piece, scan->count);
    failed = out->list == NULL;
  }
  if (!failed) {
    if (scan->count > 0) memcpy(out->list, scan->list, scan->count * sizeof *out->list);
    out->n = scan->count;
    out->surfaces = scan->surfaces;
  }
  on_scan_free(scan);
  return failed ? on_fail_memory(error) : true;
}

void on_scan_surface(on_scan *scan) { scan->surfaces++; }

void on_scan_word(on_scan *scan, size_t from, size_t to, on_str form) {
  if (!on_grow((void **)&scan->list, &scan->capacity, scan->count + 1, sizeof *scan->list)) {
    scan->failed = true;
    return;
  }
  scan->list[scan->count++] = (on_piece){scan->base + (uint32_t)from, scan->base + (uint32_t)to,
                                         (uint32_t)(scan->surfaces - 1), form};
}

void on_scan_token(on_scan *scan, size_t from, size_t to) {
  on_scan_surface(scan);
  on_scan_word(scan, from, to, ON_STR_NONE);
}
