#include "pieces/pieces.h"

void on_piece_words(const on_piece_list *list, const uint32_t *start, const uint32_t *end, size_t words,
                    uint32_t *first, uint32_t *last) {
  size_t from = 0;
  for (size_t w = 0; w < words; w++) {
    // Pieces that end before this word end before all later ones: words ascend. (Words of one surface form share it.)
    while (from < list->n && list->end[from] <= start[w]) from++;
    size_t i = from;
    while (i < list->n && list->start[i] == list->end[i]) i++;
    first[w] = (uint32_t)i;
    while (i < list->n && list->start[i] < end[w]) i++;
    last[w] = (uint32_t)i;
  }
}

// A window of pieces [from, to) of the list.
typedef struct window {
  size_t from, to;
} window;

// The end of the window that begins at `from` and holds at most `room` pieces: behind the last piece where no word
// goes on. `inside[i]` tells that pieces i - 1 and i belong to one word.
static size_t window_end(const bool *inside, size_t from, size_t n, size_t room) {
  if (n - from <= room) return n;
  size_t to = from + room;
  while (to > from && inside[to]) to--;
  return to > from ? to : from + room;
}

static bool *find_insides(const on_piece_list *list, const uint32_t *first, const uint32_t *last, size_t words,
                          on_arena *scratch) {
  bool *inside = ON_NEW0(scratch, bool, list->n + 1);
  if (!inside) return NULL;
  for (size_t w = 0; w < words; w++) {
    for (size_t i = (size_t)first[w] + 1; i < last[w]; i++) inside[i] = true;
  }
  return inside;
}

bool on_piece_windows_make(const on_piece_model *model, const on_piece_list *list, const uint32_t *first,
                           const uint32_t *last, size_t words, size_t max_length, on_arena *scratch,
                           on_piece_windows *out, on_error *error) {
  size_t before_count, after_count, n = list->n;
  const uint32_t *before = on_piece_before(model, &before_count), *after = on_piece_after(model, &after_count);
  size_t specials = before_count + after_count;
  if (max_length <= specials) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1, "maxLength %zu leaves no room beside %zu special tokens", max_length,
                   specials);
  }
  size_t room = max_length - specials;
  *out = (on_piece_windows){0};
  bool *inside = find_insides(list, first, last, words, scratch);
  uint32_t *row = ON_NEW(scratch, uint32_t, n);    // of each piece, its place in out->ids
  uint32_t *until = ON_NEW(scratch, uint32_t, n);  // and where the pieces of its window end
  out->first = ON_NEW0(scratch, uint32_t, words);
  out->pieces = ON_NEW0(scratch, uint32_t, words);
  if (!inside || !row || !until || !out->first || !out->pieces) return on_fail_memory(error);
  size_t windows = 0;
  for (size_t from = 0; from < n || windows == 0; windows++) from = window_end(inside, from, n, room);
  out->window = ON_NEW(scratch, uint32_t, windows + 1);
  out->ids = ON_NEW(scratch, uint32_t, n + windows * specials);
  if (!out->window || !out->ids) return on_fail_memory(error);
  for (size_t from = 0; out->count < windows; out->count++) {
    size_t to = window_end(inside, from, n, room);
    out->window[out->count] = (uint32_t)out->id_count;
    for (size_t i = 0; i < before_count; i++) out->ids[out->id_count++] = before[i];
    for (size_t i = from; i < to; i++) {
      row[i] = (uint32_t)out->id_count;
      until[i] = (uint32_t)(out->id_count + (to - i));
      out->ids[out->id_count++] = list->ids[i];
    }
    for (size_t i = 0; i < after_count; i++) out->ids[out->id_count++] = after[i];
    from = to;
  }
  out->window[out->count] = (uint32_t)out->id_count;
  for (size_t w = 0; w < words; w++) {
    if (first[w] >= last[w]) continue;
    uint32_t count = last[w] - first[w], fit = until[first[w]] - row[first[w]];
    out->first[w] = row[first[w]];
    out->pieces[w] = count < fit ? count : fit;
  }
  return true;
}
