#include "tokenize/scan.h"

#include <string.h>

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

// The same for ASCII, where every character starts a grapheme cluster (a line feed after a carriage return does not,
// but white space is set apart in any case, see below).
#define C ON_F_CLUSTER
#define SP (ON_F_SPACE | ON_F_CLUSTER | ON_F_WORD)
#define LB (SP | ON_F_LINE)
#define S (ON_F_SIGN | C)
#define O (S | ON_F_OPEN)
#define E (S | ON_F_CLOSE)
#define Q (O | E)
#define D (ON_F_DIGIT | C)
#define U (ON_F_LETTER | ON_F_UPPER | C)
#define L (ON_F_LETTER | ON_F_LOWER | C)
static const uint16_t ascii_flags[128] = {
    C, C, C, C, C, C, C, C, C, SP, LB, LB, LB, LB, C, C,  //
    C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,       //
    SP, S, Q, S, S, S, S, Q, O, E, S, S, S, S, S, S,      //   ! " # $ % & ' ( ) * + , - . /
    D, D, D, D, D, D, D, D, D, D, S, S, S, S, S, S,       // 0 to 9 : ; < = > ?
    S, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,       // @ A to O
    U, U, U, U, U, U, U, U, U, U, U, O, S, E, S, S,       // P to Z [ \ ] ^ _
    S, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,       // ` a to o
    L, L, L, L, L, L, L, L, L, L, L, O, S, E, S, C,       // p to z { | } ~
};
#undef C
#undef SP
#undef LB
#undef S
#undef O
#undef E
#undef Q
#undef D
#undef U
#undef L

// Below U+0300 nothing extends a cluster.
enum { FIRST_EXTENDER = 0x300, SET_APART = ON_F_CLUSTER | ON_F_WORD };

// What kind each unit is, and where clusters start. White space is in no token, even where a cluster or a segment
// holds it (a mark after a blank): it is set apart, and so is what follows it.
static void mark_units(const uint16_t *t, size_t n, uint16_t *f) {
  uint16_t apart = 0;
  for (size_t i = 0; i < n;) {
    if (t[i] < 0x80 && (i + 1 == n || t[i + 1] < FIRST_EXTENDER)) {
      uint16_t flags = ascii_flags[t[i]];
      f[i++] = flags | apart;
      apart = flags & ON_F_SPACE ? SET_APART : 0;
      continue;
    }
    size_t end = on_next_grapheme_break((on_str16){t, n}, i);
    for (uint16_t cluster = ON_F_CLUSTER; i < end; cluster = 0) {
      size_t start = i;
      uint16_t flags = flags_of(on_utf16_next((on_str16){t, end}, &i));
      f[start] = (uint16_t)(flags | cluster | apart | (flags & ON_F_SPACE ? SET_APART : 0));
      if (i - start == 2) f[start + 1] = (uint16_t)(flags | ON_F_TAIL);
      apart = flags & ON_F_SPACE ? SET_APART : 0;
    }
  }
}

// The end of the segment of UAX #29 that starts at i; in ASCII without its tables.
static size_t segment_end(const uint16_t *t, size_t n, const uint16_t *f, size_t i) {
  if (t[i] < 0x80) {
    size_t end = i + 1;
    bool letter = (f[i] & ON_F_LETTER) != 0;
    if (letter) {
      while (end < n && t[end] < 0x80 && (f[end] & ON_F_LETTER)) end++;
    }
    if (end == n) return n;
    uint16_t next = t[end];
    // Inside a word these may join it to what follows.
    bool joins = letter && (next == '\'' || next == '.' || next == ':');
    bool known = next < 0x80 && !(f[i] & ON_F_DIGIT) && t[i] != '_' && !(letter && ((f[end] & ON_F_DIGIT) || next == '_')) &&
                 t[i] != '\r' && !(t[i] == ' ' && next == ' ');
    if (known && (!joins || end + 1 == n || (t[end + 1] < 0x80 && !(f[end + 1] & ON_F_LETTER)))) return end;
  }
  return on_next_word_break((on_str16){t, n}, i);
}

uint16_t *on_scan_flags(on_arena *arena, const uint16_t *t, size_t n, bool words) {
  uint16_t *f = n < SIZE_MAX ? ON_NEW(arena, uint16_t, n + 1) : NULL;
  if (!f) return NULL;
  mark_units(t, n, f);
  f[n] = ON_F_SPACE | ON_F_LINE | ON_F_CLUSTER | ON_F_WORD;
  for (size_t i = 0; words && i < n; i = segment_end(t, n, f, i)) f[i] |= ON_F_WORD;
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
  scan->f = on_scan_flags(arena, scan->t, scan->n, data != NULL);
  return scan->f ? true : on_fail_memory(error);
}

bool on_scan_close(on_scan *scan, on_pieces *out, on_error *error) {
  if (scan->failed) return on_fail_memory(error);
  *out = (on_pieces){.list = scan->list, .n = scan->count, .surfaces = scan->surfaces};
  return true;
}

void on_scan_surface(on_scan *scan) { scan->surfaces++; }

// Longer lists double; that of a usual paragraph is right at once (English has a word in six units).
static bool enlarge(on_scan *scan) {
  size_t capacity = scan->capacity ? 2 * scan->capacity : scan->n / 4 + 8;
  on_piece *list = ON_NEW(scan->arena, on_piece, capacity);
  if (!list) return false;
  if (scan->count) memcpy(list, scan->list, scan->count * sizeof *list);
  scan->list = list;
  scan->capacity = capacity;
  return true;
}

void on_scan_word(on_scan *scan, size_t from, size_t to, on_str form) {
  if (scan->count == scan->capacity && !enlarge(scan)) {
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
