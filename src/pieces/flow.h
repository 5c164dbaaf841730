// The text on its way through normalizers and pre-tokenizers: characters that remember where in the original text they
// come from, cut into spans.
//
// Alignment follows Rust's `tokenizers` in every detail, since piece offsets must equal those of the library that
// trained the models: each character of a result is said to be a replacement of the next character of the source, or
// an insertion that shares the alignment of the character before it, or a replacement behind which some are dropped.
#ifndef ON_PIECES_FLOW_H
#define ON_PIECES_FLOW_H

#include "base/error.h"
#include "base/slice.h"

typedef struct on_char {
  uint32_t c;
  uint32_t start, end;  // UTF-16 units of the original text
} on_char;

enum { ON_SPAN_TEXT = -1 };

typedef struct on_span_of_text {
  uint32_t from, to;     // characters of the flow
  uint32_t start, end;   // the part of the original text that belongs to it
  int32_t added;         // an added token (its entry), or ON_SPAN_TEXT
} on_span_of_text;

typedef struct on_chars {
  on_char *p;
  size_t n, cap;
} on_chars;

typedef struct on_spans {
  on_span_of_text *p;
  size_t n, cap;
} on_spans;

typedef struct on_flow {
  on_chars chars, next_chars;
  on_spans spans, next_spans;
  uint32_t *marks;  // where a span is cut: pairs [from, to) of matches, of span_marks
  size_t mark_count, mark_cap;
  bool failed;  // out of memory
  // the span being rewritten
  const on_span_of_text *span;
  size_t at, end, out_from;
  bool frozen;
} on_flow;  // a zeroed on_flow is an empty one; on_flow_free

// Starts with one span that covers the text. Lone surrogates become U+FFFD. False: out of memory or too long.
bool on_flow_start(on_flow *flow, on_str16 text, on_error *error);
void on_flow_free(on_flow *flow);

// --- rewriting: for each span in turn on_flow_open, on_flow_put ..., on_flow_close; then on_flow_turn ---

// `dropped` characters at the start of the span have no successor.
void on_flow_open(on_flow *flow, const on_span_of_text *span, size_t dropped);
// change 0: c replaces the next character; 1: c is inserted; -n: c replaces one character and n behind it are dropped.
void on_flow_put(on_flow *flow, uint32_t c, int change);
void on_flow_close(on_flow *flow);
// The same without rules: on_flow_begin, on_flow_put_char (a character with its alignment) ..., on_flow_end.
void on_flow_begin(on_flow *flow, const on_span_of_text *span);
void on_flow_put_char(on_flow *flow, on_char c);
void on_flow_end(on_flow *flow);
// Writes `text` before the span's characters, with the alignment of the first of them.
void on_flow_prepend(on_flow *flow, const on_span_of_text *span, const uint32_t *text, size_t n);
// Keeps a span as it is.
void on_flow_keep(on_flow *flow, const on_span_of_text *span);
// The new characters and spans take the place of the old ones.
void on_flow_turn(on_flow *flow);

// --- cutting: on_flow_mark ... and on_flow_cut for each span; then on_flow_turn_spans ---

typedef enum on_cut { ON_CUT_REMOVED, ON_CUT_ISOLATED, ON_CUT_PREVIOUS, ON_CUT_NEXT, ON_CUT_CONTIGUOUS } on_cut;

// Characters [from, to) of the span are a delimiter. In order, not overlapping, not empty.
void on_flow_mark(on_flow *flow, size_t from, size_t to);
// Cuts the span at the marks (which are forgotten); `invert`: at what is between them.
void on_flow_cut(on_flow *flow, const on_span_of_text *span, on_cut behavior, bool invert);
// Appends the characters [from, to) to the new spans as one, unless there are none.
void on_flow_add_span(on_flow *flow, size_t from, size_t to, int32_t added);
void on_flow_turn_spans(on_flow *flow);

#endif
