// The `senter` head: one output per token; a score above 0 starts a sentence there.
#ifndef ON_HEAD_SENTER_H
#define ON_HEAD_SENTER_H

#include "head/head.h"
#include "head/output.h"

typedef struct on_senter {
  on_output output;  // one label
} on_senter;

extern const on_head_kind on_senter_kind;

#endif
