// The JSON Lines reader.
#include "format/jsonl.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "format/json.h"
#include "text/chars.h"
#include "text/utf.h"

enum { MAX_LINE = 16777216 };

struct on_jsonl_reader {
  on_str bytes;
  on_jsonl_options options;
  size_t at;  // the next line starts here
  on_str text;     // the line that was read last
  on_json *json;   // what it says; NULL where it is none
  int64_t line;
  uint64_t skipped;
};

// One line while it is read.
typedef struct example {
  on_jsonl_reader *reader;
  on_doc *doc;
  on_error *error;
} example;

// Where a value stands, for messages: tokens[3], spans.people[0].
typedef struct place {
  const char *property;
  on_str name;  // of the span group, or p NULL
  size_t index;
} place;

on_jsonl_reader *on_jsonl_open(on_str bytes, const on_jsonl_options *options) {
  on_jsonl_reader *reader = on_malloc(sizeof *reader);
  if (!reader) return NULL;
  *reader = (on_jsonl_reader){.bytes = bytes};
  if (options) reader->options = *options;
  if (!reader->options.max_line) reader->options.max_line = MAX_LINE;
  reader->line = reader->options.lines;
  if (!reader->line && on_str_starts(bytes, ON_STR("\xEF\xBB\xBF"))) reader->at = 3;
  return reader;
}

void on_jsonl_close(on_jsonl_reader *reader) {
  if (reader) on_json_free(reader->json);
  on_free(reader);
}
int64_t on_jsonl_line(const on_jsonl_reader *reader) { return reader->line; }
uint64_t on_jsonl_skipped(const on_jsonl_reader *reader) { return reader->skipped; }
on_str on_jsonl_line_text(const on_jsonl_reader *reader) { return reader->text; }
const on_json *on_jsonl_line_json(const on_jsonl_reader *reader) { return reader->json; }
size_t on_jsonl_offset(const on_jsonl_reader *reader) { return reader->at; }

static bool at_line(const example *e) {
  if (e->error) {
    e->error->code = ON_DATA_FORMAT;
    e->error->position = e->reader->line;
  }
  return on_fail_context(e->error, "line %lld", (long long)e->reader->line);
}

// Ends with the error "line N: ..."; false.
#define FAIL(e, ...) (on_fail((e)->error, ON_DATA_FORMAT, -1, __VA_ARGS__), at_line(e))

// The same with the place in front.
static bool at_place(const example *e, const place *p) {
  if (p->name.p) {
    on_fail_context(e->error, "%s[\"%.*s\"][%zu]", p->property, ON_SHOW(p->name), p->index);
  } else {
    on_fail_context(e->error, "%s[%zu]", p->property, p->index);
  }
  return at_line(e);
}
#define FAIL_AT(e, p, ...) (on_fail((e)->error, ON_DATA_FORMAT, -1, __VA_ARGS__), at_place((e), (p)))

static const char *kind_name(const on_json *value) {
  switch (on_json_type(value)) {
    case ON_JSON_NULL: return "null";
    case ON_JSON_BOOL: return on_json_bool(value) ? "true" : "false";
    case ON_JSON_NUMBER: return "a number";
    case ON_JSON_STRING: return "a string";
    case ON_JSON_ARRAY: return "an array";
    case ON_JSON_OBJECT: return "an object";
  }
  return "?";
}

// A property of the given kind (a string: the text, which is required): false after an error; *value is NULL where it is absent.
static bool property(const example *e, const on_json *root, const char *key, on_json_kind kind,
                     const on_json **value) {
  *value = on_json_get(root, key);
  if (!*value || on_json_type(*value) == kind) return true;
  const bool hint = on_json_type(*value) == ON_JSON_NULL && kind != ON_JSON_STRING;
  return FAIL(e, "\"%s\" must be %s, but is %s%s", key,
              kind == ON_JSON_STRING ? "a string" : kind == ON_JSON_ARRAY ? "an array" : "an object",
              kind_name(*value), hint ? " (leave it out where there is none)" : "");
}

