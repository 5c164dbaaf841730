#include "transformer/settings.h"

enum { MAX_FILE_NAME = 1024, MIN_LENGTH = 2, MAX_LENGTH = 65536, DEFAULT_LENGTH = 512, SHORT = 64 };

static bool copy(on_arena *arena, on_str from, on_str *to, on_error *error) {
  if (!from.p) return true;
  *to = on_arena_str(arena, from);
  return to->p || on_fail_memory(error);
}

static bool read_name(on_str *out, on_arena *arena, const on_json *settings, const char *path, const char *key,
                      on_error *error) {
  on_str name;
  if (!on_json_text(settings, path, key, true, MAX_FILE_NAME, &name, error)) return false;
  if (name.n == 0) return on_fail(error, ON_INVALID_DATA, -1, "%s.%s is empty", path, key);
  return copy(arena, name, out, error);
}

static bool is_hash(on_str s) {
  if (s.n != 64) return false;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return false;
  }
  return true;
}

// A file beside the pipeline is named by its plain name, so that nothing else can be reached.
static bool is_plain(on_str name) {
  for (size_t i = 0; i < name.n; i++) {
    bool up = name.p[i] == '.' && i + 1 < name.n && name.p[i + 1] == '.';
    if (name.p[i] == '/' || name.p[i] == '\\' || up) return false;
  }
  return true;
}

static bool read_place(on_transformer_settings *out, const on_json *settings, const char *path, on_error *error) {
  on_str place;
  if (!on_json_text(settings, path, "relativeTo", false, SHORT, &place, error)) return false;
  if (!place.p) return true;
  if (!on_str_eq(place, ON_STR("pipeline"))) {
    return on_fail(error, ON_UNSUPPORTED, -1, "%s.relativeTo is '%.*s', want 'pipeline'", path, ON_SHOW(place));
  }
  out->beside = true;
  return is_plain(out->model) ||
         on_fail(error, ON_INVALID_DATA, -1,
                 "%s.model is '%.*s': beside the pipeline a file has a plain name, without path or '..'", path,
                 ON_SHOW(out->model));
}

static bool read_pooling(on_transformer_settings *out, const on_json *settings, const char *path, on_error *error) {
  on_str pooling;
  if (!on_json_text(settings, path, "pooling", false, SHORT, &pooling, error)) return false;
  out->mean = on_str_eq(pooling, ON_STR("mean"));
  if (!pooling.p || out->mean || on_str_eq(pooling, ON_STR("first"))) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "%s.pooling is '%.*s', want 'first' or 'mean'", path, ON_SHOW(pooling));
}

bool on_transformer_settings_read(on_transformer_settings *out, on_arena *arena, const on_json *settings,
                                  const char *path, on_error *error) {
  int64_t length;
  on_str hash;
  *out = (on_transformer_settings){.sha256 = ON_STR_NONE};
  if (!read_name(&out->model, arena, settings, path, "model", error) ||
      !read_name(&out->tokenizer, arena, settings, path, "tokenizer", error) ||
      !on_json_text(settings, path, "modelSha256", false, SHORT, &hash, error) ||
      !read_pooling(out, settings, path, error) ||
      !on_json_int(settings, path, "maxLength", false, MIN_LENGTH, MAX_LENGTH, DEFAULT_LENGTH, &length, error)) {
    return false;
  }
  if (hash.p && !is_hash(hash)) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.modelSha256 must be 64 hexadecimal digits", path);
  }
  out->max_length = (uint32_t)length;
  return copy(arena, hash, &out->sha256, error) && read_place(out, settings, path, error);
}

void on_transformer_settings_write(const on_transformer_settings *settings, on_buf *out) {
  on_buf_str(out, ON_STR("\"model\": "));
  on_json_write_string(out, settings->model);
  on_buf_str(out, ON_STR(", \"tokenizer\": "));
  on_json_write_string(out, settings->tokenizer);
  if (settings->sha256.p) {
    on_buf_str(out, ON_STR(", \"modelSha256\": "));
    on_json_write_string(out, settings->sha256);
  }
  on_buf_format(out, ", \"pooling\": \"%s\", \"maxLength\": %u", settings->mean ? "mean" : "first",
                settings->max_length);
  if (settings->beside) on_buf_str(out, ON_STR(", \"relativeTo\": \"pipeline\""));
}
