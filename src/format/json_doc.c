#include "format/json_doc.h"

#include "base/alloc.h"
#include "format/json.h"
#include "text/utf.h"

static const char *const COLUMN_NAMES[ON_JSON_COLUMNS] = {"form", "lemma", "upos", "xpos", "feats", "head", "deprel"};

// The buffer, with a comma in it where the list has an element already.
static on_buf *next_element(on_json_list *list) {
  if (list->n++) on_buf_str(&list->buf, ON_STR(", "));
  return &list->buf;
}

static void add_null(on_json_list *list) { on_buf_str(next_element(list), ON_STR("null")); }

static void add_number(on_json_list *list, uint64_t value) { on_buf_u64(next_element(list), value); }

static void add_string(on_json_list *list, on_str value) {
  if (value.p) {
    on_json_write_string(next_element(list), value);
  } else {
    add_null(list);
  }
}

// [a, b] or [a, b, "label"]
static void add_triple(on_json_list *list, uint64_t a, uint64_t b, on_str label) {
  on_buf *buf = next_element(list);
  on_buf_char(buf, '[');
  on_buf_u64(buf, a);
  on_buf_str(buf, ON_STR(", "));
  on_buf_u64(buf, b);
  if (label.p) {
    on_buf_str(buf, ON_STR(", "));
    on_json_write_string(buf, label);
  }
  on_buf_char(buf, ']');
}

// A number JSON can hold; a score that is none is null.
static void write_score(on_buf *buf, float score) {
  if (score - score == 0) {
    on_buf_f32(buf, score);
  } else {
    on_buf_str(buf, ON_STR("null"));
  }
}

static void add_tokens(on_json_doc *json, const on_doc *doc, uint32_t base) {
  for (size_t i = 0; i < doc->n; i++) {
    bool shared = i > 0 && doc->source_start[i] == doc->source_start[i - 1];
    if (!shared) {
      add_triple(&json->token, (uint64_t)base + doc->source_start[i], (uint64_t)base + doc->source_end[i], ON_STR_NONE);
      json->tokens++;
    }
    add_number(&json->word_token, json->tokens - 1);
  }
}

static void add_sentences(on_json_doc *json, const on_doc *doc) {
  for (size_t i = 0; i < doc->n;) {
    size_t end = on_doc_sentence_end(doc, i);
    add_triple(&json->sentence, json->words + i, json->words + end, ON_STR_NONE);
    i = end;
  }
}

static void add_ranges(on_json_doc *json, const on_doc *doc) {
  for (size_t i = 0; i < doc->mwt_count; i++) {
    const on_mwt *mwt = &doc->mwts[i];
    add_triple(&json->range, json->words + mwt->first, json->words + mwt->first + mwt->count, mwt->form);
  }
}

// Words of earlier units that did not have the column.
static on_json_list *column(on_json_doc *json, on_json_column which) {
  on_json_list *list = &json->columns[which];
  while (list->n < json->words) add_null(list);
  return list;
}

static void add_strings(on_json_doc *json, on_json_column which, const on_doc *doc, const on_str *values) {
  if (!values) return;
  on_json_list *list = column(json, which);
  for (size_t i = 0; i < doc->n; i++) add_string(list, values[i].n ? values[i] : ON_STR_NONE);
}

static void add_forms(on_json_doc *json, const on_doc *doc) {
  on_json_list *list = column(json, ON_JSON_FORM);
  on_buf slice = {0};
  for (size_t i = 0; i < doc->n; i++) {
    if (doc->form && doc->form[i].p) {
      add_string(list, doc->form[i]);
      continue;
    }
    on_buf_clear(&slice);
    on_utf8_append(&slice, on_doc_token(doc, i));
    add_string(list, on_buf_view(&slice));
    json->failed = json->failed || slice.failed;
  }
  on_buf_free(&slice);
}

static void add_heads(on_json_doc *json, const on_doc *doc) {
  if (!doc->head) return;
  on_json_list *list = column(json, ON_JSON_HEAD);
  for (size_t i = 0; i < doc->n;) {
    size_t end = on_doc_sentence_end(doc, i);
    for (size_t k = i; k < end; k++) {
      bool inside = doc->head[k] != k && doc->head[k] >= i && doc->head[k] < end;
      add_number(list, inside ? doc->head[k] - i + 1 : 0);
    }
    i = end;
  }
}

static void add_span(on_json_list *spans, on_json_list *scores, const on_doc *doc, const on_span *span, uint32_t base) {
  if (span->first >= span->end || span->end > doc->n) return;
  add_triple(spans, (uint64_t)base + doc->source_start[span->first], (uint64_t)base + doc->source_end[span->end - 1],
             span->label.p ? span->label : ON_STR(""));
  write_score(next_element(scores), span->score);
}

static on_json_group *group_named(on_json_doc *json, on_str name) {
  for (size_t i = 0; i < json->group_count; i++) {
    if (on_str_eq(on_buf_view(&json->groups[i].name), name)) return &json->groups[i];
  }
  void *groups = json->groups;
  if (!on_grow(&groups, &json->group_cap, json->group_count + 1, sizeof *json->groups)) return NULL;
  json->groups = groups;
  on_json_group *group = &json->groups[json->group_count++];
  *group = (on_json_group){0};
  on_buf_str(&group->name, name);
  return group;
}

static void add_groups(on_json_doc *json, const on_doc *doc, uint32_t base) {
  for (size_t i = 0; i < doc->group_count; i++) {
    on_json_group *group = group_named(json, doc->groups[i].name);
    if (!group) {
      json->failed = true;
      return;
    }
    for (size_t k = 0; k < doc->groups[i].count; k++) {
      add_span(&group->spans, &group->scores, doc, &doc->groups[i].spans[k], base);
    }
  }
}

