#include "head/textcat.h"

#include "nn/math.h"

bool on_hidden_read(const on_json *config, const char *path, uint32_t *hidden, on_error *error) {
  int64_t value;
  if (!on_json_int(config, path, "hidden", false, 0, ON_MAX_HIDDEN, 0, &value, error)) return false;
  *hidden = (uint32_t)value;
  return true;
}

static bool read_multi_label(on_textcat *textcat, const on_json *config, const char *path, on_error *error) {
  const on_json *value = on_json_get(config, "multi_label");
  if (!value || on_json_type(value) != ON_JSON_BOOL) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.multi_label: want true or false", path);
  }
  textcat->multi_label = on_json_bool(value);
  return true;
}

static bool declare(on_head *head, on_textcat *textcat, on_arena *arena, const char *path, on_error *error) {
  uint32_t width = head->width;
  if (textcat->hidden) {
    textcat->hidden_weight = on_params_add(&head->params, arena, false, textcat->hidden, width, "hidden.weight");
    textcat->hidden_bias = on_params_add(&head->params, arena, false, textcat->hidden, 0, "hidden.bias");
    if (!textcat->hidden_weight || !textcat->hidden_bias) return on_fail_memory(error);
    width = textcat->hidden;
  }
  return on_output_declare(&textcat->output, &head->params, arena, width, textcat->labels.n, 0, path, error);
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_textcat *textcat = ON_NEW0(arena, on_textcat, 1);
  if (!textcat) return on_fail_memory(error);
  head->state = textcat;
  head->width = width;
  return read_multi_label(textcat, config, path, error) && on_hidden_read(config, path, &textcat->hidden, error) &&
         on_labels_read(&textcat->labels, arena, config, path, 1, ON_MAX_TEXTCAT_LABELS, false, error) &&
         declare(head, textcat, arena, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_textcat *textcat = head->state;
  on_buf_format(out, "{\"multi_label\": %s, \"hidden\": %u, \"labels\": ", textcat->multi_label ? "true" : "false",
                textcat->hidden);
  on_labels_write(&textcat->labels, out);
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_textcat *textcat = head->state;
  if (textcat->hidden) {
    textcat->hidden_packed = on_param_pack(textcat->hidden_weight, arena, 0, head->width);
    textcat->hidden_b = on_param_vector(textcat->hidden_bias, arena);
    if (!on_is_packed(&textcat->hidden_packed) || !textcat->hidden_b) return on_fail_memory(error);
  }
  return on_output_prepare(&textcat->output, arena) || on_fail_memory(error);
}

// The sum of the token vectors, then how many there are.
static size_t sum_count(const on_head *head) { return (size_t)head->width + 1; }

static void sum_up(const on_head *head, const float *h, const on_doc *doc, double *sums) {
  size_t width = head->width;
  for (size_t i = 0; i < doc->n; i++) {
    for (size_t j = 0; j < width; j++) sums[j] += (double)h[i * width + j];
  }
  sums[width] += (double)doc->n;
}

static void softmax(const on_kernels *k, float *x, size_t n) {
  float top = x[k->argmax(x, n)], total = 0;
  for (size_t i = 0; i < n; i++) x[i] -= top;
  k->exp(x, n);
  for (size_t i = 0; i < n; i++) total += x[i];
  for (size_t i = 0; i < n; i++) x[i] /= total;
}

static bool conclude(const on_head *head, on_workspace *workspace, const double *sums, on_doc *doc, on_error *error) {
  const on_textcat *textcat = head->state;
  const on_kernels *k = workspace->kernels;
  size_t width = head->width, n = textcat->labels.n;
  float *mean = ON_NEW(&workspace->scratch, float, width), *scores = ON_NEW(&workspace->scratch, float, n);
  on_cat *cats = on_doc_add_cats(doc, n);
  if (!mean || !scores || !cats) return on_fail_memory(error);
  for (size_t j = 0; j < width; j++) mean[j] = (float)(sums[j] / sums[width]);
  if (textcat->hidden) {
    float *hidden = ON_NEW(&workspace->scratch, float, textcat->hidden);
    if (!hidden) return on_fail_memory(error);
    on_linear(k, hidden, textcat->hidden, mean, width, 1, &textcat->hidden_packed, textcat->hidden_b, false);
    k->relu(hidden, textcat->hidden);
    mean = hidden;
    width = textcat->hidden;
  }
  on_linear(k, scores, n, mean, width, 1, &textcat->output.packed[0], textcat->output.b[0], false);
  if (textcat->multi_label) k->sigmoid(scores, n);
  else softmax(k, scores, n);
  for (size_t i = 0; i < n; i++) cats[i] = (on_cat){textcat->labels.list[i], scores[i]};
  return true;
}

const on_head_kind on_textcat_kind = {.name = "textcat", .create = create, .write_config = write_config,
                                      .prepare = prepare, .sum_count = sum_count, .sum_up = sum_up,
                                      .conclude = conclude};
