// Writing CoNLL-U sentences as they were read.
#include "format/conllu_internal.h"

static void column(on_buf *out, on_str value, char end) {
  if (value.p) {
    on_buf_str(out, value);
  } else {
    on_buf_char(out, '_');
  }
  on_buf_char(out, end);
}

static void write_range(on_buf *out, const on_conllu_range *range) {
  on_buf_u64(out, range->first);
  on_buf_char(out, '-');
  on_buf_u64(out, range->last);
  on_buf_char(out, '\t');
  column(out, range->form, '\t');
  for (size_t i = 0; i < 7; i++) column(out, range->columns[i], '\t');
  column(out, range->misc, '\n');
}

static void write_word(on_buf *out, const on_conllu_word *word, size_t number) {
  on_buf_u64(out, number);
  on_buf_char(out, '\t');
  column(out, word->form, '\t');
  column(out, word->lemma, '\t');
  column(out, word->upos, '\t');
  column(out, word->xpos, '\t');
  column(out, word->feats, '\t');
  if (word->head < 0) {
    on_buf_char(out, '_');
  } else {
    on_buf_u64(out, (uint64_t)word->head);
  }
  on_buf_char(out, '\t');
  column(out, word->deprel, '\t');
  column(out, word->deps, '\t');
  column(out, word->misc, '\n');
}

void on_conllu_write(on_buf *out, const on_conllu_sentence *sentence) {
  for (size_t i = 0; i < sentence->comment_count; i++) column(out, sentence->comments[i], '\n');
  size_t empty = 0, range = 0;
  for (size_t i = 0; i <= sentence->word_count; i++) {
    for (; empty < sentence->empty_count && sentence->empties[empty].after == i; empty++) {
      column(out, sentence->empties[empty].line, '\n');
    }
    if (i == sentence->word_count) break;
    if (range < sentence->range_count && sentence->ranges[range].first == i + 1) {
      write_range(out, &sentence->ranges[range++]);
    }
    write_word(out, &sentence->words[i], i + 1);
  }
  on_buf_char(out, '\n');
}
