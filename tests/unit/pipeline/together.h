// Texts whose units an encoder takes together: the same columns as one by one, whatever fails on the way.
#ifndef ONENLP_TESTS_UNIT_PIPELINE_TOGETHER_H
#define ONENLP_TESTS_UNIT_PIPELINE_TOGETHER_H

#include "base/alloc.h"
#include "format/conllu.h"
#include "pipeline/pipeline.h"
#include "test.h"
#include "text/utf.h"

// Words and paragraphs of many lengths; more than are taken at a time.
static inline on_buf together_text(size_t paragraphs) {
  static const char *const WORDS[] = {"The", "cats", "sing", "and", "dogs", "sang.", "tremendously"};
  on_buf text = {0};
  for (size_t p = 0, w = 0; p < paragraphs; p++) {
    for (size_t i = 0; i <= p * p % 37; i++, w += p + 1) {
      if (i > 0) on_buf_char(&text, ' ');
      on_buf_str(&text, on_str_c(WORDS[w % 7]));
    }
    on_buf_str(&text, on_str_c(p % 11 == 5 ? "\n\n \n\n" : "\n\n"));
  }
  assert_false(text.failed);
  return text;
}

// A Doc of the words of `text`, which blanks separate.
static inline void together_words(on_doc *doc, on_str16 text) {
  on_doc_init(doc);
  doc->text = doc->source = text;
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++) n += text.p[i] != ' ' && (i == 0 || text.p[i - 1] == ' ');
  assert_true(on_doc_set_tokens(doc, n));
  n = 0;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == ' ') continue;
    if (i == 0 || text.p[i - 1] == ' ') doc->start[n++] = (uint32_t)i;
    doc->end[n - 1] = (uint32_t)i + 1;
  }
}

// Docs of many lengths, `empty` ones among them: what the encoder gives for each alone and for all together. Returns the
// number of words.
static inline size_t together_same_vectors(const on_pipeline *pipeline, on_workspace *workspace, size_t count,
                                           bool empty) {
  static const char LETTERS[] = "the cats sing and dogs sang tremendously a ";
  const on_encoder *encoder = &pipeline->encoders[0];
  const size_t width = encoder->width;
  on_arena arena = {0};
  on_doc *docs = ON_NEW(&arena, on_doc, count);
  const on_doc **list = ON_NEW(&arena, const on_doc *, count);
  float **alone = ON_NEW(&arena, float *, count), **together = ON_NEW(&arena, float *, count);
  on_str16 text;
  on_error error;
  void *cache = NULL;
  size_t words = 0;
  for (size_t d = 0; d < count; d++) {
    on_buf buf = {0};
    const size_t letters = empty && d % 7 < 2 ? 3 * (d % 7) : 3 + d * d % 200;  // none, one word, some
    for (size_t i = 0; i < letters; i++) on_buf_char(&buf, LETTERS[(i + d) % (sizeof LETTERS - 1)]);
    assert_true(on_utf16_from_utf8(&arena, on_buf_view(&buf), &text, &error));
    on_buf_free(&buf);
    together_words(&docs[d], text);
    list[d] = &docs[d];
    words += docs[d].n;
    alone[d] = ON_NEW(&arena, float, docs[d].n * width);
    together[d] = ON_NEW0(&arena, float, docs[d].n * width);
    assert_true(encoder->kind->run(encoder, workspace, &cache, &docs[d], alone[d], &error));
  }
  assert_true(encoder->run_many(encoder, workspace, &cache, list, count, together, &error));
  for (size_t d = 0; d < count; d++) {
    assert_memory_equal(together[d], alone[d], docs[d].n * width * sizeof(float));
    on_doc_free(&docs[d]);
  }
  on_arena_free(&arena);
  return words;
}

// Annotates a text. Allocation number `failing` fails (0: none), and what failed is asked for again. *came: it was
// reached; *told: it was told.
static inline on_buf together_annotate(const on_pipeline *pipeline, on_str16 text, bool ahead, size_t failing, bool *came,
                                       bool *told) {
  on_text_run run;
  on_doc doc;
  on_buf out = {0};
  on_error error;
  on_conllu_writer writer = {.next_sentence = 1};
  on_doc_init(&doc);
  on_workspace workspace;  // without memory to start with
  assert_true(on_workspace_init(&workspace, pipeline->encoder_count, NULL));
  on_text_begin(&run, pipeline, &workspace, NULL, text);
  assert_true(run.looks_ahead);
  run.looks_ahead = ahead;
  *told = false;
  size_t at = 0, most = 0;
  for (int got = 1; got != 0;) {
    on_alloc_fail_at(failing, 0);
    got = on_text_next(&run, &doc, &error);
    failing = on_alloc_fail_at(0, 0);
    if (run.ahead_count > most) most = run.ahead_count;
    if (got < 0) {
      assert_int_equal(error.code, ON_OUT_OF_MEMORY);
      assert_false(*told);
      *told = true;
    } else if (got > 0) {
      assert_int_equal(doc.unit_start, at);
      at = doc.unit_end;
      assert_int_equal(run.done, at);
      writer.new_paragraph = run.paragraph_start;
      assert_true(on_conllu_write_doc(&out, &doc, &writer, &error));
    }
  }
  assert_int_equal(at, text.n);
  assert_true(ahead ? most > 1 : most == 0);
  *came = failing == 0;  // also where none was to fail
  on_text_end(&run);
  on_doc_free(&doc);
  on_workspace_free(&workspace);
  return out;
}

// With every allocation failing in turn (later ones, now and then).
static inline void together_same_columns(const on_pipeline *pipeline, size_t paragraphs) {
  on_arena arena = {0};
  on_str16 text;
  on_error error;
  bool came, told;
  on_buf bytes = together_text(paragraphs);
  assert_true(on_utf16_from_utf8(&arena, on_buf_view(&bytes), &text, &error));
  on_buf want = together_annotate(pipeline, text, false, 0, &came, &told);
  size_t failures = 0;
  for (size_t n = 0; n == 0 || came; n += failures ? 1 + n / 8 : 1) {
    on_buf got = together_annotate(pipeline, text, true, n, &came, &told);
    failures += told;
    assert_int_equal(got.n, want.n);
    assert_memory_equal(got.p, want.p, want.n);
    on_buf_free(&got);
  }
  assert_true(failures > 0);
  on_buf_free(&want);
  on_buf_free(&bytes);
  on_arena_free(&arena);
}

#endif
