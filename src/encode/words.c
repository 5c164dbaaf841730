#include "encode/words.h"

#include "base/hash.h"
#include "text/utf.h"

#define START 0xCBF29CE484222325u

bool on_words_init(on_words *words, on_arena *arena, size_t most) {
  uint32_t slots = 4;
  while (slots < 2 * most) slots *= 2;
  words->mask = slots - 1;
  words->slots = ON_NEW0(arena, uint32_t, slots);
  words->list = ON_NEW(arena, on_word, most);
  words->cap = (uint32_t)most;
  return words->slots && words->list;
}

static uint32_t *slot_of(const on_words *words, uint64_t hash, on_str16 text) {
  uint32_t at = (uint32_t)on_splitmix64(hash) & words->mask;
  while (words->slots[at] && !on_str16_eq(words->list[words->slots[at] - 1].text, text)) at = (at + 1) & words->mask;
  return &words->slots[at];
}

void on_words_add(on_words *words, on_str16 text, uint32_t list) {
  words->list[words->n] = (on_word){text, list};
  *slot_of(words, on_fnv1a_units(START, text), text) = ++words->n;
  if (text.n > words->longest) words->longest = text.n;
}

uint32_t on_words_find(const on_words *words, on_str16 text) {
  if (words->n == 0 || text.n > words->longest) return UINT32_MAX;
  return *slot_of(words, on_fnv1a_units(START, text), text) - 1;
}

// Words of one string, to the list that has it; with words->list NULL they are only counted.
static bool read_list(on_words *words, on_arena *arena, on_str text, uint32_t list, size_t *count, const char *path,
                      on_error *error) {
  for (size_t from = 0; from < text.n; ++*count) {
    size_t to = from;
    while (to < text.n && text.p[to] != '\n') to++;
    on_str word = on_str_sub(text, from, to);
    from = to + 1;
    if (!words->list) continue;
    on_str16 units;
    if (word.n == 0 || on_utf16_length(word) > ON_MAX_WORD_UNITS) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.wordLists[%u]: \"%.*s\" is not a word of 1 to %d units", path, list,
                     ON_SHOW(word), ON_MAX_WORD_UNITS);
    }
    if (!on_utf16_from_utf8(arena, word, &units, error)) return false;
    if (on_words_find(words, units) != UINT32_MAX) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.wordLists[%u]: \"%.*s\" stands there twice", path, list,
                     ON_SHOW(word));
    }
    on_words_add(words, units, list);
  }
  return true;
}

static bool read_lists(on_words *words, on_arena *arena, const on_json *lists, size_t *count, const char *path,
                       on_error *error) {
  uint32_t number = 0;
  for (const on_json *item = on_json_first(lists); item; item = on_json_next(item), number++) {
    if (on_json_type(item) != ON_JSON_STRING) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.wordLists[%u]: must be a string", path, number);
    }
    if (!read_list(words, arena, on_json_string(item), number, count, path, error)) return false;
  }
  return true;
}

bool on_words_read(on_words *words, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  int64_t tokens;
  if (!on_json_int(settings, path, "wordTokens", false, 0, ON_MAX_WORD_TOKENS, 0, &tokens, error)) return false;
  const on_json *lists = on_json_get(settings, "wordLists");
  *words = (on_words){.tokens = (uint32_t)tokens};
  if (!tokens && !lists) return true;
  bool array = lists && on_json_type(lists) == ON_JSON_ARRAY;
  size_t number = array ? on_json_count(lists) : 0, count = 0;
  if (!tokens || number == 0 || number > ON_MAX_WORD_LISTS) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.wordLists: want an array of 1 to %d strings, and wordTokens with it",
                   path, ON_MAX_WORD_LISTS);
  }
  words->lists = (uint32_t)number;
  if (!read_lists(words, arena, lists, &count, path, error)) return false;
  if (count > ON_MAX_WORDS) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.wordLists: %zu words, at most %u are allowed", path, count,
                   ON_MAX_WORDS);
  }
  if (!on_words_init(words, arena, count)) return on_fail_memory(error);
  count = 0;
  return read_lists(words, arena, lists, &count, path, error);
}

void on_words_write(const on_words *words, on_buf *out) {
  on_buf text = {0};
  on_buf_char(out, '[');
  for (uint32_t list = 0; list < words->lists; list++) {
    on_buf_clear(&text);
    for (uint32_t i = 0; i < words->n; i++) {
      if (words->list[i].list != list) continue;
      if (text.n) on_buf_char(&text, '\n');
      on_utf8_append(&text, words->list[i].text);
    }
    if (text.failed) out->failed = true;
    if (list) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, on_buf_view(&text));
  }
  on_buf_char(out, ']');
  on_buf_free(&text);
}

size_t on_words_match(const on_words *words, const on_doc *doc, size_t first, on_word_match *found) {
  size_t n = 0, from = doc->start[first], at = from;
  uint64_t hash = START;
  for (size_t i = first; i < doc->n && i - first < words->tokens; i++) {
    size_t end = doc->end[i];
    if (end - from > words->longest || words->n == 0) break;
    for (; at < end; at++) hash = on_fnv1a_unit(hash, doc->text.p[at]);
    uint32_t slot = *slot_of(words, hash, on_str16_sub(doc->text, from, end));
    if (slot) found[n++] = (on_word_match){(uint32_t)first, (uint32_t)(i - first + 1), slot - 1};
  }
  return n;
}
