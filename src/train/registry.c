#include <string.h>

#include "train/fast.h"
#include "train/hash_embedding.h"
#include "train/kinds.h"
#include "train/lemmatizer.h"
#include "train/morphologizer.h"
#include "train/ner.h"
#include "train/parser.h"
#include "train/senter.h"
#include "train/spancat.h"
#include "train/tagger.h"
#include "train/textcat.h"
#include "train/trainable.h"
#include "train/transformer.h"

static const on_encoder_trainer *const ENCODERS[] = {&on_hash_embedding_trainer, &on_fast_trainer,
                                                     &on_transformer_trainer, &on_trainable_trainer};
static const on_head_trainer *const HEADS[] = {&on_tagger_trainer, &on_morphologizer_trainer, &on_lemmatizer_trainer,
                                               &on_parser_trainer, &on_senter_trainer, &on_ner_trainer,
                                               &on_textcat_trainer, &on_spancat_trainer};

const on_encoder_trainer *on_encoder_trainer_find(const char *name) {
  for (size_t i = 0; i < sizeof ENCODERS / sizeof *ENCODERS; i++) {
    if (strcmp(ENCODERS[i]->name, name) == 0) return ENCODERS[i];
  }
  return NULL;
}

const on_head_trainer *on_head_trainer_find(const char *name) {
  for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
    if (strcmp(HEADS[i]->name, name) == 0) return HEADS[i];
  }
  return NULL;
}
