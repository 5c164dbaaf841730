// Units that a transformer takes together: the same vectors and columns as one by one, whatever fails on the way.
#include "base/alloc.h"
#include "folder.h"
#include "format/conllu.h"
#include "pipeline/pipeline.h"
#include "text/utf.h"

typedef struct opened {
  folder folder;
  on_files files;
  char *file;
  on_pipeline pipeline;
  on_workspace workspace;
} opened;

static void open_all(opened *o) {
  size_t size;
  on_error error;
  *o = (opened){0};
  add_file(&o->folder, "bert.onnx", "bert", ".onnx", false);
  add_file(&o->folder, "bert.tokenizer.json", "bert", ".tokenizer.json", false);
  o->files = (on_files){.context = &o->folder, .open = open_file};
  o->file = fixture_file("bert", ".onenlp", &size);
  if (!on_pipeline_load_with(&o->pipeline, (on_str){o->file, size}, &o->files, &error)) fail_msg("%s", error.text);
  assert_true(on_workspace_init(&o->workspace, o->pipeline.encoder_count, NULL));
}

static void close_all(opened *o) {
  on_workspace_free(&o->workspace);
  on_pipeline_free(&o->pipeline);
  close_folder(&o->folder);
  free(o->file);
}

// Words and paragraphs of many lengths; more than are taken at a time.
static char *long_text(size_t paragraphs) {
  static const char *const WORDS[] = {"The", "cats", "sing", "and", "dogs", "sang.", "tremendously"};
  char *text = calloc(1, paragraphs * 700);
  for (size_t p = 0, w = 0; p < paragraphs; p++) {
    for (size_t i = 0; i <= p * p % 37; i++, w += p + 1) strcat(strcat(text, i ? " " : ""), WORDS[w % 7]);
    strcat(text, p % 11 == 5 ? "\n\n \n\n" : "\n\n");
  }
  return text;
}

// A Doc of the words of `text`, which blanks separate.
static void words_of(on_doc *doc, on_str16 text) {
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

static void same_vectors(void **state) {
  (void)state;
  enum { COUNT = 60, WIDTH = 16 };
  opened o;
  open_all(&o);
  const on_encoder *encoder = &o.pipeline.encoders[0];
  on_arena arena = {0};
  on_doc docs[COUNT];
  const on_doc *list[COUNT];
  float *alone[COUNT], *together[COUNT];
  on_str16 text;
  on_error error;
  void *cache = NULL;
  static const char LETTERS[] = "the cats sing and dogs sang tremendously a ";
  size_t words = 0;
  for (size_t d = 0; d < COUNT; d++) {
    on_buf buf = {0};
    for (size_t i = 0; i < 3 + d * d % 200; i++) on_buf_char(&buf, LETTERS[(i + d) % (sizeof LETTERS - 1)]);
    assert_true(on_utf16_from_utf8(&arena, on_buf_view(&buf), &text, &error));
    on_buf_free(&buf);
    words_of(&docs[d], text);
    list[d] = &docs[d];
    words += docs[d].n;
    alone[d] = ON_NEW(&arena, float, docs[d].n * WIDTH);
    together[d] = ON_NEW0(&arena, float, docs[d].n * WIDTH);
    assert_true(encoder->kind->run(encoder, &o.workspace, &cache, &docs[d], alone[d], &error));
  }
  assert_true(words > 512);  // several batches
  assert_true(encoder->run_many(encoder, &o.workspace, list, COUNT, together, &error));
  for (size_t d = 0; d < COUNT; d++) {
    assert_memory_equal(together[d], alone[d], docs[d].n * WIDTH * sizeof(float));
    on_doc_free(&docs[d]);
  }
  on_arena_free(&arena);
  close_all(&o);
}

// Annotates a text. Allocation number `failing` fails (0: none), and what failed is asked for again. *came: it was
// reached; *told: it was told.
static on_buf annotate(opened *o, on_str16 text, bool ahead, size_t failing, bool *came, bool *told) {
  on_text_run run;
  on_doc doc;
  on_buf out = {0};
  on_error error;
  on_conllu_writer writer = {.next_sentence = 1};
  on_doc_init(&doc);
  on_workspace_free(&o->workspace);  // so that it has no memory to start with
  assert_true(on_workspace_init(&o->workspace, o->pipeline.encoder_count, NULL));
  on_text_begin(&run, &o->pipeline, &o->workspace, NULL, text);
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
  return out;
}

static void same_columns(void **state) {
  (void)state;
  opened o;
  open_all(&o);
  on_arena arena = {0};
  on_str16 text;
  on_error error;
  bool came, told;
  char *bytes = long_text(20);
  assert_true(on_utf16_from_utf8(&arena, on_str_c(bytes), &text, &error));
  on_buf want = annotate(&o, text, false, 0, &came, &told);
  size_t failures = 0;
  for (size_t n = 0; n == 0 || came; n += failures ? 1 + n / 8 : 1) {
    on_buf got = annotate(&o, text, true, n, &came, &told);
    failures += told;
    assert_int_equal(got.n, want.n);
    assert_memory_equal(got.p, want.p, want.n);
    on_buf_free(&got);
  }
  assert_true(failures > 0);
  on_buf_free(&want);
  free(bytes);
  on_arena_free(&arena);
  close_all(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_vectors), cmocka_unit_test(same_columns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
