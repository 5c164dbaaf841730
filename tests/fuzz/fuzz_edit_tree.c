// Edit trees. Three lines: a form, a lemma and a serialized tree. The tree is parsed and applied to both, and one that
// is built from form and lemma must parse and give the lemma.
#include <stdlib.h>

#include "head/edit_tree.h"
#include "text/utf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static on_str line_at(on_str bytes, size_t *at) {
  const size_t from = *at;
  while (*at < bytes.n && bytes.p[*at] != '\n') ++*at;
  const on_str line = on_str_sub(bytes, from, *at);
  if (*at < bytes.n) ++*at;
  return line;
}

static void check_tree(const on_edit_tree *tree) {
  if (tree->n == 0 || tree->n > ON_EDIT_TREE_UNITS) abort();
  for (uint32_t i = 0; i < tree->n; i++) {
    const on_edit_node *node = &tree->nodes[i];
    // Children come behind their parent, so no walk goes round.
    if (node->left >= (int32_t)tree->n || (node->left >= 0 && node->left <= (int32_t)i)) abort();
    if (node->right >= (int32_t)tree->n || (node->right >= 0 && node->right <= (int32_t)i)) abort();
  }
}

static void apply(const on_edit_tree *tree, on_arena *arena, on_str16 form, const on_str16 *want) {
  const size_t room = form.n + ON_EDIT_TREE_UNITS;
  uint16_t *out = ON_NEW(arena, uint16_t, room);
  size_t n = 0;
  if (!out) abort();
  const bool fits = on_edit_tree_apply(tree, form, out, room, &n);
  if (fits && (n == 0 || n > room)) abort();
  if (want && !(fits ? on_str16_eq((on_str16){out, n}, *want) : want->n == 0)) abort();
  // With less room there is an error, and nothing behind it is written (ASan looks on).
  uint16_t *small = ON_NEW(arena, uint16_t, n);
  if (!small || (fits && on_edit_tree_apply(tree, form, small, n - 1, &n))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const on_str bytes = {(const char *)data, size};
  size_t at = 0;
  on_arena arena = {0};
  on_str16 form, lemma;
  const on_str first = line_at(bytes, &at), second = line_at(bytes, &at);
  on_edit_tree tree;
  on_error error = {0};
  if (on_utf16_from_utf8(&arena, first, &form, NULL) && on_utf16_from_utf8(&arena, second, &lemma, NULL)) {
    if (on_edit_tree_parse(&tree, &arena, on_str_sub(bytes, at, size), &error)) {
      check_tree(&tree);
      apply(&tree, &arena, form, NULL);
      apply(&tree, &arena, lemma, NULL);
    } else if (error.code != ON_INVALID_DATA && error.code != ON_INVALID_UTF8) {
      abort();
    }
    on_buf built = {0};
    if (on_edit_tree_build(&built, form, lemma)) {
      if (!on_edit_tree_parse(&tree, &arena, on_buf_view(&built), NULL)) abort();
      check_tree(&tree);
      apply(&tree, &arena, form, &lemma);
    }
    on_buf_free(&built);
  }
  on_arena_free(&arena);
  return 0;
}
