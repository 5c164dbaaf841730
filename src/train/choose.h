// Chooses a recipe for a treebank from what is in it, and says why.
#ifndef ON_TRAIN_CHOOSE_H
#define ON_TRAIN_CHOOSE_H

#include "train/corpus.h"

typedef struct on_choice {
  on_str language;     // code, or p NULL: that of the data set that fits best
  on_str name;         // of the pipeline, for its metadata; p NULL: the language
  on_str train, dev;   // file names for the recipe; dev p NULL: a tenth of train is held out
} on_choice;

// Appends the recipe to `recipe`, and to `why` one line for each decision. `dev` is the dev set, or what was held
// out of train.
bool on_choose_recipe(const on_choice *choice, const on_corpus *train, const on_corpus *dev, on_buf *recipe,
                      on_buf *why, on_error *error);

#endif
