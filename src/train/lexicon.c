#include "train/lexicon.h"

#include <string.h>

#include "head/lemmatizer.h"
#include "text/utf.h"

// Counts "<form>\t<tag>\t<lemma>" of every token with a lemma.
static bool count_triples(const on_doc *docs, size_t count, on_label_counts *triples) {
  on_buf text = {0};
  bool ok = true;
  for (size_t d = 0; ok && d < count; d++) {
    const on_doc *doc = &docs[d];
    for (size_t i = 0; ok && doc->lemma && i < doc->n; i++) {
      if (!doc->lemma[i].p || doc->lemma[i].n == 0) continue;
      on_buf_clear(&text);
      on_utf8_append(&text, on_doc_token(doc, i));
      on_buf_char(&text, '\t');
      on_buf_str(&text, on_lemma_tag(doc, i));
      on_buf_char(&text, '\t');
      on_buf_str(&text, doc->lemma[i]);
      ok = !text.failed && on_label_count(triples, on_buf_view(&text));
    }
  }
  on_buf_free(&text);
  return ok;
}

// The key and the lemma of a triple; false where the form, the tag or the lemma holds a tab itself.
static bool split(on_str triple, on_str *key, on_str *form, on_str *lemma) {
  const char *first = memchr(triple.p, '\t', triple.n);
  size_t form_end = (size_t)(first - triple.p);
  const char *second = memchr(first + 1, '\t', triple.n - form_end - 1);
  size_t key_end = (size_t)(second - triple.p);
  *form = on_str_sub(triple, 0, form_end);
  *key = on_str_sub(triple, 0, key_end);
  *lemma = on_str_sub(triple, key_end + 1, triple.n);
  return form_end > 0 && !memchr(lemma->p, '\t', lemma->n);
}

static bool is_frequent(const on_label_counts *classes, uint64_t below, bool turkic, on_str form, on_str lemma,
                        on_buf *buf, on_arena *scratch) {
  on_str16 form16, lemma16;
  on_buf_clear(buf);
  if (!on_utf16_from_utf8(scratch, form, &form16, NULL) || !on_utf16_from_utf8(scratch, lemma, &lemma16, NULL) ||
      !on_lemma_class_build(buf, form16, lemma16, turkic)) {
    return false;
  }
  const uint32_t *known = on_map_get(&classes->map, on_buf_view(buf));
  return known && classes->counts[*known] >= below;
}

// best: key to the number of its most frequent triple.
static bool find_best(const on_label_counts *triples, on_map *best) {
  for (uint32_t t = 0; t < triples->n; t++) {
    on_str key, form, lemma;
    if (!split(triples->keys[t], &key, &form, &lemma)) continue;
    uint32_t *slot = on_map_put(best, key, t, NULL);
    if (!slot) return false;
    if (triples->counts[t] > triples->counts[*slot]) *slot = t;
  }
  return true;
}

static bool write_entries(const on_label_counts *triples, const on_map *best, const on_label_counts *classes,
                          uint64_t below, bool turkic, on_buf *out) {
  on_buf buf = {0};
  on_arena scratch = {0};
  bool any = false;
  for (uint32_t t = 0; t < triples->n && !buf.failed && !scratch.failed; t++, on_arena_reset(&scratch)) {
    on_str key, form, lemma;
    if (!split(triples->keys[t], &key, &form, &lemma) || *on_map_get(best, key) != t ||
        is_frequent(classes, below, turkic, form, lemma, &buf, &scratch)) {
      continue;
    }
    if (any) on_buf_str(out, ON_STR(", "));
    any = true;
    on_json_write_string(out, key);
    on_buf_str(out, ON_STR(": "));
    on_json_write_string(out, lemma);
  }
  bool ok = !buf.failed && !scratch.failed;
  on_buf_free(&buf);
  on_arena_free(&scratch);
  return ok;
}

bool on_lexicon_infer(const on_doc *docs, size_t count, const on_label_counts *classes, uint64_t below, bool turkic,
                      on_buf *out) {
  on_label_counts triples = {0};
  on_map best = {0};
  on_buf_str(out, ON_STR("\"lexicon\": {"));
  bool ok = count_triples(docs, count, &triples) && find_best(&triples, &best) &&
            write_entries(&triples, &best, classes, below, turkic, out);
  on_buf_char(out, '}');
  on_map_free(&best);
  on_label_counts_free(&triples);
  return ok && !out->failed;
}
