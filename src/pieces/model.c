#include "pieces/model.h"

#include "base/alloc.h"
#include "pieces/normalizer.h"
#include "text/chars.h"
#include "text/utf.h"

bool on_segment_set(on_segment *segment, const on_flow *flow, const on_span_of_text *span) {
  segment->chars = flow->chars.p + span->from;
  segment->char_count = span->to - span->from;
  segment->n = 0;
  size_t most = 4 * segment->char_count;
  if (!on_grow((void **)&segment->bytes, &segment->cap, most, 1)) return false;
  if (!on_grow((void **)&segment->char_of, &segment->at_cap, most, sizeof *segment->char_of)) return false;
  for (size_t i = 0; i < segment->char_count; i++) {
    size_t n = on_char_utf8(segment->chars[i].c, segment->bytes + segment->n);
    for (size_t k = 0; k < n; k++) segment->char_of[segment->n++] = (uint32_t)i;
  }
  return true;
}

void on_segment_free(on_segment *segment) {
  on_free(segment->bytes);
  on_free(segment->char_of);
  on_free(segment->states);
  on_free(segment->queue);
  *segment = (on_segment){0};
}

static bool is_blank(uint32_t c) { return c == 0x120 || on_is_space(c); }

void on_count_blanks(on_str text, uint32_t *leading, uint32_t *trailing) {
  *leading = *trailing = 0;
  bool start = true;
  for (size_t i = 0; i < text.n;) {
    bool blank = is_blank(on_utf8_next(text, &i));
    if (start && blank) ++*leading;
    if (!blank) start = false;
    *trailing = blank ? *trailing + 1 : 0;
  }
}

void on_pieces_add(on_pieces *out, const on_segment *segment, const on_vocab *vocab, uint32_t entry, size_t from,
                   size_t to) {
  if (out->failed || !on_grow((void **)&out->p, &out->cap, out->n + 1, sizeof *out->p)) {
    out->failed = true;
    return;
  }
  on_piece piece = {.id = vocab->id[entry]};
  piece.start = segment->chars[segment->char_of[from]].start;
  piece.end = segment->chars[segment->char_of[to - 1]].end;
  if (out->count_blanks) on_count_blanks(on_vocab_text(vocab, entry), &piece.leading, &piece.trailing);
  out->p[out->n++] = piece;
}

bool on_model_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error) {
  bool ok = model->kind == ON_MODEL_WORDPIECE ? on_wordpiece_run(model, segment, out, error)
            : model->kind == ON_MODEL_BPE     ? on_bpe_run(model, segment, out, error)
                                              : on_unigram_run(model, segment, out, error);
  return ok && (!out->failed || on_fail_memory(error));
}
