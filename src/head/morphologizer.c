#include "head/morphologizer.h"

#include <string.h>

static bool split_labels(on_morphologizer *m, on_arena *arena, const char *path, on_error *error) {
  m->pos = ON_NEW(arena, on_str, m->labels.n);
  m->morph = ON_NEW0(arena, on_str, m->labels.n);
  if (!m->pos || !m->morph) return on_fail_memory(error);
  for (uint32_t i = 0; i < m->labels.n; i++) {
    on_str label = m->labels.list[i];
    if (!on_str_starts(label, ON_STR("POS="))) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: \"%.*s\" does not start with POS=", path, i,
                     ON_SHOW(label));
    }
    const char *bar = memchr(label.p, '|', label.n);
    size_t end = bar ? (size_t)(bar - label.p) : label.n;
    m->pos[i] = on_str_sub(label, 4, end);
    if (bar) m->morph[i] = on_str_sub(label, end + 1, label.n);
  }
  return true;
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_morphologizer *m = ON_NEW0(arena, on_morphologizer, 1);
  if (!m) return on_fail_memory(error);
  head->state = m;
  uint32_t head_classes;
  return on_labels_read(&m->labels, arena, config, path, 1, ON_MAX_MORPHOLOGIZER_LABELS, true, error) &&
         split_labels(m, arena, path, error) && on_output_read_classes(config, path, &head_classes, error) &&
         on_output_declare(&m->output, &head->params, arena, width, m->labels.n, head_classes, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_morphologizer *m = head->state;
  on_buf_char(out, '{');
  if (m->output.head_classes) on_buf_format(out, "\"headClasses\": %u, ", m->output.head_classes);
  on_buf_str(out, ON_STR("\"labels\": "));
  on_labels_write(&m->labels, out);
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_morphologizer *m = head->state;
  return on_output_prepare(&m->output, arena) || on_fail_memory(error);
}

static on_str or_none(on_str s) { return s.n == 0 || on_str_eq(s, ON_STR("_")) ? ON_STR_NONE : s; }

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_morphologizer *m = head->state;
  uint32_t *best = ON_NEW(&workspace->scratch, uint32_t, doc->n);
  if (!best || !on_doc_column(doc, &doc->pos) || !on_doc_column(doc, &doc->morph) ||
      !on_output_classify(&m->output, workspace, h, NULL, doc->n, best)) {
    return on_fail_memory(error);
  }
  for (size_t i = 0; i < doc->n; i++) {
    doc->pos[i] = or_none(m->pos[best[i]]);
    doc->morph[i] = or_none(m->morph[best[i]]);
  }
  return true;
}

const on_head_kind on_morphologizer_kind = {.name = "morphologizer", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};
