#include "train/optimizer.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "nn/fastmath.h"
#include "train/kinds.h"
#include "train/parallel.h"

enum { CHUNK = 4096 };

typedef struct layout {
  on_optimizer *optimizer;
  size_t at;
} layout;

static bool count_param(void *context, const char *name, on_param *param) {
  (void)name;
  on_optimizer *o = context;
  o->n += on_param_count(param);
  o->range_count++;
  return true;
}

static bool place_param(void *context, const char *name, on_param *param) {
  (void)name;
  layout *l = context;
  on_optimizer *o = l->optimizer;
  size_t n = on_param_count(param);
  o->ranges[o->range_count++] = (on_range){l->at, n, param->table       ? o->hyper->table_decay
                                                     : param->rank == 2 ? o->hyper->weight_decay
                                                                        : 0, 1};
  param->type = ON_F32;
  param->scale = NULL;
  param->data = (const uint8_t *)(o->values + l->at);
  l->at += n;
  return true;
}

// The layers of a transformer learn at a rate of their own, which falls from the top downwards.
static void set_rates(on_optimizer *o, const on_pipeline *pipeline) {
  on_range *range = o->ranges;  // in the order of the parameters
  for (size_t e = 0; e < pipeline->encoder_count; e++) {
    const on_encoder *encoder = &pipeline->encoders[e];
    const on_encoder_trainer *trainer = on_encoder_trainer_find(encoder->kind->name);
    if (!trainer || !trainer->height) continue;
    for (size_t p = 0; p < encoder->params.n; p++) {
      const on_param *param = encoder->params.list[p];
      const uint32_t height = trainer->height(encoder, param);
      if (height == ON_NO_HEIGHT) continue;
      while (range->from != (size_t)(on_value(param) - o->values)) range++;
      range->rate = o->hyper->encoder_rate;
      for (uint32_t i = height; i > 0; i--) range->rate *= o->hyper->layer_decay;
    }
  }
}

bool on_optimizer_init(on_optimizer *o, on_pipeline *pipeline, const on_hyper *hyper, uint64_t total_steps,
                       on_error *error) {
  *o = (on_optimizer){.hyper = hyper, .total_steps = total_steps};
  on_pipeline_each_param(pipeline, count_param, o);
  o->values = on_calloc(o->n + 1, sizeof(float));
  o->m = on_calloc(o->n + 1, sizeof(float));
  o->v = on_calloc(o->n + 1, sizeof(float));
  o->average = hyper->average > 0 ? on_calloc(o->n + 1, sizeof(float)) : NULL;
  o->ranges = on_calloc(o->range_count + 1, sizeof *o->ranges);
  bool ok = o->values && o->m && o->v && o->ranges && (hyper->average <= 0 || o->average);
  for (uint32_t s = 0; s < hyper->shards; s++) {
    o->grads[s] = on_calloc(o->n + 1, sizeof(float));
    ok = ok && o->grads[s];
  }
  if (!ok) {
    on_optimizer_free(o);
    return on_fail_memory(error);
  }
  o->range_count = 0;
  layout l = {o, 0};
  on_pipeline_each_param(pipeline, place_param, &l);
  set_rates(o, pipeline);
  return true;
}

void on_optimizer_free(on_optimizer *o) {
  on_free(o->values);
  on_free(o->m);
  on_free(o->v);
  on_free(o->average);
  on_free(o->start);
  on_free(o->mixed);
  on_free(o->ranges);
  for (int s = 0; s < ON_TRAIN_MAX_SHARDS; s++) on_free(o->grads[s]);
  *o = (on_optimizer){0};
}

// Warm-up, then half a cosine down to final_rate.
static float rate_at(const on_optimizer *o) {
  const on_hyper *h = o->hyper;
  double done = (double)o->step / (double)(o->total_steps ? o->total_steps : 1);
  if (done < (double)h->warmup) return h->learning_rate * (float)((done + 1.0 / (double)o->total_steps) / (double)h->warmup);
  double phase = ((double)done - (double)h->warmup) / (1 - (double)h->warmup + 1e-9);
  if (phase > 1) phase = 1;
  double share = (double)h->final_rate + (1 - (double)h->final_rate) * 0.5 * (1 + cos(3.14159265358979 * phase));
  return h->learning_rate * (float)share;
}

typedef struct update {
  on_optimizer *optimizer;
  size_t parts;
  double squares[ON_TRAIN_MAX_SHARDS];
  on_adam adam;
  bool copy;  // the average has not started: it is the weights themselves
} update;

