// The text comes back from the output, byte for byte, whatever the tokenizer: every data set over the cases of every
// data set, and a segmenter and a splitter with weights as good as random.
#include "characters.h"
#include "format/conllu.h"
#include "onenlp.h"

// The inputs of all case files, as paragraphs.
static void add_cases(on_buf *text, const char *name) {
  char file[128], path[1024];
  snprintf(file, sizeof file, "tests/tokenize/%s.txt", name);
  char *bytes = test_read_file(test_source_path(path, sizeof path, file), NULL);
  for (char *at = bytes; *at;) {
    char *end = strchr(at, '\n'), *arrow = strstr(at, " => ");
    if (arrow && end && arrow < end && !(at[0] == '#' && at[1] == ' ')) {
      on_buf_add(text, at, (size_t)(arrow - at));
      on_buf_str(text, text->n % 3 ? ON_STR("\n\n") : ON_STR("  \t"));
    }
    at = end ? end + 1 : at + strlen(at);
  }
  free(bytes);
}

static void check(const char *what, on_str file, on_str text) {
  onenlp_error error;
  onenlp_pipeline *pipeline = onenlp_load(file.p, file.n, ONENLP_BORROW, &error);
  if (!pipeline) fail_msg("%s: %s", what, error.text);
  onenlp_annotator *annotator = onenlp_annotator_new(pipeline, &error);
  assert_non_null(annotator);
  if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, text.p, text.n, ONENLP_TO_CONLLU, NULL, NULL, &error)) {
    fail_msg("%s: %s", what, error.text);
  }
  size_t size;
  const char *conllu = onenlp_buffer_data(onenlp_output(annotator), &size);
  on_conllu_reader *reader = on_conllu_open((on_str){conllu, size}, NULL);
  on_conllu_sentence sentence = {0};
  on_buf again = {0};
  on_error inner;
  int got;
  while ((got = on_conllu_next(reader, &sentence, &inner)) > 0) on_conllu_rebuild_text(&again, &sentence);
  if (got < 0) fail_msg("%s: %s", what, inner.text);
  size_t same = 0;
  while (same < again.n && same < text.n && again.p[same] == text.p[same]) same++;
  if (again.n != text.n || same != text.n) fail_msg("%s: the text differs at byte %zu", what, same);
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  on_buf_free(&again);
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
}

static void test_text_comes_back(void **state) {
  (void)state;
  on_buf text = {0};
  for (size_t i = 0; on_segmentation_at(i); i++) add_cases(&text, on_segmentation_name(on_segmentation_at(i)).p);
  assert_true(text.n > 4000);
  for (size_t i = 0; on_segmentation_at(i); i++) {
    const char *name = on_segmentation_name(on_segmentation_at(i)).p;
    char config[512];
    snprintf(config, sizeof config,
             TINY_HEAD "\"tokenizer\": {\"kind\": \"uax\", \"data\": \"%s\"}, \"encoders\": [], \"components\": "
                       "[{\"name\": \"sentencizer\", \"type\": \"builtin\", \"settings\": {\"data\": \"%s\"}}]}",
             name, name);
    on_buf file = tiny_file(config, ON_F32);
    check(name, on_buf_view(&file), on_buf_view(&text));
    on_buf_free(&file);
  }
  static const char *const trained[] = {SEGMENTER_CONFIG, MWT_CONFIG("")};
  for (int i = 0; i < 2; i++) {
    on_buf file = tiny_file(trained[i], ON_F32);
    check(trained[i], on_buf_view(&file), on_buf_view(&text));
    on_buf_free(&file);
  }
  on_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text_comes_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
