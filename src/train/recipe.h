// A recipe: a JSON file that says how a pipeline is trained (docs/training.md).
#ifndef ON_TRAIN_RECIPE_H
#define ON_TRAIN_RECIPE_H

#include "format/checkpoint.h"
#include "base/source.h"
#include "format/json.h"
#include "pipeline/pipeline.h"
#include "train/step.h"

enum { ON_TRAIN_MAX_SHARDS = 8 };

typedef struct on_hyper {
  uint32_t epochs;
  uint32_t batch_words;
  uint32_t shards;        // a batch is computed in so many parts, on as many threads
  float learning_rate, final_rate;  // peak, and the share of it that the cosine ends at
  float warmup;           // share of all steps
  float encoder_rate;     // of the layers of a transformer: the top one learns at this share of the rate,
  float layer_decay;      // each lower one at this share of the one above it
  uint32_t accumulate;    // a shard is computed in so many passes, one after another, to save memory
  float weight_decay;     // on matrices
  float table_decay;      // on embedding tables
  float clip;             // norm of the whole gradient
  float beta1, beta2;
  float average;          // decay of the running average of the weights that is saved; 0: none
  float average_from;     // share of all steps after which it starts
  float start_share;      // of the weights of `from`, in what is saved
  uint64_t seed;
  // How training units are made of sentences: with probability `single` one sentence alone, with
  // `paragraph` the rest of its paragraph, else sentences up to a length drawn from 1..join_words.
  float unit_single, unit_paragraph;
  uint32_t unit_join_words;
  uint32_t unit_rounds;    // in so many ways; then the same units come again, in another order. 0: never the same
  uint32_t cache_megabytes;  // for vectors of encoders that are not trained, where units come again
  uint32_t evaluate_from;  // epochs before this one are not scored on dev
  uint32_t export_graphs;  // 1: fine-tuned encoders are written as models beside the pipeline file
  on_dtype store;          // how matrices are stored in the file (and scored)
  on_regularization rates;
} on_hyper;

typedef struct on_recipe {
  on_json *root;
  const on_json *pipeline;    // the config, heads without `labels`
  const on_json *train;       // array of file names below the data folder, or of objects {"file", "share"}
  const on_json *dev;         // array of file names, or NULL; empty: no epoch is scored
  const on_json *names;       // object: label of entities to an array of files with names, or NULL
  const on_json *words;       // array of file names: words for the lists of encoders, or NULL
  const on_json *metadata;    // object of strings, or NULL
  const on_json *loss;        // object: component name to the weight of its loss, or NULL
  on_hyper hyper;
  const on_pipeline *from;    // whose weights are the first ones, or NULL: random ones; set by the caller
  const on_files *files;      // where the files of encoders are, or NULL; set by the caller
} on_recipe;

// Parses a recipe; unknown members are errors, since they are most likely misspelt. Free with
// on_recipe_free.
bool on_recipe_parse(on_recipe *recipe, on_str text, on_error *error);
void on_recipe_free(on_recipe *recipe);

// The weight of a component's loss: what `loss` says, else 1.
float on_recipe_loss(const on_recipe *recipe, on_str component);

// The file name of an item of `train`, and how much of it is part of an epoch.
on_str on_recipe_file(const on_json *item, float *share);

#endif
