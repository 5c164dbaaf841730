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

// The line at *at without its end; moves *at to the next one.
static on_str next_line(on_str text, size_t *at) {
  size_t from = *at, end = from;
  while (end < text.n && text.p[end] != '\n') end++;
  *at = end + 1;
  return on_str_sub(text, from, end - (end > from && text.p[end - 1] == '\r'));
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
    on_str line = next_line(text, &at);
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

static void write_lists(const on_words *words, const on_word_counts *counts, on_buf *out) {
  const uint32_t sets = 1u << ON_MAX_WORD_FILES;
  on_buf text = {0};
  uint32_t lists = 0, list = 0;
  for (uint32_t i = 0; i < words->n; i++) lists = words->list[i].list + 1 > lists ? words->list[i].list + 1 : lists;
  on_buf_char(out, '[');
  for (uint32_t set = 0; set < sets && set < lists; set++) {
    for (uint32_t use = 0; use < ON_WORD_USES; use++, list++) {
      on_buf_clear(&text);
      for (uint32_t i = 0; i < words->n; i++) {
        if (words->list[i].list != set || on_word_use_of(counts->whole[i], counts->divided[i]) != use) continue;
        if (text.n) on_buf_char(&text, '\n');
        on_utf8_append(&text, words->list[i].text);
      }
      if (text.failed) out->failed = true;
      if (list) on_buf_str(out, ON_STR(", "));
      on_json_write_string(out, on_buf_view(&text));
    }
  }
  on_buf_char(out, ']');
  on_buf_free(&text);
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
    write_lists(&words, &counts, out);
    on_buf_char(out, '}');
  }
  on_arena_free(&arena);
  return ok;
}
