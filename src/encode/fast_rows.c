// Which rows of the embedding tables a token reads.
#include "encode/attributes.h"
#include "encode/fast.h"
#include "text/chars.h"

// The attribute texts of one token, made once and hashed for every table that reads them.
typedef struct texts {
  on_str16 token, norm, lower, shape;
} texts;

static bool make_texts(const on_fast *fast, on_str16 token, on_arena *scratch, texts *out) {
  uint16_t *lower = ON_NEW(scratch, uint16_t, 2 * token.n);
  if (!lower) return false;
  uint16_t *shape = lower + token.n;  // neither becomes longer
  out->token = token;
  out->lower = (on_str16){lower, on_lower_text(lower, token, false)};
  out->shape = (on_str16){shape, on_attr_shape(shape, token)};
  out->norm = out->lower;
  if (fast->turkic_case) {
    uint16_t *turkic = ON_NEW(scratch, uint16_t, 2 * token.n);
    if (!turkic) return false;
    out->norm = (on_str16){turkic, on_lower_text(turkic, token, true)};
  }
  return true;
}

static on_str16 attribute_of(const on_fast_table *table, const texts *t) {
  switch (table->attribute) {
    case ON_ATTR_NORM: return t->norm;
    case ON_ATTR_PREFIX: return on_attr_prefix(t->token, table->length);
    case ON_ATTR_SUFFIX: return on_attr_suffix(t->token, table->length);
    case ON_ATTR_SHAPE: return t->shape;
    case ON_ATTR_CASED: return t->token;
    case ON_ATTR_LOWER:
    case ON_ATTR_BIGRAM: break;
  }
  return t->lower;
}

bool on_fast_ngram_rows(const on_fast *fast, on_str16 token, on_arena *scratch, uint32_t *rows, size_t *count) {
  uint16_t *norm = ON_NEW(scratch, uint16_t, 2 * token.n);
  if (!norm) return false;
  *count = on_ngram_rows(&fast->ngrams, (on_str16){norm, on_lower_text(norm, token, fast->turkic_case)}, rows);
  return true;
}

// A bigram joins two lower-cased texts with U+0000.
static uint64_t bigram_hash(uint64_t start, on_str16 first, on_str16 second) {
  uint64_t state = on_fnv1a_unit(on_fnv1a_units(start, first), 0);
  return on_splitmix64(on_fnv1a_units(state, second));
}

// t points to the token's own texts; t[-2], t[-1], t[1], t[2] are its neighbours' (empty beyond the edge).
static uint64_t hash_of(const on_fast_table *table, const texts *t) {
  switch (table->group) {
    case ON_GROUP_PREV: t -= 1; break;
    case ON_GROUP_NEXT: t += 1; break;
    case ON_GROUP_PREV2: t -= 2; break;
    case ON_GROUP_NEXT2: t += 2; break;
    case ON_GROUP_BIGRAM_PREV: return bigram_hash(table->start, t[-1].lower, t[0].lower);
    case ON_GROUP_BIGRAM_NEXT: return bigram_hash(table->start, t[0].lower, t[1].lower);
    case ON_GROUP_OWN:
    case ON_FAST_GROUPS: break;
  }
  return on_attr_hash(table->start, attribute_of(table, t));
}

static bool looks_at_bigram(const on_fast_table *table) {
  return table->group == ON_GROUP_BIGRAM_PREV || table->group == ON_GROUP_BIGRAM_NEXT;
}

static bool choose_rows(const on_fast *fast, const on_doc *doc, bool bigrams_alone, on_arena *scratch,
                        uint32_t *rows) {
  enum { EDGE = 2 };
  texts *all = ON_NEW0(scratch, texts, EDGE + doc->n + EDGE);
  if (!all) return false;
  for (size_t i = 0; i < doc->n; i++) {
    if (!make_texts(fast, on_doc_token(doc, i), scratch, &all[i + EDGE])) return false;
  }
  for (size_t i = 0; i < doc->n; i++) {
    for (uint32_t t = 0; t < fast->table_count; t++, rows += fast->hashes) {
      const on_fast_table *table = &fast->tables[t];
      if (bigrams_alone && !looks_at_bigram(table)) continue;
      uint64_t hash = hash_of(table, &all[i + EDGE]);
      for (unsigned f = 0; f < fast->hashes; f++) rows[f] = on_attr_row(hash, f, table->rows);
    }
  }
  return true;
}

bool on_fast_rows(const on_fast *fast, const on_doc *doc, on_arena *scratch, uint32_t *rows) {
  return choose_rows(fast, doc, false, scratch, rows);
}

bool on_fast_bigram_rows(const on_fast *fast, const on_doc *doc, on_arena *scratch, uint32_t *rows) {
  return choose_rows(fast, doc, true, scratch, rows);
}

bool on_fast_form_rows(const on_fast *fast, on_str16 token, on_arena *scratch, uint32_t *rows) {
  texts own;
  if (!make_texts(fast, token, scratch, &own)) return false;
  for (uint32_t t = 0; t < fast->table_count; t++, rows += fast->hashes) {
    const on_fast_table *table = &fast->tables[t];
    if (looks_at_bigram(table)) continue;
    uint64_t hash = on_attr_hash(table->start, attribute_of(table, &own));
    for (unsigned f = 0; f < fast->hashes; f++) rows[f] = on_attr_row(hash, f, table->rows);
  }
  return true;
}
