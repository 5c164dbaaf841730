// A compiled expression, between its parser and its matcher.
#ifndef ON_PIECES_PATTERN_INTERNAL_H
#define ON_PIECES_PATTERN_INTERNAL_H

#include "pieces/pattern.h"

typedef enum on_class { ON_CLASS_RANGE, ON_CLASS_CATEGORIES, ON_CLASS_SPACE, ON_CLASS_WORD } on_class;

typedef struct on_class_item {
  on_class kind;
  bool negated;
  uint32_t low, high;  // of RANGE; of CATEGORIES: low is a set of ON_GC_BIT
} on_class_item;

typedef struct on_char_set {
  uint32_t first, count;  // of on_pattern.items
  bool negated;
  uint64_t ascii[2];      // the answer for what is below U+0080
} on_char_set;

typedef enum on_op { ON_OP_SET, ON_OP_SPLIT, ON_OP_JUMP, ON_OP_AHEAD, ON_OP_NOT_AHEAD, ON_OP_MATCH } on_op;

typedef struct on_instruction {
  on_op op;
  uint32_t x, y;  // SET, AHEAD, NOT_AHEAD: set x. SPLIT: first x, then y. JUMP: x
} on_instruction;

enum { ON_PATTERN_CODE = 4096, ON_PATTERN_SETS = 1024, ON_PATTERN_ITEMS = 4096 };

struct on_pattern {
  on_instruction *code;
  uint32_t code_count;
  on_char_set *sets;
  uint32_t set_count;
  on_class_item *items;
  uint32_t item_count;
};

bool on_char_set_has(const on_pattern *pattern, uint32_t set, uint32_t c);
// The same without the table for what is below U+0080, which is made from it.
bool on_char_set_look_up(const on_pattern *pattern, const on_char_set *set, uint32_t c);

#endif
