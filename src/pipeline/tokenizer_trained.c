#include "pipeline/tokenizer_trained.h"

#include "segment/mwt.h"

// "encoder" and "head" of the tokenizer's config.
static bool read_tagger(on_tokenizer *tokenizer, on_pipeline *pipeline, const on_json *config, on_error *error) {
  if (pipeline->encoder_count == 0) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: tokenizer needs an encoder, and `encoders` is empty");
  }
  int64_t index;
  if (!on_json_int(config, "tokenizer", "encoder", true, 0, (int64_t)pipeline->encoder_count - 1, 0, &index, error)) {
    return false;
  }
  const on_json *value = on_json_get(config, "head");
  if (!value || on_json_type(value) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: tokenizer.head must be an object");
  }
  on_head *head = &tokenizer->head;
  tokenizer->trained = true;
  tokenizer->encoder = (uint32_t)index;
  head->kind = on_head_kind_find(ON_STR("tagger"));
  head->width = pipeline->encoders[index].width;
  return head->kind->create(head, &pipeline->arena, value, head->width, "tokenizer.head", error) &&
         on_char_head_check(head, "tokenizer.head", error);
}

static void write_tagger(const on_tokenizer *tokenizer, on_buf *out) {
  on_buf_str(out, ON_STR(", \"encoder\": "));
  on_buf_u64(out, tokenizer->encoder);
  on_buf_str(out, ON_STR(", \"head\": "));
  tokenizer->head.kind->write_config(&tokenizer->head, out);
}

static on_char_tagger tagger_of(const on_pipeline *pipeline, on_workspace *workspace) {
  uint32_t encoder = pipeline->tokenizer.encoder;
  return (on_char_tagger){&pipeline->encoders[encoder], &pipeline->tokenizer.head, workspace,
                          &workspace->encoder_cache[encoder]};
}

static bool segmenter_split(const on_pipeline *pipeline, on_workspace *workspace, on_arena *arena, on_str16 text,
                            size_t from, size_t to, on_pieces *out, on_error *error) {
  on_char_tagger tagger = tagger_of(pipeline, workspace);
  return on_segment(&tagger, arena, text, from, to, out, error);
}

const on_tokenizer_kind on_segmenter_kind = {"segmenter", read_tagger, write_tagger, segmenter_split};

static bool mwt_create(on_tokenizer *tokenizer, on_pipeline *pipeline, const on_json *config, on_error *error) {
  const on_json *inner = on_json_get(config, "inner");
  if (!inner || on_json_type(inner) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "config: tokenizer.inner must be an object");
  }
  on_str kind;
  if (!on_json_text(inner, "tokenizer.inner", "kind", true, ON_MAX_SETTING_UNITS, &kind, error)) return false;
  tokenizer->inner = on_tokenizer_kind_find(kind);
  if (!tokenizer->inner || tokenizer->inner == &on_mwt_kind || tokenizer->inner == &on_segmenter_kind) {
    return on_fail(error, ON_UNSUPPORTED, -1, "Unsupported tokenizer kind '%.*s' (tokenizer.inner.kind)",
                   ON_SHOW(kind));
  }
  if (!tokenizer->inner->create(tokenizer, pipeline, inner, error)) return on_fail_context(error, "tokenizer.inner");
  int64_t percent;
  if (!on_json_int(config, "tokenizer", "minCutPercent", false, ON_MIN_CUT_PERCENT, ON_MAX_CUT_PERCENT,
                   ON_MIN_CUT_PERCENT, &percent, error)) {
    return false;
  }
  tokenizer->min_cut_percent = (uint32_t)percent;
  return read_tagger(tokenizer, pipeline, config, error);
}

static void mwt_write(const on_tokenizer *tokenizer, on_buf *out) {
  on_buf_str(out, ON_STR(", \"inner\": {\"kind\": "));
  on_json_write_string(out, on_str_c(tokenizer->inner->name));
  if (tokenizer->inner->write_members) tokenizer->inner->write_members(tokenizer, out);
  on_buf_char(out, '}');
  write_tagger(tokenizer, out);
  if (tokenizer->min_cut_percent != ON_MIN_CUT_PERCENT) {
    on_buf_str(out, ON_STR(", \"minCutPercent\": "));
    on_buf_u64(out, tokenizer->min_cut_percent);
  }
}

static bool mwt_split(const on_pipeline *pipeline, on_workspace *workspace, on_arena *arena, on_str16 text, size_t from,
                      size_t to, on_pieces *out, on_error *error) {
  on_pieces inner = {0};
  on_char_tagger tagger = tagger_of(pipeline, workspace);
  return pipeline->tokenizer.inner->split(pipeline, workspace, arena, text, from, to, &inner, error) &&
         on_mwt_split(&tagger, pipeline->tokenizer.min_cut_percent, arena, text, &inner, out, error);
}

const on_tokenizer_kind on_mwt_kind = {"mwt", mwt_create, mwt_write, mwt_split};
