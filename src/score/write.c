#include "score/write.h"

size_t on_count_characters(on_str s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
  return n;
}

static void pad(on_buf *out, on_str s, size_t width) {
  for (size_t n = on_count_characters(s); n < width; n++) on_buf_char(out, ' ');
}

void on_write_right(on_buf *out, on_str s, size_t width) {
  pad(out, s, width);
  on_buf_str(out, s);
}

void on_write_left(on_buf *out, on_str s, size_t width) {
  on_buf_str(out, s);
  pad(out, s, width);
}

// Hundredths of `value`, which is at most 100. Works on the binary fraction, so the rounding is exact.
static uint64_t to_hundredths(double value) {
  uint64_t whole = (uint64_t)value;
  double fraction = value - (double)whole;
  if (fraction < 1.0 / 512) return 100 * whole;
  unsigned shift = 0;  // at most 61: 53 significant bits, the first of them no later than the ninth
  while (fraction != (double)(uint64_t)fraction) {
    fraction *= 2;  // exact: only the exponent moves
    shift++;
  }
  if (shift == 0) return 100 * whole;
  uint64_t product = 100 * (uint64_t)fraction, half = (uint64_t)1 << (shift - 1);
  uint64_t units = product >> shift, rest = product & (2 * half - 1);
  if (rest > half || (rest == half && (units & 1))) units++;
  return 100 * whole + units;
}

void on_write_percent(on_buf *out, double value, size_t width) {
  uint64_t units = to_hundredths(100 * value);
  char text[8];  // 100.00 is the longest
  size_t at = sizeof text;
  for (int i = 0; i < 3 || units; i++) {
    if (i == 2) text[--at] = '.';
    text[--at] = (char)('0' + units % 10);
    units /= 10;
    if (at == 0) break;
  }
  on_write_right(out, (on_str){text + at, sizeof text - at}, width);
}

void on_write_fraction(on_buf *out, double value) {
  if (value < 0) {
    on_buf_str(out, ON_STR("null"));
    return;
  }
  uint64_t units = (uint64_t)(value * 1000000 + 0.5);
  on_buf_u64(out, units / 1000000);
  on_buf_char(out, '.');
  for (uint64_t place = 100000; place > 0; place /= 10) on_buf_char(out, (char)('0' + units / place % 10));
}

static void write_key(on_buf *out, const char *key) {
  on_buf_str(out, ON_STR(",\""));
  on_buf_str(out, on_str_c(key));
  on_buf_str(out, ON_STR("\":"));
}

void on_write_count(on_buf *out, const char *key, uint64_t value) {
  write_key(out, key);
  on_buf_u64(out, value);
}

void on_write_member(on_buf *out, const char *key, double fraction) {
  write_key(out, key);
  on_write_fraction(out, fraction);
}
