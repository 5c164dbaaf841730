#include "pieces/pretokenizer.h"

#include "pieces/normalizer.h"
#include "pieces/unicode.h"
#include "text/chars.h"

static bool is_delimiter(const on_pretokenize_step *step, uint32_t c) {
  switch (step->kind) {
    case ON_PRETOKENIZE_SPACES: return on_is_space(c);
    case ON_PRETOKENIZE_PUNCTUATION: return on_old_is(c, ON_OLD_PUNCTUATION);
    case ON_PRETOKENIZE_DIGITS: return on_is_number(c);
    default: return c == step->c;
  }
}

static void mark_characters(const on_pretokenize_step *step, on_flow *flow, const on_span_of_text *span) {
  for (uint32_t i = span->from; i < span->to; i++) {
    if (is_delimiter(step, flow->chars.p[i].c)) on_flow_mark(flow, i, i + 1);
  }
}

// Whitespace: runs of word characters and runs of other characters that are not white space.
static int word_kind(uint32_t c) { return on_is_space(c) ? 0 : on_word_rust(c) ? 1 : 2; }

static void mark_words(on_flow *flow, const on_span_of_text *span) {
  uint32_t from = span->from;
  while (from < span->to) {
    int kind = word_kind(flow->chars.p[from].c);
    uint32_t to = from + 1;
    while (to < span->to && word_kind(flow->chars.p[to].c) == kind) to++;
    if (kind != 0) on_flow_mark(flow, from, to);
    from = to;
  }
}

static void metaspace(const on_pretokenize_step *step, on_flow *flow, const on_span_of_text *span) {
  size_t n = span->to - span->from;
  on_char *p = n > 0 ? flow->chars.p + span->from : NULL;
  for (size_t i = 0; i < n; i++) {
    if (p[i].c == ' ') p[i].c = step->c;
  }
  bool wanted = step->prepend == ON_PREPEND_ALWAYS || (step->prepend == ON_PREPEND_FIRST && span->start == 0);
  if (n == 0 || p[0].c == step->c) wanted = false;
  on_flow_prepend(flow, span, &step->c, wanted ? 1 : 0);
}

static void prefix_space(on_flow *flow, const on_span_of_text *span) {
  static const uint32_t space = ' ';
  bool there = span->from < span->to && flow->chars.p[span->from].c == ' ';
  on_flow_prepend(flow, span, &space, there ? 0 : 1);
}

// Steps that rewrite make new characters; the others only cut.
static bool rewrites(const on_pretokenize_step *step) {
  return step->kind == ON_PRETOKENIZE_PREFIX || step->kind == ON_PRETOKENIZE_BYTES ||
         step->kind == ON_PRETOKENIZE_METASPACE;
}

static void rewrite(const on_pretokenize_step *step, on_flow *flow, const on_span_of_text *span) {
  if (span->added != ON_SPAN_TEXT) on_flow_keep(flow, span);
  else if (step->kind == ON_PRETOKENIZE_PREFIX) prefix_space(flow, span);
  else if (step->kind == ON_PRETOKENIZE_BYTES) on_flow_bytes(flow, span);
  else metaspace(step, flow, span);
}

static bool cut(const on_pretokenize_step *step, on_flow *flow, const on_span_of_text *span, on_error *error) {
  if (span->added != ON_SPAN_TEXT) {
    on_flow_add_span(flow, span->from, span->to, span->added);
    return true;
  }
  if (step->kind == ON_PRETOKENIZE_WORDS) mark_words(flow, span);
  else if (step->kind != ON_PRETOKENIZE_SPLIT) mark_characters(step, flow, span);
  else if (!on_pattern_mark(step->pattern, flow, span, error)) return false;
  if (!flow->failed) on_flow_cut(flow, span, step->behavior, step->invert);
  return true;
}

bool on_pretokenizer_run(const on_pretokenizer *pretokenizer, on_flow *flow, on_error *error) {
  for (size_t k = 0; k < pretokenizer->count; k++) {
    const on_pretokenize_step *step = &pretokenizer->steps[k];
    for (size_t i = 0; i < flow->spans.n; i++) {
      if (rewrites(step)) rewrite(step, flow, &flow->spans.p[i]);
      else if (!cut(step, flow, &flow->spans.p[i], error)) return false;
    }
    if (flow->failed) return on_fail_memory(error);
    if (rewrites(step)) on_flow_turn(flow);
    else on_flow_turn_spans(flow);
  }
  return true;
}
