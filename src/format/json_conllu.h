// CoNLL-U sentences in JSON Lines: members that JSON Lines itself does not have (and that its readers ignore), so
// that a sentence comes back as it was.
#ifndef ON_FORMAT_JSON_CONLLU_H
#define ON_FORMAT_JSON_CONLLU_H

#include "format/conllu.h"
#include "format/json.h"

// Appends a sentence as one line: `doc`, which was made of it, as JSON Lines, then the columns under the names of
// docs/json.schema.json, "deps" and "misc", and where there are some "comments", "range_lines" and "empty_lines"
// as written. False: out of memory.
bool on_json_from_conllu(on_buf *out, const on_conllu_sentence *sentence, const on_doc *doc, on_error *error);

// Appends the sentence of such a line. 1: done; 0: the line has no "form" and "misc"; -1: its columns make no
// sentence (ON_DATA_FORMAT, the message names the column or what is wrong), or out of memory.
int on_conllu_from_json(on_buf *out, const on_json *line, on_error *error);

#endif
