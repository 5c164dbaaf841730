// A pipeline's structure from its config, and the config back from the structure.
#include "base/name.h"
#include "pipeline/builtin.h"
#include "pipeline/tokenizer.h"
#include "text/utf.h"

enum { ON_MAX_NAME_UNITS = 4096, PATH_SIZE = 64 };

// The member `key` of `object`, which must be an array or object as `kind` says; NULL fails.
static const on_json *member(const on_json *object, const char *path, const char *key, on_json_kind kind,
                             on_error *error) {
  const on_json *value = on_json_get(object, key);
  if (value && on_json_type(value) == kind) return value;
  const char *dot = path[0] ? "." : "";
  const char *what = kind == ON_JSON_ARRAY ? "an array" : "an object";
  if (!value) {
    on_fail(error, ON_INVALID_DATA, -1, "config: %s%s%s is missing", path, dot, key);
  } else {
    on_fail(error, ON_INVALID_DATA, -1, "config: %s%s%s must be %s", path, dot, key, what);
  }
  return NULL;
}

static bool expect_object(const on_json *value, const char *path, on_error *error) {
  if (on_json_type(value) == ON_JSON_OBJECT) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "config: %s must be an object", path);
}

// "encoder" of a head or of a trained tokenizer: an index in `encoders`.
static bool read_encoder_index(const on_pipeline *pipeline, const on_json *object, const char *path, uint32_t *out,
                               on_error *error) {
  if (pipeline->encoder_count == 0) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: %s needs an encoder, and `encoders` is empty", path);
  }
  int64_t index;
  if (!on_json_int(object, path, "encoder", true, 0, (int64_t)pipeline->encoder_count - 1, 0, &index, error)) {
    return false;
  }
  *out = (uint32_t)index;
  return true;
}

static bool read_encoders(on_pipeline *pipeline, const on_json *root, const on_files *files, on_error *error) {
  const on_json *list = member(root, "", "encoders", ON_JSON_ARRAY, error);
  if (!list) return false;
  size_t count = on_json_count(list);
  if (count > ON_MAX_ENCODERS) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: %zu encoders, at most %d are allowed", count, ON_MAX_ENCODERS);
  }
  pipeline->encoders = ON_NEW0(&pipeline->arena, on_encoder, count);
  if (!pipeline->encoders) return on_fail_memory(error);
  size_t i = 0;
  for (const on_json *value = on_json_first(list); value; value = on_json_next(value), i++) {
    char path[PATH_SIZE];
    on_name(path, sizeof path, "encoders[%zu]", i);
    on_str kind;
    if (!expect_object(value, path, error) ||
        !on_json_text(value, path, "kind", true, ON_MAX_NAME_UNITS, &kind, error)) {
      return false;
    }
    on_encoder *encoder = &pipeline->encoders[i];
    encoder->files = files;
    encoder->kind = on_encoder_kind_find(kind);
    if (!encoder->kind) {
      return on_fail(error, ON_UNSUPPORTED, -1, "No encoder kind '%.*s' is registered (%s.kind)", ON_SHOW(kind), path);
    }
    const on_json *settings = member(value, path, "settings", ON_JSON_OBJECT, error);
    if (!settings) return false;
    on_name(path, sizeof path, "encoders[%zu].settings", i);
    pipeline->encoder_count = i + 1;
    if (!encoder->kind->create(encoder, &pipeline->arena, settings, path, error)) return false;
  }
  return true;
}

static bool read_head(on_pipeline *pipeline, on_component *component, const on_json *value, const char *path,
                      on_error *error) {
  on_str kind;
  if (!on_json_text(value, path, "kind", true, ON_MAX_NAME_UNITS, &kind, error)) return false;
  on_head *head = &component->head;
  head->kind = on_head_kind_find(kind);
  if (!head->kind) {
    return on_fail(error, ON_UNSUPPORTED, -1, "No head kind '%.*s' is registered (%s.kind)", ON_SHOW(kind), path);
  }
  const on_json *config = member(value, path, "config", ON_JSON_OBJECT, error);
  if (!config || !read_encoder_index(pipeline, value, path, &component->encoder, error)) return false;
  head->width = pipeline->encoders[component->encoder].width;
  char inner[PATH_SIZE + 8];
  on_name(inner, sizeof inner, "%s.config", path);
  if (!head->kind->create(head, &pipeline->arena, config, head->width, inner, error)) return false;
  component->sums_at = pipeline->sum_count;
  if (head->kind->sum_count) pipeline->sum_count += head->kind->sum_count(head);
  return true;
}

