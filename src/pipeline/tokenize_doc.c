#include "pipeline/tokenize_doc.h"

#include "pipeline/tokenizer.h"
#include "text/utf.h"

bool on_tokenize_doc(void *context, on_doc *doc, on_error *error) {
  const on_doc_tokenizer *t = context;
  on_arena arena = {0};
  on_pieces pieces = {0};
  on_str16 text = doc->source;
  bool ok = t->pipeline->tokenizer.kind->split(t->pipeline, t->workspace, &arena, text, 0, text.n, &pieces, error) &&
            on_doc_from_pieces(doc, text, 0, (uint32_t)text.n, pieces.list, pieces.n, error);
  on_arena_free(&arena);
  return ok;
}

bool on_tokenize_characters(void *context, on_doc *doc, on_error *error) {
  on_str16 text = doc->source;
  size_t n = 0;
  if (context) *(bool *)context = true;
  for (size_t i = 0; i < text.n; n++) on_utf16_next(text, &i);
  if (!on_doc_set_tokens(doc, n)) return on_fail_memory(error);
  n = 0;
  for (size_t i = 0; i < text.n; n++) {
    doc->start[n] = doc->source_start[n] = (uint32_t)i;
    on_utf16_next(text, &i);
    doc->end[n] = doc->source_end[n] = (uint32_t)i;
  }
  return true;
}

bool on_pipeline_blank(on_pipeline *pipeline, on_str language, const on_json *tokenizer, on_error *error) {
  on_buf config = {0};
  on_buf_str(&config, ON_STR("{\"format\": \"onenlp-pipeline\", \"version\": 1, \"language\": "));
  on_json_write_string(&config, language);
  on_buf_str(&config, ON_STR(", \"tokenizer\": "));
  if (tokenizer) {
    on_json_write(&config, tokenizer);
  } else {
    on_buf_str(&config, ON_STR("{\"kind\": \"uax\", \"data\": "));
    on_json_write_string(&config, on_segmentation_name(on_segmentation_for_language(language)));
    on_buf_char(&config, '}');
  }
  on_buf_str(&config, ON_STR(", \"encoders\": [], \"components\": []}"));
  *pipeline = (on_pipeline){0};
  bool ok = !config.failed ? on_pipeline_from_config(pipeline, on_buf_view(&config), error) : on_fail_memory(error);
  on_buf_free(&config);
  return ok;
}

// The first index at which a rising list is not below `value`.
static size_t lower_bound(const uint32_t *list, size_t n, uint32_t value) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// False where an edge is none of a token's; the span then covers the tokens that it touches (none: empty).
static bool find_tokens(const on_doc *doc, uint32_t start, uint32_t end, on_span *span) {
  size_t n = doc->n, first = lower_bound(doc->source_end, n, start + 1), last = lower_bound(doc->source_end, n, end);
  bool starts = first < n && doc->source_start[first] == start, ends = last < n && doc->source_end[last] == end;
  while (ends && last + 1 < n && doc->source_end[last + 1] == end) last++;  // words of one surface form
  if (!ends && (last == n || doc->source_start[last] >= end)) last--;       // touched: those that begin before the end
  span->first = (uint32_t)first;
  span->end = (uint32_t)(last + 1);  // n == 0: (size_t)-1 + 1
  if (span->end < span->first) span->end = span->first;
  return starts && ends;
}

static bool move(on_doc *doc, const on_doc *from, const on_span *spans, size_t count, bool mark, on_span **out,
                 size_t *out_count) {
  on_span *list = ON_NEW(&doc->arena, on_span, count);
  if (!list) return false;
  *out = list;
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    on_span span = spans[i];
    bool whole = find_tokens(doc, from->source_start[spans[i].first], from->source_end[spans[i].end - 1], &span);
    if (!whole && (!mark || span.first == span.end)) continue;
    if (!whole) {
      span.label = ON_STR_NONE;
      // Two of them may touch the same token.
      on_span *before = *out_count ? &list[*out_count - 1] : NULL;
      if (before && before->end > span.first) span.first = before->end;
      if (span.first >= span.end) continue;
    }
    list[(*out_count)++] = span;
  }
  return true;
}

bool on_move_labels(on_doc *doc, const on_doc *from, bool mark) {
  doc->has_ents = from->has_ents;
  doc->cats = from->cats;
  doc->cat_count = from->cat_count;
  doc->groups = from->groups ? ON_NEW0(&doc->arena, on_span_group, from->group_count) : NULL;
  doc->group_count = 0;
  if (from->groups && !doc->groups) return false;
  if (from->has_ents && !move(doc, from, from->ents, from->ent_count, mark, &doc->ents, &doc->ent_count)) return false;
  for (size_t i = 0; i < from->group_count; i++) {
    on_span_group *group = &doc->groups[doc->group_count++];
    group->name = from->groups[i].name;
    if (!move(doc, from, from->groups[i].spans, from->groups[i].count, false, &group->spans, &group->count)) {
      return false;
    }
  }
  return true;
}
