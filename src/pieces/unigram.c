#include "base/alloc.h"
#include "pieces/model.h"

static const uint32_t nowhere = UINT32_MAX;

// The best way to divide what lies before a byte.
typedef struct state {
  double score;
  uint32_t from;   // where its last piece starts; nowhere: not reached
  uint32_t entry;  // its last piece
} state;

static void offer(state *to, double score, uint32_t from, uint32_t entry) {
  if (to->from == nowhere || score > to->score) *to = (state){score, from, entry};
}

static bool is_continuation(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

static void extend(const on_model *model, const on_segment *segment, state *states, size_t from) {
  double score = states[from].score;
  size_t next = from + 1;
  while (next < segment->n && is_continuation(segment->bytes[next])) next++;
  bool single = false;  // some piece is this one character
  on_vocab_walk walk = on_vocab_start(&model->vocab);
  for (size_t i = from; i < segment->n && on_vocab_step(&model->vocab, &walk, (uint8_t)segment->bytes[i]); i++) {
    uint32_t entry = on_vocab_here(&model->vocab, &walk);
    if (entry == ON_VOCAB_NONE) continue;
    offer(&states[i + 1], model->scores[entry] + score, (uint32_t)from, entry);
    if (i + 1 == next) single = true;
  }
  if (!single) offer(&states[next], model->unknown_score + score, (uint32_t)from, model->unknown);
}

// Pieces of a run of unknown characters: the library joins them, and looks for what they are together.
static void add_unknown(const on_model *model, const on_segment *segment, on_pieces *out, size_t from, size_t to) {
  uint32_t entry = on_vocab_find(&model->vocab, (on_str){segment->bytes + from, to - from});
  if (entry != ON_VOCAB_NONE || !model->byte_fallback) {
    on_pieces_add(out, segment, &model->vocab, entry != ON_VOCAB_NONE ? entry : model->unknown, from, to);
    return;
  }
  bool all = true;
  for (size_t i = from; i < to; i++) all = all && model->bytes[(uint8_t)segment->bytes[i]] != ON_VOCAB_NONE;
  for (size_t i = from; all && i < to; i++) {
    on_pieces_add(out, segment, &model->vocab, model->bytes[(uint8_t)segment->bytes[i]], from, to);
  }
  if (!all) on_pieces_add(out, segment, &model->vocab, model->unknown, from, to);
}

bool on_unigram_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error) {
  if (!on_grow(&segment->states, &segment->state_cap, segment->n + 1, sizeof(state))) return on_fail_memory(error);
  state *states = segment->states;
  for (size_t i = 0; i <= segment->n; i++) states[i] = (state){.from = nowhere};
  for (size_t i = 0; i < segment->n; i++) {
    if (is_continuation(segment->bytes[i])) continue;
    extend(model, segment, states, i);
  }
  // The path leads backwards; turn it round in place: `from` of a piece's start becomes its end.
  size_t end = segment->n, next = segment->n;
  uint32_t entry = 0;
  while (end > 0) {
    state s = states[end];
    states[end].from = (uint32_t)next;
    states[end].entry = entry;
    next = end;
    entry = s.entry;
    end = s.from;
  }
  states[0].from = (uint32_t)next;
  states[0].entry = entry;
  size_t unknown_from = 0;
  bool unknown = false;
  for (size_t at = 0; at < segment->n; at = states[at].from) {
    bool is_unknown = states[at].entry == model->unknown;
    if (is_unknown && model->unknown == ON_VOCAB_NONE) {
      return on_fail(error, ON_INVALID_DATA, -1, "tokenizer: the text has a character that no piece stands for, and "
                     "model.unk_id is missing");
    }
    if (is_unknown && !unknown) unknown_from = at;
    if (unknown && !is_unknown) add_unknown(model, segment, out, unknown_from, at);
    if (!is_unknown) on_pieces_add(out, segment, &model->vocab, states[at].entry, at, states[at].from);
    unknown = is_unknown;
  }
  if (unknown) add_unknown(model, segment, out, unknown_from, segment->n);
  return true;
}
