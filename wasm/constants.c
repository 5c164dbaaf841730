// What JavaScript has to know about onenlp.h beyond the functions: values of enumerations and the layout of
// onenlp_error, by name, so that nothing of it is written a second time. (The error codes have
// onenlp_code_name.)
#include <stddef.h>

#include "onenlp.h"

// A row a name; names are GROUP.NAME. Numbering starts at 0; NULL behind the last one.
const char *onenlp_wasm_constant_name(size_t i);
int32_t onenlp_wasm_constant_value(size_t i);

typedef struct constant {
  const char *name;
  int32_t value;
} constant;

#define ERROR_FIELD(field) {"error." #field, (int32_t)offsetof(onenlp_error, field)}

static const constant constants[] = {
    {"error.size", (int32_t)sizeof(onenlp_error)},
    ERROR_FIELD(code),
    ERROR_FIELD(position),
    ERROR_FIELD(text),

    {"ownership.TAKE", ONENLP_TAKE},

    {"input.TEXT", ONENLP_FROM_TEXT},
    {"input.CONLLU", ONENLP_FROM_CONLLU},
    {"input.CONLLU_TOKENS", ONENLP_FROM_CONLLU_TOKENS},
    {"input.JSONL", ONENLP_FROM_JSONL},

    {"output.CONLLU", ONENLP_TO_CONLLU},
    {"output.JSON", ONENLP_TO_JSON},
    {"output.JSONL", ONENLP_TO_JSONL},
    {"output.COLUMNS", ONENLP_TO_COLUMNS},
    {"output.COLUMNS_CONLLU", ONENLP_TO_COLUMNS_CONLLU},

    {"style.TABLE", ONENLP_TABLE},
    {"style.JSON", ONENLP_JSON},

    {"storage.F32", ONENLP_F32},
    {"storage.F16", ONENLP_F16},
    {"storage.I8", ONENLP_I8},

    {"format.CONLLU", ONENLP_CONLLU},
    {"format.PLAIN_TEXT", ONENLP_PLAIN_TEXT},
    {"format.TREEBANK_TEXT", ONENLP_TREEBANK_TEXT},
    {"format.JSONL", ONENLP_JSONL},

    {"column.START", ONENLP_START},
    {"column.END", ONENLP_END},
    {"column.SENTENCE_START", ONENLP_SENTENCE_START},
    {"column.FORM", ONENLP_FORM},
    {"column.LEMMA", ONENLP_LEMMA},
    {"column.UPOS", ONENLP_UPOS},
    {"column.XPOS", ONENLP_XPOS},
    {"column.FEATS", ONENLP_FEATS},
    {"column.HEAD", ONENLP_HEAD},
    {"column.DEPREL", ONENLP_DEPREL},
    {"column.RANGES", ONENLP_RANGES},
    {"column.ENTITIES", ONENLP_ENTITIES},
    {"column.SPANS", ONENLP_SPANS},
    {"column.CATS", ONENLP_CATS},
    {"column.UNIT", ONENLP_UNIT},

    {"range.FIRST", ONENLP_RANGE_FIRST},
    {"range.LAST", ONENLP_RANGE_LAST},
    {"range.START", ONENLP_RANGE_START},
    {"range.END", ONENLP_RANGE_END},
    {"range.FORM", ONENLP_RANGE_FORM},
    {"range.ROW", ONENLP_RANGE_ROW},
    {"entity.FIRST", ONENLP_ENTITY_FIRST},
    {"entity.LAST", ONENLP_ENTITY_LAST},
    {"entity.LABEL", ONENLP_ENTITY_LABEL},
    {"entity.SCORE", ONENLP_ENTITY_SCORE},
    {"entity.ROW", ONENLP_ENTITY_ROW},
    {"span.GROUP", ONENLP_SPAN_GROUP},
    {"span.FIRST", ONENLP_SPAN_FIRST},
    {"span.LAST", ONENLP_SPAN_LAST},
    {"span.LABEL", ONENLP_SPAN_LABEL},
    {"span.SCORE", ONENLP_SPAN_SCORE},
    {"span.ROW", ONENLP_SPAN_ROW},
    {"cat.LABEL", ONENLP_CAT_LABEL},
    {"cat.SCORE", ONENLP_CAT_SCORE},
    {"cat.ROW", ONENLP_CAT_ROW},
    {"unit.START", ONENLP_UNIT_START},
    {"unit.END", ONENLP_UNIT_END},
    {"unit.PARAGRAPH", ONENLP_UNIT_PARAGRAPH},
    {"unit.STRINGS_KEPT", ONENLP_UNIT_STRINGS_KEPT},
};

const char *onenlp_wasm_constant_name(size_t i) {
  return i < sizeof constants / sizeof *constants ? constants[i].name : NULL;
}

int32_t onenlp_wasm_constant_value(size_t i) {
  return i < sizeof constants / sizeof *constants ? constants[i].value : 0;
}
