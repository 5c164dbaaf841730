#include "head/head.h"
#include "head/lemmatizer.h"
#include "head/morphologizer.h"
#include "head/ner.h"
#include "head/parser.h"
#include "head/senter.h"
#include "head/spancat.h"
#include "head/tagger.h"
#include "head/textcat.h"

static const on_head_kind *const KINDS[] = {&on_tagger_kind, &on_morphologizer_kind, &on_lemmatizer_kind,
                                            &on_parser_kind, &on_senter_kind, &on_ner_kind, &on_textcat_kind,
                                            &on_spancat_kind};

const on_head_kind *on_head_kind_at(size_t i) { return i < sizeof KINDS / sizeof *KINDS ? KINDS[i] : NULL; }

const on_head_kind *on_head_kind_find(on_str name) {
  for (size_t i = 0; on_head_kind_at(i); i++) {
    if (on_str_eq(on_str_c(KINDS[i]->name), name)) return KINDS[i];
  }
  return NULL;
}
