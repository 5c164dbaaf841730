#include "head/tagger.h"

static const char *const COLUMNS[] = {"Tag", "Pos", "Morph"};

static bool read_column(on_tagger *tagger, const on_json *config, const char *path, on_error *error) {
  on_str name;
  if (!on_json_text(config, path, "column", true, 16, &name, error)) return false;
  for (int i = 0; i < 3; i++) {
    if (on_str_eq(name, on_str_c(COLUMNS[i]))) {
      tagger->column = (on_tagger_column)i;
      return true;
    }
  }
  return on_fail(error, ON_INVALID_DATA, -1, "%s.column: \"%.*s\", want Tag, Pos or Morph", path, ON_SHOW(name));
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_tagger *tagger = ON_NEW0(arena, on_tagger, 1);
  if (!tagger) return on_fail_memory(error);
  head->state = tagger;
  uint32_t head_classes;
  return read_column(tagger, config, path, error) &&
         on_labels_read(&tagger->labels, arena, config, path, 1, ON_MAX_LABELS, true, error) &&
         on_output_read_classes(config, path, &head_classes, error) &&
         on_output_declare(&tagger->output, &head->params, arena, width, tagger->labels.n, head_classes, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_tagger *tagger = head->state;
  on_buf_format(out, "{\"column\": \"%s\", ", COLUMNS[tagger->column]);
  if (tagger->output.head_classes) on_buf_format(out, "\"headClasses\": %u, ", tagger->output.head_classes);
  on_buf_str(out, ON_STR("\"labels\": "));
  on_labels_write(&tagger->labels, out);
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_tagger *tagger = head->state;
  return on_output_prepare(&tagger->output, arena) || on_fail_memory(error);
}

on_str **on_tagger_column_of(const on_tagger *tagger, on_doc *doc) {
  return tagger->column == ON_TAGGER_TAG ? &doc->tag : tagger->column == ON_TAGGER_POS ? &doc->pos : &doc->morph;
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_tagger *tagger = head->state;
  on_str **column = on_tagger_column_of(tagger, doc);
  uint32_t *best = ON_NEW(&workspace->scratch, uint32_t, doc->n);
  if (!best || !on_doc_column(doc, column) ||
      !on_output_classify(&tagger->output, workspace, h, NULL, doc->n, best)) {
    return on_fail_memory(error);
  }
  for (size_t i = 0; i < doc->n; i++) {
    on_str label = tagger->labels.list[best[i]];
    (*column)[i] = on_str_eq(label, ON_STR("_")) ? ON_STR_NONE : label;
  }
  return true;
}

const on_head_kind on_tagger_kind = {.name = "tagger", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};
