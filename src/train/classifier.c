#include "train/classifier.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void on_classifier_init(const on_output *output, on_random *random) {
  for (uint32_t level = 0; level < output->levels; level++) {
    on_init_glorot(output->weight[level], random);
    on_init_constant(output->bias[level], 0);
  }
}

// One softmax over the layer `level` for the rows of x[m][width]; dx gets the gradient added.
static bool level_step(const on_output *output, uint32_t level, on_train_step *step, const float *x, float *dx,
                       const int32_t *target, const float *rows, size_t m, float scale, on_train_loss *loss) {
  size_t n = output->weight[level]->shape[0];
  float *logits = ON_NEW(&step->arena, float, m * n);
  if (!logits) return false;
  on_step_linear_forward(logits, x, output->weight[level], output->bias[level], m);
  *loss = on_train_cross_entropy_of_rows(logits, logits, n, target, rows, m, n, step->rates->smoothing, scale);
  on_step_linear_backward(step, dx, logits, x, output->weight[level], output->bias[level], m);
  return true;
}

// The second level sees only the rows whose label it holds.
static bool tail_step(const on_output *output, on_train_step *step, const float *x, float *dx, const int32_t *target,
                      const float *rows, float scale, on_train_loss *loss) {
  size_t width = output->width, m = 0;
  for (size_t i = 0; i < step->m; i++) m += target[i] >= (int32_t)output->head_classes;
  *loss = (on_train_loss){0};
  if (m == 0) return true;
  float *tail_x = ON_NEW(&step->arena, float, m * width);
  float *tail_dx = ON_NEW0(&step->arena, float, m * width);
  float *tail_rows = rows ? ON_NEW(&step->arena, float, m) : NULL;
  int32_t *tail_target = ON_NEW(&step->arena, int32_t, m);
  if (!tail_x || !tail_dx || !tail_target || (rows && !tail_rows)) return false;
  size_t r = 0;
  for (size_t i = 0; i < step->m; i++) {
    if (target[i] < (int32_t)output->head_classes) continue;
    memcpy(tail_x + r * width, x + i * width, width * sizeof *x);
    if (rows) tail_rows[r] = rows[i];
    tail_target[r++] = target[i] - (int32_t)output->head_classes;
  }
  if (!level_step(output, 1, step, tail_x, tail_dx, tail_target, tail_rows, m, scale, loss)) return false;
  r = 0;
  for (size_t i = 0; i < step->m; i++) {
    if (target[i] < (int32_t)output->head_classes) continue;
    for (size_t j = 0; j < width; j++) dx[i * width + j] += tail_dx[r * width + j];
    r++;
  }
  return true;
}

bool on_classifier_step(const on_output *output, on_train_step *step, const float *h, float *dh, const int32_t *target,
                        const float *rows, float scale, on_train_loss *loss) {
  size_t n = step->m * output->width;
  bool ok = true;
  float *x = ON_NEW(&step->arena, float, n);
  float *dx = ON_NEW0(&step->arena, float, n);
  int32_t *first = ON_NEW(&step->arena, int32_t, step->m);
  if (!x || !dx || !first) return false;
  memcpy(x, h, n * sizeof *x);
  float *mask = on_step_dropout(step, x, n, step->rates->head, &ok);
  bool two = output->levels == 2;
  for (size_t i = 0; i < step->m; i++) {
    first[i] = two && target[i] >= (int32_t)output->head_classes ? (int32_t)output->head_classes : target[i];
  }
  if (!ok || !level_step(output, 0, step, x, dx, first, rows, step->m, scale, loss)) return false;
  if (two) {
    on_train_loss tail;
    if (!tail_step(output, step, x, dx, target, rows, scale, &tail)) return false;
    loss->sum += tail.sum;
    loss->correct += tail.correct;
  }
  if (mask) on_train_apply_mask(dx, mask, n);
  for (size_t j = 0; j < n; j++) dh[j] += dx[j];
  return true;
}

// ---- label sets -----------------------------------------------------------------------------------

bool on_label_count(on_label_counts *counts, on_str label) {
  uint32_t *known = on_map_get(&counts->map, label);
  if (known) {
    counts->counts[*known]++;
    return true;
  }
  on_str key = on_arena_str(&counts->arena, label);
  if (!key.p || !on_grow((void **)&counts->keys, &counts->key_cap, counts->n + 1, sizeof *counts->keys) ||
      !on_grow((void **)&counts->counts, &counts->count_cap, counts->n + 1, sizeof *counts->counts) ||
      !on_map_put(&counts->map, key, (uint32_t)counts->n, NULL)) {
    return false;
  }
  counts->keys[counts->n] = key;
  counts->counts[counts->n++] = 1;
  return true;
}

typedef struct counted {
  on_str key;
  uint64_t count;
} counted;

static int by_frequency(const void *a, const void *b) {
  const counted *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return on_str_cmp(x->key, y->key);
}

bool on_label_counts_write(on_label_counts *counts, uint64_t min_count, on_buf *out) {
  counted *sorted = on_malloc((counts->n + 1) * sizeof *sorted);
  if (!sorted) return false;
  for (size_t i = 0; i < counts->n; i++) sorted[i] = (counted){counts->keys[i], counts->counts[i]};
  qsort(sorted, counts->n, sizeof *sorted, by_frequency);
  on_buf_str(out, ON_STR("\"labels\": ["));
  for (size_t i = 0; i < counts->n && sorted[i].count >= min_count; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, sorted[i].key);
  }
  on_buf_char(out, ']');
  on_free(sorted);
  return !out->failed;
}

void on_label_counts_free(on_label_counts *counts) {
  on_arena_free(&counts->arena);
  on_map_free(&counts->map);
  on_free(counts->keys);
  on_free(counts->counts);
  *counts = (on_label_counts){0};
}

bool on_label_counts_end(on_label_counts *counts, bool ok, const on_json *given, on_buf *out, on_error *error) {
  on_config_begin(out, given);
  ok = ok && on_label_counts_write(counts, 1, out);
  on_buf_char(out, '}');
  on_label_counts_free(counts);
  return ok || on_fail_memory(error);
}

void *on_label_map_start(const on_labels *labels, on_arena *arena) {
  on_map *map = ON_NEW0(arena, on_map, 1);
  for (uint32_t i = 0; map && i < labels->n; i++) {
    if (on_map_put(map, labels->list[i], i, NULL)) continue;
    on_map_free(map);
    map = NULL;
  }
  return map;
}

void on_label_map_stop(void *state) { on_map_free(state); }

int32_t on_label_target(const on_map *map, on_str label) {
  if (!label.p) return -1;
  const uint32_t *index = on_map_get(map, label);
  return index ? (int32_t)*index : -1;
}

void on_config_begin(on_buf *out, const on_json *given) {
  on_buf_char(out, '{');
  if (!given) return;
  for (const on_json *member = on_json_first(given); member; member = on_json_next(member)) {
    if (on_str_eq(on_json_key(member), ON_STR("labels"))) continue;
    on_json_write_string(out, on_json_key(member));
    on_buf_str(out, ON_STR(": "));
    on_json_write(out, member);
    on_buf_str(out, ON_STR(", "));
  }
}
