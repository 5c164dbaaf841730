// onenlp train --treebank: the recipe that a folder's data ask for.
#ifndef ON_CLI_TREEBANK_H
#define ON_CLI_TREEBANK_H

#include "base/buffer.h"

// Finds train.conllu and dev.conllu (or *-train.conllu, *-dev.conllu) in the folder and appends a recipe for them,
// with absolute paths. Says what it chose, and why, on standard error. `language` may be NULL: then it is what the
// folder's name says (UD_Irish-IDT, or ga_idt-ud-train.conllu), else that of the data set that fits best. False: an
// error, which was said.
bool on_treebank_recipe(const char *folder, const char *language, on_buf *recipe);

#endif
