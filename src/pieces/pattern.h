// The regular expressions that tokenizers split and replace by: a subset of Oniguruma's with the same meaning
// (leftmost, first alternative first), run in time linear in the text as a set of threads (Thompson 1968, Pike 1987).
//
// Understood: characters, escapes, . and classes (ranges, \s \d \w \p{..} and their negations, [^..]), groups
// (..) (?:..) (?i:..), |, the greedy and lazy quantifiers ? * + {m} {m,} {m,n}, and lookahead at one character or
// class, (?=x) and (?!x). Everything else (backreferences, lookbehind, possessive quantifiers, anchors, scripts, class
// intersections) is refused by name when the tokenizer is loaded, as is an expression that matches the empty string.
#ifndef ON_PIECES_PATTERN_H
#define ON_PIECES_PATTERN_H

#include "base/arena.h"
#include "base/error.h"
#include "pieces/flow.h"

typedef struct on_pattern on_pattern;

// From an expression, or from a string that stands for itself. Lives in the arena. NULL: *error says why.
on_pattern *on_pattern_compile(on_str expression, bool literal, on_arena *arena, on_error *error);
// Marks all matches in a span of the flow (on_flow_mark). False: out of memory, or the expression (which then is one
// that goes far ahead in vain, again and again) would take more than linear time on this text.
bool on_pattern_mark(const on_pattern *pattern, on_flow *flow, const on_span_of_text *span, on_error *error);

#endif