// A whole number of UTF-16 units inside the text that does not cut a surrogate pair.
static bool offset(const example *e, const place *p, const on_json *value, const char *which, uint32_t *out) {
  const on_str16 text = e->doc->source;
  if (on_json_type(value) != ON_JSON_NUMBER) {
    return FAIL_AT(e, p, "the %s must be a number, but is %s", which, kind_name(value));
  }
  const double number = on_json_number(value);
  if (!(number >= 0 && number <= (double)text.n)) {
    return FAIL_AT(e, p, "the %s %.17g lies outside the text, which has %zu UTF-16 units", which, number, text.n);
  }
  int64_t n;
  if (!on_json_as_int(value, 0, (int64_t)text.n, &n)) {
    return FAIL_AT(e, p, "the %s %.17g is no whole number of UTF-16 units", which, number);
  }
  if (n > 0 && (size_t)n < text.n && on_is_high_surrogate(text.p[n - 1]) && on_is_low_surrogate(text.p[n])) {
    return FAIL_AT(e, p, "the %s %lld cuts a character in two (offsets count UTF-16 units)", which, (long long)n);
  }
  *out = (uint32_t)n;
  return true;
}

typedef struct piece {
  uint32_t start, end;
  on_str label;  // borrowed from the JSON tree
  size_t index;  // in the file's list
} piece;

// [start, end] or, with `labelled`, [start, end, "LABEL"].
static bool read_piece(const example *e, const place *p, const on_json *value, bool labelled, piece *out) {
  const char *shape = labelled ? "[start, end, \"LABEL\"]" : "[start, end]";
  if (on_json_type(value) != ON_JSON_ARRAY) return FAIL_AT(e, p, "must be %s, but is %s", shape, kind_name(value));
  const size_t count = on_json_count(value);
  if (count != (labelled ? 3u : 2u)) {
    return FAIL_AT(e, p, "must be %s, but has %zu element%s", shape, count, count == 1 ? "" : "s");
  }
  const on_json *first = on_json_first(value), *second = on_json_next(first);
  if (!offset(e, p, first, "start", &out->start) || !offset(e, p, second, "end", &out->end)) return false;
  if (out->start >= out->end) {
    return FAIL_AT(e, p, "the start %u must be less than the end %u", out->start, out->end);
  }
  out->index = p->index;
  if (!labelled) return true;
  const on_json *label = on_json_next(second);
  if (on_json_type(label) != ON_JSON_STRING) {
    return FAIL_AT(e, p, "the label must be a string, but is %s", kind_name(label));
  }
  out->label = on_json_string(label);
  if (out->label.n == 0) return FAIL_AT(e, p, "the label is empty");
  return true;
}

static bool read_text(const example *e, const on_json *root) {
  on_doc *doc = e->doc;
  const on_json *value;
  if (!property(e, root, "text", ON_JSON_STRING, &value)) return false;
  if (!value) return FAIL(e, "\"text\" is missing");
  if (!on_utf16_from_utf8(&doc->arena, on_json_string(value), &doc->source, e->error)) return false;
  doc->text = doc->source;
  doc->unit_end = (uint32_t)doc->source.n;
  return true;
}

static bool read_tokens(const example *e, const on_json *value) {
  on_doc *doc = e->doc;
  if (!on_doc_set_tokens(doc, on_json_count(value))) return on_fail_memory(e->error);
  place p = {.property = "tokens"};
  uint32_t last = 0;
  for (const on_json *element = on_json_first(value); element; element = on_json_next(element), p.index++) {
    piece token;
    if (!read_piece(e, &p, element, false, &token)) return false;
    if (token.start < last) {
      return FAIL_AT(e, &p, "begins at %u, before the end of the token before it, %u", token.start, last);
    }
    last = token.end;
    doc->start[p.index] = doc->source_start[p.index] = token.start;
    doc->end[p.index] = doc->source_end[p.index] = token.end;
  }
  return true;
}

static bool make_tokens(const example *e, const on_json *root) {
  const on_json *value;
  if (!property(e, root, "tokens", ON_JSON_ARRAY, &value)) return false;
  if (value) return read_tokens(e, value);
  const on_jsonl_options *options = &e->reader->options;
  if (!options->tokenizer) return FAIL(e, "\"tokens\" is missing, and there is no tokenizer to make them");
  if (e->doc->source.n == 0) return on_doc_set_tokens(e->doc, 0) ? true : on_fail_memory(e->error);
  return options->tokenizer(options->context, e->doc, e->error);
}

