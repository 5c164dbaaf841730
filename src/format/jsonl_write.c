// The JSON Lines writer.
#include "format/jsonl.h"

#include "base/alloc.h"
#include "format/json.h"
#include "text/utf.h"

typedef struct offsets {
  const uint32_t *start, *end;
  uint32_t base;  // where the text begins
} offsets;

// Whether the words' extents in the source are tokens: one after the other.
static bool are_tokens(const on_doc *doc) {
  for (size_t i = 1; i < doc->n; i++) {
    if (doc->source_start[i] < doc->source_end[i - 1]) return false;
  }
  return true;
}

// [start, end] or [start, end, "LABEL"] of the tokens [first, end), after a comma where one is needed.
static void add_piece(on_buf *out, const offsets *o, size_t first, size_t end, on_str label, bool comma) {
  on_buf_str(out, comma ? ON_STR(", [") : ON_STR("["));
  on_buf_u64(out, o->start[first] - o->base);
  on_buf_str(out, ON_STR(", "));
  on_buf_u64(out, o->end[end - 1] - o->base);
  if (label.p) {
    on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, label);
  }
  on_buf_char(out, ']');
}

static void add_spans(on_buf *out, const offsets *o, const on_span *spans, size_t count) {
  on_buf_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    add_piece(out, o, spans[i].first, spans[i].end, spans[i].label.p ? spans[i].label : ON_STR(""), i > 0);
  }
  on_buf_char(out, ']');
}

static void add_text(on_buf *out, on_str16 text, on_buf *scratch) {
  on_buf_clear(scratch);
  on_utf8_append(scratch, text);
  on_buf_str(out, ON_STR("{\"text\": "));
  on_json_write_string(out, on_buf_view(scratch));
}

bool on_jsonl_write_doc(on_buf *out, const on_doc *doc, on_error *error) {
  const bool in_source = are_tokens(doc);
  const offsets o = in_source ? (offsets){doc->source_start, doc->source_end, doc->unit_start}
                              : (offsets){doc->start, doc->end, 0};
  on_buf scratch = {0};
  add_text(out, in_source ? on_str16_sub(doc->source, doc->unit_start, doc->unit_end) : doc->text, &scratch);
  on_buf_str(out, ON_STR(", \"tokens\": ["));
  for (size_t i = 0; i < doc->n; i++) add_piece(out, &o, i, i + 1, ON_STR_NONE, i > 0);
  on_buf_char(out, ']');
  if (doc->has_ents) {
    on_buf_str(out, ON_STR(", \"entities\": "));
    add_spans(out, &o, doc->ents, doc->ent_count);
  }
  if (doc->groups) on_buf_str(out, ON_STR(", \"spans\": {"));
  for (size_t i = 0; i < doc->group_count; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, doc->groups[i].name);
    on_buf_str(out, ON_STR(": "));
    add_spans(out, &o, doc->groups[i].spans, doc->groups[i].count);
  }
  if (doc->groups) on_buf_char(out, '}');
  if (doc->cats) on_buf_str(out, ON_STR(", \"cats\": {"));
  for (size_t i = 0; i < doc->cat_count; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, doc->cats[i].label);
    on_buf_str(out, ON_STR(": "));
    on_buf_f32(out, doc->cats[i].score);
  }
  if (doc->cats) on_buf_char(out, '}');
  on_buf_str(out, ON_STR("}\n"));
  const bool failed = out->failed || scratch.failed;
  on_buf_free(&scratch);
  return failed ? on_fail_memory(error) : true;
}
