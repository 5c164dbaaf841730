// Training of the senter head. The first token of a document always starts a sentence and teaches nothing.
#include "head/senter.h"

#include <math.h>
#include <string.h>

#include "train/senter.h"

static bool infer(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error) {
  (void)given, (void)docs, (void)count, (void)error;
  on_buf_str(out, ON_STR("{}"));
  return true;
}

static void init(const on_head *head, on_random *random) {
  const on_senter *senter = head->state;
  on_init_glorot(senter->output.weight[0], random);
  on_init_constant(senter->output.bias[0], 0);
}

static void *start(const on_head *head, on_arena *arena) {
  (void)head;
  return on_arena_alloc(arena, 1, 1);
}

static bool step_senter(const on_head *head, void *state, on_train_step *step, const float *h, float *dh, float scale,
                        on_train_loss *loss) {
  (void)state;
  const on_senter *senter = head->state;
  size_t n = step->m * head->width;
  bool ok = true;
  float *x = ON_NEW(&step->arena, float, n);
  float *dx = ON_NEW0(&step->arena, float, n);
  float *logits = ON_NEW(&step->arena, float, step->m);
  float *target = ON_NEW(&step->arena, float, step->m);
  if (!x || !dx || !logits || !target) return false;
  memcpy(x, h, n * sizeof *x);
  float *mask = on_step_dropout(step, x, n, step->rates->head, &ok);
  for (size_t d = 0; d < step->doc_count; d++) {
    for (size_t i = 0; i < step->docs[d].n; i++) {
      target[step->starts[d] + i] = i == 0 ? NAN : step->docs[d].sent_start[i];
    }
  }
  on_step_linear_forward(logits, x, senter->output.weight[0], senter->output.bias[0], step->m);
  *loss = on_train_binary_cross_entropy(logits, logits, target, step->m, scale);
  on_step_linear_backward(step, dx, logits, x, senter->output.weight[0], senter->output.bias[0], step->m);
  if (mask) on_train_apply_mask(dx, mask, n);
  for (size_t j = 0; j < n; j++) dh[j] += dx[j];
  return ok;
}

static bool learns(const on_head *head, const on_doc *doc) {
  (void)head;
  return doc->has_sents;
}

const on_head_trainer on_senter_trainer = {.name = "senter", .infer = infer, .init = init, .start = start,
                                           .step = step_senter, .learns = learns};
