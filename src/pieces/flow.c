#include "pieces/flow.h"

#include "base/alloc.h"
#include "text/utf.h"

static bool room(on_flow *flow, void **block, size_t *cap, size_t need, size_t size) {
  if (!flow->failed && (need >= UINT32_MAX || (need > *cap && !on_grow(block, cap, need, size)))) flow->failed = true;
  return !flow->failed;
}

static void push_char(on_flow *flow, on_char c) {
  on_chars *to = &flow->next_chars;
  if (room(flow, (void **)&to->p, &to->cap, to->n + 1, sizeof *to->p)) to->p[to->n++] = c;
}

static void push_span(on_flow *flow, on_span_of_text span) {
  on_spans *to = &flow->next_spans;
  if (room(flow, (void **)&to->p, &to->cap, to->n + 1, sizeof *to->p)) to->p[to->n++] = span;
}

bool on_flow_start(on_flow *flow, on_str16 text, on_error *error) {
  if (text.n >= UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "text: too long for a tokenizer");
  *flow = (on_flow){0};
  room(flow, (void **)&flow->next_chars.p, &flow->next_chars.cap, text.n, sizeof *flow->next_chars.p);
  for (size_t i = 0; i < text.n;) {
    uint32_t start = (uint32_t)i, c = on_utf16_next(text, &i);
    if ((c & 0xFFFFF800) == 0xD800) c = 0xFFFD;
    push_char(flow, (on_char){c, start, (uint32_t)i});
  }
  push_span(flow, (on_span_of_text){0, (uint32_t)flow->next_chars.n, 0, (uint32_t)text.n, ON_SPAN_TEXT});
  if (!flow->failed) on_flow_turn(flow);
  return !flow->failed || on_fail_memory(error);
}

void on_flow_free(on_flow *flow) {
  on_free(flow->chars.p);
  on_free(flow->next_chars.p);
  on_free(flow->spans.p);
  on_free(flow->next_spans.p);
  on_free(flow->marks);
  *flow = (on_flow){0};
}

void on_flow_turn_spans(on_flow *flow) {
  on_spans spans = flow->spans;
  flow->spans = flow->next_spans;
  flow->next_spans = spans;
  flow->next_spans.n = 0;
}

void on_flow_turn(on_flow *flow) {
  on_chars chars = flow->chars;
  flow->chars = flow->next_chars;
  flow->next_chars = chars;
  flow->next_chars.n = 0;
  on_flow_turn_spans(flow);
}

// --- rewriting ---

// The characters of a span that a rewriting of its whole original text replaces. Characters at the edges whose
// alignment is empty or lies outside are not among them. False: there are none, and the span stays as it is.
static bool covered(const on_flow *flow, const on_span_of_text *span, size_t *from, size_t *to) {
  *from = *to = span->from;
  if (span->start == span->end) return true;
  bool started = false, ended = false;
  for (size_t i = span->from; i < span->to && flow->chars.p[i].end <= span->end; i++) {
    const on_char *c = &flow->chars.p[i];
    if (!started && c->start >= span->start && c->start != c->end) {
      started = true;
      *from = i;
    }
    ended = true;
    *to = i + 1;
  }
  if (!started) *from = *to;
  return ended;
}

void on_flow_open(on_flow *flow, const on_span_of_text *span, size_t dropped) {
  flow->span = span;
  flow->out_from = flow->next_chars.n;
  flow->frozen = !covered(flow, span, &flow->at, &flow->end);
  if (flow->frozen) flow->end = flow->at = span->from;
  for (size_t i = span->from; i < flow->at; i++) push_char(flow, flow->chars.p[i]);
  flow->at = dropped < flow->end - flow->at ? flow->at + dropped : flow->end;
}

void on_flow_put(on_flow *flow, uint32_t c, int change) {
  if (flow->frozen) return;
  const on_span_of_text *span = flow->span;
  on_char put = {c, span->start, span->start};
  size_t source = change > 0 ? flow->at : flow->at + 1;  // one more than the character whose alignment it gets
  if (source > span->to) source = span->to;              // more replacements than characters: the last one's
  if (source > span->from) {
    put.start = flow->chars.p[source - 1].start;
    put.end = flow->chars.p[source - 1].end;
  }
  if (change <= 0) {
    size_t step = 1 + (size_t)-change;
    flow->at = step < flow->end - flow->at ? flow->at + step : flow->end;
  }
  push_char(flow, put);
}

