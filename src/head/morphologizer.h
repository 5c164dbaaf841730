// The `morphologizer` head: one joint label per token, POS=<upos> or POS=<upos>|<features>, into the
// columns Pos (UPOS) and Morph (FEATS).
#ifndef ON_HEAD_MORPHOLOGIZER_H
#define ON_HEAD_MORPHOLOGIZER_H

#include "head/head.h"
#include "head/labels.h"
#include "head/output.h"

#define ON_MAX_MORPHOLOGIZER_LABELS 65536u

typedef struct on_morphologizer {
  on_labels labels;
  on_str *pos, *morph;  // of each label; morph p NULL: none
  on_output output;
} on_morphologizer;

extern const on_head_kind on_morphologizer_kind;

#endif
