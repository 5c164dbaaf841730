// Kind `rule`: white space, then punctuation at both ends and inside, without any data.
#include "tokenize/scan.h"

static bool sign(const on_scan *s, size_t i) { return on_scan_is(s, i, ON_F_SIGN); }

static size_t cluster_end(const on_scan *s, size_t p) {
  size_t end = p + 1;
  while (!on_scan_is(s, end, ON_F_CLUSTER)) end++;
  return end;
}

// A run of one sign is one token ("...", "--"); a sign with what extends it is one as well.
static size_t sign_end(const on_scan *s, size_t p) {
  size_t end = cluster_end(s, p);
  if (end != p + 1) return end;
  while (end < s->n && s->t[end] == s->t[p] && cluster_end(s, end) == end + 1) end++;
  return end;
}

// Single signs that stay inside a word or a number when it goes on after them.
static bool joins(const on_scan *s, size_t i) {
  switch (s->t[i]) {
    case '\'': case 0x2019: case '.': case ',': case ':': case '-': case '_': case '@': case '&': case 0x2010:
    case 0x2011: case 0xB7: return true;
    default: return false;
  }
}

bool on_tokenize_rule(on_arena *arena, on_str16 text, size_t from, size_t to, on_pieces *out, on_error *error) {
  on_scan scan;
  if (!on_scan_open(&scan, arena, NULL, text, from, to, error)) return false;
  on_scan *s = &scan;
  size_t p = 0;
  while (p < s->n) {
    if (on_scan_is(s, p, ON_F_SPACE)) {
      p++;
      continue;
    }
    size_t end;
    if (sign(s, p)) {
      end = sign_end(s, p);
    } else {
      end = cluster_end(s, p);
      while (!on_scan_is(s, end, ON_F_SPACE)) {
        if (sign(s, end)) {
          size_t next = cluster_end(s, end);
          bool inside = next == end + 1 && joins(s, end) && on_scan_is(s, next, ON_F_ALNUM);
          if (!inside) break;
          end = next;
        }
        end = cluster_end(s, end);
      }
    }
    on_scan_token(s, p, end);
    p = end;
  }
  return on_scan_close(s, out, error);
}
