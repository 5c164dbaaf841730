// Annotations as JSON (open point 16): one object for a whole text, collected unit by unit. It is a JSON Lines
// object (text, tokens, entities, spans, cats) and, with `columns`, more; docs/json.schema.json describes it.
#ifndef ON_FORMAT_JSON_DOC_H
#define ON_FORMAT_JSON_DOC_H

#include "base/buffer.h"
#include "doc/doc.h"

typedef enum on_json_column {
  ON_JSON_FORM, ON_JSON_LEMMA, ON_JSON_UPOS, ON_JSON_XPOS, ON_JSON_FEATS, ON_JSON_HEAD, ON_JSON_DEPREL,
  ON_JSON_COLUMNS
} on_json_column;

// Comma-separated elements; `n` of them.
typedef struct on_json_list {
  on_buf buf;
  size_t n;
} on_json_list;

typedef struct on_json_group {
  on_buf name;
  on_json_list spans, scores;
} on_json_group;

typedef struct on_json_doc {
  size_t words, tokens;      // so far; words that share an undividable surface form share a token
  on_json_list token, word_token, sentence, range;
  on_json_list columns[ON_JSON_COLUMNS];
  bool has_ents;
  on_json_list entity, entity_score;
  on_json_group *groups;
  size_t group_count, group_cap;
  on_json_list cat;          // of the last unit that has any
  bool failed;
} on_json_doc;  // a zeroed one is empty

// Adds a unit; `base` is added to its source offsets. Failure is sticky and told by on_json_doc_finish.
void on_json_doc_add(on_json_doc *json, const on_doc *doc, uint32_t base);
// Appends the object, without a line end. `text` is the whole text in UTF-8. False: out of memory.
bool on_json_doc_finish(const on_json_doc *json, on_str text, bool columns, on_buf *out);
// Empties it for another text.
void on_json_doc_free(on_json_doc *json);

#endif
