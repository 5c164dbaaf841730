// All parameters of a pipeline in one block, their gradients per shard, and Adam with decoupled weight decay
// (Loshchilov and Hutter 2019), gradient clipping and a running average of the weights.
#ifndef ON_TRAIN_OPTIMIZER_H
#define ON_TRAIN_OPTIMIZER_H

#include "pipeline/pipeline.h"
#include "train/recipe.h"

typedef struct on_range {
  size_t from, n;
  float decay;
  float rate;  // share of the learning rate
} on_range;

typedef struct on_optimizer {
  size_t n;               // values
  float *values, *m, *v;  // [n]
  float *average;         // [n], or NULL
  float *start, *mixed;   // [n], or NULL: the first weights, and room for what is saved when they have a share in it
  float *grads[ON_TRAIN_MAX_SHARDS];
  on_range *ranges;       // one per parameter
  size_t range_count;
  const on_hyper *hyper;
  uint64_t step, total_steps;
  float rate, norm;       // of the last step
} on_optimizer;

// Gives every parameter of the pipeline its place in the block (param->data). The pipeline must outlive it.
bool on_optimizer_init(on_optimizer *optimizer, on_pipeline *pipeline, const on_hyper *hyper, uint64_t total_steps,
                       on_error *error);
void on_optimizer_free(on_optimizer *optimizer);

// Sums the shards' gradients into a step and clears them. Returns false when the gradient is not finite; the
// step is then left out.
bool on_optimizer_step(on_optimizer *optimizer);

// Keeps the weights as they are now, so that they have their share (start_share) in what is saved.
bool on_optimizer_keep_start(on_optimizer *optimizer, on_error *error);

// Points the parameters at the weights that are saved (true: the averaged ones where there is an average, mixed with
// those of the start where these were kept) or back at the trained ones (false).
void on_optimizer_use_saved(on_optimizer *optimizer, on_pipeline *pipeline, bool saved);

#endif
