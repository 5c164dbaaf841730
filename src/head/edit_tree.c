#include "head/edit_tree.h"

#include <string.h>

#include "base/alloc.h"
#include "text/utf.h"

// ---- parsing --------------------------------------------------------------------------------------

typedef struct parser {
  on_str16 text;
  size_t at;
  on_edit_node *nodes;
  uint32_t n, cap, added;
} parser;

static bool take(parser *p, uint16_t unit) {
  if (p->at >= p->text.n || p->text.p[p->at] != unit) return false;
  p->at++;
  return true;
}

static bool take_number(parser *p, uint32_t *out) {
  size_t from = p->at;
  uint32_t value = 0;
  while (p->at < p->text.n && p->text.p[p->at] >= '0' && p->text.p[p->at] <= '9' && p->at - from < 5) {
    value = value * 10 + (uint32_t)(p->text.p[p->at++] - '0');
  }
  *out = value;
  // one spelling per number, so that equal trees are equal strings
  return p->at > from && value <= ON_EDIT_TREE_UNITS && (p->text.p[from] != '0' || p->at - from == 1);
}

static bool take_string(parser *p, on_str16 *out) {
  uint32_t n;
  if (!take_number(p, &n) || !take(p, ':') || p->text.n - p->at < n) return false;
  *out = on_str16_sub(p->text, p->at, p->at + n);
  p->at += n;
  return true;
}

// The depth of recursion is bounded by ON_EDIT_TREE_DEPTH. Returns the node's index, or -1.
static int32_t parse_node(parser *p, unsigned depth) {
  if (depth > ON_EDIT_TREE_DEPTH || p->n == p->cap) return -1;
  int32_t index = (int32_t)p->n++;
  on_edit_node node = {.left = -1, .right = -1};
  if (take(p, 'S')) {
    if (!take_string(p, &node.original) || !take_string(p, &node.replacement)) return -1;
    p->added += (uint32_t)node.replacement.n;
  } else {
    node.match = true;
    if (!take(p, 'M') || !take_number(p, &node.prefix) || !take(p, ',') || !take_number(p, &node.suffix)) return -1;
    int32_t *children[] = {&node.left, &node.right};
    for (int i = 0; i < 2; i++) {
      if (!take(p, '(')) return -1;
      if (p->at < p->text.n && p->text.p[p->at] != ')') {
        *children[i] = parse_node(p, depth + 1);
        if (*children[i] < 0) return -1;
      }
      if (!take(p, ')')) return -1;
    }
    // a child is left out only where there is nothing to edit
    if ((node.left < 0 && node.prefix > 0) || (node.right < 0 && node.suffix > 0)) return -1;
  }
  p->nodes[index] = node;
  return index;
}

bool on_edit_tree_parse(on_edit_tree *tree, on_arena *arena, on_str text, on_error *error) {
  parser p = {0};
  if (!on_utf16_from_utf8(arena, text, &p.text, error)) return false;
  if (p.text.n > ON_EDIT_TREE_UNITS) {
    return on_fail(error, ON_INVALID_DATA, -1, "edit tree of %zu UTF-16 units, at most %d are allowed", p.text.n,
                   ON_EDIT_TREE_UNITS);
  }
  for (size_t i = 0; i < p.text.n; i++) p.cap += p.text.p[i] == 'M' || p.text.p[i] == 'S';
  p.nodes = ON_NEW(arena, on_edit_node, p.cap);
  if (!p.nodes) return on_fail_memory(error);
  if (parse_node(&p, 1) < 0 || p.at != p.text.n) {
    return on_fail(error, ON_INVALID_DATA, -1, "\"%.*s\" is not an edit tree of at most %d levels (at UTF-16 unit %zu)",
                   ON_SHOW(text), ON_EDIT_TREE_DEPTH, p.at);
  }
  *tree = (on_edit_tree){p.nodes, p.n, p.added};
  return true;
}

// ---- applying -------------------------------------------------------------------------------------

typedef struct writer {
  uint16_t *out;
  size_t n, room;
} writer;

static bool put(writer *w, on_str16 s) {
  if (w->room - w->n < s.n) return false;
  if (s.n) memcpy(w->out + w->n, s.p, s.n * sizeof *s.p);
  w->n += s.n;
  return true;
}

