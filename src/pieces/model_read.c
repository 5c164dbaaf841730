#include <stdio.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "format/json_cursor.h"
#include "pieces/model.h"
#include "pieces/read.h"

// The members of "model" as texts: its vocabulary and merges are too large for a tree.
typedef struct members {
  on_str type, vocab, merges, unk_token, unk_id, prefix, suffix, longest;
  on_str byte_fallback, fuse_unk, ignore_merges, dropout;
} members;

typedef struct reader {
  on_model *out;
  on_arena *arena;
  on_buf text;  // the string read last
  on_error *error;
} reader;

static const on_place place = {"model"};

static bool fail(reader *r, const char *key, const char *what) {
  return on_place_fail(&place, key, r->error, ON_INVALID_DATA, what);
}

static on_json_kind kind_of(on_str json) {
  on_json_cursor cursor = {json, 0};
  return json.p ? on_json_cursor_type(&cursor) : ON_JSON_NULL;
}

static bool find_members(reader *r, on_str json, members *m) {
  const struct { const char *key; on_str *value; } known[] = {
      {"type", &m->type},         {"vocab", &m->vocab},       {"merges", &m->merges},
      {"unk_token", &m->unk_token}, {"unk_id", &m->unk_id},   {"continuing_subword_prefix", &m->prefix},
      {"end_of_word_suffix", &m->suffix}, {"max_input_chars_per_word", &m->longest},
      {"byte_fallback", &m->byte_fallback}, {"fuse_unk", &m->fuse_unk}, {"ignore_merges", &m->ignore_merges},
      {"dropout", &m->dropout}};
  on_json_cursor cursor = {json, 0};
  if (on_json_cursor_type(&cursor) != ON_JSON_OBJECT) return fail(r, "", "must be an object");
  on_json_cursor_open(&cursor);
  while (on_json_cursor_more(&cursor)) {
    on_buf_clear(&r->text);
    on_json_cursor_string(&cursor, &r->text);
    if (r->text.failed) return on_fail_memory(r->error);
    on_str key = on_buf_view(&r->text), value = on_json_cursor_skip(&cursor);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      if (on_str_eq(key, on_str_c(known[i].key))) *known[i].value = value;
    }
  }
  return true;
}

// --- small members; an absent one is a text with p NULL ---

static bool read_flag(reader *r, on_str json, const char *key, bool *out) {
  *out = kind_of(json) == ON_JSON_BOOL && on_str_eq(json, ON_STR("true"));
  return kind_of(json) == ON_JSON_NULL || kind_of(json) == ON_JSON_BOOL || fail(r, key, "must be true or false");
}

// A string into r->text; false when there is none (and no error).
static bool read_string(reader *r, on_str json) {
  on_buf_clear(&r->text);
  if (kind_of(json) != ON_JSON_STRING) return false;
  on_json_cursor cursor = {json, 0};
  on_json_cursor_string(&cursor, &r->text);
  return true;
}

static bool refuse_unless_empty(reader *r, on_str json, const char *key) {
  if (kind_of(json) == ON_JSON_NULL || on_str_eq(json, ON_STR("\"\""))) return true;
  return on_place_fail(&place, key, r->error, ON_UNSUPPORTED, "is not supported");
}

static bool read_unknown_token(reader *r, const members *m, bool required) {
  if (!read_string(r, m->unk_token)) return !required || fail(r, "unk_token", "must be a string");
  r->out->unknown = on_vocab_find(&r->out->vocab, on_buf_view(&r->text));
  if (r->text.failed) return on_fail_memory(r->error);
  return r->out->unknown != ON_VOCAB_NONE || fail(r, "unk_token", "is not in the vocabulary");
}

static void find_bytes(on_model *model) {
  for (unsigned byte = 0; byte < 256; byte++) {
    char name[8];
    snprintf(name, sizeof name, "<0x%02X>", byte);
    model->bytes[byte] = on_vocab_find(&model->vocab, (on_str){name, 6});
  }
}

