#include "format/json_columns.h"

#define FAIL(c, ...) on_fail((c)->error, ON_DATA_FORMAT, -1, __VA_ARGS__)

typedef struct columns {
  on_doc *doc;
  const on_json *root;
  size_t words;
  on_error *error;
} columns;

// The member `name`, an array: of one element for each word where `by_word`. *out is NULL when it is absent.
static bool array(const columns *c, const char *name, bool by_word, const on_json **out) {
  *out = on_json_get(c->root, name);
  if (!*out) return true;
  if (on_json_type(*out) != ON_JSON_ARRAY) return FAIL(c, "\"%s\" must be an array", name);
  size_t count = on_json_count(*out);
  if (!by_word || count == c->words) return true;
  return FAIL(c, "\"%s\" has %zu elements, \"form\" has %zu", name, count, c->words);
}

// ---- words ------------------------------------------------------------------------------------------

// token[i]: the token of word i. Every token has a word, and they are in order.
static bool read_word_tokens(const columns *c, uint32_t *token) {
  const on_json *value;
  size_t tokens = c->doc->n;
  if (!array(c, "word_token", true, &value)) return false;
  if (!value) {
    if (c->words != tokens) return FAIL(c, "\"form\" has %zu elements, \"tokens\" has %zu", c->words, tokens);
    for (size_t i = 0; i < c->words; i++) token[i] = (uint32_t)i;
    return true;
  }
  int64_t before = -1;
  for (const on_json *item = on_json_first(value); item; item = on_json_next(item), token++) {
    int64_t at;
    if (!on_json_as_int(item, before < 0 ? 0 : before, before + 1, &at)) {
      return FAIL(c, "\"word_token\": each element must be the one before it, or the next number, from 0 on");
    }
    before = at;
    *token = (uint32_t)at;
  }
  if (before + 1 != (int64_t)tokens) {
    return FAIL(c, "\"word_token\" has words for %lld tokens of %zu", (long long)(before + 1), tokens);
  }
  return true;
}

// Entities and spans counted tokens so far; first[t] is the first word of token t, and first[tokens] behind the last.
static void count_words(on_span *spans, size_t count, const uint32_t *first) {
  for (size_t i = 0; i < count; i++) {
    spans[i].first = first[spans[i].first];
    spans[i].end = first[spans[i].end];
  }
}

static bool make_words(const columns *c) {
  on_doc *doc = c->doc;
  size_t tokens = doc->n;
  const uint32_t *start = doc->source_start, *end = doc->source_end;
  uint32_t *token = ON_NEW(&doc->arena, uint32_t, c->words), *first = ON_NEW(&doc->arena, uint32_t, tokens + 1);
  if (!token || !first) return on_fail_memory(c->error);
  if (!read_word_tokens(c, token)) return false;
  if (!on_doc_set_tokens(doc, c->words)) return on_fail_memory(c->error);
  for (size_t i = c->words; i-- > 0;) {
    first[token[i]] = (uint32_t)i;
    doc->start[i] = doc->source_start[i] = start[token[i]];
    doc->end[i] = doc->source_end[i] = end[token[i]];
  }
  first[tokens] = (uint32_t)c->words;
  count_words(doc->ents, doc->ent_count, first);
  for (size_t i = 0; i < doc->group_count; i++) count_words(doc->groups[i].spans, doc->groups[i].count, first);
  // What the reader's tokenizer may have said where the line itself gives no tokens.
  doc->text = doc->source;
  doc->respelled = false;
  doc->form = NULL;
  doc->mwts = NULL;
  doc->mwt_count = 0;
  return true;
}

// ---- sentences and ranges ---------------------------------------------------------------------------

// [first, end) or [first, end, "form"] with least <= first < end <= words.
static bool read_extent(const columns *c, const char *name, const on_json *value, size_t least, bool form,
                        size_t *first, size_t *end, on_str *text) {
  const char *shape = form ? "[first, end, \"form\"]" : "[first, end]";
  int64_t a = 0, b = 0;
  bool ok = on_json_type(value) == ON_JSON_ARRAY && on_json_count(value) == (form ? 3u : 2u);
  const on_json *second = ok ? on_json_next(on_json_first(value)) : NULL;
  ok = ok && on_json_as_int(on_json_first(value), (int64_t)least, (int64_t)c->words, &a) &&
       on_json_as_int(second, a + 1, (int64_t)c->words, &b);
  if (ok && form) {
    const on_json *third = on_json_next(second);
    *text = on_json_type(third) == ON_JSON_STRING ? on_json_string(third) : ON_STR_NONE;
    ok = text->n > 0;
  }
  if (!ok) return FAIL(c, "\"%s\": want %s of words, in order", name, shape);
  *first = (size_t)a;
  *end = (size_t)b;
  return true;
}

