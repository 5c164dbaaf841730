#include "pieces/model.h"

// The longest piece that starts at byte `from`; its end in *to.
static uint32_t longest_at(const on_model *model, const on_segment *segment, size_t from, size_t *to) {
  on_vocab_walk walk = on_vocab_start(&model->vocab);
  uint32_t found = ON_VOCAB_NONE;
  for (size_t i = 0; from > 0 && i < model->prefix.n; i++) {
    if (!on_vocab_step(&model->vocab, &walk, (uint8_t)model->prefix.p[i])) return ON_VOCAB_NONE;
  }
  for (size_t i = from; i < segment->n && on_vocab_step(&model->vocab, &walk, (uint8_t)segment->bytes[i]); i++) {
    uint32_t here = on_vocab_here(&model->vocab, &walk);
    if (here == ON_VOCAB_NONE) continue;
    found = here;
    *to = i + 1;
  }
  return found;
}

bool on_wordpiece_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error) {
  (void)error;
  size_t before = out->n;
  bool known = segment->char_count <= model->longest_word;
  for (size_t from = 0, to = 0; known && from < segment->n; from = to) {
    uint32_t entry = longest_at(model, segment, from, &to);
    known = entry != ON_VOCAB_NONE;
    if (known) on_pieces_add(out, segment, &model->vocab, entry, from, to);
  }
  if (!known) {
    out->n = before;
    on_pieces_add(out, segment, &model->vocab, model->unknown, 0, segment->n);
  }
  return true;
}
