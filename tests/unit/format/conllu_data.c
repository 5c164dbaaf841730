/* Every treebank of the data folder is read and written back byte for byte. */
#include "conllu_helper.h"

#include <dirent.h>
#include <time.h>

static size_t files, sentences, words;
static size_t total_bytes;
static double seconds;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool same_text(on_str16 a, size_t from, size_t to, on_str16 b, size_t b_from, size_t b_to) {
  return on_str16_eq(on_str16_sub(a, from, to), on_str16_sub(b, b_from, b_to));
}

/* Each sentence as a Doc: offsets in order and inside the text, forms rebuilt, source and text alike where
 * the words say so. */
static void check_doc(const on_conllu_sentence *sentence, on_doc *doc) {
  on_error error;
  on_doc_reset(doc);
  if (!on_doc_from_conllu(doc, &sentence, 1, &error)) fail_msg("%s", error.text);
  assert_int_equal(doc->n, sentence->word_count);
  assert_int_equal(doc->mwt_count, sentence->range_count);
  uint32_t at = 0;
  for (size_t i = 0; i < doc->n; i++) {
    assert_true(doc->start[i] >= at);
    assert_true(doc->end[i] > doc->start[i]);
    assert_true(doc->source_end[i] > doc->source_start[i]);
    assert_true(doc->source_end[i] <= doc->source.n);
    at = doc->end[i];
    assert_true(on_str_eq(on_doc_form(doc, i, &doc->arena), sentence->words[i].form));
    if (!doc->respelled) {
      assert_true(same_text(doc->text, doc->start[i], doc->end[i], doc->source, doc->source_start[i],
                            doc->source_end[i]));
    }
  }
  assert_true(at <= doc->text.n);
}

static void check_file(const char *path) {
  size_t length;
  char *bytes = test_read_file(path, &length);
  double start = now();
  on_conllu_reader *reader = on_conllu_open((on_str){bytes, length}, NULL);
  assert_non_null(reader);
  on_conllu_sentence sentence = {0};
  on_error error;
  int got;
  while ((got = on_conllu_next(reader, &sentence, &error)) > 0) {}
  seconds += now() - start;
  on_conllu_close(reader);
  if (got < 0) fail_msg("%s: %s", path, error.text);

  reader = on_conllu_open((on_str){bytes, length}, NULL);
  on_buf out = {0};
  on_doc doc;
  on_doc_init(&doc);
  while (on_conllu_next(reader, &sentence, &error) > 0) {
    on_conllu_write(&out, &sentence);
    check_doc(&sentence, &doc);
    sentences++;
    words += sentence.word_count;
  }
  on_doc_free(&doc);
  on_conllu_close(reader);
  on_conllu_sentence_free(&sentence);
  if (out.n != length || memcmp(out.p, bytes, length) != 0) {
    size_t i = 0, line = 1;
    for (; i < length && i < out.n && out.p[i] == bytes[i]; i++) line += bytes[i] == '\n';
    fail_msg("%s: line %zu is written otherwise than it was read", path, line);
  }
  on_buf_free(&out);
  free(bytes);
  files++;
  total_bytes += length;
}

static void round_trip(void **state) {
  (void)state;
  char root[1024], path[2048];
  TEST_DATA_OR_SKIP(root, "ud");
  DIR *folder = opendir(root);
  assert_non_null(folder);
  static const char *const parts[] = {"train", "dev", "test"};
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    for (size_t i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "%s/%s/%s.conllu", root, entry->d_name, parts[i]);
      FILE *file = fopen(path, "rb");
      if (!file) continue;
      fclose(file);
      check_file(path);
    }
  }
  closedir(folder);
  assert_true(files > 0);
  print_message("%zu files, %zu sentences, %zu words, %zu bytes, read at %.0f MB/s\n", files, sentences, words,
                total_bytes, (double)total_bytes / seconds / 1e6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
