#include "base/alloc.h"
#include "pieces/pattern_internal.h"
#include "pieces/unicode.h"
#include "text/chars.h"

static bool item_has(const on_class_item *item, uint32_t c) {
  switch (item->kind) {
    case ON_CLASS_RANGE: return c >= item->low && c <= item->high;
    case ON_CLASS_CATEGORIES: return on_category_in(c, item->low);
    case ON_CLASS_SPACE: return on_is_space(c);
    case ON_CLASS_WORD: return on_word_oniguruma(c);
  }
  return false;
}

bool on_char_set_look_up(const on_pattern *pattern, const on_char_set *set, uint32_t c) {
  bool found = false;
  for (uint32_t i = set->first; i < set->first + set->count && !found; i++) {
    found = item_has(&pattern->items[i], c) != pattern->items[i].negated;
  }
  return found != set->negated;
}

bool on_char_set_has(const on_pattern *pattern, uint32_t set, uint32_t c) {
  const on_char_set *s = &pattern->sets[set];
  return c < 128 ? (s->ascii[c >> 6] >> (c & 63) & 1) != 0 : on_char_set_look_up(pattern, s, c);
}

// --- matching ---

typedef struct thread {
  uint32_t at;     // instruction: SET or MATCH
  uint32_t start;  // where its match began
} thread;

typedef struct matcher {
  const on_pattern *pattern;
  const on_char *text;
  uint32_t end;
  thread *now, *next;
  uint32_t now_count, next_count;
  uint32_t *seen;   // [code]: the round in which an instruction was reached last
  uint32_t *stack;  // [2 * code]
  uint32_t round;
} matcher;

static bool ahead_holds(const matcher *m, const on_instruction *in, uint32_t at) {
  bool there = at < m->end && on_char_set_has(m->pattern, in->x, m->text[at].c);
  return there == (in->op == ON_OP_AHEAD);
}

// Adds the threads that `from` leads to without a character, in order of preference.
static void follow(matcher *m, uint32_t from, uint32_t start, uint32_t at) {
  uint32_t depth = 0;
  m->stack[depth++] = from;
  while (depth > 0) {
    uint32_t pc = m->stack[--depth];
    if (m->seen[pc] == m->round) continue;
    m->seen[pc] = m->round;
    const on_instruction *in = &m->pattern->code[pc];
    switch (in->op) {
      case ON_OP_SPLIT:
        m->stack[depth++] = in->y;
        m->stack[depth++] = in->x;
        break;
      case ON_OP_JUMP: m->stack[depth++] = in->x; break;
      case ON_OP_AHEAD:
      case ON_OP_NOT_AHEAD:
        if (ahead_holds(m, in, at)) m->stack[depth++] = pc + 1;
        break;
      case ON_OP_SET:
      case ON_OP_MATCH: m->next[m->next_count++] = (thread){pc, start}; break;
    }
  }
}

static void turn(matcher *m) {
  thread *threads = m->now;
  m->now = m->next;
  m->now_count = m->next_count;
  m->next = threads;
  m->next_count = 0;
  m->round++;
}

// The first match from `from` on. *looked: up to where characters were read.
static bool search(matcher *m, uint32_t from, uint32_t *start, uint32_t *end, uint32_t *looked) {
  bool found = false;
  m->now_count = m->next_count = 0;
  m->round++;
  uint32_t at = from;
  for (;; at++) {
    // What waits at `at` was put into next by the round before; a match that starts here comes last.
    if (!found) follow(m, 0, at, at);
    turn(m);
    if (m->now_count == 0 && (found || at >= m->end)) break;
    for (uint32_t i = 0; i < m->now_count; i++) {
      thread t = m->now[i];
      const on_instruction *in = &m->pattern->code[t.at];
      if (in->op == ON_OP_MATCH) {
        found = true;  // those behind it are less wanted
        *start = t.start;
        *end = at;
        break;
      }
      if (at < m->end && on_char_set_has(m->pattern, in->x, m->text[at].c)) follow(m, t.at + 1, t.start, at + 1);
    }
    if (at >= m->end) break;
  }
  *looked = at;
  return found;
}

bool on_pattern_mark(const on_pattern *pattern, on_flow *flow, const on_span_of_text *span, on_error *error) {
  uint32_t n = pattern->code_count;
  matcher m = {.pattern = pattern, .text = flow->chars.p, .end = span->to};
  m.now = on_malloc(2 * (size_t)n * sizeof *m.now);
  m.seen = on_calloc(3 * (size_t)n + 1, sizeof *m.seen);
  if (!m.now || !m.seen) {
    on_free(m.now);
    on_free(m.seen);
    return on_fail_memory(error);
  }
  m.next = m.now + n;
  m.stack = m.seen + n;
  thread *threads = m.now;
  uint64_t budget = 32 * (uint64_t)(span->to - span->from) + 4096;
  uint32_t at = span->from, start, end, looked;
  bool ok = true;
  while (ok && at < span->to && search(&m, at, &start, &end, &looked)) {
    on_flow_mark(flow, start, end);
    uint64_t work = (uint64_t)(looked - at) + 1;
    ok = work <= budget;
    budget -= ok ? work : 0;
    at = end;
    if (m.round > UINT32_MAX / 2) {
      for (uint32_t i = 0; i < n; i++) m.seen[i] = 0;
      m.round = 0;
    }
  }
  on_free(threads);
  on_free(m.seen);
  if (!ok) return on_fail(error, ON_LIMIT, -1, "tokenizer: its pattern needs more than linear time on this text");
  return !flow->failed || on_fail_memory(error);
}
