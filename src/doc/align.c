#include "doc/align.h"

#include "text/chars.h"
#include "text/fold.h"
#include "text/utf.h"

// One side's text and token offsets: those of Doc.Text or those of the source.
typedef struct view {
  on_str16 text;
  size_t base;  // where the text begins, for the offsets
  const uint32_t *start, *end;
  size_t n;
} view;

// Walks a view's text by folded characters without white space, and notes where tokens begin and end.
typedef struct walker {
  view view;
  size_t at;                      // next unit of the text
  uint32_t folded[ON_FOLD_MOST];  // what the character before `at` folds to
  size_t left, count;             // of that, not taken yet; all
  uint32_t taken;                 // folded characters so far
  uint32_t *start, *end;          // by token
  size_t starts, ends;            // tokens that have theirs
} walker;

// Tokens that begin or end at or before `at` do so after the characters taken so far.
static void note_edges(walker *w, size_t at) {
  const view *v = &w->view;
  while (w->starts < v->n && v->start[w->starts] <= v->base + at) w->start[w->starts++] = w->taken;
  while (w->ends < v->n && v->end[w->ends] <= v->base + at) w->end[w->ends++] = w->taken;
}

static bool next(walker *w, uint32_t *out) {
  while (w->left == 0) {
    note_edges(w, w->at);
    if (w->at >= w->view.text.n) return false;
    const uint32_t c = on_utf16_next(w->view.text, &w->at);
    if (on_is_space(c)) continue;
    w->left = w->count = on_fold(c, w->folded);
  }
  *out = w->folded[w->count - w->left];
  w->left--;
  w->taken++;
  return true;
}

// The offset of the character that was taken last.
static size_t last_offset(const walker *w) {
  size_t at = w->at;
  if (at > 0) on_utf16_prev(w->view.text, &at);
  return at;
}

static bool start_walk(walker *w, on_arena *arena, view v) {
  *w = (walker){.view = v};
  w->start = ON_NEW0(arena, uint32_t, v.n);
  w->end = ON_NEW0(arena, uint32_t, v.n);
  return w->start && w->end;
}

// A piece of a text around an offset for a message, at most 2 * 12 units and never half a pair.
static on_str around(on_arena *arena, on_str16 text, size_t at) {
  if (text.n == 0) return ON_STR("");
  size_t from = at > 12 ? at - 12 : 0, to = text.n - at > 12 ? at + 12 : text.n;
  if (from > 0 && on_is_low_surrogate(text.p[from])) from++;
  if (to < text.n && to > from && on_is_high_surrogate(text.p[to - 1])) to--;
  return on_utf8_from_utf16(arena, on_str16_sub(text, from, to));
}

static bool differ(on_arena *arena, const walker *p, bool p_more, const walker *r, bool r_more, on_error *error) {
  const size_t a = p_more ? last_offset(p) : p->view.text.n, b = r_more ? last_offset(r) : r->view.text.n;
  const on_str x = around(arena, p->view.text, a), y = around(arena, r->view.text, b);
  return on_fail(error, ON_INVALID_ARGUMENT, (int64_t)a,
                 "the predicted and the reference text differ at %zu and %zu: \"%.*s\" and \"%.*s\"", a, b, ON_SHOW(x),
                 ON_SHOW(y));
}

// Walks both texts side by side; false when they differ.
static bool walk(walker *p, walker *r, on_arena *arena, on_error *error) {
  for (;;) {
    uint32_t x = 0, y = 0;
    const bool p_more = next(p, &x), r_more = next(r, &y);
    if (!p_more && !r_more) return true;
    if (p_more != r_more || x != y) return differ(arena, p, p_more, r, r_more, error);
  }
}

static bool keep_tokens(on_aligned_side *side, on_arena *arena, const walker *w) {
  const size_t n = w->view.n;
  *side = (on_aligned_side){0, ON_NEW(arena, uint32_t, n), w->start, w->end};
  if (!side->token) return false;
  for (size_t i = 0; i < n; i++) {
    if (w->start[i] >= w->end[i]) continue;
    side->token[side->n] = (uint32_t)i;
    side->start[side->n] = w->start[i];
    side->end[side->n] = w->end[i];
    side->n++;
  }
  return true;
}

// For each token of `a` the run of tokens of `b` that it overlaps. Starts and ends both ascend, so two
// pointers find all runs in one pass, however many words share a range.
static void overlap(const on_aligned_side *a, const on_aligned_side *b, uint32_t *first, uint32_t *end,
                    uint32_t *only) {
  size_t from = 0, to = 0;
  for (size_t i = 0; i < a->n; i++) {
    while (from < b->n && b->end[from] <= a->start[i]) from++;
    while (to < b->n && b->start[to] < a->end[i]) to++;
    const uint32_t token = a->token[i];
    if (first) first[token] = (uint32_t)from;
    if (end) end[token] = (uint32_t)(to > from ? to : from);
    if (to == from + 1) only[token] = b->token[from];
  }
}

