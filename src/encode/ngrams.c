#include "encode/ngrams.h"

#include "encode/attributes.h"
#include "nn/math.h"
#include "text/utf.h"

// The marks are U+0000, which is no character of a word.
static size_t put_mark(uint16_t *units, uint32_t *at, size_t count) {
  units[at[count]] = 0;
  at[count + 1] = at[count] + 1;
  return count + 1;
}

size_t on_ngram_rows(const on_ngrams *ngrams, on_str16 word, uint32_t *rows) {
  uint16_t units[2 * ON_NGRAM_CHARS + 2];
  uint32_t at[ON_NGRAM_CHARS + 3] = {0};  // where each character begins in units
  size_t count = put_mark(units, at, 0), from = 0;
  for (; from < word.n && count <= ON_NGRAM_CHARS; count++) {
    size_t next = from;
    on_utf16_next(word, &next);
    at[count + 1] = at[count];
    while (from < next) units[at[count + 1]++] = word.p[from++];
  }
  if (from == word.n) count = put_mark(units, at, count);
  size_t n = 0;
  for (size_t first = 0; first < count; first++) {
    uint64_t state = ngrams->start;
    for (size_t end = first + 1; end <= count && end - first <= ngrams->max; end++) {
      for (uint32_t u = at[end - 1]; u < at[end]; u++) state = on_fnv1a_unit(state, units[u]);
      if (end - first >= ngrams->min) rows[n++] = on_attr_row(on_splitmix64(state), 0, ngrams->rows);
    }
  }
  return n;
}

float on_ngram_scale(size_t count) { return count ? 1.0f / on_sqrt((float)count) : 0; }
