#include "pipeline/text_sums.h"

#include "base/alloc.h"

static bool conclude(const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                     const double *values, on_doc *doc, on_error *error) {
  doc->cats = NULL;
  doc->cat_count = 0;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    const on_component *component = &pipeline->components[i];
    if (component->type != ON_COMPONENT_HEAD || !component->head.kind->conclude) continue;
    if (components && !components[i]) continue;
    if (!component->head.kind->conclude(&component->head, workspace, values + component->sums_at, doc, error)) {
      return false;
    }
  }
  return true;
}

bool on_text_sums_add(on_text_sums *sums, const on_pipeline *pipeline, on_workspace *workspace,
                      const uint8_t *components, on_doc *doc, on_error *error) {
  if (!doc->text_sums) return true;  // no such head runs, or the unit has no tokens
  size_t n = pipeline->sum_count;
  if (!sums->values) {
    sums->values = on_malloc(n * sizeof *sums->values);
    if (!sums->values) return on_fail_memory(error);
    memcpy(sums->values, doc->text_sums, n * sizeof *sums->values);
    return true;  // the first unit: what was said of it alone holds
  }
  for (size_t i = 0; i < n; i++) sums->values[i] += doc->text_sums[i];
  return conclude(pipeline, workspace, components, sums->values, doc, error);
}

void on_text_sums_free(on_text_sums *sums) {
  on_free(sums->values);
  sums->values = NULL;
}
