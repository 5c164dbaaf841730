/* One pipeline shared by eight threads: each has an annotator of its own and gets what a single thread gets. The
 * preset `tsan` runs this under ThreadSanitizer (npm test -- tsan). */
#include "test.h"

#include <pthread.h>

#include "base/random.h"
#include "../../fuzz/random_pipeline.h"

enum { THREADS = 8, TEXTS = 24, FORMATS = 3 };

static const onenlp_output_format formats[FORMATS] = {ONENLP_TO_CONLLU, ONENLP_TO_JSON, ONENLP_TO_COLUMNS_CONLLU};

typedef struct shared {
  const onenlp_pipeline *pipeline;
  on_buf texts[TEXTS];
  on_buf expected[FORMATS][TEXTS];
  on_buf table;  /* what onenlp_inspect says */
} shared;

typedef struct thread {
  const shared *shared;
  size_t number;
  size_t different;
} thread;

/* Few words, so that they come back (what an annotator keeps of a word is used), and some that do not. */
static void make_text(on_buf *text, on_random *random) {
  static const char *const words[] = {"Ada", "is", "don't", "in", "Paris", "(see", "U.S.", "a", "naïve", "日本", "dogs",
                                      "ran.", "No!", "\n\n", "\t", "😀", "e-mail", "12.5", "\"quoted\"", "...", "can't"};
  for (uint32_t n = 20 + on_random_below(random, 200); n > 0; n--) {
    on_buf_str(text, on_str_c(words[on_random_below(random, sizeof words / sizeof *words)]));
    if (on_random_below(random, 8) == 0) on_buf_u64(text, on_random_u64(random));
    on_buf_char(text, ' ');
  }
}

static bool annotate(onenlp_annotator *annotator, const on_buf *text, size_t format) {
  return onenlp_annotate(annotator, ONENLP_FROM_TEXT, text->p, text->n, formats[format], NULL, NULL, NULL) != 0;
}

static void *work(void *argument) {
  thread *t = argument;
  const shared *s = t->shared;
  onenlp_annotator *annotator = new_annotator(s->pipeline);
  for (size_t round = 0; round < FORMATS; round++) {
    for (size_t i = 0; i < TEXTS; i++) {
      /* Each thread goes its own way through texts and formats. */
      const size_t text = (i * (2 * t->number + 1) + round) % TEXTS, format = (i + round + t->number) % FORMATS;
      const bool same = annotate(annotator, &s->texts[text], format) &&
                        on_str_eq(output_of(annotator), on_buf_view(&s->expected[format][text]));
      t->different += !same;
    }
    onenlp_buffer *table = onenlp_buffer_new();
    on_str seen = ON_STR_NONE;
    if (onenlp_inspect(s->pipeline, ONENLP_TABLE, table, NULL)) seen.p = onenlp_buffer_data(table, &seen.n);
    t->different += !on_str_eq(seen, on_buf_view(&s->table));
    onenlp_buffer_free(table);
  }
  onenlp_annotator_free(annotator);
  return NULL;
}

static void test_shared_pipeline(void **state) {
  (void)state;
  shared *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->pipeline = random_pipeline_loaded(english_config, 11);
  on_random random;
  on_random_seed(&random, 8);
  onenlp_annotator *annotator = new_annotator(s->pipeline);
  for (size_t i = 0; i < TEXTS; i++) {
    make_text(&s->texts[i], &random);
    for (size_t f = 0; f < FORMATS; f++) {
      assert_true(annotate(annotator, &s->texts[i], f));
      on_buf_str(&s->expected[f][i], output_of(annotator));
      assert_false(s->expected[f][i].failed || s->expected[f][i].n == 0);
    }
  }
  onenlp_annotator_free(annotator);
  onenlp_buffer *table = onenlp_buffer_new();
  on_str seen = {0};
  assert_true(onenlp_inspect(s->pipeline, ONENLP_TABLE, table, NULL));
  seen.p = onenlp_buffer_data(table, &seen.n);
  on_buf_str(&s->table, seen);
  onenlp_buffer_free(table);

  pthread_t threads[THREADS];
  thread parts[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    parts[i] = (thread){.shared = s, .number = i};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &parts[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(parts[i].different, 0);
  }
  for (size_t i = 0; i < TEXTS; i++) {
    on_buf_free(&s->texts[i]);
    for (size_t f = 0; f < FORMATS; f++) on_buf_free(&s->expected[f][i]);
  }
  on_buf_free(&s->table);
  onenlp_pipeline_free((onenlp_pipeline *)s->pipeline);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_pipeline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
