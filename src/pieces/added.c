#include "pieces/added.h"

#include "base/alloc.h"
#include "pieces/read.h"
#include "pieces/unicode.h"
#include "text/chars.h"
#include "text/utf.h"

// --- reading ---

typedef struct reader {
  on_added *out;
  const on_model *model;
  const on_normalizer *normalizer;
  on_arena *arena;
  on_error *error;
} reader;

static bool read_token(reader *r, const on_json *json, const on_place *place, uint32_t *next_id) {
  on_added_token token;
  on_str content;
  if (on_json_type(json) != ON_JSON_OBJECT) {
    return on_place_fail(place, "", r->error, ON_INVALID_DATA, "must be an object");
  }
  if (!on_read_text(json, place, "content", &content, r->error) ||
      !on_read_bool(json, place, "single_word", false, &token.single_word, r->error) ||
      !on_read_bool(json, place, "lstrip", false, &token.left, r->error) ||
      !on_read_bool(json, place, "rstrip", false, &token.right, r->error) ||
      !on_read_bool(json, place, "normalized", true, &token.normalized, r->error)) {
    return false;
  }
  if (content.n == 0) return true;
  uint32_t entry = on_vocab_find(&r->out->contents, content);
  if (entry == ON_VOCAB_NONE) {
    uint32_t known = on_vocab_find(&r->model->vocab, content);
    token.id = known != ON_VOCAB_NONE ? r->model->vocab.id[known] : (*next_id)++;
    if (token.id > ON_PIECE_ID_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "has too high an id");
    entry = r->out->contents.count;
    if (!on_vocab_add(&r->out->contents, content, token.id, r->error)) return on_place_context(place, "", r->error);
  } else {
    token.id = r->out->tokens[entry].id;
  }
  r->out->tokens[entry] = token;
  return true;
}

// What a normalized token looks like in a normalized text.
static bool normalize(reader *r, on_str content, on_buf *out) {
  on_flow flow = {0};
  on_arena scratch = {0};
  on_str16 text;
  on_buf_clear(out);
  bool ok = on_utf16_from_utf8(&scratch, content, &text, r->error) && on_flow_start(&flow, text, r->error) &&
            on_normalizer_run(r->normalizer, &flow, r->error);
  for (size_t i = 0; ok && i < flow.chars.n; i++) on_buf_codepoint(out, flow.chars.p[i].c);
  on_flow_free(&flow);
  on_arena_free(&scratch);
  return ok && (!out->failed || on_fail_memory(r->error));
}

static bool add_pattern(reader *r, on_vocab *vocab, uint64_t *starts, on_str text, uint32_t entry) {
  if (text.n == 0 || on_vocab_find(vocab, text) != ON_VOCAB_NONE) {
    on_str content = on_vocab_text(&r->out->contents, entry);
    return on_fail(r->error, ON_UNSUPPORTED, -1, "added_tokens: \"%.*s\" %s", ON_SHOW(content),
                   text.n ? "is normalized to the same as another" : "is normalized to nothing");
  }
  unsigned char first = (unsigned char)text.p[0];
  starts[first >> 6] |= UINT64_C(1) << (first & 63);
  return on_vocab_add(vocab, text, entry, r->error) || on_fail_context(r->error, "added_tokens");
}

// Two passes, since the room for the normalized forms must be known: the first only measures.
static bool make_patterns(reader *r) {
  on_added *out = r->out;
  on_buf text = {0};
  size_t bytes = 0;
  bool ok = true;
  for (int pass = 0; ok && pass < 2; pass++) {
    if (pass == 1) {
      uint32_t count = out->contents.count;
      ok = on_vocab_init(&out->plain, r->arena, count, out->contents.offset[count], r->error) &&
           on_vocab_init(&out->normalized, r->arena, count, bytes, r->error);
    }
    for (uint32_t i = 0; ok && i < out->contents.count; i++) {
      on_str content = on_vocab_text(&out->contents, i);
      if (!out->tokens[i].normalized) {
        if (pass == 1) ok = add_pattern(r, &out->plain, out->plain_starts, content, i);
        continue;
      }
      ok = normalize(r, content, &text);
      bytes += text.n;
      if (ok && pass == 1) ok = add_pattern(r, &out->normalized, out->normalized_starts, on_buf_view(&text), i);
    }
  }
  on_buf_free(&text);
  return ok && on_vocab_sort(&out->plain, r->arena, r->error) && on_vocab_sort(&out->normalized, r->arena, r->error);
}

