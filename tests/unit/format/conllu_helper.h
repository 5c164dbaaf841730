/* What the CoNLL-U tests share: short files in the test, columns separated by blanks. */
#ifndef ONENLP_TESTS_CONLLU_HELPER_H
#define ONENLP_TESTS_CONLLU_HELPER_H

#include "test.h"

#include "base/alloc.h"
#include "format/conllu.h"
#include "text/utf.h"

#define assert_str(actual, expected)                                                       \
  do {                                                                                     \
    on_str actual_ = (actual);                                                             \
    const char *expected_ = (expected);                                                    \
    if (actual_.p == NULL || !on_str_eq(actual_, on_str_c(expected_))) {                   \
      fail_msg("got '%.*s', expected '%s'", (int)actual_.n, actual_.p ? actual_.p : "", expected_); \
    }                                                                                      \
  } while (0)

/* Tabs for blanks, so that tests can be read; "␣" (U+2423) stands for a blank. Goes on at the end of *out. */
static inline void tabbed(on_buf *out, const char *text) {
  for (const char *p = text; *p; p++) {
    if (strncmp(p, "\xE2\x90\xA3", 3) == 0) {
      on_buf_char(out, ' ');
      p += 2;
    } else {
      on_buf_char(out, *p == ' ' ? '\t' : *p);
    }
  }
  assert_false(out->failed);
}

enum { MAX_SENTENCES = 16 };

typedef struct parsed {
  on_buf bytes;
  on_conllu_sentence list[MAX_SENTENCES];
  const on_conllu_sentence *pointers[MAX_SENTENCES];
  size_t count;
  on_error error;
  bool failed;
} parsed;

/* Reads all sentences of `bytes` (not copied). */
static inline void parse_bytes(parsed *p, on_str bytes, const on_conllu_options *options) {
  on_conllu_reader *reader = on_conllu_open(bytes, options);
  assert_non_null(reader);
  for (;;) {
    assert_true(p->count < MAX_SENTENCES);
    int got = on_conllu_next(reader, &p->list[p->count], &p->error);
    if (got <= 0) {
      p->failed = got < 0;
      break;
    }
    p->pointers[p->count] = &p->list[p->count];
    p->count++;
  }
  on_conllu_close(reader);
}

static inline void parse(parsed *p, const char *text) {
  memset(p, 0, sizeof *p);
  tabbed(&p->bytes, text);
  parse_bytes(p, on_buf_view(&p->bytes), NULL);
}

static inline void parsed_free(parsed *p) {
  for (size_t i = 0; i < MAX_SENTENCES; i++) on_conllu_sentence_free(&p->list[i]);
  on_buf_free(&p->bytes);
}

#endif
