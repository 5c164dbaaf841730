#include "pieces/normalizer.h"
#include "pieces/pretokenizer.h"
#include "pieces/read.h"

enum { NESTED_MOST = 8 };

// What GPT-2 and all byte-level tokenizers after it cut text by, unless they bring an expression of their own.
static const char byte_level_expression[] =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

typedef struct reader {
  on_pretokenizer *out;
  on_arena *arena;
  on_error *error;
} reader;

static bool add(reader *r, const on_place *place, on_pretokenize_step step) {
  if (r->out->count == ON_STEPS_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "more than 64 steps");
  r->out->steps[r->out->count++] = step;
  return true;
}

static bool read_behavior(reader *r, const on_json *json, const on_place *place, bool required, on_cut *out) {
  static const char *const names[] = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
  on_str name;
  *out = ON_CUT_ISOLATED;
  if (!required && !on_read_member(json, "behavior")) return true;
  if (!on_read_text(json, place, "behavior", &name, r->error)) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (on_str_eq(name, on_str_c(names[i]))) {
      *out = (on_cut)i;
      return true;
    }
  }
  return on_place_fail(place, "behavior", r->error, ON_UNSUPPORTED, "is none of the five known");
}

static bool read_bert(reader *r, const on_json *json, const on_place *place) {
  (void)json;
  return add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_SPACES, .behavior = ON_CUT_REMOVED}) &&
         add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_PUNCTUATION, .behavior = ON_CUT_ISOLATED});
}

static bool read_byte_level(reader *r, const on_json *json, const on_place *place) {
  bool prefix, regex;
  on_pretokenize_step split = {.kind = ON_PRETOKENIZE_SPLIT, .behavior = ON_CUT_ISOLATED};
  if (!on_read_bool(json, place, "add_prefix_space", true, &prefix, r->error) ||
      !on_read_bool(json, place, "use_regex", true, &regex, r->error)) {
    return false;
  }
  if (prefix && !add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_PREFIX})) return false;
  if (regex) {
    split.pattern = on_pattern_compile(on_str_c(byte_level_expression), false, r->arena, r->error);
    if (!split.pattern || !add(r, place, split)) return false;
  }
  return add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_BYTES});
}

static bool read_one_char(reader *r, const on_json *json, const on_place *place, const char *key, uint32_t *out) {
  const uint32_t *chars;
  size_t n;
  if (!on_read_chars(json, place, key, r->arena, &chars, &n, r->error)) return false;
  if (n != 1) return on_place_fail(place, key, r->error, ON_INVALID_DATA, "must be one character");
  *out = chars[0];
  return true;
}

static bool read_metaspace(reader *r, const on_json *json, const on_place *place) {
  static const char *const schemes[] = {"always", "first", "never"};
  on_pretokenize_step step = {.kind = ON_PRETOKENIZE_METASPACE, .prepend = ON_PREPEND_ALWAYS};
  bool prefix, split;
  if (!read_one_char(r, json, place, "replacement", &step.c) ||
      !on_read_bool(json, place, "add_prefix_space", true, &prefix, r->error) ||
      !on_read_bool(json, place, "split", true, &split, r->error)) {
    return false;
  }
  if (on_read_member(json, "prepend_scheme")) {
    on_str name;
    size_t i = 0;
    if (!on_read_text(json, place, "prepend_scheme", &name, r->error)) return false;
    while (i < 3 && !on_str_eq(name, on_str_c(schemes[i]))) i++;
    if (i == 3) return on_place_fail(place, "prepend_scheme", r->error, ON_UNSUPPORTED, "is none of the three known");
    step.prepend = (on_prepend)i;
    if (!prefix && step.prepend != ON_PREPEND_NEVER) {
      return on_place_fail(place, "add_prefix_space", r->error, ON_INVALID_DATA, "contradicts prepend_scheme");
    }
  }
  if (!prefix) step.prepend = ON_PREPEND_NEVER;
  if (!add(r, place, step)) return false;
  return !split ||
         add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_DELIMITER, .behavior = ON_CUT_NEXT, .c = step.c});
}

