#include "base/alloc.h"
#include "pieces/model.h"

static const uint32_t no_symbol = UINT32_MAX;

typedef struct symbol {
  uint32_t entry;
  uint32_t previous, next;
  uint32_t length;  // bytes; 0: merged into the one before
} symbol;

typedef struct candidate {
  uint32_t rank, at, result;
} candidate;

typedef struct word {
  const on_model *model;
  symbol *symbols;
  uint32_t n;
  on_segment *segment;  // has the queue, a binary heap: lowest rank first, among equals the leftmost
} word;

static bool is_before(const candidate *a, const candidate *b) {
  return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static bool push(on_segment *s, candidate c) {
  if (!on_grow(&s->queue, &s->queue_cap, s->queue_count + 1, sizeof c)) return false;
  candidate *heap = s->queue;
  size_t i = s->queue_count++;
  while (i > 0 && is_before(&c, &heap[(i - 1) / 2])) {
    heap[i] = heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  heap[i] = c;
  return true;
}

static candidate pop(on_segment *s) {
  candidate *heap = s->queue, top = heap[0], last = heap[--s->queue_count];
  size_t n = s->queue_count, i = 0;
  for (size_t child = 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && is_before(&heap[child + 1], &heap[child])) child++;
    if (!is_before(&heap[child], &last)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  return top;
}

// The merge of two entries, or NULL. Of a pair that is listed twice the later counts.
static const on_merge *find_merge(const on_model *model, uint32_t left, uint32_t right) {
  uint32_t low = model->merges_of[left], first = low, high = model->merges_of[left + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (model->merges[middle].right <= right) low = middle + 1;
    else high = middle;
  }
  return low > first && model->merges[low - 1].right == right ? &model->merges[low - 1] : NULL;
}

static void add_symbol(word *w, uint32_t entry, uint32_t length) {
  uint32_t previous = w->n > 0 ? w->n - 1 : no_symbol;
  if (w->n > 0) w->symbols[w->n - 1].next = w->n;
  w->symbols[w->n++] = (symbol){entry, previous, no_symbol, length};
}

// One symbol for each character that is in the vocabulary, bytes or the unknown piece for others. A character that
// has neither is left out, as the library does. Unknown pieces are put off until a known character follows.
static void fill(word *w) {
  const on_model *model = w->model;
  const on_segment *s = w->segment;
  uint32_t unknown = 0;  // bytes of the unknown piece that waits
  for (size_t i = 0, to; i < s->n; i = to) {
    for (to = i + 1; to < s->n && s->char_of[to] == s->char_of[i]; to++) {
    }
    uint32_t entry = on_vocab_find(&model->vocab, (on_str){s->bytes + i, to - i}), length = (uint32_t)(to - i);
    bool bytes = entry == ON_VOCAB_NONE && model->byte_fallback;
    for (size_t k = i; bytes && k < to; k++) bytes = model->bytes[(uint8_t)s->bytes[k]] != ON_VOCAB_NONE;
    if (entry != ON_VOCAB_NONE) {
      if (unknown) add_symbol(w, model->unknown, unknown);
      unknown = 0;
      add_symbol(w, entry, length);
    } else if (bytes) {
      for (size_t k = i; k < to; k++) add_symbol(w, model->bytes[(uint8_t)s->bytes[k]], 1);
    } else if (model->unknown != ON_VOCAB_NONE) {
      if (unknown && !model->fuse_unknown) {
        add_symbol(w, model->unknown, unknown);
        unknown = 0;
      }
      unknown += length;
    }
  }
  if (unknown) add_symbol(w, model->unknown, unknown);
}

static bool consider(word *w, uint32_t left, uint32_t right) {
  if (left == no_symbol || right == no_symbol) return true;
  const on_merge *merge = find_merge(w->model, w->symbols[left].entry, w->symbols[right].entry);
  return !merge || push(w->segment, (candidate){merge->rank, left, merge->result});
}

static bool merge_all(word *w) {
  w->segment->queue_count = 0;
  for (uint32_t i = 0; i + 1 < w->n; i++) {
    if (!consider(w, i, i + 1)) return false;
  }
  while (w->segment->queue_count > 0) {
    candidate top = pop(w->segment);
    symbol *left = &w->symbols[top.at];
    if (left->length == 0 || left->next == no_symbol) continue;
    symbol *right = &w->symbols[left->next];
    const on_merge *merge = find_merge(w->model, left->entry, right->entry);
    if (!merge || merge->result != top.result) continue;  // something else happened here since
    left->entry = top.result;
    left->length += right->length;
    left->next = right->next;
    right->length = 0;
    if (left->next != no_symbol) w->symbols[left->next].previous = top.at;
    if (!consider(w, left->previous, top.at) || !consider(w, top.at, left->next)) return false;
  }
  return true;
}

bool on_bpe_run(const on_model *model, on_segment *segment, on_pieces *out, on_error *error) {
  if (model->ignore_merges) {
    uint32_t entry = on_vocab_find(&model->vocab, (on_str){segment->bytes, segment->n});
    if (entry != ON_VOCAB_NONE) {
      on_pieces_add(out, segment, &model->vocab, entry, 0, segment->n);
      return true;
    }
  }
  if (!on_grow(&segment->states, &segment->state_cap, segment->n + 1, sizeof(symbol))) return on_fail_memory(error);
  word w = {.model = model, .symbols = segment->states, .segment = segment};
  fill(&w);
  if (!merge_all(&w)) return on_fail_memory(error);
  size_t at = 0;
  for (uint32_t i = 0; i < w.n; i++) {
    const symbol *s = &w.symbols[i];
    if (s->length == 0) continue;
    on_pieces_add(out, segment, &model->vocab, s->entry, at, at + s->length);
    at += s->length;
  }
  return true;
}
