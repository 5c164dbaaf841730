// CoNLL-U of any bytes: what is read is written so that it reads the same, and a Doc made of it gives its
// text back.
#include <stdlib.h>

#include "format/conllu.h"
#include "text/utf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

// Writes all sentences of `bytes` to `out`; false when they end with an error.
static bool copy(on_str bytes, on_buf *out) {
  on_conllu_reader *reader = on_conllu_open(bytes, NULL);
  on_conllu_sentence sentence = {0};
  on_error error = {0};
  int got = -1;
  while (reader && (got = on_conllu_next(reader, &sentence, &error)) > 0) on_conllu_write(out, &sentence);
  require(got == 0 || (error.code == ON_DATA_FORMAT && strncmp(error.text, "line ", 5) == 0 && error.position > 0));
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  return got == 0;
}

enum { MOST = 8 };

static void check_doc(on_str bytes) {
  on_conllu_reader *reader = on_conllu_open(bytes, NULL);
  on_conllu_sentence list[MOST];
  memset(list, 0, sizeof list);
  const on_conllu_sentence *pointers[MOST];
  size_t n = 0;
  while (reader && n < MOST && on_conllu_next(reader, &list[n], NULL) > 0) {
    pointers[n] = &list[n];
    n++;
  }
  on_doc doc;
  on_doc_init(&doc);
  on_buf written = {0}, rebuilt = {0}, source = {0};
  require(on_doc_from_conllu(&doc, pointers, n, NULL));
  require(on_conllu_write_doc(&written, &doc, &(on_conllu_writer){.next_sentence = 1}, NULL));
  on_utf8_append(&source, doc.source);
  on_conllu_reader *again = on_conllu_open(on_buf_view(&written), NULL);
  on_conllu_sentence sentence = {0};
  int got = -1;
  while (again && (got = on_conllu_next(again, &sentence, NULL)) > 0) on_conllu_rebuild_text(&rebuilt, &sentence);
  require(got == 0);
  require(on_str_eq(on_buf_view(&source), on_buf_view(&rebuilt)));
  on_conllu_sentence_free(&sentence);
  on_conllu_close(again);
  on_conllu_close(reader);
  for (size_t i = 0; i < MOST; i++) on_conllu_sentence_free(&list[i]);
  on_doc_free(&doc);
  on_buf_free(&written);
  on_buf_free(&rebuilt);
  on_buf_free(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const on_str bytes = {(const char *)data, size};
  on_buf once = {0}, twice = {0};
  const bool whole = copy(bytes, &once);
  require(copy(on_buf_view(&once), &twice));
  require(on_str_eq(on_buf_view(&once), on_buf_view(&twice)));
  if (whole) check_doc(bytes);
  on_buf_free(&once);
  on_buf_free(&twice);
  return 0;
}