static size_t units_of(on_str s) { return on_utf16_length(s); }

static bool check_settings(const on_json *settings, const char *path, on_error *error) {
  if (!expect_object(settings, path, error)) return false;
  size_t count = on_json_count(settings);
  if (count > ON_MAX_SETTINGS) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: %s has %zu members, at most %d are allowed", path, count,
                   ON_MAX_SETTINGS);
  }
  for (const on_json *value = on_json_first(settings); value; value = on_json_next(value)) {
    on_str key = on_json_key(value);
    if (on_json_type(value) != ON_JSON_STRING) {
      return on_fail(error, ON_INVALID_DATA, -1, "config: %s.%.*s must be a string", path, ON_SHOW(key));
    }
    if (units_of(key) > ON_MAX_SETTING_UNITS || units_of(on_json_string(value)) > ON_MAX_SETTING_UNITS) {
      return on_fail(error, ON_INVALID_DATA, -1, "config: %s.%.*s is longer than %d UTF-16 units", path, ON_SHOW(key),
                     ON_MAX_SETTING_UNITS);
    }
  }
  return true;
}

static bool read_builtin(on_pipeline *pipeline, on_component *component, const on_json *value, const char *path,
                         on_error *error) {
  component->builtin = on_builtin_find(component->name);
  if (!component->builtin) {
    return on_fail(error, ON_UNSUPPORTED, -1, "No component '%.*s' is registered (%s.name)", ON_SHOW(component->name),
                   path);
  }
  const on_json *settings = on_json_get(value, "settings");
  char inner[PATH_SIZE + 16];
  on_name(inner, sizeof inner, "%s.settings", path);
  if (settings && !check_settings(settings, inner, error)) return false;
  return component->builtin->create(component, pipeline, settings, inner, error);
}

static bool read_components(on_pipeline *pipeline, const on_json *root, on_error *error) {
  const on_json *list = member(root, "", "components", ON_JSON_ARRAY, error);
  if (!list) return false;
  size_t count = on_json_count(list);
  if (count > ON_MAX_COMPONENTS) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: %zu components, at most %d are allowed", count,
                   ON_MAX_COMPONENTS);
  }
  pipeline->components = ON_NEW0(&pipeline->arena, on_component, count);
  if (!pipeline->components) return on_fail_memory(error);
  size_t i = 0;
  for (const on_json *value = on_json_first(list); value; value = on_json_next(value), i++) {
    on_component *component = &pipeline->components[i];
    char path[PATH_SIZE];
    on_name(path, sizeof path, "components[%zu]", i);
    on_str type;
    if (!expect_object(value, path, error) ||
        !on_json_text(value, path, "name", true, ON_MAX_NAME_UNITS, &component->name, error) ||
        !on_json_text(value, path, "type", true, ON_MAX_NAME_UNITS, &type, error)) {
      return false;
    }
    bool ok;
    pipeline->component_count = i + 1;
    if (on_str_eq(type, ON_STR("head"))) {
      component->type = ON_COMPONENT_HEAD;
      ok = read_head(pipeline, component, value, path, error);
    } else if (on_str_eq(type, ON_STR("builtin"))) {
      component->type = ON_COMPONENT_BUILTIN;
      ok = read_builtin(pipeline, component, value, path, error);
    } else {
      return on_fail(error, ON_UNSUPPORTED, -1, "config: %s.type is '%.*s', want 'head' or 'builtin'", path,
                     ON_SHOW(type));
    }
    if (!ok) return false;
  }
  return true;
}

static bool read_tokenizer(on_pipeline *pipeline, const on_json *root, on_error *error) {
  const on_json *value = member(root, "", "tokenizer", ON_JSON_OBJECT, error);
  on_str kind;
  if (!value || !on_json_text(value, "tokenizer", "kind", true, ON_MAX_NAME_UNITS, &kind, error)) return false;
  pipeline->tokenizer.kind = on_tokenizer_kind_find(kind);
  if (!pipeline->tokenizer.kind) {
    return on_fail(error, ON_UNSUPPORTED, -1, "Unsupported tokenizer kind '%.*s'", ON_SHOW(kind));
  }
  return pipeline->tokenizer.kind->create(&pipeline->tokenizer, pipeline, value, error);
}

