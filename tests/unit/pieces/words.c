/* From words to pieces and windows. */
#include "helper.h"

typedef struct encoded {
  on_arena arena;
  on_piece_model *model;
  on_piece_list list;
  uint32_t first[64], last[64];
  on_str16 text;
} encoded;

/* Words are given as their ends, starts behind the blank before. */
static void encode(encoded *e, const char *tokenizer, const char *utf8, const uint32_t (*words)[2], size_t n) {
  *e = (encoded){0};
  e->model = load_fixture(tokenizer, &e->arena);
  assert_true(on_utf16_from_utf8(&e->arena, on_str_c(utf8), &e->text, NULL));
  assert_true(on_piece_encode(e->model, e->text, &e->arena, &e->list, NULL));
  uint32_t start[64], end[64];
  for (size_t i = 0; i < n; i++) {
    start[i] = words[i][0];
    end[i] = words[i][1];
  }
  on_piece_words(&e->list, start, end, n, e->first, e->last);
}

/* The text that a word's pieces cover. */
static void check_word(const encoded *e, size_t word, uint32_t from, uint32_t to) {
  assert_true(e->first[word] < e->last[word]);
  assert_int_equal(e->list.start[e->first[word]], from);
  assert_int_equal(e->list.end[e->last[word] - 1], to);
}

static void words_and_pieces(void **state) {
  (void)state;
  encoded e;
  /* don't: the tokenizer cuts at the apostrophe, the words are "do" and "n't"; the piece of the n belongs to both
   * when it is one with the o. The word of nothing but U+00AD has no piece. */
  static const uint32_t words[][2] = {{0, 2}, {2, 5}, {6, 7}, {8, 13}, {13, 14}};
  encode(&e, "bert-uncased", "don't \xC2\xAD tells.", words, 5);
  assert_int_equal(e.list.start[e.first[0]], 0);
  check_word(&e, 3, 8, 13);
  check_word(&e, 4, 13, 14);
  assert_int_equal(e.first[2], e.last[2]);
  for (size_t w = 0; w < 2; w++) {
    for (size_t i = e.first[w]; i < e.last[w]; i++) {
      assert_true(e.list.start[i] < words[w][1] && e.list.end[i] > words[w][0]);
    }
  }
  assert_true(e.last[1] >= e.last[0] && e.first[1] < e.last[1]);
  on_arena_free(&e.arena);
}

/* Words that share a surface form have the same pieces; so has a word inside a larger one. */
static void shared_surface(void **state) {
  (void)state;
  encoded e;
  static const uint32_t words[][2] = {{0, 3}, {4, 10}, {4, 10}, {11, 12}};
  encode(&e, "roberta", "The ferry. x", words, 4);
  assert_int_equal(e.first[1], e.first[2]);
  assert_int_equal(e.last[1], e.last[2]);
  check_word(&e, 1, 4, 10);
  check_word(&e, 3, 11, 12);
  on_arena_free(&e.arena);
}

static void windows(void **state) {
  (void)state;
  encoded e;
  static const uint32_t words[][2] = {{0, 3}, {4, 9}, {10, 14}, {15, 22}, {23, 27}, {27, 28}};
  encode(&e, "bert-cased", "The ferry left Harbour Lane.", words, 6);
  for (size_t length = 3; length <= e.list.n + 4; length++) {
    on_piece_windows w;
    on_error error = {0};
    assert_true(on_piece_windows_make(e.model, &e.list, e.first, e.last, 6, length, &e.arena, &w, &error));
    assert_int_equal(w.id_count, e.list.n + 2 * w.count);
    if (length >= e.list.n + 2) assert_int_equal(w.count, 1);
    for (size_t k = 0; k < w.count; k++) {
      size_t n = w.window[k + 1] - w.window[k];
      assert_true(n <= length && n > 2);
      assert_int_equal(w.ids[w.window[k]], 2);          /* [CLS] */
      assert_int_equal(w.ids[w.window[k + 1] - 1], 3);  /* [SEP] */
    }
    for (size_t i = 0; i < 6; i++) {
      uint32_t all = e.last[i] - e.first[i], room = (uint32_t)length - 2, k = 0;
      /* All its pieces where they fit into a window; else as many as fit. They lie in one window. */
      assert_int_equal(w.pieces[i], all < room ? all : room);
      while (w.window[k + 1] <= w.first[i]) k++;
      assert_true(w.first[i] + w.pieces[i] < w.window[k + 1]);
      for (uint32_t p = 0; p < w.pieces[i]; p++) assert_int_equal(w.ids[w.first[i] + p], e.list.ids[e.first[i] + p]);
    }
  }
  on_piece_windows w;
  on_error error = {0};
  assert_false(on_piece_windows_make(e.model, &e.list, e.first, e.last, 6, 2, &e.arena, &w, &error));
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  on_arena_free(&e.arena);
}

static void empty_text(void **state) {
  (void)state;
  encoded e;
  on_piece_windows w;
  encode(&e, "bert-cased", "", NULL, 0);
  assert_true(on_piece_windows_make(e.model, &e.list, e.first, e.last, 0, 8, &e.arena, &w, NULL));
  assert_int_equal(w.count, 1);
  assert_int_equal(w.id_count, 2);
  on_arena_free(&e.arena);
}

/* Without special tokens the rows of two windows follow one another; a long word still ends with its window. */
static void no_special_tokens(void **state) {
  (void)state;
  encoded e;
  on_piece_windows w;
  static const uint32_t words[][2] = {{0, 8}};
  encode(&e, "bpe-unknown", "qzqzqzqz", words, 1);
  size_t before, after;
  on_piece_before(e.model, &before);
  on_piece_after(e.model, &after);
  size_t length = 3 + before + after;
  assert_true(e.list.n > 3);
  assert_true(on_piece_windows_make(e.model, &e.list, e.first, e.last, 1, length, &e.arena, &w, NULL));
  assert_int_equal(w.pieces[0], 3);
  on_arena_free(&e.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_and_pieces), cmocka_unit_test(shared_surface),    cmocka_unit_test(windows),
      cmocka_unit_test(empty_text),       cmocka_unit_test(no_special_tokens),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
