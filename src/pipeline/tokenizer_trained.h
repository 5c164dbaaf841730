// The tokenizer kinds that are an encoder and a head themselves (src/segment).
#ifndef ON_PIPELINE_TOKENIZER_TRAINED_H
#define ON_PIPELINE_TOKENIZER_TRAINED_H

#include "pipeline/tokenizer.h"

extern const on_tokenizer_kind on_segmenter_kind;
extern const on_tokenizer_kind on_mwt_kind;

#endif