static void add_cats(on_json_doc *json, const on_doc *doc) {
  if (doc->cat_count == 0) return;
  on_buf_clear(&json->cat.buf);
  json->cat.n = 0;
  for (size_t i = 0; i < doc->cat_count; i++) {
    on_buf *buf = next_element(&json->cat);
    on_json_write_string(buf, doc->cats[i].label);
    on_buf_str(buf, ON_STR(": "));
    write_score(buf, doc->cats[i].score);
  }
}

void on_json_doc_add(on_json_doc *json, const on_doc *doc, uint32_t base) {
  add_tokens(json, doc, base);
  add_sentences(json, doc);
  add_ranges(json, doc);
  add_forms(json, doc);
  add_strings(json, ON_JSON_LEMMA, doc, doc->lemma);
  add_strings(json, ON_JSON_UPOS, doc, doc->pos);
  add_strings(json, ON_JSON_XPOS, doc, doc->tag);
  add_strings(json, ON_JSON_FEATS, doc, doc->morph);
  add_heads(json, doc);
  add_strings(json, ON_JSON_DEPREL, doc, doc->dep);
  json->has_ents = json->has_ents || doc->has_ents;
  for (size_t i = 0; i < doc->ent_count; i++) add_span(&json->entity, &json->entity_score, doc, &doc->ents[i], base);
  add_groups(json, doc, base);
  add_cats(json, doc);
  json->words += doc->n;
}

static void write_key(on_buf *out, bool *first, on_str key) {
  if (!*first) on_buf_str(out, ON_STR(", "));
  *first = false;
  on_json_write_string(out, key);
  on_buf_str(out, ON_STR(": "));
}

static void write_list(on_buf *out, const on_json_list *list, size_t length) {
  on_buf_char(out, '[');
  on_buf_str(out, on_buf_view(&list->buf));
  for (size_t i = list->n; i < length; i++) on_buf_str(out, i ? ON_STR(", null") : ON_STR("null"));
  on_buf_char(out, ']');
}

static void write_member(on_buf *out, bool *first, const char *key, const on_json_list *list) {
  write_key(out, first, on_str_c(key));
  write_list(out, list, 0);
}

static void write_groups(const on_json_doc *json, on_buf *out, bool scores) {
  bool first = true;
  on_buf_char(out, '{');
  for (size_t i = 0; i < json->group_count; i++) {
    const on_json_group *group = &json->groups[i];
    write_key(out, &first, on_buf_view(&group->name));
    write_list(out, scores ? &group->scores : &group->spans, 0);
  }
  on_buf_char(out, '}');
}

static void write_columns(const on_json_doc *json, on_buf *out, bool *first) {
  write_member(out, first, "sentences", &json->sentence);
  if (json->tokens != json->words) write_member(out, first, "word_token", &json->word_token);
  if (json->range.n) write_member(out, first, "ranges", &json->range);
  for (size_t i = 0; i < ON_JSON_COLUMNS; i++) {
    if (json->columns[i].n == 0 && i != ON_JSON_FORM) continue;
    write_key(out, first, on_str_c(COLUMN_NAMES[i]));
    write_list(out, &json->columns[i], json->words);
  }
  if (json->entity.n) write_member(out, first, "entity_scores", &json->entity_score);
  if (json->group_count) {
    write_key(out, first, ON_STR("span_scores"));
    write_groups(json, out, true);
  }
}

static bool any_failed(const on_json_doc *json) {
  bool failed = json->failed || json->token.buf.failed || json->word_token.buf.failed || json->sentence.buf.failed ||
                json->range.buf.failed || json->entity.buf.failed || json->entity_score.buf.failed ||
                json->cat.buf.failed;
  for (size_t i = 0; i < ON_JSON_COLUMNS; i++) failed = failed || json->columns[i].buf.failed;
  for (size_t i = 0; i < json->group_count; i++) {
    const on_json_group *group = &json->groups[i];
    failed = failed || group->name.failed || group->spans.buf.failed || group->scores.buf.failed;
  }
  return failed;
}

bool on_json_doc_finish(const on_json_doc *json, on_str text, bool columns, on_buf *out) {
  if (any_failed(json)) return false;
  bool first = true;
  on_buf_char(out, '{');
  write_key(out, &first, ON_STR("text"));
  on_json_write_string(out, text);
  write_member(out, &first, "tokens", &json->token);
  if (json->has_ents) write_member(out, &first, "entities", &json->entity);
  if (json->group_count) {
    write_key(out, &first, ON_STR("spans"));
    write_groups(json, out, false);
  }
  if (json->cat.n) {
    write_key(out, &first, ON_STR("cats"));
    on_buf_char(out, '{');
    on_buf_str(out, on_buf_view(&json->cat.buf));
    on_buf_char(out, '}');
  }
  if (columns) write_columns(json, out, &first);
  on_buf_char(out, '}');
  return !out->failed;
}

void on_json_doc_free(on_json_doc *json) {
  on_json_list *lists[] = {&json->token,  &json->word_token,   &json->sentence, &json->range,
                           &json->entity, &json->entity_score, &json->cat};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) on_buf_free(&lists[i]->buf);
  for (size_t i = 0; i < ON_JSON_COLUMNS; i++) on_buf_free(&json->columns[i].buf);
  for (size_t i = 0; i < json->group_count; i++) {
    on_buf_free(&json->groups[i].name);
    on_buf_free(&json->groups[i].spans.buf);
    on_buf_free(&json->groups[i].scores.buf);
  }
  on_free(json->groups);
  *json = (on_json_doc){0};
}
