#include "train/hold_out.h"

#include "base/alloc.h"

static bool make_room(on_corpus *corpus, size_t count) {
  return on_grow((void **)&corpus->sentences, &corpus->cap, count, sizeof *corpus->sentences) &&
         on_grow((void **)&corpus->pointers, &corpus->pointer_cap, count, sizeof *corpus->pointers) &&
         on_grow((void **)&corpus->paragraph, &corpus->paragraph_cap, count, sizeof *corpus->paragraph);
}

static void add(on_corpus *to, const on_conllu_sentence *sentence, bool paragraph) {
  to->sentences[to->count] = *sentence;
  to->paragraph[to->count++] = paragraph;
  to->words += sentence->word_count;
}

bool on_corpus_hold_out(on_corpus *corpus, on_corpus *held, uint64_t seed, on_error *error) {
  if (corpus->count < 2) return on_fail(error, ON_INVALID_DATA, -1, "too few sentences to hold some out");
  size_t all = corpus->count, left = all / ON_HOLD_OUT_SHARE;
  if (left == 0) left = 1;
  if (!make_room(held, left)) return on_fail_memory(error);
  on_random random;
  on_random_seed(&random, seed);
  bool opens[2] = {false, false};  // a paragraph started at a sentence that went to the other side
  corpus->count = 0;
  corpus->words = 0;
  for (size_t i = 0; i < all; i++) {
    // Each sentence is drawn with the share that is still missing (selection sampling).
    bool out = on_random_below(&random, (uint32_t)(all - i)) < left;
    left -= out;
    if (corpus->paragraph[i]) opens[0] = opens[1] = true;
    on_conllu_sentence sentence = corpus->sentences[i];
    add(out ? held : corpus, &sentence, opens[out]);
    opens[out] = false;
  }
  for (size_t i = 0; i < corpus->count; i++) corpus->pointers[i] = &corpus->sentences[i];
  for (size_t i = 0; i < held->count; i++) held->pointers[i] = &held->sentences[i];
  return true;
}
