#include "pipeline/builtin.h"

// The sentencizer: sentence starts by the rules of a segmentation data set.

static bool sentencizer_create(on_component *component, const on_pipeline *pipeline, const on_json *settings,
                               const char *path, on_error *error) {
  on_str name = ON_STR_NONE;
  if (settings && !on_json_text(settings, path, "data", false, ON_MAX_SETTING_UNITS, &name, error)) return false;
  component->data = name.p ? on_segmentation_find(name) : on_segmentation_for_language(pipeline->language);
  if (component->data) return true;
  return on_fail(error, ON_UNSUPPORTED, -1, "%s.data: there is no segmentation data set '%.*s'", path, ON_SHOW(name));
}

static void sentencizer_write(const on_component *component, on_buf *out) {
  on_buf_str(out, ON_STR("{\"data\": "));
  on_json_write_string(out, on_segmentation_name(component->data));
  on_buf_char(out, '}');
}

static bool sentencizer_run(const on_component *component, on_workspace *workspace, on_doc *doc, on_error *error) {
  if (doc->n == 0) return true;
  on_pieces pieces = {.list = ON_NEW(&workspace->scratch, on_piece, doc->n), .n = doc->n};
  if (!pieces.list) return on_fail_memory(error);
  size_t mwt = 0;
  for (size_t i = 0; i < doc->n; i++) {
    while (mwt < doc->mwt_count && i >= (size_t)doc->mwts[mwt].first + doc->mwts[mwt].count) mwt++;
    bool inside = mwt < doc->mwt_count && i > doc->mwts[mwt].first;
    if (!inside) pieces.surfaces++;
    pieces.list[i] = (on_piece){.start = doc->source_start[i],
                                .end = doc->source_end[i],
                                .surface = (uint32_t)(pieces.surfaces - 1),
                                .form = doc->form ? doc->form[i] : ON_STR_NONE};
  }
  doc->has_sents = true;
  return on_sentencize(component->data, doc->source, doc->unit_start, doc->unit_end, &pieces, doc->sent_start, error);
}

static const on_builtin_kind kinds[] = {
    {"sentencizer", true, sentencizer_create, sentencizer_write, sentencizer_run},
};

const on_builtin_kind *on_builtin_at(size_t i) { return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL; }

const on_builtin_kind *on_builtin_find(on_str name) {
  for (size_t i = 0; on_builtin_at(i); i++) {
    if (on_str_eq(on_str_c(kinds[i].name), name)) return &kinds[i];
  }
  return NULL;
}
