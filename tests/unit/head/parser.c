// The labels of arcs, which are scored for those numbers of a head's projection alone that are not zero: the same as by all
// numbers, in every row of kernels, with weights of either kind.
#include "head/parser.h"

#include "heads.h"
#include "nn/linear.h"
#include "nn/param.h"
#include "nn/workspace.h"

enum { WIDTH = 12, MOST = 90 };

// Whole numbers with a scale a row, in place of the floats that are there.
static void make_whole(made_head *made) {
  on_random random;
  on_random_seed(&random, 3);
  for (size_t i = 0; i < made->head.params.n; i++) {
    on_param *param = made->head.params.list[i];
    if (param->rank < 2) continue;
    uint8_t *q = ON_NEW(&made->arena, uint8_t, on_param_count(param));
    float *scale = ON_NEW(&made->arena, float, param->shape[0]);
    for (size_t k = 0; k < on_param_count(param); k++) q[k] = (uint8_t)on_random_below(&random, 256);
    for (size_t r = 0; r < param->shape[0]; r++) scale[r] = 0.001f + 0.004f * on_random_unit(&random);
    param->type = ON_I8;
    param->data = q;
    param->scale = (const uint8_t *)scale;
  }
  assert_true(made->head.kind->prepare(&made->head, &made->arena, NULL));
}

// relu(layer h), all n rows.
static float *projections(const on_parser_layer *layer, const on_kernels *k, on_arena *arena, const float *h, size_t n) {
  const size_t width = layer->packed.rows;
  float *y = ON_NEW(arena, float, n * width);
  on_linear(k, y, width, h, layer->packed.cols, n, &layer->packed, layer->b, false);
  k->relu(y, n * width);
  return y;
}

// The labels of the arcs that are there, as docs/format.md has them. Returns how many numbers of the heads' projections
// are zero.
static size_t check_labels(const on_parser *parser, const on_kernels *k, const float *h, const on_doc *doc) {
  on_arena arena = {0};
  const size_t n = doc->n, width = parser->label_width, labels = parser->labels.n;
  const float *p = projections(&parser->label_dep, k, &arena, h, n);
  const float *q = projections(&parser->label_head, k, &arena, h, n);
  const on_packed bilinear = on_param_pack(parser->bilinear, &arena, 0, parser->label_width);
  float *mapped = ON_NEW(&arena, float, labels * width), *score = ON_NEW(&arena, float, labels);
  float *pair = ON_NEW(&arena, float, 2 * width);
  size_t zeros = 0;
  for (size_t i = 0; i < n; i++) {
    const float *own = doc->head[i] == i ? parser->label_root_b : q + doc->head[i] * width;
    memcpy(pair, p + i * width, width * sizeof *pair);
    memcpy(pair + width, own, width * sizeof *pair);
    on_linear(k, score, labels, pair, 2 * width, 1, &parser->label_linear.packed, parser->label_linear.b, false);
    on_linear(k, mapped, labels * width, pair, width, 1, &bilinear, NULL, false);
    for (size_t l = 0; l < labels; l++) score[l] += k->dot(mapped + l * width, own, width);
    for (size_t j = 0; j < width; j++) zeros += own[j] == 0.0f;
    assert_true(on_str_eq(doc->dep[i], parser->labels.list[k->argmax(score, labels)]));
  }
  on_arena_free(&arena);
  return zeros;
}

static void check(const char *config, bool whole) {
  made_head made;
  on_error error;
  if (!make_head(&made, "parser", config, WIDTH, &error)) fail_msg("%s", error.text);
  fill_head(&made, 0.5f, 7);
  if (whole) make_whole(&made);
  const on_parser *parser = made.head.state;
  on_random random;
  on_random_seed(&random, 9);
  float h[MOST * WIDTH];
  for (size_t i = 0; i < MOST * WIDTH; i++) h[i] = on_random_normal(&random);
  size_t zeros = 0, numbers = 0;
  for (size_t k = 0; on_kernels_at(k); k++) {
    on_workspace workspace;
    assert_true(on_workspace_init(&workspace, 0, on_kernels_at(k)));
    for (size_t n = 1; n <= MOST; n += 1 + n / 3) {
      on_doc doc;
      make_doc(&doc, n);
      for (size_t i = 7; i < n; i += 11) doc.sent_start[i] = 1;
      on_arena_reset(&workspace.scratch);
      assert_true(made.head.kind->run(&made.head, &workspace, h, &doc, NULL));
      zeros += check_labels(parser, on_kernels_at(k), h, &doc);
      numbers += n * parser->label_width;
      on_doc_free(&doc);
    }
    on_workspace_free(&workspace);
  }
  assert_true(zeros > numbers / 4 && zeros < numbers);
  free_head(&made);
}

#define LABELS "\"labels\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\", \"l\", \"m\", \"n\", " \
               "\"o\", \"p\", \"q\", \"r\", \"s\"]}"

static void labels(void **state) {
  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    check("{\"arcWidth\": 6, \"labelWidth\": 9, " LABELS, whole);
    check("{\"arcWidth\": 6, \"labelWidth\": 16, " LABELS, whole);
    check("{\"arcWidth\": 3, \"labelWidth\": 1, \"labels\": [\"a\", \"b\"]}", whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(labels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