// The first index at which an ascending list is not below `value`.
static size_t lower_bound(const uint32_t *list, size_t n, uint32_t value) {
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

// The tokens of a piece, [first, end). 1: found; 0: left out; -1: an error.
static int align(const example *e, const place *p, const piece *wanted, on_span *out) {
  const on_doc *doc = e->doc;
  const size_t n = doc->n;
  const size_t first = lower_bound(doc->source_start, n, wanted->start);
  size_t last = lower_bound(doc->source_end, n, wanted->end);
  const bool starts = first < n && doc->source_start[first] == wanted->start;
  const bool ends = last < n && doc->source_end[last] == wanted->end;
  if (starts && ends) {
    // Words that share one surface form all end where it ends.
    while (last + 1 < n && doc->source_end[last + 1] == wanted->end) last++;
    *out = (on_span){.first = (uint32_t)first, .end = (uint32_t)last + 1, .score = 1};
    return 1;
  }
  if (e->reader->options.misaligned == ON_MISALIGNED_SKIP) {
    e->reader->skipped++;
    return 0;
  }
  const uint32_t edge = starts ? wanted->end : wanted->start;
  // The token that holds the edge, if any, helps to find the slip.
  const size_t near = lower_bound(doc->source_end, n, edge + 1);
  if (near < n && doc->source_start[near] < edge) {
    FAIL_AT(e, p, "[%u, %u, \"%.*s\"] %s at %u, inside the token [%u, %u]", wanted->start, wanted->end,
            ON_SHOW(wanted->label), starts ? "ends" : "starts", edge, doc->source_start[near], doc->source_end[near]);
  } else {
    FAIL_AT(e, p, "[%u, %u, \"%.*s\"] %s at %u, where no token %s", wanted->start, wanted->end, ON_SHOW(wanted->label),
            starts ? "ends" : "starts", edge, starts ? "ends" : "starts");
  }
  return -1;
}

static int by_start(const void *a, const void *b) {
  const piece *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

// Checks and sorts; then what overlaps stands side by side.
static bool check_overlap(const example *e, piece *list, size_t count) {
  if (!on_sort(list, count, sizeof *list, by_start)) return on_fail_memory(e->error);
  for (size_t i = 1; i < count; i++) {
    const piece *a = &list[i - 1], *b = &list[i];
    if (b->start >= a->end) continue;
    const place p = {.property = "entities", .index = a->index > b->index ? a->index : b->index};
    const size_t other = a->index > b->index ? b->index : a->index;
    return FAIL_AT(e, &p, "overlaps entities[%zu] ([%u, %u] and [%u, %u])", other, a->start, a->end, b->start, b->end);
  }
  return true;
}

// The labelled pieces of `value` as spans of tokens; `sorted` for entities.
static bool read_spans(const example *e, place p, const on_json *value, bool sorted, on_span **spans, size_t *count) {
  on_doc *doc = e->doc;
  const size_t total = on_json_count(value);
  piece *list = on_calloc(total + 1, sizeof *list);
  *spans = ON_NEW(&doc->arena, on_span, total);
  *count = 0;
  bool ok = list && *spans ? true : on_fail_memory(e->error);
  const on_json *element = on_json_first(value);
  for (p.index = 0; ok && element; element = on_json_next(element), p.index++) {
    ok = read_piece(e, &p, element, true, &list[p.index]);
  }
  if (ok && sorted) ok = check_overlap(e, list, total);
  for (size_t i = 0; ok && i < total; i++) {
    p.index = list[i].index;
    on_span span;
    const int found = align(e, &p, &list[i], &span);
    ok = found >= 0;
    if (found <= 0) continue;
    span.label = on_arena_str(&doc->arena, list[i].label);
    if (!span.label.p) ok = on_fail_memory(e->error);
    (*spans)[(*count)++] = span;
  }
  on_free(list);
  return ok;
}

static bool read_entities(const example *e, const on_json *root) {
  const on_json *value;
  if (!property(e, root, "entities", ON_JSON_ARRAY, &value)) return false;
  if (!value) return true;
  e->doc->has_ents = true;
  return read_spans(e, (place){.property = "entities"}, value, true, &e->doc->ents, &e->doc->ent_count);
}

static bool read_groups(const example *e, const on_json *root) {
  on_doc *doc = e->doc;
  const on_json *value;
  if (!property(e, root, "spans", ON_JSON_OBJECT, &value)) return false;
  if (!value) return true;
  doc->groups = ON_NEW0(&doc->arena, on_span_group, on_json_count(value));
  if (!doc->groups) return on_fail_memory(e->error);
  for (const on_json *member = on_json_first(value); member; member = on_json_next(member)) {
    const on_str name = on_json_key(member);
    if (on_json_type(member) != ON_JSON_ARRAY) {
      return FAIL(e, "spans[\"%.*s\"] must be an array, but is %s", ON_SHOW(name), kind_name(member));
    }
    on_span_group *group = &doc->groups[doc->group_count++];
    group->name = on_arena_str(&doc->arena, name);
    if (!group->name.p) return on_fail_memory(e->error);
    const place p = {.property = "spans", .name = name};
    if (!read_spans(e, p, member, false, &group->spans, &group->count)) return false;
  }
  return true;
}

static bool read_cats(const example *e, const on_json *root) {
  on_doc *doc = e->doc;
  const on_json *value;
  if (!property(e, root, "cats", ON_JSON_OBJECT, &value)) return false;
  if (!value) return true;
  doc->cats = ON_NEW(&doc->arena, on_cat, on_json_count(value));
  if (!doc->cats) return on_fail_memory(e->error);
  for (const on_json *member = on_json_first(value); member; member = on_json_next(member)) {
    const on_str label = on_json_key(member);
    if (label.n == 0) return FAIL(e, "cats: a label is empty");
    double score = 0;
    if (on_json_type(member) == ON_JSON_BOOL) {
      score = on_json_bool(member) ? 1 : 0;
    } else if (on_json_type(member) == ON_JSON_NUMBER) {
      score = on_json_number(member);
    } else {
      return FAIL(e, "cats[\"%.*s\"] must be a number or a boolean, but is %s", ON_SHOW(label), kind_name(member));
    }
    if (!(score >= 0 && score <= 1)) {
      return FAIL(e, "cats[\"%.*s\"] is %.9g; it must lie between 0 and 1", ON_SHOW(label), score);
    }
    on_cat *cat = &doc->cats[doc->cat_count++];
    *cat = (on_cat){on_arena_str(&doc->arena, label), (float)score};
    if (!cat->label.p) return on_fail_memory(e->error);
  }
  return true;
}

// Turns the JSON reader's byte offset into a column that an editor shows.
static bool json_failed(const example *e, on_str line) {
  on_error *error = e->error;
  if (!error || error->code == ON_OUT_OF_MEMORY) return false;
  if (error->position >= 0 && (size_t)error->position <= line.n) {
    size_t column = 1;
    for (size_t i = 0; i < (size_t)error->position; i++) column += ((unsigned char)line.p[i] & 0xC0) != 0x80;
    const size_t used = strlen(error->text);
    char shown[40];
    const int length = snprintf(shown, sizeof shown, " (column %zu)", column);
    if (length > 0 && used + (size_t)length < sizeof error->text) memcpy(error->text + used, shown, (size_t)length + 1);
  }
  return at_line(e);
}

static bool read_line(const example *e, on_str line) {
  // A unit takes a byte or more: most lines need no count. (Counting needs well-formed text.)
  const size_t limit = e->reader->options.max_line;
  if (line.n > limit) {
    size_t bad;
    if (!on_utf8_valid(line, &bad)) return FAIL(e, "JSON: invalid UTF-8 at byte %zu of the line", bad + 1);
    const size_t units = on_utf16_length(line);
    if (units > limit) return FAIL(e, "the line has %zu UTF-16 units; at most %zu are allowed", units, limit);
  }
  const on_json *root = e->reader->json = on_json_parse_line(line, e->error);
  if (!root) return json_failed(e, line);
  if (on_json_type(root) != ON_JSON_OBJECT) return FAIL(e, "must be a JSON object, but is %s", kind_name(root));
  return read_text(e, root) && make_tokens(e, root) && read_entities(e, root) && read_groups(e, root) &&
         read_cats(e, root);
}

static bool is_blank(on_str line) {
  for (size_t i = 0; i < line.n; i++) {
    if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r') return false;
  }
  return true;
}

int on_jsonl_next(on_jsonl_reader *reader, on_doc *doc, on_error *error) {
  const on_str bytes = reader->bytes;
  on_doc_reset(doc);
  on_json_free(reader->json);
  reader->json = NULL;
  while (reader->at < bytes.n) {
    const size_t start = reader->at;
    const char *newline = memchr(bytes.p + start, '\n', bytes.n - start);
    const size_t end = newline ? (size_t)(newline - bytes.p) : bytes.n;
    reader->at = newline ? end + 1 : end;
    reader->line++;
    const on_str line = on_str_sub(bytes, start, end);
    if (is_blank(line)) continue;
    reader->text = line;
    const example e = {reader, doc, error};
    return read_line(&e, line) ? 1 : -1;
  }
  return 0;
}
