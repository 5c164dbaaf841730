#include "pieces/post.h"

#include "pieces/read.h"
#include "text/utf.h"

enum { NESTED_MOST = 8, SPECIALS_MOST = 64 };

typedef struct reader {
  on_post *out;
  on_arena *arena;
  on_error *error;
} reader;

static bool add_trim(reader *r, const on_json *json, const on_place *place) {
  bool wanted, prefix;
  if (!on_read_bool(json, place, "trim_offsets", true, &wanted, r->error) ||
      !on_read_bool(json, place, "add_prefix_space", true, &prefix, r->error)) {
    return false;
  }
  if (!wanted) return true;
  if (r->out->trim_count == ON_TRIMS_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "too many steps");
  r->out->trims[r->out->trim_count++] = (on_trim){prefix, r->out->added};
  return true;
}

// Makes room for special tokens; only one processor may add them.
static bool start_specials(reader *r, const on_place *place) {
  if (r->out->added) return on_place_fail(place, "", r->error, ON_UNSUPPORTED, "adds special tokens a second time");
  r->out->added = true;
  r->out->before = ON_NEW(r->arena, uint32_t, SPECIALS_MOST);
  r->out->after = ON_NEW(r->arena, uint32_t, SPECIALS_MOST);
  return (r->out->before && r->out->after) || on_fail_memory(r->error);
}

static bool add_special(reader *r, const on_place *place, bool after, uint32_t id) {
  size_t *count = after ? &r->out->after_count : &r->out->before_count;
  if (*count == SPECIALS_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "more than 64 special tokens");
  (after ? r->out->after : r->out->before)[(*count)++] = id;
  return true;
}

// ["</s>", 2]
static bool read_token(reader *r, const on_json *json, const on_place *place, const char *key, bool after) {
  const on_json *pair = on_read_member(json, key);
  uint32_t id;
  if (!pair || on_json_type(pair) != ON_JSON_ARRAY || on_json_count(pair) != 2 ||
      on_json_type(on_json_first(pair)) != ON_JSON_STRING) {
    return on_place_fail(place, key, r->error, ON_INVALID_DATA, "must be [string, number]");
  }
  return on_read_id(on_json_next(on_json_first(pair)), place, key, &id, r->error) && add_special(r, place, after, id);
}

static bool read_around(reader *r, const on_json *json, const on_place *place) {
  return start_specials(r, place) && read_token(r, json, place, "cls", false) &&
         read_token(r, json, place, "sep", true);
}

static bool read_roberta(reader *r, const on_json *json, const on_place *place) {
  return add_trim(r, json, place) && read_around(r, json, place);
}

static bool add_template_token(reader *r, const on_json *json, const on_place *place, const on_json *token,
                               bool after) {
  on_str name;
  if (!on_read_text(token, place, "id", &name, r->error)) return false;
  const on_json *tokens = on_read_member(json, "special_tokens"), *found = NULL;
  if (tokens && on_json_type(tokens) == ON_JSON_OBJECT) {
    for (found = on_json_first(tokens); found && !on_str_eq(on_json_key(found), name);) found = on_json_next(found);
  }
  const on_json *ids = found ? on_read_member(found, "ids") : NULL;
  if (!ids || on_json_type(ids) != ON_JSON_ARRAY) {
    return on_place_fail(place, "special_tokens", r->error, ON_INVALID_DATA, "lacks the ids of a special token");
  }
  for (const on_json *id = on_json_first(ids); id; id = on_json_next(id)) {
    uint32_t number;
    if (!on_read_id(id, place, "special_tokens", &number, r->error)) return false;
    if (!add_special(r, place, after, number)) return false;
  }
  return true;
}

static bool read_template(reader *r, const on_json *json, const on_place *place) {
  const on_json *single = on_read_member(json, "single");
  if (!single || on_json_type(single) != ON_JSON_ARRAY) {
    return on_place_fail(place, "single", r->error, ON_INVALID_DATA, "must be an array");
  }
  if (!start_specials(r, place)) return false;
  bool text = false;
  for (const on_json *item = on_json_first(single); item; item = on_json_next(item)) {
    const on_json *token = on_read_member(item, "SpecialToken"), *sequence = on_read_member(item, "Sequence");
    on_str name = ON_STR_NONE;
    if (token && !add_template_token(r, json, place, token, text)) return false;
    if (token) continue;
    if (!sequence || !on_read_text(sequence, place, "id", &name, NULL) || !on_str_eq(name, ON_STR("A")) || text) {
      return on_place_fail(place, "single", r->error, ON_UNSUPPORTED, "must be special tokens around one Sequence A");
    }
    text = true;
  }
  return text || on_place_fail(place, "single", r->error, ON_UNSUPPORTED, "leaves the text out");
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth);

static bool read_sequence(reader *r, const on_json *json, const on_place *place, int depth) {
  const on_json *list = on_read_member(json, "processors");
  if (!list || on_json_type(list) != ON_JSON_ARRAY) {
    return on_place_fail(place, "processors", r->error, ON_INVALID_DATA, "must be an array");
  }
  if (depth == NESTED_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "is nested too deep");
  size_t i = 0;
  for (const on_json *item = on_json_first(list); item; item = on_json_next(item), i++) {
    on_place at = on_place_index(place, "processors", i);
    if (!read_one(r, item, &at, depth + 1)) return false;
  }
  return true;
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth) {
  static const struct { const char *type; bool (*read)(reader *, const on_json *, const on_place *); } kinds[] = {
      {"TemplateProcessing", read_template}, {"BertProcessing", read_around},
      {"RobertaProcessing", read_roberta},   {"ByteLevel", add_trim}};
  on_str type;
  if (!on_read_type(json, place, &type, r->error)) return false;
  if (on_str_eq(type, ON_STR("Sequence"))) return read_sequence(r, json, place, depth);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (on_str_eq(type, on_str_c(kinds[i].type))) return kinds[i].read(r, json, place);
  }
  return on_fail(r->error, ON_UNSUPPORTED, -1, "%s.type: the post-processor \"%.*s\" is not supported", place->text,
                 ON_SHOW(type));
}

bool on_post_read(on_post *post, const on_json *json, on_arena *arena, on_error *error) {
  *post = (on_post){0};
  if (!json || on_json_type(json) == ON_JSON_NULL) return true;
  reader r = {post, arena, error};
  on_place place = on_place_of("post_processor");
  return read_one(&r, json, &place, 0);
}

void on_post_trim(const on_post *post, on_pieces *pieces, on_str16 text) {
  for (size_t k = 0; k < post->trim_count; k++) {
    const on_trim *trim = &post->trims[k];
    for (size_t i = 0; i < pieces->n; i++) {
      on_piece *piece = &pieces->p[i];
      size_t leading = piece->leading, trailing = piece->trailing, start = piece->start, end = piece->end;
      bool first = (i == 0 && !(trim->behind && post->before_count > 0)) || start == 0;
      if (first && trim->prefix_space && leading == 1) leading = 0;
      for (; leading > 0 && start < end; leading--) on_utf16_next(text, &start);
      size_t before = end;
      for (; trailing > 0 && before > 0; trailing--) on_utf16_prev(text, &before);
      if (trailing == 0) end = before > start ? before : start;
      piece->start = (uint32_t)start;
      piece->end = (uint32_t)end;
    }
  }
}
