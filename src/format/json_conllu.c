#include "format/json_conllu.h"

#include "format/jsonl.h"

// The columns of a word line, from FORM on.
typedef enum column { FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, COLUMNS } column;

static const char *const NAMES[COLUMNS] = {"form", "lemma",  "upos", "xpos", "feats",
                                           "head", "deprel", "deps", "misc"};

static on_str value_of(const on_conllu_word *word, column which) {
  switch (which) {
    case FORM: return word->form;
    case LEMMA: return word->lemma;
    case UPOS: return word->upos;
    case XPOS: return word->xpos;
    case FEATS: return word->feats;
    case DEPREL: return word->deprel;
    case DEPS: return word->deps;
    case MISC: return word->misc;
    default: return ON_STR_NONE;
  }
}

static void write_column(on_buf *out, const on_conllu_sentence *sentence, column which) {
  on_buf_format(out, ", \"%s\": [", NAMES[which]);
  for (size_t i = 0; i < sentence->word_count; i++) {
    const on_conllu_word *word = &sentence->words[i];
    on_str value = value_of(word, which);
    if (i) on_buf_str(out, ON_STR(", "));
    if (which == HEAD && word->head >= 0) on_buf_i64(out, word->head);
    else if (value.p) on_json_write_string(out, value);
    else on_buf_str(out, ON_STR("null"));
  }
  on_buf_char(out, ']');
}

// Opens a list of lines at its first element.
static void next_line(on_buf *out, size_t i, const char *name) {
  if (i) on_buf_str(out, ON_STR(", "));
  else on_buf_format(out, ", \"%s\": [", name);
}

static void write_range_line(on_buf *out, const on_conllu_range *range, on_buf *scratch) {
  on_buf_clear(scratch);
  on_buf_format(scratch, "%u-%u\t", range->first, range->last);
  on_buf_str(scratch, range->form);
  for (size_t i = 0; i < 8; i++) {
    on_str value = i < 7 ? range->columns[i] : range->misc;
    on_buf_char(scratch, '\t');
    on_buf_str(scratch, value.p ? value : ON_STR("_"));
  }
  on_json_write_string(out, on_buf_view(scratch));
}

static void write_lines(on_buf *out, const on_conllu_sentence *sentence, on_buf *scratch) {
  for (size_t i = 0; i < sentence->comment_count; i++) {
    next_line(out, i, "comments");
    on_json_write_string(out, sentence->comments[i]);
  }
  if (sentence->comment_count) on_buf_char(out, ']');
  for (size_t i = 0; i < sentence->range_count; i++) {
    next_line(out, i, "range_lines");
    write_range_line(out, &sentence->ranges[i], scratch);
  }
  if (sentence->range_count) on_buf_char(out, ']');
  for (size_t i = 0; i < sentence->empty_count; i++) {
    next_line(out, i, "empty_lines");
    on_json_write_string(out, sentence->empties[i].line);
  }
  if (sentence->empty_count) on_buf_char(out, ']');
}

bool on_json_from_conllu(on_buf *out, const on_conllu_sentence *sentence, const on_doc *doc, on_error *error) {
  on_buf scratch = {0};
  if (!on_jsonl_write_doc(out, doc, error)) return false;
  out->n -= 2;  // "}\n", which comes at the end
  for (int which = 0; which < COLUMNS; which++) write_column(out, sentence, (column)which);
  write_lines(out, sentence, &scratch);
  on_buf_str(out, ON_STR("}\n"));
  bool ok = !out->failed && !scratch.failed;
  on_buf_free(&scratch);
  return ok || on_fail_memory(error);
}

// ---- back -------------------------------------------------------------------------------------------

// What is read of one member, element by element.
typedef struct member {
  const char *name;
  const on_json *next;
  size_t count;
} member;

static bool find_member(const on_json *root, const char *name, bool required, member *out, on_error *error) {
  const on_json *value = on_json_get(root, name);
  *out = (member){.name = name};
  if (!value && !required) return true;
  if (!value || on_json_type(value) != ON_JSON_ARRAY) {
    return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\" must be an array", name);
  }
  out->next = on_json_first(value);
  out->count = on_json_count(value);
  return true;
}

// A cell or line as it stands in CoNLL-U: nothing in it may end it. (A CR does where a line ends, not elsewhere.)
static bool add_text(on_buf *out, on_str text, bool cell, bool last, const member *m, on_error *error) {
  if (text.n && (memchr(text.p, '\n', text.n) || (cell && memchr(text.p, '\t', text.n)) ||
                 (last && text.p[text.n - 1] == '\r'))) {
    return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\": a tab or line break in \"%.*s\"", m->name, ON_SHOW(text));
  }
  on_buf_str(out, text);
  return true;
}

