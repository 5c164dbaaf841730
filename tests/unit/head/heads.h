/* A head made from a config, with pseudo-random weights, and Docs of any number of tokens. */
#ifndef ONENLP_TESTS_UNIT_HEAD_HEADS_H
#define ONENLP_TESTS_UNIT_HEAD_HEADS_H

#include "base/alloc.h"
#include "base/random.h"
#include "head/head.h"
#include "test.h"

typedef struct made_head {
  on_arena arena;
  on_json *config;
  on_head head;
} made_head;

static inline bool make_head(made_head *made, const char *kind, const char *config, uint32_t width, on_error *error) {
  *made = (made_head){0};
  made->config = on_json_parse(on_str_c(config), 32, error);
  if (!made->config) fail_msg("%s: %s", config, error->text);
  made->head.kind = on_head_kind_find(on_str_c(kind));
  assert_non_null(made->head.kind);
  made->head.width = width;
  return made->head.kind->create(&made->head, &made->arena, made->config, width, "components[0].config", error);
}

static inline void fill_head(made_head *made, float deviation, uint64_t seed) {
  on_random random;
  on_random_seed(&random, seed);
  for (size_t i = 0; i < made->head.params.n; i++) {
    on_param *param = made->head.params.list[i];
    size_t n = on_param_count(param);
    float *w = ON_NEW(&made->arena, float, n);
    assert_non_null(w);
    for (size_t k = 0; k < n; k++) w[k] = deviation * on_random_normal(&random);
    param->data = (const uint8_t *)w;
  }
  assert_true(made->head.kind->prepare(&made->head, &made->arena, NULL));
}

static inline void free_head(made_head *made) {
  on_free(made->head.params.list);
  on_json_free(made->config);
  on_arena_free(&made->arena);
}

static inline const float *weights_of(const on_param *param) { return (const float *)(const void *)param->data; }

/* n tokens of one character each, a sentence starting at 0. */
static inline void make_doc(on_doc *doc, size_t n) {
  on_doc_init(doc);
  uint16_t *text = ON_NEW(&doc->arena, uint16_t, 2 * n);
  assert_non_null(text);
  assert_true(on_doc_set_tokens(doc, n));
  for (size_t i = 0; i < n; i++) {
    text[2 * i] = (uint16_t)('a' + i % 26);
    text[2 * i + 1] = ' ';
    doc->start[i] = doc->source_start[i] = (uint32_t)(2 * i);
    doc->end[i] = doc->source_end[i] = (uint32_t)(2 * i + 1);
  }
  doc->source = doc->text = (on_str16){text, 2 * n};
  doc->unit_end = (uint32_t)(2 * n);
}

static inline void same_spans(const on_span *a, const on_span *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(a[i].first, b[i].first);
    assert_int_equal(a[i].end, b[i].end);
    assert_true(on_str_eq(a[i].label, b[i].label));
    assert_memory_equal(&a[i].score, &b[i].score, sizeof a[i].score);
  }
}

/* Takes or refuses a config. */
static inline void takes(const char *kind, const char *config, uint32_t width) {
  made_head made;
  on_error error;
  if (!make_head(&made, kind, config, width, &error)) fail_msg("%.200s: %s", config, error.text);
  free_head(&made);
}

static inline void refuses(const char *kind, const char *config, uint32_t width, const char *message) {
  made_head made;
  on_error error;
  if (make_head(&made, kind, config, width, &error)) fail_msg("taken: %.200s", config);
  if (!strstr(error.text, message)) fail_msg("%.200s: \"%s\" does not say \"%s\"", config, error.text, message);
  assert_int_equal(error.code, ON_INVALID_DATA);
  free_head(&made);
}

/* The config written back is taken again and written the same. */
static inline void round_trip(const char *kind, const char *config, uint32_t width) {
  made_head first, second;
  on_buf a = {0}, b = {0};
  assert_true(make_head(&first, kind, config, width, NULL));
  first.head.kind->write_config(&first.head, &a);
  on_buf_char(&a, 0);
  assert_true(make_head(&second, kind, a.p, width, NULL));
  second.head.kind->write_config(&second.head, &b);
  on_buf_char(&b, 0);
  assert_string_equal(a.p, b.p);
  assert_int_equal(first.head.params.n, second.head.params.n);
  for (size_t i = 0; i < first.head.params.n; i++) {
    assert_string_equal(first.head.params.list[i]->name, second.head.params.list[i]->name);
    assert_int_equal(first.head.params.list[i]->shape[0], second.head.params.list[i]->shape[0]);
    assert_int_equal(first.head.params.list[i]->shape[1], second.head.params.list[i]->shape[1]);
  }
  free_head(&first);
  free_head(&second);
  on_buf_free(&a);
  on_buf_free(&b);
}

#endif