static bool read_sentences(const columns *c) {
  const on_json *value;
  on_str none = ON_STR_NONE;
  size_t first, end = 0;
  if (!array(c, "sentences", false, &value)) return false;
  if (!value) return true;
  for (const on_json *item = on_json_first(value); item; item = on_json_next(item)) {
    size_t before = end;
    if (!read_extent(c, "sentences", item, before, false, &first, &end, &none)) return false;
    if (first != before) return FAIL(c, "\"sentences\": word %zu is in none", before);
    c->doc->sent_start[first] = 1;
  }
  if (end != c->words) return FAIL(c, "\"sentences\": word %zu is in none", end);
  c->doc->has_sents = true;
  return true;
}

// Words [first, end), which are in no range, are tokens of their own.
static bool check_alone(const columns *c, size_t first, size_t end) {
  for (size_t i = first > 0 ? first : 1; i < end; i++) {
    if (c->doc->source_start[i] != c->doc->source_start[i - 1]) continue;
    return FAIL(c, "\"ranges\": word %zu shares a token with the one before, and is in no range with it", i);
  }
  return true;
}

static bool read_ranges(const columns *c) {
  on_doc *doc = c->doc;
  const on_json *value;
  size_t first, end = 0;
  if (!array(c, "ranges", false, &value)) return false;
  if (!value) return check_alone(c, 0, c->words);
  doc->mwts = ON_NEW(&doc->arena, on_mwt, on_json_count(value));
  if (!doc->mwts) return on_fail_memory(c->error);
  for (const on_json *item = on_json_first(value); item; item = on_json_next(item)) {
    on_str form = ON_STR_NONE;
    size_t before = end;
    // (The first word of a range shares no token either.)
    if (!read_extent(c, "ranges", item, end, true, &first, &end, &form) || !check_alone(c, before, first + 1)) {
      return false;
    }
    for (size_t i = first + 1; i < end; i++) {
      if (doc->sent_start[i]) return FAIL(c, "\"ranges\": a sentence starts at word %zu, inside a range", i);
    }
    on_mwt *mwt = &doc->mwts[doc->mwt_count++];
    *mwt = (on_mwt){.first = (uint32_t)first,
                    .count = (uint32_t)(end - first),
                    .source_start = doc->source_start[first],
                    .source_end = doc->source_end[end - 1],
                    .form = on_arena_str(&doc->arena, form)};
    if (!mwt->form.p) return on_fail_memory(c->error);
  }
  return check_alone(c, end, c->words);
}

// ---- columns ----------------------------------------------------------------------------------------

static bool read_strings(const columns *c, const char *name, on_str **column) {
  const on_json *value;
  if (!array(c, name, true, &value)) return false;
  if (!value) return true;
  if (!on_doc_column(c->doc, column)) return on_fail_memory(c->error);
  on_str *out = *column;
  for (const on_json *item = on_json_first(value); item; item = on_json_next(item), out++) {
    if (on_json_type(item) == ON_JSON_NULL) continue;
    if (on_json_type(item) != ON_JSON_STRING || on_json_string(item).n == 0) {
      return FAIL(c, "\"%s\": want strings that are not empty, or null", name);
    }
    *out = on_arena_str(&c->doc->arena, on_json_string(item));
    if (!out->p) return on_fail_memory(c->error);
  }
  return true;
}

static bool read_heads(const columns *c) {
  on_doc *doc = c->doc;
  const on_json *value;
  if (!array(c, "head", true, &value)) return false;
  if (!value) return true;
  doc->head = ON_NEW(&doc->arena, uint32_t, c->words);
  if (!doc->head) return on_fail_memory(c->error);
  const on_json *item = on_json_first(value);
  for (size_t first = 0; first < c->words;) {
    size_t end = on_doc_sentence_end(doc, first);
    for (size_t i = first; i < end; i++, item = on_json_next(item)) {
      int64_t head = 0;
      if (on_json_type(item) != ON_JSON_NULL && !on_json_as_int(item, 0, (int64_t)(end - first), &head)) {
        return FAIL(c, "\"head\": want 0, the number of a word of the sentence, or null");
      }
      if (head == (int64_t)(i - first) + 1) return FAIL(c, "\"head\": word %zu is its own head", i);
      doc->head[i] = head == 0 ? (uint32_t)i : (uint32_t)(first + (size_t)head - 1);
    }
    first = end;
  }
  return true;
}

int on_doc_columns_from_json(on_doc *doc, const on_json *root, on_error *error) {
  columns c = {.doc = doc, .root = root, .error = error};
  const on_json *form = on_json_get(root, "form");
  if (!form || on_json_type(form) != ON_JSON_ARRAY) return 0;
  c.words = on_json_count(form);
  bool ok = make_words(&c) && read_sentences(&c) && read_ranges(&c) && read_heads(&c) &&
            read_strings(&c, "form", &doc->form) && read_strings(&c, "lemma", &doc->lemma) &&
            read_strings(&c, "upos", &doc->pos) && read_strings(&c, "xpos", &doc->tag) &&
            read_strings(&c, "feats", &doc->morph) && read_strings(&c, "deprel", &doc->dep);
  return ok ? 1 : -1;
}
