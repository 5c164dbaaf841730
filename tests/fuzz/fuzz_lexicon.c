// The lexicon of a lemmatizer: what is accepted is found by form and tag, and written and read the same.
#include <stdlib.h>

#include "head/lexicon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const on_lexicon *lexicon) {
  for (uint32_t i = 0; i < lexicon->n; i++) {
    const on_lexicon_entry *entry = &lexicon->entries[i];
    if (entry->form.n == 0 || entry->lemma.n == 0) abort();
    if (!on_str_eq(on_lexicon_find(lexicon, entry->form, entry->tag), entry->lemma)) abort();
    // A tag that no key has is not found.
    if (on_lexicon_find(lexicon, entry->form, ON_STR("\t")).p) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_arena arena = {0};
  on_lexicon lexicon, again;
  on_error error = {0};
  on_json *config = on_json_parse((on_str){(const char *)data, size}, 32, NULL);
  if (config && on_lexicon_read(&lexicon, &arena, config, "config", &error)) {
    check(&lexicon);
    on_buf first = {0}, second = {0};
    on_buf_str(&first, ON_STR("{\"lexicon\": "));
    on_lexicon_write(&lexicon, &first);
    on_buf_char(&first, '}');
    on_json *written = on_json_parse(on_buf_view(&first), 32, NULL);
    if (!written || !on_lexicon_read(&again, &arena, written, "config", NULL) || again.n != lexicon.n) abort();
    check(&again);
    on_buf_str(&second, ON_STR("{\"lexicon\": "));
    on_lexicon_write(&again, &second);
    on_buf_char(&second, '}');
    if (!on_str_eq(on_buf_view(&first), on_buf_view(&second))) abort();
    on_json_free(written);
    on_buf_free(&first);
    on_buf_free(&second);
  } else if (config && (error.code != ON_INVALID_DATA || !error.text[0])) {
    abort();
  }
  on_json_free(config);
  on_arena_free(&arena);
  return 0;
}
