#include "pieces/pattern_internal.h"
#include "text/chars.h"
#include "text/utf.h"

enum { DEEPEST = 16, MOST_REPEATS = 256, FOREVER = -1 };

typedef struct parser {
  on_pattern *pattern;
  on_str text;
  size_t i;
  bool any_case;
  int depth;
  on_error *error;
} parser;

static bool refuse(parser *p, const char *what) {
  return on_fail(p->error, ON_UNSUPPORTED, -1, "expression \"%.*s\": %s is not supported (at byte %zu)",
                 ON_SHOW(p->text), what, p->i);
}

static bool more(const parser *p) { return p->i < p->text.n; }
static char peek(const parser *p) { return more(p) ? p->text.p[p->i] : 0; }
static bool at(const parser *p, const char *what) {
  return on_str_starts(on_str_sub(p->text, p->i, p->text.n), on_str_c(what));
}
static bool take(parser *p, const char *what) {
  if (!at(p, what)) return false;
  p->i += strlen(what);
  return true;
}

static bool emit(parser *p, on_op op, uint32_t x, uint32_t y) {
  on_pattern *out = p->pattern;
  if (out->code_count >= ON_PATTERN_CODE) return refuse(p, "so long an expression");
  out->code[out->code_count++] = (on_instruction){op, x, y};
  return true;
}

// --- sets ---

static bool add_item(parser *p, on_class_item item) {
  if (p->pattern->item_count >= ON_PATTERN_ITEMS) return refuse(p, "so many classes");
  p->pattern->items[p->pattern->item_count++] = item;
  return true;
}

static bool add_range(parser *p, uint32_t low, uint32_t high) {
  return add_item(p, (on_class_item){ON_CLASS_RANGE, false, low, high});
}

// A character, and its other case where case does not matter: ASCII letters, and the two that fold to one.
static bool add_char(parser *p, uint32_t c) {
  uint32_t lower = c | 0x20;
  if (!p->any_case) return add_range(p, c, c);
  if (c >= 0x80) return refuse(p, "a character beyond ASCII where case does not matter");
  if (lower < 'a' || lower > 'z') return add_range(p, c, c);
  if (lower == 's' && !add_range(p, 0x17F, 0x17F)) return false;
  if (lower == 'k' && !add_range(p, 0x212A, 0x212A)) return false;
  return add_range(p, lower, lower) && add_range(p, lower - 0x20, lower - 0x20);
}

static bool open_set(parser *p, uint32_t *set) {
  if (p->pattern->set_count >= ON_PATTERN_SETS) return refuse(p, "so many classes");
  *set = p->pattern->set_count++;
  p->pattern->sets[*set] = (on_char_set){.first = p->pattern->item_count};
  return true;
}

static void close_set(parser *p, uint32_t set, bool negated) {
  on_char_set *s = &p->pattern->sets[set];
  s->count = p->pattern->item_count - s->first;
  s->negated = negated;
  for (uint32_t c = 0; c < 128; c++) {
    if (on_char_set_look_up(p->pattern, s, c)) s->ascii[c >> 6] |= UINT64_C(1) << (c & 63);
  }
}

// \p{Lu}: one or two letters of a General_Category.
static bool add_property(parser *p, bool negated) {
  static const struct { char name[3]; uint32_t first, last; } categories[] = {
      {"L", ON_GC_LU, ON_GC_LO},  {"M", ON_GC_MN, ON_GC_ME},  {"N", ON_GC_ND, ON_GC_NO},  {"P", ON_GC_PC, ON_GC_PO},
      {"S", ON_GC_SM, ON_GC_SO},  {"Z", ON_GC_ZS, ON_GC_ZP},  {"Lu", ON_GC_LU, ON_GC_LU}, {"Ll", ON_GC_LL, ON_GC_LL},
      {"Lt", ON_GC_LT, ON_GC_LT}, {"Lm", ON_GC_LM, ON_GC_LM}, {"Lo", ON_GC_LO, ON_GC_LO}, {"Mn", ON_GC_MN, ON_GC_MN},
      {"Mc", ON_GC_MC, ON_GC_MC}, {"Me", ON_GC_ME, ON_GC_ME}, {"Nd", ON_GC_ND, ON_GC_ND}, {"Nl", ON_GC_NL, ON_GC_NL},
      {"No", ON_GC_NO, ON_GC_NO}, {"Pc", ON_GC_PC, ON_GC_PC}, {"Pd", ON_GC_PD, ON_GC_PD}, {"Ps", ON_GC_PS, ON_GC_PS},
      {"Pe", ON_GC_PE, ON_GC_PE}, {"Pi", ON_GC_PI, ON_GC_PI}, {"Pf", ON_GC_PF, ON_GC_PF}, {"Po", ON_GC_PO, ON_GC_PO},
      {"Sm", ON_GC_SM, ON_GC_SM}, {"Sc", ON_GC_SC, ON_GC_SC}, {"Sk", ON_GC_SK, ON_GC_SK}, {"So", ON_GC_SO, ON_GC_SO},
      {"Zs", ON_GC_ZS, ON_GC_ZS}, {"Cc", ON_GC_CC, ON_GC_CC}, {"Cf", ON_GC_CF, ON_GC_CF}};
  if (!take(p, "{")) return refuse(p, "a property without {}");
  if (take(p, "^")) negated = !negated;
  for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
    size_t from = p->i;
    if (take(p, categories[i].name) && take(p, "}")) {
      on_class_item item = {ON_CLASS_CATEGORIES, negated, ON_GC_BITS(categories[i].first, categories[i].last), 0};
      return add_item(p, item);
    }
    p->i = from;
  }
  return refuse(p, "this property");
}