static bool read_delimiter(reader *r, const on_json *json, const on_place *place) {
  on_pretokenize_step step = {.kind = ON_PRETOKENIZE_DELIMITER, .behavior = ON_CUT_REMOVED};
  return read_one_char(r, json, place, "delimiter", &step.c) && add(r, place, step);
}

static bool read_spaces(reader *r, const on_json *json, const on_place *place) {
  (void)json;
  return add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_SPACES, .behavior = ON_CUT_REMOVED});
}

static bool read_words(reader *r, const on_json *json, const on_place *place) {
  (void)json;
  return add(r, place, (on_pretokenize_step){.kind = ON_PRETOKENIZE_WORDS, .behavior = ON_CUT_REMOVED, .invert = true});
}

static bool read_punctuation(reader *r, const on_json *json, const on_place *place) {
  on_pretokenize_step step = {.kind = ON_PRETOKENIZE_PUNCTUATION};
  return read_behavior(r, json, place, false, &step.behavior) && add(r, place, step);
}

static bool read_digits(reader *r, const on_json *json, const on_place *place) {
  on_pretokenize_step step = {.kind = ON_PRETOKENIZE_DIGITS};
  bool each;
  if (!on_read_bool(json, place, "individual_digits", false, &each, r->error)) return false;
  step.behavior = each ? ON_CUT_ISOLATED : ON_CUT_CONTIGUOUS;
  return add(r, place, step);
}

static bool read_split(reader *r, const on_json *json, const on_place *place) {
  on_pretokenize_step step = {.kind = ON_PRETOKENIZE_SPLIT};
  return on_read_pattern(json, place, r->arena, &step.pattern, r->error) &&
         read_behavior(r, json, place, true, &step.behavior) &&
         on_read_bool(json, place, "invert", false, &step.invert, r->error) && add(r, place, step);
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth);

static bool read_sequence(reader *r, const on_json *json, const on_place *place, int depth) {
  const on_json *list = on_read_member(json, "pretokenizers");
  if (!list || on_json_type(list) != ON_JSON_ARRAY) {
    return on_place_fail(place, "pretokenizers", r->error, ON_INVALID_DATA, "must be an array");
  }
  if (depth == NESTED_MOST) return on_place_fail(place, "", r->error, ON_LIMIT, "is nested too deep");
  size_t i = 0;
  for (const on_json *item = on_json_first(list); item; item = on_json_next(item), i++) {
    on_place at = on_place_index(place, "pretokenizers", i);
    if (!read_one(r, item, &at, depth + 1)) return false;
  }
  return true;
}

static bool read_one(reader *r, const on_json *json, const on_place *place, int depth) {
  static const struct { const char *type; bool (*read)(reader *, const on_json *, const on_place *); } kinds[] = {
      {"BertPreTokenizer", read_bert},  {"ByteLevel", read_byte_level},   {"Metaspace", read_metaspace},
      {"WhitespaceSplit", read_spaces}, {"Whitespace", read_words},       {"Punctuation", read_punctuation},
      {"Digits", read_digits},          {"Split", read_split},            {"CharDelimiterSplit", read_delimiter}};
  on_str type;
  if (!on_read_type(json, place, &type, r->error)) return false;
  if (on_str_eq(type, ON_STR("Sequence"))) return read_sequence(r, json, place, depth);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (on_str_eq(type, on_str_c(kinds[i].type))) return kinds[i].read(r, json, place);
  }
  return on_fail(r->error, ON_UNSUPPORTED, -1, "%s.type: the pre-tokenizer \"%.*s\" is not supported", place->text,
                 ON_SHOW(type));
}

bool on_pretokenizer_read(on_pretokenizer *pretokenizer, const on_json *json, on_arena *arena, on_error *error) {
  *pretokenizer = (on_pretokenizer){0};
  if (!json || on_json_type(json) == ON_JSON_NULL) return true;
  pretokenizer->steps = ON_NEW(arena, on_pretokenize_step, ON_STEPS_MOST);
  if (!pretokenizer->steps) return on_fail_memory(error);
  reader r = {pretokenizer, arena, error};
  on_place place = on_place_of("pre_tokenizer");
  return read_one(&r, json, &place, 0);
}