static bool apply_node(const on_edit_tree *tree, int32_t index, on_str16 form, writer *w) {
  if (index < 0) return form.n == 0;
  const on_edit_node *node = &tree->nodes[index];
  if (!node->match) return on_str16_eq(form, node->original) && put(w, node->replacement);
  size_t edges = (size_t)node->prefix + node->suffix;
  if (form.n < edges) return false;
  size_t end = form.n - node->suffix;
  return apply_node(tree, node->left, on_str16_sub(form, 0, node->prefix), w) &&
         put(w, on_str16_sub(form, node->prefix, end)) &&
         apply_node(tree, node->right, on_str16_sub(form, end, form.n), w);
}

bool on_edit_tree_apply(const on_edit_tree *tree, on_str16 form, uint16_t *out, size_t room, size_t *length) {
  writer w = {out, 0, room};
  if (!apply_node(tree, 0, form, &w) || w.n == 0) return false;
  *length = w.n;
  return true;
}

// ---- building -------------------------------------------------------------------------------------

enum { MAX_BUILD_UNITS = 1024 };  // of a form or lemma: longer ones are not worth a tree

// The longest common substring, the first in a, then in b; *length 0 when there is none. A run that starts
// or ends inside a surrogate pair is shortened to whole pairs.
static bool longest_common(on_str16 a, on_str16 b, size_t *in_a, size_t *in_b, size_t *length) {
  *length = 0;
  uint16_t *runs = on_calloc(b.n + 1, sizeof *runs);
  if (!runs) return false;
  for (size_t i = 0; i < a.n; i++) {
    for (size_t j = b.n; j-- > 0;) {
      runs[j + 1] = a.p[i] == b.p[j] ? (uint16_t)(runs[j] + 1) : 0;
      size_t run = runs[j + 1];
      size_t at_a = i + 1 - run, at_b = j + 1 - run;
      if (run > *length || (run == *length && run > 0 && at_a == *in_a && at_b < *in_b)) {
        *length = run;
        *in_a = at_a;
        *in_b = at_b;
      }
    }
  }
  on_free(runs);
  if (*length > 0 && on_is_low_surrogate(a.p[*in_a])) {
    ++*in_a;
    ++*in_b;
    --*length;
  }
  if (*length > 0 && on_is_high_surrogate(a.p[*in_a + *length - 1])) --*length;
  return true;
}

static void put_string(on_buf *out, on_str16 s) {
  on_buf_u64(out, s.n);
  on_buf_char(out, ':');
  on_utf8_append(out, s);
}

static bool build_node(on_buf *out, on_str16 form, on_str16 lemma, unsigned depth) {
  size_t in_form = 0, in_lemma = 0, length = 0;
  if (depth > ON_EDIT_TREE_DEPTH || !longest_common(form, lemma, &in_form, &in_lemma, &length)) return false;
  if (length == 0) {
    on_buf_char(out, 'S');
    put_string(out, form);
    put_string(out, lemma);
    return true;
  }
  size_t form_end = in_form + length, lemma_end = in_lemma + length;
  on_buf_char(out, 'M');
  on_buf_u64(out, in_form);
  on_buf_char(out, ',');
  on_buf_u64(out, form.n - form_end);
  on_buf_char(out, '(');
  if ((in_form || in_lemma) &&
      !build_node(out, on_str16_sub(form, 0, in_form), on_str16_sub(lemma, 0, in_lemma), depth + 1)) {
    return false;
  }
  on_buf_str(out, ON_STR(")("));
  if ((form.n > form_end || lemma.n > lemma_end) &&
      !build_node(out, on_str16_sub(form, form_end, form.n), on_str16_sub(lemma, lemma_end, lemma.n), depth + 1)) {
    return false;
  }
  on_buf_char(out, ')');
  return true;
}

bool on_edit_tree_build(on_buf *out, on_str16 form, on_str16 lemma) {
  if (form.n > MAX_BUILD_UNITS || lemma.n > MAX_BUILD_UNITS) return false;
  size_t before = out->n;
  bool ok = build_node(out, form, lemma, 1) && !out->failed;
  if (ok && out->n - before > ON_EDIT_TREE_UNITS) {
    ok = on_utf16_length((on_str){out->p + before, out->n - before}) <= ON_EDIT_TREE_UNITS;
  }
  return ok;
}
