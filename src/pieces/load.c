#include "base/alloc.h"
#include "format/json_cursor.h"
#include "format/json_scan.h"
#include "pieces/piece_model.h"
#include "pieces/read.h"

enum { DEEPEST = 32 };

// The members of the file, as texts.
typedef struct members {
  on_str version, added_tokens, normalizer, pre_tokenizer, model, post_processor;
} members;

static bool find_members(on_str json, members *m, on_error *error) {
  const struct { const char *key; on_str *value; } known[] = {
      {"version", &m->version},             {"added_tokens", &m->added_tokens}, {"normalizer", &m->normalizer},
      {"pre_tokenizer", &m->pre_tokenizer}, {"model", &m->model},               {"post_processor", &m->post_processor}};
  on_json_cursor cursor = {json, 0};
  if (on_json_cursor_type(&cursor) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "must be an object");
  }
  on_buf key = {0};
  on_json_cursor_open(&cursor);
  while (on_json_cursor_more(&cursor)) {
    on_buf_clear(&key);
    on_json_cursor_string(&cursor, &key);
    on_str value = on_json_cursor_skip(&cursor);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      if (!key.failed && on_str_eq(on_buf_view(&key), on_str_c(known[i].key))) *known[i].value = value;
    }
    if (key.failed) break;
  }
  bool ok = !key.failed;
  on_buf_free(&key);
  return ok || on_fail_memory(error);
}

// A member as a tree; *out is NULL when it is not there.
static bool parse(on_str text, on_json **out, on_error *error) {
  *out = NULL;
  if (!text.p) return true;
  *out = on_json_parse(text, DEEPEST, error);
  return *out != NULL;
}

static uint32_t highest_id(const on_piece_model *model) {
  uint32_t highest = 0;
  const on_vocab *vocabs[] = {&model->model.vocab, &model->added.contents};
  for (size_t k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < vocabs[k]->count; i++) {
      if (vocabs[k]->id[i] > highest) highest = vocabs[k]->id[i];
    }
  }
  for (size_t i = 0; i < model->post.before_count; i++) {
    if (model->post.before[i] > highest) highest = model->post.before[i];
  }
  for (size_t i = 0; i < model->post.after_count; i++) {
    if (model->post.after[i] > highest) highest = model->post.after[i];
  }
  return highest;
}

static bool load(on_piece_model *model, on_arena *arena, const members *m, on_error *error) {
  on_json *trees[5] = {0};
  const on_str texts[5] = {m->version, m->normalizer, m->pre_tokenizer, m->post_processor, m->added_tokens};
  bool ok = true;
  for (size_t i = 0; ok && i < 5; i++) ok = parse(texts[i], &trees[i], error);
  if (ok && trees[0]) {
    ok = on_json_type(trees[0]) == ON_JSON_STRING && on_str_eq(on_json_string(trees[0]), ON_STR("1.0"));
    if (!ok) on_fail(error, ON_UNSUPPORTED, -1, "version: must be \"1.0\"");
  }
  ok = ok && on_normalizer_read(&model->normalizer, trees[1], arena, error) &&
       on_pretokenizer_read(&model->pretokenizer, trees[2], arena, error) &&
       on_post_read(&model->post, trees[3], arena, error) && on_model_read(&model->model, m->model, arena, error) &&
       on_added_read(&model->added, trees[4], &model->model, &model->normalizer, arena, error);
  for (size_t i = 0; i < 5; i++) on_json_free(trees[i]);
  return ok;
}

bool on_piece_model_load(on_piece_model **out, on_arena *arena, on_str tokenizer_json, on_error *error) {
  members m = {0};
  on_piece_model *model = ON_NEW0(arena, on_piece_model, 1);
  *out = NULL;
  if (!model) return on_fail_memory(error);
  if (!on_json_scan(tokenizer_json, DEEPEST, error) || !find_members(tokenizer_json, &m, error) ||
      !load(model, arena, &m, error)) {
    return on_fail_context(error, "tokenizer");
  }
  model->size = highest_id(model) + 1;
  *out = model;
  return true;
}
