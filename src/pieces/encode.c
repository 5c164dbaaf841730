#include "base/alloc.h"
#include "pieces/piece_model.h"
#include "text/chars.h"

uint32_t on_piece_model_size(const on_piece_model *model) { return model->size; }

const uint32_t *on_piece_before(const on_piece_model *model, size_t *count) {
  *count = model->post.before_count;
  return model->post.before;
}

const uint32_t *on_piece_after(const on_piece_model *model, size_t *count) {
  *count = model->post.after_count;
  return model->post.after;
}

static void add_token(const on_piece_model *model, const on_flow *flow, const on_span_of_text *span, on_pieces *out) {
  const on_char *first = &flow->chars.p[span->from], *last = &flow->chars.p[span->to - 1];
  on_piece piece = {.id = model->added.tokens[span->added].id, .start = first->start, .end = last->end};
  while (first + piece.leading <= last && on_is_space(first[piece.leading].c)) piece.leading++;
  while (last - piece.trailing >= first && on_is_space((last - piece.trailing)->c)) piece.trailing++;
  if (!on_grow((void **)&out->p, &out->cap, out->n + 1, sizeof *out->p)) {
    out->failed = true;
    return;
  }
  out->p[out->n++] = piece;
}

static bool run(const on_piece_model *model, on_str16 text, on_flow *flow, on_segment *segment, on_pieces *out,
                on_error *error) {
  on_added_cut(&model->added, false, flow);
  if (!on_normalizer_run(&model->normalizer, flow, error)) return false;
  on_added_cut(&model->added, true, flow);
  if (flow->failed) return on_fail_memory(error);
  if (!on_pretokenizer_run(&model->pretokenizer, flow, error)) return false;
  for (size_t i = 0; i < flow->spans.n; i++) {
    const on_span_of_text *span = &flow->spans.p[i];
    if (span->from == span->to) continue;
    if (span->added != ON_SPAN_TEXT) {
      add_token(model, flow, span, out);
      continue;
    }
    if (!on_segment_set(segment, flow, span)) return on_fail_memory(error);
    if (!on_model_run(&model->model, segment, out, error)) return false;
  }
  if (out->failed) return on_fail_memory(error);
  on_post_trim(&model->post, out, text);
  return true;
}

static bool copy(const on_pieces *pieces, on_arena *scratch, on_piece_list *out, on_error *error) {
  *out = (on_piece_list){.n = pieces->n};
  out->ids = ON_NEW(scratch, uint32_t, pieces->n);
  out->start = ON_NEW(scratch, uint32_t, pieces->n);
  out->end = ON_NEW(scratch, uint32_t, pieces->n);
  if (!out->ids || !out->start || !out->end) return on_fail_memory(error);
  for (size_t i = 0; i < pieces->n; i++) {
    out->ids[i] = pieces->p[i].id;
    out->start[i] = pieces->p[i].start;
    out->end[i] = pieces->p[i].end;
  }
  return true;
}

bool on_piece_encode(const on_piece_model *model, on_str16 text, on_arena *scratch, on_piece_list *out,
                     on_error *error) {
  on_flow flow = {0};
  on_segment segment = {0};
  on_pieces pieces = {.count_blanks = model->post.trim_count > 0};
  bool ok = on_flow_start(&flow, text, error) && run(model, text, &flow, &segment, &pieces, error) &&
            copy(&pieces, scratch, out, error);
  on_flow_free(&flow);
  on_segment_free(&segment);
  on_free(pieces.p);
  return ok;
}