static bool read_config(on_pipeline *pipeline, const on_json *root, const on_files *files, on_error *error) {
  on_str format;
  int64_t version;
  if (!expect_object(root, "the whole", error) ||
      !on_json_text(root, "", "format", true, ON_MAX_NAME_UNITS, &format, error)) {
    return false;
  }
  if (!on_str_eq(format, ON_STR("onenlp-pipeline"))) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: format is '%.*s', want 'onenlp-pipeline'", ON_SHOW(format));
  }
  if (!on_json_int(root, "", "version", true, 0, INT32_MAX, 0, &version, error)) return false;
  if (version != 1) {
    return on_fail(error, ON_UNSUPPORTED, -1, "config: version is %d, this build reads version 1", (int)version);
  }
  return on_json_text(root, "", "language", false, ON_MAX_NAME_UNITS, &pipeline->language, error) &&
         read_encoders(pipeline, root, files, error) && read_tokenizer(pipeline, root, error) &&
         read_components(pipeline, root, error);
}

bool on_pipeline_from_config(on_pipeline *pipeline, on_str config, on_error *error) {
  return on_pipeline_from_config_with(pipeline, config, NULL, error);
}

bool on_pipeline_from_config_with(on_pipeline *pipeline, on_str config, const on_files *files, on_error *error) {
  *pipeline = (on_pipeline){0};
  pipeline->config = on_json_parse(config, ON_MAX_CONFIG_DEPTH, error);
  if (!pipeline->config) return on_fail_context(error, "config");
  if (read_config(pipeline, pipeline->config, files, error)) return true;
  on_pipeline_free(pipeline);
  return false;
}

static void write_pair(on_buf *out, const char *before, on_str value) {
  on_buf_str(out, on_str_c(before));
  on_json_write_string(out, value);
}

static void write_component(const on_component *component, on_buf *out) {
  write_pair(out, "{\"name\": ", component->name);
  if (component->type == ON_COMPONENT_HEAD) {
    write_pair(out, ", \"type\": \"head\", \"kind\": ", on_str_c(component->head.kind->name));
    on_buf_str(out, ON_STR(", \"encoder\": "));
    on_buf_u64(out, component->encoder);
    on_buf_str(out, ON_STR(", \"config\": "));
    component->head.kind->write_config(&component->head, out);
  } else {
    on_buf_str(out, ON_STR(", \"type\": \"builtin\""));
    if (component->builtin->write_settings) {
      on_buf_str(out, ON_STR(", \"settings\": "));
      component->builtin->write_settings(component, out);
    }
  }
  on_buf_char(out, '}');
}

void on_pipeline_write_config(const on_pipeline *pipeline, on_buf *out) {
  on_buf_str(out, ON_STR("{\"format\": \"onenlp-pipeline\", \"version\": 1"));
  if (pipeline->language.p) write_pair(out, ", \"language\": ", pipeline->language);
  const on_tokenizer *tokenizer = &pipeline->tokenizer;
  write_pair(out, ", \"tokenizer\": {\"kind\": ", on_str_c(tokenizer->kind->name));
  if (tokenizer->kind->write_members) tokenizer->kind->write_members(tokenizer, out);
  on_buf_str(out, ON_STR("}, \"encoders\": ["));
  for (size_t i = 0; i < pipeline->encoder_count; i++) {
    const on_encoder *encoder = &pipeline->encoders[i];
    write_pair(out, i ? ", {\"kind\": " : "{\"kind\": ", on_str_c(encoder->kind->name));
    on_buf_str(out, ON_STR(", \"settings\": "));
    encoder->kind->write_settings(encoder, out);
    on_buf_char(out, '}');
  }
  on_buf_str(out, ON_STR("], \"components\": ["));
  for (size_t i = 0; i < pipeline->component_count; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    write_component(&pipeline->components[i], out);
  }
  on_buf_str(out, ON_STR("]}"));
}
