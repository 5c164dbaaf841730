// What JavaScript has to know about onenlp.h beyond the functions: values of enumerations and the layout of
// onenlp_error, by name, so that nothing of it is written a second time. (The error codes have
// onenlp_code_name.)
#include <stddef.h>

#include "onenlp.h"

// All names, GROUP.NAME, with a blank between two; and the values in the same order. Not a function for each: the calls
// would be a part of every start.
const char *onenlp_wasm_constant_names(void);
const int32_t *onenlp_wasm_constant_values(void);

#define ERROR_FIELD(field) ROW("error." #field, offsetof(onenlp_error, field))

#define CONSTANTS \
  ROW("error.size", sizeof(onenlp_error)) \
  ERROR_FIELD(code) \
  ERROR_FIELD(position) \
  ERROR_FIELD(text) \
  ROW("ownership.BORROW", ONENLP_BORROW) \
  ROW("input.TEXT", ONENLP_FROM_TEXT) \
  ROW("input.CONLLU", ONENLP_FROM_CONLLU) \
  ROW("input.CONLLU_TOKENS", ONENLP_FROM_CONLLU_TOKENS) \
  ROW("input.JSONL", ONENLP_FROM_JSONL) \
  ROW("output.CONLLU", ONENLP_TO_CONLLU) \
  ROW("output.JSON", ONENLP_TO_JSON) \
  ROW("output.JSONL", ONENLP_TO_JSONL) \
  ROW("output.COLUMNS", ONENLP_TO_COLUMNS) \
  ROW("output.COLUMNS_CONLLU", ONENLP_TO_COLUMNS_CONLLU) \
  ROW("output.COLUMN_BLOCKS", ONENLP_TO_COLUMN_BLOCKS) \
  ROW("style.TABLE", ONENLP_TABLE) \
  ROW("style.JSON", ONENLP_JSON) \
  ROW("storage.F32", ONENLP_F32) \
  ROW("storage.F16", ONENLP_F16) \
  ROW("storage.I8", ONENLP_I8) \
  ROW("format.CONLLU", ONENLP_CONLLU) \
  ROW("format.PLAIN_TEXT", ONENLP_PLAIN_TEXT) \
  ROW("format.TREEBANK_TEXT", ONENLP_TREEBANK_TEXT) \
  ROW("format.JSONL", ONENLP_JSONL) \
  ROW("column.START", ONENLP_START) \
  ROW("column.END", ONENLP_END) \
  ROW("column.SENTENCE_START", ONENLP_SENTENCE_START) \
  ROW("column.FORM", ONENLP_FORM) \
  ROW("column.LEMMA", ONENLP_LEMMA) \
  ROW("column.UPOS", ONENLP_UPOS) \
  ROW("column.XPOS", ONENLP_XPOS) \
  ROW("column.FEATS", ONENLP_FEATS) \
  ROW("column.HEAD", ONENLP_HEAD) \
  ROW("column.DEPREL", ONENLP_DEPREL) \
  ROW("column.RANGES", ONENLP_RANGES) \
  ROW("column.ENTITIES", ONENLP_ENTITIES) \
  ROW("column.SPANS", ONENLP_SPANS) \
  ROW("column.CATS", ONENLP_CATS) \
  ROW("column.UNIT", ONENLP_UNIT) \
  ROW("range.FIRST", ONENLP_RANGE_FIRST) \
  ROW("range.LAST", ONENLP_RANGE_LAST) \
  ROW("range.START", ONENLP_RANGE_START) \
  ROW("range.END", ONENLP_RANGE_END) \
  ROW("range.FORM", ONENLP_RANGE_FORM) \
  ROW("range.ROW", ONENLP_RANGE_ROW) \
  ROW("entity.FIRST", ONENLP_ENTITY_FIRST) \
  ROW("entity.LAST", ONENLP_ENTITY_LAST) \
  ROW("entity.LABEL", ONENLP_ENTITY_LABEL) \
  ROW("entity.SCORE", ONENLP_ENTITY_SCORE) \
  ROW("entity.ROW", ONENLP_ENTITY_ROW) \
  ROW("span.GROUP", ONENLP_SPAN_GROUP) \
  ROW("span.FIRST", ONENLP_SPAN_FIRST) \
  ROW("span.LAST", ONENLP_SPAN_LAST) \
  ROW("span.LABEL", ONENLP_SPAN_LABEL) \
  ROW("span.SCORE", ONENLP_SPAN_SCORE) \
  ROW("span.ROW", ONENLP_SPAN_ROW) \
  ROW("cat.LABEL", ONENLP_CAT_LABEL) \
  ROW("cat.SCORE", ONENLP_CAT_SCORE) \
  ROW("cat.ROW", ONENLP_CAT_ROW) \
  ROW("unit.START", ONENLP_UNIT_START) \
  ROW("unit.END", ONENLP_UNIT_END) \
  ROW("unit.PARAGRAPH", ONENLP_UNIT_PARAGRAPH) \
  ROW("unit.STRINGS_KEPT", ONENLP_UNIT_STRINGS_KEPT) \
  ROW("unit.LAST", ONENLP_UNIT_LAST) \
  ROW("unit.WORDS", ONENLP_UNIT_WORDS) \
  ROW("unit.ROW", ONENLP_UNIT_ROW)

#define ROW(name, value) " " name
static const char names[] = CONSTANTS;
#undef ROW

#define ROW(name, value) (int32_t)(value),
static const int32_t values[] = {CONSTANTS};
#undef ROW

const char *onenlp_wasm_constant_names(void) { return names + 1; }

const int32_t *onenlp_wasm_constant_values(void) { return values; }
