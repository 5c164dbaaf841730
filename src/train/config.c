#include "train/config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "train/kinds.h"
#include "train/word_lists.h"

// Appends `"key": ` and the value; the label sets of a head's config are inferred.
static bool write_head(const on_json *component, const on_doc *docs, size_t count, on_buf *out, on_error *error) {
  on_str kind;
  if (!on_json_text(component, "component", "kind", true, 64, &kind, error)) return false;
  char name[65] = {0};
  memcpy(name, kind.p, kind.n < 64 ? kind.n : 64);
  const on_head_trainer *trainer = on_head_trainer_find(name);
  if (!trainer) return on_fail(error, ON_UNSUPPORTED, -1, "recipe: heads of kind '%s' cannot be trained", name);
  on_buf_char(out, '{');
  for (const on_json *member = on_json_first(component); member; member = on_json_next(member)) {
    if (on_str_eq(on_json_key(member), ON_STR("config"))) continue;
    on_json_write_string(out, on_json_key(member));
    on_buf_str(out, ON_STR(": "));
    on_json_write(out, member);
    on_buf_str(out, ON_STR(", "));
  }
  on_buf_str(out, ON_STR("\"config\": "));
  if (!trainer->infer(out, on_json_get(component, "config"), docs, count, error)) return false;
  on_buf_char(out, '}');
  return true;
}

static bool write_components(const on_json *list, const on_doc *docs, size_t count, on_buf *out, on_error *error) {
  on_buf_char(out, '[');
  for (const on_json *item = on_json_first(list); item; item = on_json_next(item)) {
    if (item != on_json_first(list)) on_buf_str(out, ON_STR(", "));
    const on_json *type = on_json_type(item) == ON_JSON_OBJECT ? on_json_get(item, "type") : NULL;
    bool head = type && on_json_type(type) == ON_JSON_STRING && on_str_eq(on_json_string(type), ON_STR("head"));
    if (!head) on_json_write(out, item);
    else if (!write_head(item, docs, count, out, error)) return false;
  }
  on_buf_char(out, ']');
  return true;
}

// A trained tokenizer's head has its two labels, whatever the data.
static void write_tokenizer(const on_json *tokenizer, on_buf *out) {
  on_str kind = ON_STR_NONE;
  bool trained = on_json_text(tokenizer, "tokenizer", "kind", true, 64, &kind, NULL) &&
                 (on_str_eq(kind, ON_STR("segmenter")) || on_str_eq(kind, ON_STR("mwt")));
  if (!trained || on_json_get(tokenizer, "head")) {
    on_json_write(out, tokenizer);
    return;
  }
  on_buf_char(out, '{');
  for (const on_json *member = on_json_first(tokenizer); member; member = on_json_next(member)) {
    on_json_write_string(out, on_json_key(member));
    on_buf_str(out, ON_STR(": "));
    on_json_write(out, member);
    on_buf_str(out, ON_STR(", "));
  }
  on_buf_str(out, ON_STR("\"head\": {\"column\": \"Tag\", \"labels\": [\"B\", \"I\"]}}"));
}

static bool write_encoders(const on_json *list, const on_corpus *train, const on_doc *docs, size_t count, on_buf *out,
                           on_error *error) {
  on_buf_char(out, '[');
  for (const on_json *item = on_json_first(list); item; item = on_json_next(item)) {
    if (item != on_json_first(list)) on_buf_str(out, ON_STR(", "));
    if (on_json_type(item) != ON_JSON_OBJECT) {
      on_json_write(out, item);
      continue;
    }
    on_buf_char(out, '{');
    for (const on_json *member = on_json_first(item); member; member = on_json_next(member)) {
      if (member != on_json_first(item)) on_buf_str(out, ON_STR(", "));
      on_json_write_string(out, on_json_key(member));
      on_buf_str(out, ON_STR(": "));
      bool settings = on_str_eq(on_json_key(member), ON_STR("settings"));
      if (!settings) on_json_write(out, member);
      else if (!on_word_lists_write(train, member, docs, count, out, error)) return false;
    }
    on_buf_char(out, '}');
  }
  on_buf_char(out, ']');
  return true;
}

static bool write_config(const on_recipe *recipe, const on_corpus *train, const on_doc *docs, size_t count, on_buf *out,
                         on_error *error) {
  on_buf_str(out, ON_STR("{\"format\": \"onenlp-pipeline\", \"version\": 1"));
  for (const on_json *member = on_json_first(recipe->pipeline); member; member = on_json_next(member)) {
    on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, on_json_key(member));
    on_buf_str(out, ON_STR(": "));
    bool components = on_str_eq(on_json_key(member), ON_STR("components")) && on_json_type(member) == ON_JSON_ARRAY;
    bool tokenizer = on_str_eq(on_json_key(member), ON_STR("tokenizer")) && on_json_type(member) == ON_JSON_OBJECT;
    bool encoders = on_str_eq(on_json_key(member), ON_STR("encoders")) && on_json_type(member) == ON_JSON_ARRAY;
    if (tokenizer) {
      write_tokenizer(member, out);
    } else if (encoders) {
      if (!write_encoders(member, train, docs, count, out, error)) return false;
    } else if (!components) {
      on_json_write(out, member);
    } else if (!write_components(member, docs, count, out, error)) {
      return false;
    }
  }
  on_buf_char(out, '}');
  return !out->failed || on_fail_memory(error);
}

bool on_train_config(const on_recipe *recipe, const on_corpus *train, on_buf *out, on_error *error) {
  size_t count = on_corpus_size(train);
  on_doc *docs = on_calloc(count + 1, sizeof *docs);
  if (!docs) return on_fail_memory(error);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) ok = on_corpus_doc(train, i, i + 1, &docs[i], error);
  ok = ok && write_config(recipe, train, docs, count, out, error);
  for (size_t i = 0; i < count; i++) on_doc_free(&docs[i]);
  on_free(docs);
  return ok;
}

// `read` encoders were read before this one.
static bool count_encoder(uint32_t encoder, size_t *read, on_error *error) {
  if (encoder > *read) {
    return on_fail(error, ON_INVALID_DATA, -1,
                   "recipe: encoders[%u] is read before encoders[%zu]: list them in order of first use", encoder, *read);
  }
  *read += encoder == *read;
  return true;
}

bool on_train_check_encoders(const on_pipeline *pipeline, on_error *error) {
  size_t read = 0;
  if (pipeline->tokenizer.trained && !count_encoder(pipeline->tokenizer.encoder, &read, error)) return false;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    const on_component *component = &pipeline->components[i];
    if (component->type == ON_COMPONENT_HEAD && !count_encoder(component->encoder, &read, error)) return false;
  }
  return read == pipeline->encoder_count ||
         on_fail(error, ON_INVALID_DATA, -1, "recipe: nothing reads encoders[%zu]", read);
}
