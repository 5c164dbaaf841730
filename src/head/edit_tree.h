// Edit trees (Chrupala 2008): how a lemma is made from a form. A match node keeps the middle of the form,
// which stands between a prefix and a suffix of given lengths, and edits those two by its children; a
// substitution replaces a whole string. Serialized as saved-pipelines.md says:
//   M<prefix>,<suffix>(<left>)(<right>)    S<n>:<original><m>:<replacement>
// with lengths in UTF-16 units; an empty child stands for an empty prefix or suffix that stays empty.
#ifndef ON_HEAD_EDIT_TREE_H
#define ON_HEAD_EDIT_TREE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

enum { ON_EDIT_TREE_UNITS = 4096, ON_EDIT_TREE_DEPTH = 64 };

typedef struct on_edit_node {
  bool match;
  uint32_t prefix, suffix;        // match: lengths
  int32_t left, right;            // match: child nodes, -1 for none
  on_str16 original, replacement; // substitution
} on_edit_node;

typedef struct on_edit_tree {
  const on_edit_node *nodes;  // the root is nodes[0]
  uint32_t n;
  uint32_t added;             // units of all replacements: a form becomes longer by as many at most
} on_edit_tree;

// Parses a serialized tree (UTF-8); at most 4,096 units and 64 levels. ON_INVALID_DATA tells the offset in
// the string by its message. All memory is the arena's.
bool on_edit_tree_parse(on_edit_tree *tree, on_arena *arena, on_str text, on_error *error);

// out[room] = the tree applied to the form; returns false when it does not fit the form (form too short,
// another original) or the result is empty or longer than `room`.
bool on_edit_tree_apply(const on_edit_tree *tree, on_str16 form, uint16_t *out, size_t room, size_t *length);

// Appends the serialized tree that turns form into lemma: the longest common substring (the first one in
// the form, then in the lemma) is kept, what stands before and behind it is edited in the same way. False:
// out of memory, or the tree would pass the limits.
bool on_edit_tree_build(on_buf *out, on_str16 form, on_str16 lemma);

#endif