static void part_of(const update *u, size_t part, size_t *from, size_t *end) {
  size_t n = u->optimizer->n;
  *from = n / u->parts * part;
  *end = part + 1 == u->parts ? n : n / u->parts * (part + 1);
}

// grads[0] = the sum of all shards' gradients, the others zero; the sum of squares of the part.
static void gather(void *context, size_t part) {
  update *u = context;
  on_optimizer *o = u->optimizer;
  size_t from, end;
  part_of(u, part, &from, &end);
  double squares = 0;
  for (size_t at = from; at < end; at += CHUNK) {
    size_t n = end - at < CHUNK ? end - at : CHUNK;
    for (uint32_t s = 1; s < o->hyper->shards; s++) {
      on_axpy(o->grads[0] + at, 1, o->grads[s] + at, n);
      memset(o->grads[s] + at, 0, n * sizeof(float));
    }
    squares += (double)on_sum_squares(o->grads[0] + at, n);
  }
  u->squares[part] = squares;
}

static void apply(void *context, size_t part) {
  update *u = context;
  on_optimizer *o = u->optimizer;
  size_t from, end;
  part_of(u, part, &from, &end);
  for (size_t r = 0; r < o->range_count; r++) {
    size_t range_end = o->ranges[r].from + o->ranges[r].n;
    size_t at = o->ranges[r].from > from ? o->ranges[r].from : from;
    if (range_end > end) range_end = end;
    on_adam adam = u->adam;
    adam.decay = o->ranges[r].decay;
    adam.rate *= o->ranges[r].rate;
    while (at < range_end) {
      size_t n = range_end - at < CHUNK ? range_end - at : CHUNK;
      float *average = o->average ? o->average + at : NULL;
      on_adam_step(o->values + at, o->grads[0] + at, o->m + at, o->v + at, u->copy ? NULL : average, n, &adam);
      if (average && u->copy) memcpy(average, o->values + at, n * sizeof *average);
      at += n;
    }
  }
}

bool on_optimizer_step(on_optimizer *o) {
  const on_hyper *h = o->hyper;
  update u = {.optimizer = o, .parts = h->shards};
  on_parallel(u.parts, gather, &u);
  double squares = 0;
  for (size_t p = 0; p < u.parts; p++) squares += u.squares[p];
  o->norm = (float)sqrt(squares);
  o->rate = rate_at(o);
  o->step++;
  if (!isfinite(o->norm)) {
    memset(o->grads[0], 0, o->n * sizeof(float));
    return false;
  }
  double t = (double)o->step;
  u.adam = (on_adam){.rate = o->rate,
                     .beta1 = h->beta1,
                     .beta2 = h->beta2,
                     .eps = 1e-8f,
                     .grad_scale = h->clip > 0 && o->norm > h->clip ? h->clip / o->norm : 1,
                     .correction1 = (float)(1 / (1 - pow((double)h->beta1, t))),
                     .correction2 = (float)(1 / (1 - pow((double)h->beta2, t)))};
  if (o->average) {
    double since = t - (double)h->average_from * (double)o->total_steps;
    u.copy = since <= 0;
    // A short training is still far from its end when the average starts: that looks back over a tenth of the steps
    // since then, until it looks back as far as it is meant to.
    float rate = 1 - h->average, first = (float)(9 / (10 + since));
    u.adam.average_rate = first > rate ? first : rate;
  }
  on_parallel(u.parts, apply, &u);
  return true;
}

typedef struct shift {
  ptrdiff_t bytes;
} shift;

static bool move_param(void *context, const char *name, on_param *param) {
  (void)name;
  param->data += ((const shift *)context)->bytes;
  return true;
}

bool on_optimizer_keep_start(on_optimizer *o, on_error *error) {
  o->start = on_malloc((o->n + 1) * sizeof(float));
  o->mixed = on_malloc((o->n + 1) * sizeof(float));
  if (!o->start || !o->mixed) return on_fail_memory(error);
  memcpy(o->start, o->values, o->n * sizeof(float));
  return true;
}

void on_optimizer_use_saved(on_optimizer *o, on_pipeline *pipeline, bool saved) {
  const float *trained = o->average ? o->average : o->values;
  const float share = o->hyper->start_share;
  for (size_t i = 0; saved && o->mixed && i < o->n; i++) o->mixed[i] = share * o->start[i] + (1 - share) * trained[i];
  ptrdiff_t bytes = (const char *)(o->mixed ? o->mixed : trained) - (const char *)o->values;
  shift s = {saved ? bytes : -bytes};
  on_pipeline_each_param(pipeline, move_param, &s);
}