// --- vocabularies ---

static size_t count_items(on_str json) {
  on_json_cursor cursor = {json, 0};
  bool object = on_json_cursor_type(&cursor) == ON_JSON_OBJECT;
  size_t count = 0;
  on_json_cursor_open(&cursor);
  for (; on_json_cursor_more(&cursor); count++) {
    if (object) on_json_cursor_skip(&cursor);  // the key
    on_json_cursor_skip(&cursor);
  }
  return count;
}

static bool read_vocab_object(reader *r, on_str json) {
  on_json_cursor cursor = {json, 0};
  on_vocab *vocab = &r->out->vocab;
  if (kind_of(json) != ON_JSON_OBJECT) return fail(r, "vocab", "must be an object");
  if (!on_vocab_init(vocab, r->arena, count_items(json), json.n, r->error)) {
    return on_place_context(&place, "", r->error);
  }
  on_json_cursor_open(&cursor);
  while (on_json_cursor_more(&cursor)) {
    uint32_t id;
    on_buf_clear(&r->text);
    on_json_cursor_string(&cursor, &r->text);
    if (r->text.failed) return on_fail_memory(r->error);
    if (!on_str_to_u32(on_json_cursor_skip(&cursor), ON_PIECE_ID_MOST, &id)) {
      return on_fail(r->error, ON_INVALID_DATA, -1, "model.vocab: the id of \"%.*s\" must be an integer from 0 to %d",
                     ON_SHOW(on_buf_view(&r->text)), ON_PIECE_ID_MOST);
    }
    if (!on_vocab_add(vocab, on_buf_view(&r->text), id, r->error)) return on_place_context(&place, "", r->error);
  }
  r->out->id_count = vocab->count;
  return true;
}

static bool fail_at_index(reader *r, const char *key, size_t index, const char *what) {
  on_place at = on_place_index(&place, key, index);
  return on_place_fail(&at, "", r->error, ON_INVALID_DATA, what);
}

// Reads [string, number] or [string, string]; the second as text.
static bool read_pair(reader *r, on_json_cursor *cursor, on_str *second) {
  if (on_json_cursor_type(cursor) != ON_JSON_ARRAY) return false;
  on_json_cursor_open(cursor);
  if (!on_json_cursor_more(cursor) || on_json_cursor_type(cursor) != ON_JSON_STRING) return false;
  on_json_cursor_string(cursor, &r->text);
  if (!on_json_cursor_more(cursor)) return false;
  *second = on_json_cursor_skip(cursor);
  return !on_json_cursor_more(cursor);
}

static bool read_scored_vocab(reader *r, on_str json) {
  on_model *model = r->out;
  on_json_cursor cursor = {json, 0};
  if (kind_of(json) != ON_JSON_ARRAY) return fail(r, "vocab", "must be an array");
  size_t count = count_items(json), i = 0;
  if (!on_vocab_init(&model->vocab, r->arena, count, json.n, r->error)) return on_place_context(&place, "", r->error);
  model->scores = ON_NEW(r->arena, double, count);
  if (!model->scores) return on_fail_memory(r->error);
  double lowest = 0;
  on_json_cursor_open(&cursor);
  for (; on_json_cursor_more(&cursor); i++) {
    on_str number;
    on_buf_clear(&r->text);
    if (!read_pair(r, &cursor, &number) || kind_of(number) != ON_JSON_NUMBER) {
      return fail_at_index(r, "vocab", i, "must be [string, number]");
    }
    if (r->text.failed) return on_fail_memory(r->error);
    if (i > ON_PIECE_ID_MOST) return fail(r, "vocab", "has too many entries");
    on_str text = on_buf_view(&r->text);
    if (!on_vocab_add(&model->vocab, text, (uint32_t)i, r->error)) return on_place_context(&place, "", r->error);
    double score = on_json_number_value(number);
    model->scores[on_vocab_find(&model->vocab, text)] = score;
    if (i == 0 || score < lowest) lowest = score;
  }
  model->id_count = (uint32_t)count;
  model->unknown_score = lowest - 10;  // SentencePiece's penalty
  return true;
}