static bool read_hex(parser *p, size_t least, size_t most, uint32_t *c) {
  size_t n = 0;
  for (*c = 0; n < most; n++, p->i++) {
    char d = peek(p);
    if (!((d >= '0' && d <= '9') || ((d | 0x20) >= 'a' && (d | 0x20) <= 'f'))) break;
    *c = *c * 16 + (uint32_t)(d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10);
  }
  return (n >= least && *c < 0x110000) || refuse(p, "this number of a character");
}

// What stands behind a backslash. A class is added to the open set; of a character, *c is it and *single is set.
static bool read_escape(parser *p, uint32_t *c, bool *single) {
  static const char letters[] = "nrtfv0ae", meanings[] = "\n\r\t\f\v\0\a\x1B";
  *single = false;
  char letter = peek(p);
  if (!letter) return refuse(p, "a backslash at the end");
  p->i++;
  switch (letter) {
    case 's': return add_item(p, (on_class_item){ON_CLASS_SPACE, false, 0, 0});
    case 'S': return add_item(p, (on_class_item){ON_CLASS_SPACE, true, 0, 0});
    case 'w': return add_item(p, (on_class_item){ON_CLASS_WORD, false, 0, 0});
    case 'W': return add_item(p, (on_class_item){ON_CLASS_WORD, true, 0, 0});
    case 'd': return add_item(p, (on_class_item){ON_CLASS_CATEGORIES, false, ON_GC_BIT(ON_GC_ND), 0});
    case 'D': return add_item(p, (on_class_item){ON_CLASS_CATEGORIES, true, ON_GC_BIT(ON_GC_ND), 0});
    case 'p': return add_property(p, false);
    case 'P': return add_property(p, true);
    default: break;
  }
  *single = true;
  if (letter == 'x') {
    if (!take(p, "{")) return read_hex(p, 1, 2, c);
    return read_hex(p, 1, 6, c) && (take(p, "}") || refuse(p, "this number of a character"));
  }
  if (letter == 'u') return read_hex(p, 4, 4, c);
  const char *known = strchr(letters, letter);
  if (known) {
    *c = (unsigned char)meanings[known - letters];
    return true;
  }
  p->i--;
  *c = on_utf8_next(p->text, &p->i);
  if (*c < 0x80 && (on_is_letter(*c) || on_is_decimal(*c))) return refuse(p, "this escape");
  return true;
}

static bool read_class_char(parser *p, uint32_t *c, bool *single) {
  *single = true;
  if (!more(p)) return refuse(p, "a class without an end");
  if (at(p, "[") || at(p, "&&")) return refuse(p, "a class inside a class");
  if (take(p, "\\")) return read_escape(p, c, single);
  *c = on_utf8_next(p->text, &p->i);
  return true;
}

static bool read_class(parser *p, uint32_t *set) {
  if (!open_set(p, set)) return false;
  bool negated = take(p, "^");
  if (at(p, "]")) return refuse(p, "an empty class");
  while (!take(p, "]")) {
    uint32_t low = 0, high = 0;
    bool single;
    if (!read_class_char(p, &low, &single)) return false;
    if (!single) continue;
    if (!at(p, "-") || at(p, "-]")) {
      if (!add_char(p, low)) return false;
      continue;
    }
    p->i++;
    if (!read_class_char(p, &high, &single)) return false;
    if (!single || high < low || p->any_case) return refuse(p, "this range");
    if (!add_range(p, low, high)) return false;
  }
  close_set(p, *set, negated);
  return true;
}