static bool add_cell(on_buf *out, member *m, column which, on_error *error) {
  const on_json *value = m->next;
  m->next = on_json_next(value);
  int64_t head;
  if (on_json_type(value) == ON_JSON_NULL && which != FORM) {
    on_buf_char(out, '_');
    return true;
  }
  if (which == HEAD) {
    if (!on_json_as_int(value, 0, INT32_MAX, &head)) {
      return on_fail(error, ON_DATA_FORMAT, -1, "\"head\": want whole numbers or null");
    }
    on_buf_i64(out, head);
    return true;
  }
  if (on_json_type(value) != ON_JSON_STRING) {
    return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\": want strings%s", m->name, which == FORM ? "" : " or null");
  }
  on_str text = on_json_string(value);
  if (text.n == 0) return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\": an empty string", m->name);
  return add_text(out, text, true, which + 1 == COLUMNS, m, error);
}

static bool add_line(on_buf *out, member *m, on_error *error) {
  const on_json *value = m->next;
  m->next = on_json_next(value);
  if (on_json_type(value) != ON_JSON_STRING || on_json_string(value).n == 0) {
    return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\": want strings that are not empty", m->name);
  }
  if (!add_text(out, on_json_string(value), false, true, m, error)) return false;
  on_buf_char(out, '\n');
  return true;
}

// The number that a range or empty line starts with; 0 where it does not (as "0.1" does).
static uint64_t number_at(const member *m) {
  on_str line = m->next && on_json_type(m->next) == ON_JSON_STRING ? on_json_string(m->next) : ON_STR_NONE;
  uint64_t number = 0;
  for (size_t i = 0; i < line.n && line.p[i] >= '0' && line.p[i] <= '9' && number < UINT32_MAX; i++) {
    number = number * 10 + (uint64_t)(line.p[i] - '0');
  }
  return number;
}

static bool add_sentence(on_buf *out, const on_json *root, on_error *error) {
  member columns[COLUMNS], comments, ranges, empties;
  for (int i = 0; i < COLUMNS; i++) {
    if (!find_member(root, NAMES[i], true, &columns[i], error)) return false;
    if (columns[i].count != columns[0].count) {
      return on_fail(error, ON_DATA_FORMAT, -1, "\"%s\" has %zu elements, \"form\" has %zu", NAMES[i],
                     columns[i].count, columns[0].count);
    }
  }
  if (!find_member(root, "comments", false, &comments, error) ||
      !find_member(root, "range_lines", false, &ranges, error) ||
      !find_member(root, "empty_lines", false, &empties, error)) {
    return false;
  }
  while (comments.next) {
    if (!add_line(out, &comments, error)) return false;
  }
  size_t words = columns[0].count;
  for (size_t i = 0; i <= words; i++) {
    while (empties.next && (i == words || number_at(&empties) <= i)) {
      if (!add_line(out, &empties, error)) return false;
    }
    if (i == words) break;
    while (ranges.next && number_at(&ranges) <= i + 1) {
      if (!add_line(out, &ranges, error)) return false;
    }
    on_buf_u64(out, i + 1);
    for (int which = 0; which < COLUMNS; which++) {
      on_buf_char(out, '\t');
      if (!add_cell(out, &columns[which], (column)which, error)) return false;
    }
    on_buf_char(out, '\n');
  }
  if (ranges.next) return on_fail(error, ON_DATA_FORMAT, -1, "\"range_lines\": a range behind the last word");
  on_buf_char(out, '\n');
  return true;
}

// What was put together must be one sentence, by the rules of CoNLL-U.
static bool check(on_str sentence, on_error *error) {
  on_error inner = {0};
  on_conllu_sentence read = {0};
  on_conllu_reader *reader = on_conllu_open(sentence, NULL);
  if (!reader) return on_fail_memory(error);
  int got = on_conllu_next(reader, &read, &inner), more = got == 1 ? on_conllu_next(reader, &read, &inner) : 0;
  on_conllu_sentence_free(&read);
  on_conllu_close(reader);
  if (got == 1 && more == 0) return true;
  if (inner.code == ON_OUT_OF_MEMORY) return on_fail_memory(error);
  return on_fail(error, ON_DATA_FORMAT, -1, "the columns make no sentence: %s",
                 inner.text[0] ? inner.text : "want exactly one");
}

int on_conllu_from_json(on_buf *out, const on_json *line, on_error *error) {
  if (on_json_type(line) != ON_JSON_OBJECT || !on_json_get(line, "form") || !on_json_get(line, "misc")) return 0;
  size_t start = out->n;
  bool ok = add_sentence(out, line, error);
  if (ok && out->failed) ok = on_fail_memory(error);
  return ok && check(on_str_sub(on_buf_view(out), start, out->n), error) ? 1 : -1;
}
