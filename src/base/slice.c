#include "base/slice.h"

bool on_str_starts(on_str s, on_str prefix) {
  return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool on_str_ends(on_str s, on_str suffix) {
  return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + (s.n - suffix.n), suffix.p, suffix.n) == 0);
}

on_str on_str_line(on_str text, size_t *at) {
  size_t from = *at, end = from;
  while (end < text.n && text.p[end] != '\n') end++;
  *at = end + 1;
  return on_str_sub(text, from, end - (end > from && text.p[end - 1] == '\r'));
}

int on_str_cmp(on_str a, on_str b) {
  size_t n = a.n < b.n ? a.n : b.n;
  int order = n ? memcmp(a.p, b.p, n) : 0;
  if (order != 0) return order;
  return (a.n > b.n) - (a.n < b.n);
}

bool on_str_to_u32(on_str s, uint32_t max, uint32_t *out) {
  if (s.n == 0 || (s.n > 1 && s.p[0] == '0')) return false;
  uint64_t value = 0;
  for (size_t i = 0; i < s.n; i++) {
    unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';
    if (digit > 9) return false;
    value = value * 10 + digit;
    if (value > max) return false;
  }
  *out = (uint32_t)value;
  return true;
}
