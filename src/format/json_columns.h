// The columns of our own JSON output (docs/json.schema.json), read back.
#ifndef ON_FORMAT_JSON_COLUMNS_H
#define ON_FORMAT_JSON_COLUMNS_H

#include "doc/doc.h"
#include "format/json.h"

// `doc` is what on_jsonl_next made of the line `root`. Where the line has an array "form", its words, sentences (absent:
// one), ranges and columns (lemma, upos, xpos, feats, head, deprel) become those of the Doc, whose entities and spans
// then count words. 1: done; 0: the line has no columns; -1: its members do not belong together (ON_DATA_FORMAT, the
// message names one), or out of memory.
int on_doc_columns_from_json(on_doc *doc, const on_json *root, on_error *error);

#endif
