#include "train/word_counts.h"

on_word_use on_word_use_of(uint32_t whole, uint32_t divided) {
  if (whole == 0) return divided == 0 ? ON_WORD_UNSEEN : ON_WORD_DIVIDED;
  if (divided == 0) return whole == 1 ? ON_WORD_ONCE : ON_WORD_ALWAYS;
  return whole < divided ? ON_WORD_SELDOM : ON_WORD_MOSTLY;
}

void on_word_counts_add(const on_word_counts *counts, const on_words *words, const on_doc *gold) {
  for (size_t i = 0; i < gold->n; i++) {
    for (size_t k = i; k < gold->n && gold->end[k] - gold->start[i] <= words->longest; k++) {
      uint32_t word = on_words_find(words, on_str16_sub(gold->text, gold->start[i], gold->end[k]));
      if (word == UINT32_MAX) continue;
      if (k == i) counts->whole[word]++;
      else counts->divided[word]++;
    }
  }
}

static bool begins(const on_doc *doc, size_t i) { return doc->tag[i].n == 1 && doc->tag[i].p[0] == 'B'; }

// Whether the match begins and ends where words do; *whole: there is no other such place in it.
static bool is_bounded(const on_doc *doc, bool characters, const on_word_match *match, bool *whole) {
  *whole = match->tokens == 1;
  if (!characters) return true;
  size_t end = match->first + match->tokens;
  if (!doc->tag || !begins(doc, match->first) || (end < doc->n && !begins(doc, end))) return false;
  *whole = true;
  for (size_t i = match->first + 1; i < end; i++) *whole = *whole && !begins(doc, i);
  return true;
}

uint32_t on_word_list_without(const on_word_counts *counts, const on_words *words, const on_doc *doc, bool characters,
                              const on_word_match *match) {
  uint32_t whole = counts->whole[match->word], divided = counts->divided[match->word];
  bool itself;
  if (is_bounded(doc, characters, match, &itself)) {
    if (itself) whole -= whole > 0;
    else divided -= divided > 0;
  }
  uint32_t files = words->list[match->word].list / ON_WORD_USES;
  return files == 0 && whole == 0 ? UINT32_MAX : files * ON_WORD_USES + on_word_use_of(whole, divided);
}
