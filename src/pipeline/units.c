#include "pipeline/units.h"

// "# newpar", "# newdoc", with or without an id ("# newdoc id = x", "# newdoc_id = x").
static bool is_mark(on_str comment, on_str mark) {
  size_t at = 0;
  while (at < comment.n && (comment.p[at] == '#' || comment.p[at] == ' ' || comment.p[at] == '\t')) at++;
  on_str rest = on_str_sub(comment, at, comment.n);
  if (!on_str_starts(rest, mark)) return false;
  return rest.n == mark.n || memchr(" \t_=", rest.p[mark.n], 4) != NULL;
}

bool on_sentence_starts_paragraph(const on_conllu_sentence *sentence) {
  for (size_t i = 0; i < sentence->comment_count; i++) {
    on_str comment = sentence->comments[i];
    if (is_mark(comment, ON_STR("newpar")) || is_mark(comment, ON_STR("newdoc"))) return true;
  }
  return false;
}

bool on_unit_takes(size_t words, const on_conllu_sentence *sentence, size_t max_words) {
  if (max_words == 0) max_words = ON_UNIT_WORDS;
  if (words == 0) return true;
  return words <= max_words && sentence->word_count <= max_words - words && !on_sentence_starts_paragraph(sentence);
}

bool on_units_from_sentences(on_arena *arena, const on_conllu_sentence *const *sentences, size_t count,
                             size_t max_words, on_unit **units, size_t *unit_count, on_error *error) {
  *units = NULL;
  *unit_count = 0;
  on_unit *list = ON_NEW(arena, on_unit, count);  // at most one unit a sentence
  if (!list) return on_fail_memory(error);
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (n == 0 || !on_unit_takes(list[n - 1].words, sentences[i], max_words)) {
      bool start = i == 0 || on_sentence_starts_paragraph(sentences[i]);
      list[n++] = (on_unit){.first = i, .end = i, .paragraph_start = start};
    }
    list[n - 1].end = i + 1;
    list[n - 1].words += sentences[i]->word_count;
  }
  *units = list;
  *unit_count = n;
  return true;
}