static void close_span(on_flow *flow, const on_span_of_text *span) {
  on_span_of_text closed = *span;
  closed.from = (uint32_t)flow->out_from;
  closed.to = (uint32_t)flow->next_chars.n;
  push_span(flow, closed);
}

void on_flow_close(on_flow *flow) {
  for (size_t i = flow->end; i < flow->span->to; i++) push_char(flow, flow->chars.p[i]);
  close_span(flow, flow->span);
}

void on_flow_begin(on_flow *flow, const on_span_of_text *span) {
  flow->span = span;
  flow->out_from = flow->next_chars.n;
}

void on_flow_put_char(on_flow *flow, on_char c) { push_char(flow, c); }

void on_flow_end(on_flow *flow) { close_span(flow, flow->span); }

void on_flow_prepend(on_flow *flow, const on_span_of_text *span, const uint32_t *text, size_t n) {
  flow->out_from = flow->next_chars.n;
  if (span->from < span->to) {
    const on_char first = flow->chars.p[span->from];
    for (size_t i = 0; i < n; i++) push_char(flow, (on_char){text[i], first.start, first.end});
  }
  for (size_t i = span->from; i < span->to; i++) push_char(flow, flow->chars.p[i]);
  close_span(flow, span);
}

void on_flow_keep(on_flow *flow, const on_span_of_text *span) {
  flow->out_from = flow->next_chars.n;
  for (size_t i = span->from; i < span->to; i++) push_char(flow, flow->chars.p[i]);
  close_span(flow, span);
}

// --- cutting ---

void on_flow_add_span(on_flow *flow, size_t from, size_t to, int32_t added) {
  if (from >= to) return;
  uint32_t start = flow->chars.p[from].start, end = flow->chars.p[to - 1].end;
  push_span(flow, (on_span_of_text){(uint32_t)from, (uint32_t)to, start, end < start ? start : end, added});
}

void on_flow_mark(on_flow *flow, size_t from, size_t to) {
  if (!room(flow, (void **)&flow->marks, &flow->mark_cap, flow->mark_count + 2, sizeof *flow->marks)) return;
  flow->marks[flow->mark_count++] = (uint32_t)from;
  flow->marks[flow->mark_count++] = (uint32_t)to;
}

// Walks over the parts of a span in order: delimiters and what is between them.
typedef struct parts {
  const on_flow *flow;
  size_t mark, at, to;
} parts;

static bool next_part(parts *walk, size_t *from, size_t *to, bool *match) {
  if (walk->at >= walk->to) return false;
  bool more = walk->mark < walk->flow->mark_count;
  const uint32_t *marks = more ? walk->flow->marks + walk->mark : NULL;
  *from = walk->at;
  *match = more && marks[0] == walk->at;
  *to = *match ? marks[1] : more ? marks[0] : walk->to;
  if (*match) walk->mark += 2;
  walk->at = *to;
  return true;
}

void on_flow_cut(on_flow *flow, const on_span_of_text *span, on_cut behavior, bool invert) {
  parts walk = {flow, 0, span->from, span->to};
  size_t from, to, open = span->from;  // the part that is not added yet: [open, from)
  bool match, previous = false;
  while (next_part(&walk, &from, &to, &match)) {
    match = match != invert;
    bool joins = false;  // with what is open
    switch (behavior) {
      case ON_CUT_REMOVED:
      case ON_CUT_ISOLATED: break;
      case ON_CUT_PREVIOUS: joins = match && !previous; break;
      case ON_CUT_NEXT: joins = !match && previous; break;
      case ON_CUT_CONTIGUOUS: joins = match == previous; break;
    }
    if (!joins) {
      if (behavior != ON_CUT_REMOVED || !previous) on_flow_add_span(flow, open, from, ON_SPAN_TEXT);
      open = from;
    }
    previous = match;
  }
  if (behavior != ON_CUT_REMOVED || !previous) on_flow_add_span(flow, open, span->to, ON_SPAN_TEXT);
  flow->mark_count = 0;
}