static bool finish(on_alignment *out, const walker *p, const walker *r) {
  const size_t np = p->view.n, nr = r->view.n;
  out->to_reference = ON_NEW(&out->arena, uint32_t, np);
  out->to_predicted = ON_NEW(&out->arena, uint32_t, nr);
  out->first = ON_NEW0(&out->arena, uint32_t, np);
  out->end = ON_NEW0(&out->arena, uint32_t, np);
  if (!keep_tokens(&out->predicted, &out->arena, p) || !keep_tokens(&out->reference, &out->arena, r)) return false;
  if (!out->to_reference || !out->to_predicted || !out->first || !out->end) return false;
  for (size_t i = 0; i < np; i++) out->to_reference[i] = ON_UNALIGNED;
  for (size_t i = 0; i < nr; i++) out->to_predicted[i] = ON_UNALIGNED;
  overlap(&out->predicted, &out->reference, out->first, out->end, out->to_reference);
  overlap(&out->reference, &out->predicted, NULL, NULL, out->to_predicted);
  return true;
}

static view of_text(const on_doc *doc) { return (view){doc->text, 0, doc->start, doc->end, doc->n}; }

static view of_source(const on_doc *doc) {
  return (view){on_str16_sub(doc->source, doc->unit_start, doc->unit_end), doc->unit_start, doc->source_start,
                doc->source_end, doc->n};
}

static bool align_views(on_alignment *out, view predicted, view reference, on_error *error) {
  walker p, r;
  on_arena_reset(&out->arena);
  if (!start_walk(&p, &out->arena, predicted) || !start_walk(&r, &out->arena, reference)) return on_fail_memory(error);
  if (!walk(&p, &r, &out->arena, error)) return false;
  return finish(out, &p, &r) ? true : on_fail_memory(error);
}

bool on_align(on_alignment *out, const on_doc *predicted, const on_doc *reference, on_error *error) {
  *out = (on_alignment){0};
  on_error first = {0};
  bool ok = align_views(out, of_text(predicted), of_text(reference), &first);
  if (!ok && first.code == ON_INVALID_ARGUMENT && (predicted->respelled || reference->respelled)) {
    ok = align_views(out, of_source(predicted), of_source(reference), &first);
  }
  if (ok) return true;
  if (error) *error = first;
  on_alignment_free(out);
  return false;
}

void on_alignment_free(on_alignment *alignment) {
  on_arena_free(&alignment->arena);
  *alignment = (on_alignment){0};
}

void on_get_aligned(const on_alignment *alignment, const on_doc *predicted, const on_str *column, on_str *out) {
  for (size_t i = 0; i < predicted->n; i++) {
    const uint32_t token = alignment->to_reference[i];
    out[i] = column && token != ON_UNALIGNED ? column[token] : ON_STR_NONE;
  }
}

void on_get_aligned_heads(const on_alignment *alignment, const on_doc *predicted, const uint32_t *heads,
                          uint32_t *out) {
  for (size_t i = 0; i < predicted->n; i++) {
    const uint32_t token = alignment->to_reference[i];
    out[i] = ON_UNALIGNED;
    if (!heads || token == ON_UNALIGNED) continue;
    out[i] = heads[token] == token ? (uint32_t)i : alignment->to_predicted[heads[token]];
  }
}

// The first index at which an ascending list is not below `value`.
static size_t lower_bound(const uint32_t *list, size_t n, uint64_t value) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (list[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The characters that reference tokens [first, end) cover; false when that is nothing.
static bool covered(const on_aligned_side *side, uint32_t first, uint32_t end, uint32_t *from, uint32_t *to) {
  const size_t a = lower_bound(side->token, side->n, first), b = lower_bound(side->token, side->n, end);
  if (a >= b) return false;
  *from = side->start[a];
  *to = side->end[b - 1];
  return true;
}

size_t on_get_aligned_spans(const on_alignment *alignment, const on_span *spans, size_t count, on_span *out) {
  const on_aligned_side *predicted = &alignment->predicted;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t from, to;
    if (!covered(&alignment->reference, spans[i].first, spans[i].end, &from, &to)) continue;
    const size_t first = lower_bound(predicted->start, predicted->n, from);
    // Words that share a range all end where it ends: the last of them.
    const size_t end = lower_bound(predicted->end, predicted->n, (uint64_t)to + 1);
    if (first == predicted->n || predicted->start[first] != from) continue;
    if (end == 0 || predicted->end[end - 1] != to || end <= first) continue;
    out[kept] = spans[i];
    out[kept].first = predicted->token[first];
    out[kept].end = predicted->token[end - 1] + 1;
    kept++;
  }
  return kept;
}
