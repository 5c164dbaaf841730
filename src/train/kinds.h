// The training halves of encoder and head kinds, found by the same names.
#ifndef ON_TRAIN_KINDS_H
#define ON_TRAIN_KINDS_H

#include "encode/encode.h"
#include "format/conllu.h"
#include "head/head.h"
#include "train/step.h"

#define ON_NO_HEIGHT UINT32_MAX

typedef struct on_encoder_trainer {
  const char *name;
  void (*init)(const on_encoder *encoder, on_random *random);
  // *h[m][width], in the step's arena; *kept is what backward needs.
  bool (*forward)(const on_encoder *encoder, on_train_step *step, float **h, void **kept);
  bool (*backward)(const on_encoder *encoder, on_train_step *step, void *kept, float *dh);  // dh may be changed
  // Takes the first weights from the encoder's files; NULL: what `init` draws is all.
  bool (*load)(const on_encoder *encoder, on_error *error);
  // Takes the weights of an encoder of another kind, in a pipeline that the training starts from, or returns false where
  // they do not fit; NULL: no other kind has them. What may start anew (`all`: nothing may) stays as `init` drew it.
  bool (*take)(const on_encoder *encoder, const on_encoder *from, bool all);
  // How many layers lie above a parameter, where the learning rate falls from layer to layer, or ON_NO_HEIGHT for one
  // that learns at the rate of heads; NULL: all of them do.
  uint32_t (*height)(const on_encoder *encoder, const on_param *param);
} on_encoder_trainer;

typedef struct on_head_trainer {
  const char *name;
  // Appends the config of a head whose label sets are learned from the documents' gold columns; `given` is
  // the config of the recipe (what it says is kept) or NULL.
  bool (*infer)(on_buf *out, const on_json *given, const on_doc *docs, size_t count, on_error *error);
  void (*init)(const on_head *head, on_random *random);
  // Made once before training, in the arena: maps from gold values to targets. NULL: out of memory.
  void *(*start)(const on_head *head, on_arena *arena);
  void (*stop)(void *state);  // frees what `start` holds beside the arena; NULL: nothing
  // Adds the gradient of its loss, times `scale`, to dh[m][width] and to its parameters' gradients. The
  // loss sum and count of rows go to *loss.
  bool (*step)(const on_head *head, void *state, on_train_step *step, const float *h, float *dh, float scale,
               on_train_loss *loss);
  // Whether the Doc is annotated with what the head learns. Docs that are not teach it nothing.
  bool (*learns)(const on_head *head, const on_doc *doc);
  // Reads what `infer` wrote into the config for the training alone (class weights); NULL: nothing.
  bool (*configure)(const on_head *head, void *state, const on_json *config, on_error *error);
} on_head_trainer;

// One step of a head over those Docs of the step that teach it something.
bool on_head_trainer_step(const on_head_trainer *trainer, const on_head *head, void *state, on_train_step *step,
                          const float *h, float *dh, float scale, on_train_loss *loss);

const on_encoder_trainer *on_encoder_trainer_find(const char *name);
const on_head_trainer *on_head_trainer_find(const char *name);

#endif
