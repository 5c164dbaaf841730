// How fast text goes in and out: UTF-8 and UTF-16, tokens, CoNLL-U, natively and in WebAssembly. Reads CoNLL-U on
// standard input; `node bench/text.mjs` runs it.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "format/conllu.h"
#include "text/utf.h"
#include "tokenize/tokenize.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void report(const char *what, double bytes, double seconds) {
  printf("%-44s %8.0f MB/s\n", what, bytes / seconds / 1e6);
}

enum { ROUNDS = 9 };

// The best of some rounds: other work only ever adds.
#define MEASURE(what, bytes, ...)                         \
  do {                                                    \
    double best = 1e9;                                    \
    for (int round = 0; round < ROUNDS; round++) {        \
      double start = now();                               \
      __VA_ARGS__;                                        \
      double took = now() - start;                        \
      if (took < best) best = took;                       \
    }                                                     \
    report(what, (double)(bytes), best);                  \
  } while (0)

static bool read_all(on_str bytes, on_buf *out, on_buf *text) {
  on_conllu_reader *reader = on_conllu_open(bytes, NULL);
  on_conllu_sentence sentence = {0};
  bool first = true;
  int got;
  while (reader && (got = on_conllu_next(reader, &sentence, NULL)) == 1) {
    if (out) on_conllu_write(out, &sentence);
    if (text) on_conllu_raw_text(text, &sentence, first);
    first = false;
  }
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  return reader && got == 0;
}

int main(void) {
  on_buf file = {0}, text = {0}, out = {0};
  char block[65536];
  size_t n;
  while ((n = fread(block, 1, sizeof block, stdin)) > 0) on_buf_add(&file, block, n);
  if (file.failed || !read_all(on_buf_view(&file), NULL, &text)) return 1;
  on_arena arena = {0};
  on_str16 units = {0};
  on_pieces pieces;
  MEASURE("UTF-8 to UTF-16, with check", text.n,
          on_arena_reset(&arena); on_utf16_from_utf8(&arena, on_buf_view(&text), &units, NULL));
  on_arena kept = {0};
  if (!on_utf16_from_utf8(&kept, on_buf_view(&text), &units, NULL)) return 1;
  MEASURE("UTF-16 to UTF-8", text.n, on_buf_clear(&out); on_utf8_append(&out, units));
  MEASURE("words of uax, english", text.n, on_arena_reset(&arena);
          on_tokenize_uax(&arena, on_segmentation_find(ON_STR("english")), units, 0, units.n, &pieces, NULL));
  MEASURE("CoNLL-U read", file.n, read_all(on_buf_view(&file), NULL, NULL));
  MEASURE("CoNLL-U read and written", file.n, on_buf_clear(&out); read_all(on_buf_view(&file), &out, NULL));
  on_arena_free(&arena);
  on_arena_free(&kept);
  on_buf_free(&file);
  on_buf_free(&text);
  on_buf_free(&out);
  return 0;
}
