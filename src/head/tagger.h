// The `tagger` head: one label per token into the column Tag (XPOS), Pos (UPOS) or Morph (FEATS). The
// label "_" leaves the column unset.
#ifndef ON_HEAD_TAGGER_H
#define ON_HEAD_TAGGER_H

#include "head/head.h"
#include "head/labels.h"
#include "head/output.h"

typedef enum on_tagger_column { ON_TAGGER_TAG, ON_TAGGER_POS, ON_TAGGER_MORPH } on_tagger_column;

typedef struct on_tagger {
  on_tagger_column column;
  on_labels labels;
  on_output output;
} on_tagger;

extern const on_head_kind on_tagger_kind;

// The Doc's column that the tagger writes.
on_str **on_tagger_column_of(const on_tagger *tagger, on_doc *doc);

#endif
