// Batches mix Docs of different annotation; each head computes over those that it learns from.
#include <string.h>

#include "train/kinds.h"

// A step over the chosen Docs alone; its arena and random numbers are those of `step` until they are given back.
typedef struct selection {
  on_train_step step;
  size_t *from;  // the first row of each chosen Doc in the whole step
  float *h, *dh;
} selection;

static bool select_docs(selection *s, const on_head_trainer *trainer, const on_head *head, on_train_step *whole,
                        size_t count) {
  s->step = *whole;
  on_train_step *step = &s->step;
  step->docs = ON_NEW(&step->arena, on_doc, count);
  step->starts = ON_NEW(&step->arena, uint32_t, count + 1);
  s->from = ON_NEW(&step->arena, size_t, count);
  if (!step->docs || !step->starts || !s->from) return false;
  step->doc_count = step->m = 0;
  for (size_t d = 0; d < whole->doc_count; d++) {
    if (!trainer->learns(head, &whole->docs[d])) continue;
    step->docs[step->doc_count] = whole->docs[d];
    step->starts[step->doc_count] = (uint32_t)step->m;
    s->from[step->doc_count++] = whole->starts[d];
    step->m += whole->docs[d].n;
  }
  step->starts[step->doc_count] = (uint32_t)step->m;
  s->h = ON_NEW(&step->arena, float, step->m * head->width);
  s->dh = ON_NEW0(&step->arena, float, step->m * head->width);
  return s->h && s->dh;
}

bool on_head_trainer_step(const on_head_trainer *trainer, const on_head *head, void *state, on_train_step *step,
                          const float *h, float *dh, float scale, on_train_loss *loss) {
  size_t count = 0, width = head->width;
  for (size_t d = 0; d < step->doc_count; d++) count += trainer->learns(head, &step->docs[d]);
  *loss = (on_train_loss){0};
  if (count == 0) return true;
  if (count == step->doc_count) return trainer->step(head, state, step, h, dh, scale, loss);
  selection s;
  bool ok = select_docs(&s, trainer, head, step, count);
  for (size_t d = 0; ok && d < count; d++) {
    memcpy(s.h + s.step.starts[d] * width, h + s.from[d] * width, s.step.docs[d].n * width * sizeof *h);
  }
  ok = ok && trainer->step(head, state, &s.step, s.h, s.dh, scale, loss);
  for (size_t d = 0; ok && d < count; d++) {
    float *to = dh + s.from[d] * width;
    const float *from = s.dh + s.step.starts[d] * width;
    for (size_t j = 0; j < s.step.docs[d].n * width; j++) to[j] += from[j];
  }
  step->arena = s.step.arena;
  step->random = s.step.random;
  return ok;
}
