// Training: a recipe and treebanks in, the bytes of a pipeline file out.
#ifndef ON_TRAIN_TRAIN_H
#define ON_TRAIN_TRAIN_H

#include "train/corpus.h"
#include "train/dev_score.h"
#include "train/recipe.h"

enum { ON_TRAIN_MAX_HEADS = 32 };

typedef struct on_train_progress {
  uint32_t epoch, epochs;        // the epoch that runs, from 1
  uint64_t step, steps;          // of the whole training
  uint64_t words;                // trained so far, all epochs
  float rate;                    // learning rate
  double loss;                   // mean per word over the epoch so far, all heads
  bool epoch_done;
  const on_dev_scores *dev;      // at the end of an epoch that was scored, else NULL
  bool best;                     // this epoch is the best so far
} on_train_progress;

// What the training tells its caller. All may be NULL. Called on the calling thread.
typedef struct on_train_listener {
  void *context;
  // The structure is known: the config that will be saved, the number of weights.
  void (*started)(void *context, on_str config, size_t weights, uint64_t words);
  void (*progress)(void *context, const on_train_progress *progress);
  // A better epoch, or the last one where there is no dev set (`dev` is NULL): its file. Returning false ends the
  // training with *error as the callee filled it.
  bool (*better)(void *context, on_str file, const on_dev_scores *dev, on_error *error);
  // Asked after every step; true ends the training after scoring what there is.
  bool (*stop)(void *context);
} on_train_listener;

// Trains on `train` and chooses the epoch by the mean dev score. When it is stopped before the first epoch was
// scored, the weights of that moment are scored and given to `better`. Without `dev` (NULL) nothing is scored, and the
// last epoch is given to `better`. Given the same recipe and data, the same machine gives the same file.
bool on_train(const on_recipe *recipe, const on_corpus *train, const on_corpus *dev, const on_train_listener *listener,
              on_error *error);

#endif
