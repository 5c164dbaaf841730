// What an encoder sees in place of a training document: the same tokens, some of them written otherwise.
#ifndef ON_TRAIN_VIEW_H
#define ON_TRAIN_VIEW_H

#include "train/step.h"

// Fills `view` with `doc` as the encoder shall see it in this step, by rates->lower (in lower case) and rates->names
// (names of entities replaced by others of the same label). Only text, start, end and n of the view are meant to be
// read; memory is the step's and the Doc's. Draws nothing at random while both rates are 0. False: out of memory.
bool on_train_view(on_train_step *step, const on_doc *doc, on_doc *view);

#endif
