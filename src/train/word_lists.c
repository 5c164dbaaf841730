#include "train/word_lists.h"

#include "base/alloc.h"
#include "text/utf.h"
#include "train/word_counts.h"

bool on_word_lists_add(on_corpus *corpus, on_str text, on_error *error) {
  if (corpus->word_files == ON_MAX_WORD_FILES) {
    return on_fail(error, ON_LIMIT, -1, "at most %d files of words", ON_MAX_WORD_FILES);
  }
  corpus->words[corpus->word_files++] = text;
  return true;
}

// Words that are not there yet are added; of all, the files that have them are noted as their list.
static bool add_word(on_words *words, on_str16 text, uint32_t files) {
  if (text.n == 0 || text.n > ON_MAX_WORD_UNITS) return true;
  uint32_t known = on_words_find(words, text);
  if (known != UINT32_MAX) words->list[known].list |= files;
  else if (words->n == words->cap) return false;
  else on_words_add(words, text, files);
  return true;
}

static bool add_file(on_words *words, on_arena *arena, on_str text, uint32_t file, on_error *error) {
  size_t number = 1;
  for (size_t at = 0; at < text.n; number++) {
    on_str line = on_str_line(text, &at);
    on_str16 word;
    if (line.n == 0 || line.p[0] == '#') continue;
    if (!on_utf16_from_utf8(arena, line, &word, error)) return on_fail_context(error, "word list: line %zu", number);
    if (!add_word(words, word, 1u << file)) {
      return on_fail(error, ON_LIMIT, -1, "word lists of more than %u words", ON_MAX_WORDS);
    }
  }
  return true;
}

static bool add_all(on_words *words, on_arena *arena, const on_corpus *corpus, const on_doc *docs, size_t count,
                    on_error *error) {
  if (!on_words_init(words, arena, ON_MAX_WORDS)) return on_fail_memory(error);
  for (uint32_t file = 0; file < corpus->word_files; file++) {
    if (!add_file(words, arena, corpus->words[file], file, error)) return false;
  }
  for (size_t d = 0; d < count; d++) {
    for (size_t i = 0; i < docs[d].n; i++) add_word(words, on_doc_token(&docs[d], i), 0);
  }
  return true;
}

// The list of each word, from the files that have it and its use.
static void number_lists(on_words *words, const on_word_counts *counts) {
  for (uint32_t i = 0; i < words->n; i++) {
    uint32_t files = words->list[i].list;
    words->list[i].list = files * ON_WORD_USES + on_word_use_of(counts->whole[i], counts->divided[i]);
    if ((files + 1) * ON_WORD_USES > words->lists) words->lists = (files + 1) * ON_WORD_USES;
  }
}

bool on_word_lists_write(const on_corpus *corpus, const on_json *settings, const on_doc *docs, size_t count,
                         on_buf *out, on_error *error) {
  bool object = on_json_type(settings) == ON_JSON_OBJECT;
  int64_t tokens = 0;
  if (object && !on_json_int(settings, "settings", "wordTokens", false, 0, ON_MAX_WORD_TOKENS, 0, &tokens, error)) {
    return false;
  }
  if (!tokens) {
    on_json_write(out, settings);
    return true;
  }
  if (on_json_get(settings, "wordLists")) {
    return on_fail(error, ON_INVALID_DATA, -1, "recipe: wordLists are made from data.words and the training data");
  }
  on_arena arena = {0};
  on_words words = {0};
  bool ok = add_all(&words, &arena, corpus, docs, count, error);
  on_word_counts counts = {ON_NEW0(&arena, uint32_t, words.n), ON_NEW0(&arena, uint32_t, words.n)};
  if (ok && (!counts.whole || !counts.divided)) ok = on_fail_memory(error);
  for (size_t d = 0; ok && d < count; d++) on_word_counts_add(&counts, &words, &docs[d]);
  if (ok) {
    on_buf_char(out, '{');
    for (const on_json *member = on_json_first(settings); member; member = on_json_next(member)) {
      on_json_write_string(out, on_json_key(member));
      on_buf_str(out, ON_STR(": "));
      on_json_write(out, member);
      on_buf_str(out, ON_STR(", "));
    }
    on_buf_str(out, ON_STR("\"wordLists\": "));
    number_lists(&words, &counts);
    on_words_write(&words, out);
    on_buf_char(out, '}');
  }
  on_arena_free(&arena);
  return ok;
}