bool on_added_read(on_added *added, const on_json *json, const on_model *model, const on_normalizer *normalizer,
                   on_arena *arena, on_error *error) {
  *added = (on_added){0};
  if (!json || on_json_type(json) == ON_JSON_NULL) return true;
  if (on_json_type(json) != ON_JSON_ARRAY) {
    return on_fail(error, ON_INVALID_DATA, -1, "added_tokens: must be an array");
  }
  reader r = {added, model, normalizer, arena, error};
  size_t count = 0, bytes = 0, i = 0;
  for (const on_json *item = on_json_first(json); item; item = on_json_next(item), count++) {
    const on_json *content = on_read_member(item, "content");
    if (content && on_json_type(content) == ON_JSON_STRING) bytes += on_json_string(content).n;
  }
  if (!on_vocab_init(&added->contents, arena, count, bytes, error)) return on_fail_context(error, "added_tokens");
  added->tokens = ON_NEW(arena, on_added_token, count);
  if (!added->tokens) return on_fail_memory(error);
  uint32_t next_id = model->id_count;
  for (const on_json *item = on_json_first(json); item; item = on_json_next(item), i++) {
    on_place place = on_place_index(&(on_place){""}, "added_tokens", i);
    if (!read_token(&r, item, &place, &next_id)) return false;
  }
  return make_patterns(&r);
}

// --- finding ---

typedef struct finder {
  const on_added *added;
  const on_vocab *vocab;
  const uint64_t *starts;
  const on_char *p;
  uint32_t from, to;  // of the span
} finder;

// The longest token that starts at character `at`; its end in *end.
static uint32_t longest_at(const finder *f, uint32_t at, uint32_t *end) {
  char bytes[4];
  on_vocab_walk walk = on_vocab_start(f->vocab);
  uint32_t found = ON_VOCAB_NONE;
  for (uint32_t i = at; i < f->to; i++) {
    size_t n = on_char_utf8(f->p[i].c, bytes), k = 0;
    uint8_t first = (uint8_t)bytes[0];
    if (i == at && !(f->starts[first >> 6] >> (first & 63) & 1)) break;
    while (k < n && on_vocab_step(f->vocab, &walk, (uint8_t)bytes[k])) k++;
    if (k < n) break;
    uint32_t here = on_vocab_here(f->vocab, &walk);
    if (here == ON_VOCAB_NONE) continue;
    found = here;
    *end = i + 1;
  }
  return found;
}

static bool stands_alone(const finder *f, uint32_t from, uint32_t to) {
  return (from == f->from || !on_word_rust(f->p[from - 1].c)) && (to == f->to || !on_word_rust(f->p[to].c));
}

static void cut_span(const finder *f, on_flow *flow) {
  uint32_t done = f->from, end = 0;
  for (uint32_t i = f->from; i < f->to;) {
    uint32_t entry = longest_at(f, i, &end);
    if (entry == ON_VOCAB_NONE) {
      i++;
      continue;
    }
    uint32_t token = f->vocab->id[entry], from = i;
    const on_added_token *t = &f->added->tokens[token];
    i = end;
    if (t->single_word && !stands_alone(f, from, end)) continue;
    if (t->left && from < done) from = done;
    while (t->left && from > done && on_is_space(f->p[from - 1].c)) from--;
    while (t->right && end < f->to && on_is_space(f->p[end].c)) end++;
    on_flow_add_span(flow, done, from, ON_SPAN_TEXT);
    on_flow_add_span(flow, from, end, (int32_t)token);
    done = end;
  }
  on_flow_add_span(flow, done, f->to, ON_SPAN_TEXT);
}

void on_added_cut(const on_added *added, bool normalized, on_flow *flow) {
  const on_vocab *vocab = normalized ? &added->normalized : &added->plain;
  const uint64_t *starts = normalized ? added->normalized_starts : added->plain_starts;
  if (vocab->count == 0) return;
  for (size_t i = 0; i < flow->spans.n; i++) {
    const on_span_of_text *span = &flow->spans.p[i];
    finder f = {added, vocab, starts, flow->chars.p, span->from, span->to};
    if (span->added != ON_SPAN_TEXT) on_flow_add_span(flow, span->from, span->to, span->added);
    else cut_span(&f, flow);
  }
  on_flow_turn_spans(flow);
}
