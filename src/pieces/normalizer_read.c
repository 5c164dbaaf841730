#include "pieces/normalizer.h"
#include "pieces/read.h"

enum { NESTED_MOST = 8 };

typedef struct reader {
  on_normalizer *out;
  on_arena *arena;
  on_error *error;
} reader;

static bool add(reader *r, const on_place *place, on_normalize_step step) {
  if (r->out->count == ON_STEPS_MOST) {
    return on_place_fail(place, "", r->error, ON_LIMIT, "more than 64 steps");
  }
  r->out->steps[r->out->count++] = step;
  return true;
}

static bool add_kind(reader *r, const on_place *place, bool wanted, on_normalize kind) {
  return !wanted || add(r, place, (on_normalize_step){.kind = kind});
}

static bool read_bert(reader *r, const on_json *json, const on_place *place) {
  bool clean, chinese, lower, strip;
  if (!on_read_bool(json, place, "clean_text", true, &clean, r->error) ||
      !on_read_bool(json, place, "handle_chinese_chars", true, &chinese, r->error) ||
      !on_read_bool(json, place, "lowercase", true, &lower, r->error) ||
      !on_read_bool(json, place, "strip_accents", lower, &strip, r->error)) {
    return false;
  }
  return add_kind(r, place, clean, ON_NORMALIZE_CLEAN) && add_kind(r, place, chinese, ON_NORMALIZE_CHINESE) &&
         add_kind(r, place, strip, ON_NORMALIZE_NFD) && add_kind(r, place, strip, ON_NORMALIZE_NO_NONSPACING) &&
         add_kind(r, place, lower, ON_NORMALIZE_LOWER);
}

static bool read_strip(reader *r, const on_json *json, const on_place *place) {
  on_normalize_step step = {.kind = ON_NORMALIZE_STRIP};
  return on_read_bool(json, place, "strip_left", true, &step.left, r->error) &&
         on_read_bool(json, place, "strip_right", true, &step.right, r->error) && add(r, place, step);
}

static bool read_replace(reader *r, const on_json *json, const on_place *place) {
  on_normalize_step step = {.kind = ON_NORMALIZE_REPLACE};
  return on_read_pattern(json, place, r->arena, &step.pattern, r->error) &&
         on_read_chars(json, place, "content", r->arena, &step.content, &step.content_n, r->error) &&
         add(r, place, step);
}

static bool read_prepend(reader *r, const on_json *json, const on_place *place) {
  on_normalize_step step = {.kind = ON_NORMALIZE_PREPEND};
  return on_read_chars(json, place, "prepend", r->arena, &step.content, &step.content_n, r->error) &&
         add(r, place, step);
}

static bool read_charsmap(reader *r, const on_json *json, const on_place *place) {
  on_normalize_step step = {.kind = ON_NORMALIZE_CHARSMAP};
  on_str base64;
  if (!on_read_text(json, place, "precompiled_charsmap", &base64, r->error)) return false;
  if (!on_charsmap_read(&step.charsmap, base64, r->arena, r->error)) {
    return on_place_context(place, "precompiled_charsmap", r->error);
  }
  return add(r, place, step);
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth);

static bool read_sequence(reader *r, const on_json *json, const on_place *place, int depth) {
  const on_json *list = on_read_member(json, "normalizers");
  if (!list || on_json_type(list) != ON_JSON_ARRAY) {
    return on_place_fail(place, "normalizers", r->error, ON_INVALID_DATA, "must be an array");
  }
  if (depth == NESTED_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "is nested too deep");
  size_t i = 0;
  for (const on_json *item = on_json_first(list); item; item = on_json_next(item), i++) {
    on_place at = on_place_index(place, "normalizers", i);
    if (!read_one(r, item, &at, depth + 1)) return false;
  }
  return true;
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth) {
  static const struct { const char *type; on_normalize kind; } plain[] = {
      {"NFC", ON_NORMALIZE_NFC},     {"NFD", ON_NORMALIZE_NFD},         {"NFKC", ON_NORMALIZE_NFKC},
      {"NFKD", ON_NORMALIZE_NFKD},   {"Lowercase", ON_NORMALIZE_LOWER}, {"StripAccents", ON_NORMALIZE_NO_MARKS},
      {"Nmt", ON_NORMALIZE_NMT},     {"ByteLevel", ON_NORMALIZE_BYTES}};
  static const struct { const char *type; bool (*read)(reader *, const on_json *, const on_place *); } others[] = {
      {"BertNormalizer", read_bert}, {"Strip", read_strip},           {"Replace", read_replace},
      {"Prepend", read_prepend},     {"Precompiled", read_charsmap}};
  on_str type;
  if (!on_read_type(json, place, &type, r->error)) return false;
  if (on_str_eq(type, ON_STR("Sequence"))) return read_sequence(r, json, place, depth);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (on_str_eq(type, on_str_c(plain[i].type))) return add_kind(r, place, true, plain[i].kind);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (on_str_eq(type, on_str_c(others[i].type))) return others[i].read(r, json, place);
  }
  return on_fail(r->error, ON_UNSUPPORTED, -1, "%s.type: the normalizer \"%.*s\" is not supported", place->text,
                 ON_SHOW(type));
}

bool on_normalizer_read(on_normalizer *normalizer, const on_json *json, on_arena *arena, on_error *error) {
  *normalizer = (on_normalizer){0};
  if (!json || on_json_type(json) == ON_JSON_NULL) return true;
  normalizer->steps = ON_NEW(arena, on_normalize_step, ON_STEPS_MOST);
  if (!normalizer->steps) return on_fail_memory(error);
  reader r = {normalizer, arena, error};
  on_place place = on_place_of("normalizer");
  return read_one(&r, json, &place, 0);
}