// \w outside a class: in Oniguruma it has the superscripts and fractions of Latin-1 too.
static bool read_word(parser *p, uint32_t *set, bool negated) {
  if (!open_set(p, set) || !add_item(p, (on_class_item){ON_CLASS_WORD, false, 0, 0}) || !add_range(p, 0xB2, 0xB3) ||
      !add_range(p, 0xB9, 0xB9) || !add_range(p, 0xBC, 0xBE)) {
    return false;
  }
  close_set(p, *set, negated);
  return true;
}

// A character, an escape, a class or a dot, as a set.
static bool read_set(parser *p, uint32_t *set) {
  if (take(p, "[")) return read_class(p, set);
  if (take(p, "\\w")) return read_word(p, set, false);
  if (take(p, "\\W")) return read_word(p, set, true);
  if (!open_set(p, set)) return false;
  uint32_t c = 0;
  bool single = true, dot = take(p, ".");
  if (dot) c = '\n';
  else if (!take(p, "\\")) c = on_utf8_next(p->text, &p->i);
  else if (!read_escape(p, &c, &single)) return false;
  if (single && !add_char(p, c)) return false;
  close_set(p, *set, dot);
  return true;
}

// --- structure ---

static bool read_alternatives(parser *p);

static bool read_ahead(parser *p, on_op op) {
  uint32_t set = 0;
  if (!more(p) || strchr("()|?*+{", peek(p))) return refuse(p, "looking ahead at more than one character");
  if (!read_set(p, &set)) return false;
  if (!take(p, ")")) return refuse(p, "looking ahead at more than one character");
  return emit(p, op, set, 0);
}

static bool read_group(parser *p) {
  if (take(p, "?=")) return read_ahead(p, ON_OP_AHEAD);
  if (take(p, "?!")) return read_ahead(p, ON_OP_NOT_AHEAD);
  bool any_case = p->any_case;
  if (take(p, "?i:")) p->any_case = true;
  else if (!take(p, "?:") && at(p, "?")) return refuse(p, "this kind of group");
  if (++p->depth > DEEPEST) return refuse(p, "so deep a group");
  if (!read_alternatives(p)) return false;
  p->depth--;
  p->any_case = any_case;
  return take(p, ")") || refuse(p, "a group without an end");
}

static bool read_atom(parser *p) {
  if (take(p, "(")) return read_group(p);
  if (strchr("*+?{^$", peek(p))) return refuse(p, "this character here");
  uint32_t set = 0;
  return read_set(p, &set) && emit(p, ON_OP_SET, set, 0);
}

static bool read_number(parser *p, int *number) {
  if (peek(p) < '0' || peek(p) > '9') return false;
  for (*number = 0; peek(p) >= '0' && peek(p) <= '9' && *number <= MOST_REPEATS; p->i++) {
    *number = *number * 10 + (peek(p) - '0');
  }
  return *number <= MOST_REPEATS;
}

// {m} {m,} {m,n}
static bool read_counts(parser *p, int *least, int *most) {
  if (!read_number(p, least)) return refuse(p, "this quantifier");
  *most = *least;
  if (take(p, ",") && !read_number(p, most)) *most = FOREVER;
  if (!take(p, "}") || (*most != FOREVER && *most < *least)) return refuse(p, "this quantifier");
  return true;
}

// The code from `from` on, which is one copy of an atom, becomes least to most copies.
static bool repeat(parser *p, uint32_t from, int least, int most, bool lazy) {
  on_pattern *out = p->pattern;
  on_instruction copy[64];
  uint32_t length = out->code_count - from;
  bool plain = least == 1 && most == 1;
  if (plain) return true;
  if (length > 64) return refuse(p, "so long a repeated group");
  for (uint32_t i = 0; i < length; i++) copy[i] = out->code[from + i];
  out->code_count = from;
  int copies = most == FOREVER ? least + 1 : most;
  for (int k = 0; k < copies; k++) {
    bool loops = most == FOREVER && k == least, optional = k >= least;
    uint32_t split = out->code_count, base = split + (optional ? 1 : 0);
    if (optional && !emit(p, ON_OP_SPLIT, 0, 0)) return false;
    for (uint32_t i = 0; i < length; i++) {
      on_instruction in = copy[i];
      if (in.op == ON_OP_SPLIT || in.op == ON_OP_JUMP) in.x += base - from;
      if (in.op == ON_OP_SPLIT) in.y += base - from;
      if (!emit(p, in.op, in.x, in.y)) return false;
    }
    if (loops && !emit(p, ON_OP_JUMP, split, 0)) return false;
    if (optional) {
      out->code[split].x = lazy ? out->code_count : base;
      out->code[split].y = lazy ? base : out->code_count;
    }
  }
  return true;
}

