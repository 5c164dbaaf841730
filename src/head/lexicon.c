#include "head/lexicon.h"

#include <string.h>

#include "base/hash.h"
#include "head/labels.h"
#include "text/utf.h"

enum { MAX_UNITS = 4096 };

static uint64_t hash_of(on_str16 form, on_str tag) {
  return on_hash_bytes(form.p, form.n * sizeof *form.p) * 31 + on_hash_bytes(tag.p, tag.n);
}

static uint32_t *slot_of(const on_lexicon *lexicon, on_str16 form, on_str tag) {
  uint32_t at = (uint32_t)hash_of(form, tag) & lexicon->mask;
  while (lexicon->slots[at]) {
    const on_lexicon_entry *entry = &lexicon->entries[lexicon->slots[at] - 1];
    if (on_str16_eq(entry->form, form) && on_str_eq(entry->tag, tag)) break;
    at = (at + 1) & lexicon->mask;
  }
  return &lexicon->slots[at];
}

on_str on_lexicon_find(const on_lexicon *lexicon, on_str16 form, on_str tag) {
  if (lexicon->n == 0) return ON_STR_NONE;
  uint32_t entry = *slot_of(lexicon, form, tag);
  return entry ? lexicon->entries[entry - 1].lemma : ON_STR_NONE;
}

static bool read_entry(on_lexicon_entry *entry, on_arena *arena, const on_json *member, const char *path,
                       on_error *error) {
  on_str key = on_json_key(member);
  const char *tab = key.n ? memchr(key.p, '\t', key.n) : NULL;
  size_t form = tab ? (size_t)(tab - key.p) : 0;
  if (form == 0 || memchr(tab + 1, '\t', key.n - form - 1)) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: the key \"%.*s\" is not a form, a tab and a tag", path,
                   ON_SHOW(key));
  }
  if (on_json_type(member) != ON_JSON_STRING || on_json_string(member).n == 0) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: the lemma of \"%.*s\" is not a string of 1 to %d units",
                   path, ON_SHOW(key), MAX_UNITS);
  }
  entry->tag = on_str_sub(key, form + 1, key.n);
  entry->lemma = on_json_string(member);
  if (on_utf16_length(key) > MAX_UNITS || on_utf16_length(entry->lemma) > MAX_UNITS) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: the entry of \"%.*s\" is longer than %d units", path,
                   ON_SHOW(key), MAX_UNITS);
  }
  if (!on_fits_column(entry->lemma)) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: the lemma of \"%.*s\" holds a tab or a line break", path,
                   ON_SHOW(key));
  }
  return on_utf16_from_utf8(arena, on_str_sub(key, 0, form), &entry->form, error);
}

bool on_lexicon_read(on_lexicon *lexicon, on_arena *arena, const on_json *config, const char *path, on_error *error) {
  *lexicon = (on_lexicon){0};
  const on_json *object = on_json_get(config, "lexicon");
  if (!object) return true;
  if (on_json_type(object) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: must be an object", path);
  }
  size_t count = on_json_count(object);
  if (count > ON_MAX_LEXICON) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.lexicon: %zu entries, at most %u are allowed", path, count,
                   ON_MAX_LEXICON);
  }
  uint32_t slots = 4;
  while (slots < 2 * count) slots *= 2;
  lexicon->mask = slots - 1;
  lexicon->slots = ON_NEW0(arena, uint32_t, slots);
  lexicon->entries = ON_NEW(arena, on_lexicon_entry, count);
  if (!lexicon->slots || !lexicon->entries) return on_fail_memory(error);
  for (const on_json *member = on_json_first(object); member; member = on_json_next(member)) {
    on_lexicon_entry *entry = &lexicon->entries[lexicon->n];
    if (!read_entry(entry, arena, member, path, error)) return false;
    *slot_of(lexicon, entry->form, entry->tag) = ++lexicon->n;
  }
  return true;
}

void on_lexicon_write(const on_lexicon *lexicon, on_buf *out) {
  on_buf key = {0};
  on_buf_char(out, '{');
  for (uint32_t i = 0; i < lexicon->n; i++) {
    on_buf_clear(&key);
    on_utf8_append(&key, lexicon->entries[i].form);
    on_buf_char(&key, '\t');
    on_buf_str(&key, lexicon->entries[i].tag);
    if (key.failed) out->failed = true;
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, on_buf_view(&key));
    on_buf_str(out, ON_STR(": "));
    on_json_write_string(out, lexicon->entries[i].lemma);
  }
  on_buf_char(out, '}');
  on_buf_free(&key);
}