// --- merges ---

static int compare_merges(const void *a, const void *b) {
  const on_merge *x = a, *y = b;
  if (x->left != y->left) return x->left < y->left ? -1 : 1;
  if (x->right != y->right) return x->right < y->right ? -1 : 1;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

// "left right", or ["left", "right"]; into r->text one after the other, *left bytes being the left one.
static bool read_merge_texts(reader *r, on_json_cursor *cursor, size_t *left) {
  on_buf_clear(&r->text);
  if (on_json_cursor_type(cursor) == ON_JSON_STRING) {
    on_json_cursor_string(cursor, &r->text);
    on_str text = on_buf_view(&r->text);
    const char *blank = text.n ? memchr(text.p, ' ', text.n) : NULL;
    if (!blank) return false;
    *left = (size_t)(blank - text.p);
    if (memchr(blank + 1, ' ', text.n - *left - 1)) return false;
    memmove(r->text.p + *left, blank + 1, text.n - *left - 1);
    r->text.n--;
    return true;
  }
  if (on_json_cursor_type(cursor) != ON_JSON_ARRAY) return false;
  on_json_cursor_open(cursor);
  for (int k = 0; k < 2; k++) {
    *left = k == 0 ? 0 : r->text.n;
    if (!on_json_cursor_more(cursor) || on_json_cursor_type(cursor) != ON_JSON_STRING) return false;
    on_json_cursor_string(cursor, &r->text);
  }
  return !on_json_cursor_more(cursor);
}

static bool read_merge(reader *r, on_json_cursor *cursor, size_t index, on_merge *merge) {
  const on_vocab *vocab = &r->out->vocab;
  size_t left;
  if (!read_merge_texts(r, cursor, &left)) {
    return fail_at_index(r, "merges", index, "must be two strings, or one with one blank");
  }
  if (r->text.failed) return on_fail_memory(r->error);
  on_str text = on_buf_view(&r->text);
  *merge = (on_merge){.rank = (uint32_t)index, .result = on_vocab_find(vocab, text)};
  merge->left = on_vocab_find(vocab, on_str_sub(text, 0, left));
  merge->right = on_vocab_find(vocab, on_str_sub(text, left, text.n));
  if (merge->left == ON_VOCAB_NONE || merge->right == ON_VOCAB_NONE || merge->result == ON_VOCAB_NONE) {
    return fail_at_index(r, "merges", index, "is not in the vocabulary");
  }
  return true;
}

static bool read_merges(reader *r, on_str json) {
  on_model *model = r->out;
  if (kind_of(json) != ON_JSON_ARRAY) return fail(r, "merges", "must be an array");
  size_t count = count_items(json), i = 0;
  if (count >= UINT32_MAX / 2) return fail(r, "merges", "has too many elements");
  model->merges = ON_NEW(r->arena, on_merge, count);
  model->merges_of = ON_NEW0(r->arena, uint32_t, (size_t)model->vocab.count + 1);
  if (!model->merges || !model->merges_of) return on_fail_memory(r->error);
  on_json_cursor cursor = {json, 0};
  on_json_cursor_open(&cursor);
  for (; on_json_cursor_more(&cursor); i++) {
    if (!read_merge(r, &cursor, i, &model->merges[i])) return false;
    model->merges_of[model->merges[i].left + 1]++;
  }
  for (uint32_t k = 0; k < model->vocab.count; k++) model->merges_of[k + 1] += model->merges_of[k];
  return on_sort(model->merges, count, sizeof *model->merges, compare_merges) || on_fail_memory(r->error);
}

// --- the three kinds ---

static bool read_wordpiece(reader *r, const members *m) {
  on_model *model = r->out;
  model->kind = ON_MODEL_WORDPIECE;
  model->longest_word = 100;
  if (!read_vocab_object(r, m->vocab) || !read_unknown_token(r, m, true)) return false;
  if (m->longest.p && !on_str_to_u32(m->longest, UINT32_MAX, &model->longest_word)) {
    return fail(r, "max_input_chars_per_word", "must be a whole number");
  }
  if (!read_string(r, m->prefix)) return fail(r, "continuing_subword_prefix", "must be a string");
  model->prefix = on_arena_str(r->arena, on_buf_view(&r->text));
  if (r->text.failed || !model->prefix.p) return on_fail_memory(r->error);
  return on_vocab_sort(&model->vocab, r->arena, r->error);
}

static bool read_bpe(reader *r, const members *m) {
  on_model *model = r->out;
  model->kind = ON_MODEL_BPE;
  if (!refuse_unless_empty(r, m->prefix, "continuing_subword_prefix") ||
      !refuse_unless_empty(r, m->suffix, "end_of_word_suffix")) {
    return false;
  }
  if (kind_of(m->dropout) != ON_JSON_NULL && on_json_number_value(m->dropout) != 0) {
    return on_place_fail(&place, "dropout", r->error, ON_UNSUPPORTED, "is not supported");
  }
  if (!read_vocab_object(r, m->vocab) || !read_unknown_token(r, m, false) ||
      !read_flag(r, m->byte_fallback, "byte_fallback", &model->byte_fallback) ||
      !read_flag(r, m->fuse_unk, "fuse_unk", &model->fuse_unknown) ||
      !read_flag(r, m->ignore_merges, "ignore_merges", &model->ignore_merges)) {
    return false;
  }
  find_bytes(model);
  return read_merges(r, m->merges);
}

static bool read_unigram(reader *r, const members *m) {
  on_model *model = r->out;
  model->kind = ON_MODEL_UNIGRAM;
  if (!read_scored_vocab(r, m->vocab) || !read_flag(r, m->byte_fallback, "byte_fallback", &model->byte_fallback)) {
    return false;
  }
  if (kind_of(m->unk_id) != ON_JSON_NULL) {
    uint32_t id;
    if (model->id_count == 0 || !on_str_to_u32(m->unk_id, model->id_count - 1, &id)) {
      return fail(r, "unk_id", "must be the number of an entry of the vocabulary");
    }
    for (uint32_t i = 0; i < model->vocab.count; i++) {
      if (model->vocab.id[i] == id) model->unknown = i;
    }
  }
  find_bytes(model);
  return on_vocab_sort(&model->vocab, r->arena, r->error);
}

// Files of 2020 leave the type of some models out.
static bool read_kind(reader *r, const members *m) {
  if (kind_of(m->type) == ON_JSON_NULL) {
    if (m->merges.p) return read_bpe(r, m);
    if (kind_of(m->vocab) == ON_JSON_ARRAY) return read_unigram(r, m);
    if (m->longest.p) return read_wordpiece(r, m);
    return fail(r, "type", "is missing");
  }
  if (!read_string(r, m->type)) return fail(r, "type", "must be a string");
  on_str type = on_buf_view(&r->text);
  if (on_str_eq(type, ON_STR("WordPiece"))) return read_wordpiece(r, m);
  if (on_str_eq(type, ON_STR("BPE"))) return read_bpe(r, m);
  if (on_str_eq(type, ON_STR("Unigram"))) return read_unigram(r, m);
  return on_fail(r->error, ON_UNSUPPORTED, -1, "model.type: the model \"%.*s\" is not supported", ON_SHOW(type));
}

bool on_model_read(on_model *model, on_str json, on_arena *arena, on_error *error) {
  *model = (on_model){.unknown = ON_VOCAB_NONE};
  reader r = {model, arena, {0}, error};
  members m = {0};
  bool ok = find_members(&r, json, &m) && read_kind(&r, &m);
  on_buf_free(&r.text);
  return ok;
}