static bool read_repeated(parser *p) {
  uint32_t from = p->pattern->code_count;
  if (!read_atom(p)) return false;
  int least = 1, most = 1;
  bool any = false;
  if (take(p, "?")) any = true, least = 0;
  else if (take(p, "*")) any = true, least = 0, most = FOREVER;
  else if (take(p, "+")) any = true, most = FOREVER;
  else if (take(p, "{")) {
    any = true;
    if (!read_counts(p, &least, &most)) return false;
  }
  bool lazy = any && take(p, "?");
  if (any && more(p) && strchr("+*?{", peek(p))) return refuse(p, "a possessive or repeated quantifier");
  return repeat(p, from, least, most, lazy);
}

static bool read_sequence(parser *p) {
  while (more(p) && !at(p, "|") && !at(p, ")")) {
    if (!read_repeated(p)) return false;
  }
  return true;
}

// a|b|c becomes: split a', next; a' ...; jump end; next: split b', ...
static bool read_alternatives(parser *p) {
  on_pattern *out = p->pattern;
  uint32_t jumps[ON_PATTERN_CODE / 16], jump_count = 0;
  for (;;) {
    // Room for a split, in case that another alternative follows; else it goes nowhere twice.
    uint32_t split = out->code_count;
    if (!emit(p, ON_OP_SPLIT, split + 1, split + 1) || !read_sequence(p)) return false;
    if (!take(p, "|")) break;
    if (jump_count == sizeof jumps / sizeof *jumps) return refuse(p, "so many alternatives");
    jumps[jump_count++] = out->code_count;
    if (!emit(p, ON_OP_JUMP, 0, 0)) return false;
    out->code[split].y = out->code_count;
  }
  for (uint32_t i = 0; i < jump_count; i++) out->code[jumps[i]].x = out->code_count;
  return true;
}

// Whether the code can come to its end without a character.
static bool matches_nothing(const on_pattern *pattern, bool *reached, uint32_t *stack) {
  uint32_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t pc = stack[--depth];
    if (reached[pc]) continue;
    reached[pc] = true;
    const on_instruction *in = &pattern->code[pc];
    if (in->op == ON_OP_MATCH) return true;
    if (in->op == ON_OP_SPLIT) stack[depth++] = in->y;
    if (in->op == ON_OP_SPLIT || in->op == ON_OP_JUMP) stack[depth++] = in->x;
    if (in->op == ON_OP_AHEAD || in->op == ON_OP_NOT_AHEAD) stack[depth++] = pc + 1;
  }
  return false;
}

static bool read_literal(parser *p) {
  while (more(p)) {
    uint32_t set = 0, c = on_utf8_next(p->text, &p->i);
    if (!open_set(p, &set) || !add_range(p, c, c) || !emit(p, ON_OP_SET, set, 0)) return false;
    close_set(p, set, false);
  }
  return true;
}

// Copies what was used of the parser's room.
static on_pattern *keep(const on_pattern *from, on_arena *arena) {
  on_pattern *to = ON_NEW(arena, on_pattern, 1);
  if (!to) return NULL;
  *to = *from;
  to->code = ON_NEW(arena, on_instruction, from->code_count);
  to->sets = ON_NEW(arena, on_char_set, from->set_count);
  to->items = ON_NEW(arena, on_class_item, from->item_count);
  if (!to->code || !to->sets || !to->items) return NULL;
  memcpy(to->code, from->code, from->code_count * sizeof *to->code);
  if (from->set_count) memcpy(to->sets, from->sets, from->set_count * sizeof *to->sets);
  if (from->item_count) memcpy(to->items, from->items, from->item_count * sizeof *to->items);
  return to;
}

on_pattern *on_pattern_compile(on_str expression, bool literal, on_arena *arena, on_error *error) {
  on_arena scratch = {0};
  on_pattern room = {0};
  room.code = ON_NEW(&scratch, on_instruction, ON_PATTERN_CODE);
  room.sets = ON_NEW(&scratch, on_char_set, ON_PATTERN_SETS);
  room.items = ON_NEW(&scratch, on_class_item, ON_PATTERN_ITEMS);
  bool *reached = ON_NEW0(&scratch, bool, ON_PATTERN_CODE);
  uint32_t *stack = ON_NEW(&scratch, uint32_t, (size_t)2 * ON_PATTERN_CODE);
  on_pattern *pattern = NULL;
  parser p = {.pattern = &room, .text = expression, .error = error};
  if (scratch.failed) {
    on_fail_memory(error);
  } else if ((literal ? read_literal(&p) : read_alternatives(&p)) && emit(&p, ON_OP_MATCH, 0, 0)) {
    if (more(&p)) refuse(&p, "this bracket");
    else if (matches_nothing(&room, reached, stack)) refuse(&p, "what matches the empty string");
    else if (!(pattern = keep(&room, arena))) on_fail_memory(error);
  }
  on_arena_free(&scratch);
  return pattern;
}
