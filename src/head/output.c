#include "head/output.h"

#include <string.h>

#include "base/rare.h"
#include "nn/vectors.h"

static bool declare_linear(on_output *output, on_params *params, on_arena *arena, int level, const char *name,
                           uint32_t rows) {
  output->weight[level] = on_params_add(params, arena, false, rows, output->width, "%s.weight", name);
  output->bias[level] = on_params_add(params, arena, false, rows, 0, "%s.bias", name);
  return output->weight[level] && output->bias[level];
}

bool on_output_declare(on_output *output, on_params *params, on_arena *arena, uint32_t width, uint32_t labels,
                       uint32_t head_classes, const char *path, on_error *error) {
  *output = (on_output){.width = width, .labels = labels, .head_classes = head_classes};
  output->levels = head_classes > 0 && head_classes < labels ? 2 : 1;
  uint64_t outputs = (uint64_t)labels + (output->levels == 2);  // "other" is one more
  if (outputs * width > ON_MAX_OUTPUT_WEIGHTS) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: %u labels times width %u is more than %u weights", path, labels,
                   width, ON_MAX_OUTPUT_WEIGHTS);
  }
  bool ok = output->levels == 1 ? declare_linear(output, params, arena, 0, "output", labels)
                                : declare_linear(output, params, arena, 0, "head", head_classes + 1) &&
                                      declare_linear(output, params, arena, 1, "tail", labels - head_classes);
  return ok || on_fail_memory(error);
}

bool on_output_prepare(on_output *output, on_arena *arena) {
  for (uint32_t level = 0; level < output->levels; level++) {
    output->packed[level] = on_param_pack(output->weight[level], arena, 0, output->width);
    output->b[level] = on_param_vector(output->bias[level], arena);
    if (!on_is_packed(&output->packed[level]) || !output->b[level]) return false;
  }
  return true;
}

enum { ROWS = 32 };  // rows whose logits are held at a time

// The second level for the `count` rows `of`, as on_output_classify counts them.
ON_APART static void classify_tail(const on_output *output, on_workspace *workspace, const float *h, const uint32_t *which,
                          const uint32_t *of, size_t count, float *logits, uint32_t *best) {
  uint32_t rows[ROWS], found[ROWS];
  for (size_t i = 0; which && i < count; i++) rows[i] = which[of[i]];
  on_vectors_linear(workspace, logits, h, which ? rows : of, count, &output->packed[1], output->b[1]);
  workspace->kernels->argmax_rows(found, logits, count, output->packed[1].rows);
  for (size_t i = 0; i < count; i++) best[of[i]] = output->head_classes + found[i];
}

bool on_output_classify(const on_output *output, on_workspace *workspace, const float *h, const uint32_t *which,
                        size_t n, uint32_t *best) {
  size_t first = output->packed[0].rows;
  float *logits = ON_NEW(&workspace->scratch, float, ROWS * first);
  float *tail = output->levels == 2 ? ON_NEW(&workspace->scratch, float, ROWS * (size_t)output->packed[1].rows) : NULL;
  if (!logits || (output->levels == 2 && !tail)) return false;
  for (size_t from = 0; from < n; from += ROWS) {
    size_t rows = n - from < ROWS ? n - from : ROWS;
    const float *x = which ? h : h + from * output->width;
    on_vectors_linear(workspace, logits, x, which ? which + from : NULL, rows, &output->packed[0], output->b[0]);
    workspace->kernels->argmax_rows(best + from, logits, rows, first);
    if (output->levels < 2) continue;
    uint32_t others[ROWS];
    size_t count = 0;
    for (size_t r = from; r < from + rows; r++) {
      others[count] = (uint32_t)r;
      count += best[r] == output->head_classes;
    }
    if (count > 0) classify_tail(output, workspace, h, which, others, count, tail, best);
  }
  return true;
}

bool on_output_scores(const on_output *output, on_workspace *workspace, const float *h, float *scores) {
  const on_kernels *k = workspace->kernels;
  size_t first = output->packed[0].rows;
  if (output->levels == 1) {
    on_vectors_linear(workspace, scores, h, NULL, 1, &output->packed[0], output->b[0]);
    return true;
  }
  float *logits = ON_NEW(&workspace->scratch, float, first);
  if (!logits) return false;
  on_vectors_linear(workspace, logits, h, NULL, 1, &output->packed[0], output->b[0]);
  memcpy(scores, logits, output->head_classes * sizeof *scores);
  float *tail = scores + output->head_classes;
  size_t count = output->packed[1].rows;
  on_vectors_linear(workspace, tail, h, NULL, 1, &output->packed[1], output->b[1]);
  float shift = logits[output->head_classes] - tail[k->argmax(tail, count)];
  for (size_t i = 0; i < count; i++) tail[i] += shift;
  return true;
}

bool on_output_read_classes(const on_json *config, const char *path, uint32_t *head_classes, on_error *error) {
  int64_t value;
  if (!on_json_int(config, path, "headClasses", false, 0, ON_MAX_HEAD_CLASSES, 0, &value, error)) return false;
  *head_classes = (uint32_t)value;
  return true;
}
