#include "pipeline/tokenizer.h"

#include "pipeline/tokenizer_trained.h"

static bool rule_create(on_tokenizer *tokenizer, on_pipeline *pipeline, const on_json *config, on_error *error) {
  (void)tokenizer, (void)pipeline, (void)config, (void)error;
  return true;
}

static bool rule_split(const on_pipeline *pipeline, on_workspace *workspace, on_arena *arena, on_str16 text,
                       size_t from, size_t to, on_pieces *out, on_error *error) {
  (void)pipeline, (void)workspace;
  return on_tokenize_rule(arena, text, from, to, out, error);
}

static bool uax_create(on_tokenizer *tokenizer, on_pipeline *pipeline, const on_json *config, on_error *error) {
  (void)pipeline;
  on_str name;
  if (!on_json_text(config, "tokenizer", "data", true, ON_MAX_SETTING_UNITS, &name, error)) return false;
  tokenizer->data = on_segmentation_find(name);
  if (tokenizer->data) {
    on_plain_words_find(&tokenizer->plain, tokenizer->data);
    return true;
  }
  return on_fail(error, ON_UNSUPPORTED, -1, "tokenizer.data: there is no segmentation data set '%.*s'",
                 ON_SHOW(name));
}

static void uax_write(const on_tokenizer *tokenizer, on_buf *out) {
  on_buf_str(out, ON_STR(", \"data\": "));
  on_json_write_string(out, on_segmentation_name(tokenizer->data));
}

static bool uax_split(const on_pipeline *pipeline, on_workspace *workspace, on_arena *arena, on_str16 text,
                      size_t from, size_t to, on_pieces *out, on_error *error) {
  (void)workspace;
  return on_tokenize_uax(arena, pipeline->tokenizer.data, &pipeline->tokenizer.plain, text, from, to, out, error);
}

static const on_tokenizer_kind rule_kind = {"rule", rule_create, NULL, rule_split};
static const on_tokenizer_kind uax_kind = {"uax", uax_create, uax_write, uax_split};
static const on_tokenizer_kind *const kinds[] = {&rule_kind, &uax_kind, &on_segmenter_kind, &on_mwt_kind};

const on_tokenizer_kind *on_tokenizer_kind_at(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL; }

const on_tokenizer_kind *on_tokenizer_kind_find(on_str name) {
  for (size_t i = 0; on_tokenizer_kind_at(i); i++) {
    if (on_str_eq(on_str_c(kinds[i]->name), name)) return kinds[i];
  }
  return NULL;
}
