// The spancat head against its definition over every n-gram, across the blocks it works in; its limits.
#include "head/spancat.h"

#include <math.h>

#include "heads.h"

enum { WIDTH = 12 };
#define LABEL_LIST "\"labels\": [\"PER\", \"PLACE\", \"FAC\"]"


static double layer(const on_spancat *s, uint32_t row, const double *x) {
  double y = (double)weights_of(s->bias)[row];
  for (size_t j = 0; j < 3 * WIDTH; j++) y += (double)weights_of(s->weight)[row * 3 * WIDTH + j] * x[j];
  return y;
}

static void score_ngram(const on_spancat *s, const float *h, size_t first, size_t size, double *scores) {
  double x[3 * WIDTH] = {0}, hidden[64];
  for (size_t j = 0; j < WIDTH; j++) {
    for (size_t i = 0; i < size; i++) x[j] += (double)h[(first + i) * WIDTH + j] / (double)size;
    x[WIDTH + j] = (double)h[first * WIDTH + j];
    x[2 * WIDTH + j] = (double)h[(first + size - 1) * WIDTH + j];
  }
  for (uint32_t r = 0; r < s->hidden; r++) {
    double y = layer(s, r, x);
    hidden[r] = y > 0 ? y : 0;
  }
  for (uint32_t l = 0; l < s->labels.n; l++) {
    double y = s->hidden ? (double)weights_of(s->output.bias[0])[l] : layer(s, l, x);
    for (uint32_t r = 0; r < s->hidden; r++) {
      y += (double)weights_of(s->output.weight[0])[l * s->hidden + r] * hidden[r];
    }
    scores[l] = 1 / (1 + exp(-y));
  }
}

// Walks over all n-grams in order and the group's spans with them.
static void compare(const on_spancat *s, const float *h, const on_doc *doc, const on_span_group *group) {
  size_t at = 0, near = 0, spans = 0;
  for (size_t first = 0; first < doc->n; first++) {
    for (uint32_t k = 0; k < s->size_count; k++) {
      size_t size = s->sorted[k];
      if (first + size > doc->n) continue;
      double scores[8];
      score_ngram(s, h, first, size, scores);
      for (uint32_t l = 0; l < s->labels.n; l++) {
        const on_span *span = at < group->count ? &group->spans[at] : NULL;
        bool there = span && span->first == first && span->end == first + size &&
                     on_str_eq(span->label, s->labels.list[l]);
        if (there) at++;
        if (fabs(scores[l] - (double)s->threshold) < 1e-5) {
          near++;
        } else if (there != (scores[l] >= (double)s->threshold)) {
          fail_msg("[%zu, %zu): score %g", first, first + size, scores[l]);
        }
        if (there && fabs((double)span->score - scores[l]) > 1e-5) {
          fail_msg("%g, want %g", (double)span->score, scores[l]);
        }
        spans += there;
      }
    }
  }
  assert_int_equal(at, group->count);
  assert_true(near < 4);
  assert_true(spans > doc->n / 20);
}

static void check(const char *config, size_t n) {
  made_head made;
  on_error error;
  if (!make_head(&made, "spancat", config, WIDTH, &error)) fail_msg("%s", error.text);
  fill_head(&made, 0.35f, 4);
  const on_spancat *s = made.head.state;
  float *h = ON_NEW(&made.arena, float, n * WIDTH);
  on_random random;
  on_random_seed(&random, 6);
  for (size_t i = 0; i < n * WIDTH; i++) h[i] = on_random_normal(&random);
  on_doc first, doc;
  make_doc(&first, n);
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, on_kernels_scalar()));
  assert_true(made.head.kind->run(&made.head, &workspace, h, &first, NULL));
  assert_int_equal(first.group_count, 1);
  assert_true(on_str_eq(first.groups[0].name, s->key));
  compare(s, h, &first, &first.groups[0]);
  for (size_t k = 1; on_kernels_at(k); k++) {
    make_doc(&doc, n);
    workspace.kernels = on_kernels_at(k);
    on_arena_reset(&workspace.scratch);
    assert_true(made.head.kind->run(&made.head, &workspace, h, &doc, NULL));
    assert_int_equal(doc.groups[0].count, first.groups[0].count);
    same_spans(doc.groups[0].spans, first.groups[0].spans, doc.groups[0].count);
    on_doc_free(&doc);
  }
  // for an evaluation: everything from a lower score on, and behind what the group holds already
  size_t before = first.groups[0].count;
  workspace.span_floor = 0.01f;
  assert_true(made.head.kind->run(&made.head, &workspace, h, &first, NULL));
  assert_int_equal(first.group_count, 1);
  assert_true(first.groups[0].count > 2 * before);
  on_doc_free(&first);
  on_workspace_free(&workspace);
  free_head(&made);
}

static void without_hidden_layer(void **state) {
  (void)state;
  check("{\"spans_key\": \"sc\", \"sizes\": [3, 1, 2], \"threshold\": 0.6, \"hidden\": 0, " LABEL_LIST "}", 40);
}

static void with_hidden_layer(void **state) {
  (void)state;
  check("{\"spans_key\": \"a b\", \"sizes\": [1, 5, 2, 9], \"threshold\": 0.55, \"hidden\": 10, " LABEL_LIST "}", 60);
}

// Starts come in blocks of 512, and long n-grams reach into the next one.
static void across_blocks(void **state) {
  (void)state;
  check("{\"spans_key\": \"sc\", \"sizes\": [1, 7, 256], \"threshold\": 0.6, \"hidden\": 6, " LABEL_LIST "}", 1100);
}

static void shorter_than_the_shortest(void **state) {
  (void)state;
  made_head made;
  assert_true(make_head(&made, "spancat", "{\"spans_key\": \"sc\", \"sizes\": [4], \"threshold\": 0.5, " LABEL_LIST "}",
                        WIDTH, NULL));
  fill_head(&made, 1, 1);
  float h[3 * WIDTH] = {0};
  on_doc doc;
  make_doc(&doc, 3);
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, NULL));
  assert_true(made.head.kind->run(&made.head, &workspace, h, &doc, NULL));
  assert_int_equal(doc.group_count, 1);
  assert_int_equal(doc.groups[0].count, 0);
  on_doc_free(&doc);
  on_workspace_free(&workspace);
  free_head(&made);
}

#define HEAD "{\"spans_key\": \"sc\", "
#define REST "\"threshold\": 0.5, \"hidden\": 0, " LABEL_LIST "}"

static void parameters(void **state) {
  (void)state;
  made_head made;
  assert_true(make_head(&made, "spancat", HEAD "\"sizes\": [1, 2], \"hidden\": 7, \"threshold\": 1, " LABEL_LIST "}",
                        WIDTH, NULL));
  static const char *const names[] = {"hidden.weight", "hidden.bias", "output.weight", "output.bias"};
  static const uint32_t shapes[][2] = {{7, 3 * WIDTH}, {7, 1}, {3, 7}, {3, 1}};
  assert_int_equal(made.head.params.n, 4);
  for (int i = 0; i < 4; i++) {
    assert_string_equal(made.head.params.list[i]->name, names[i]);
    assert_int_equal(made.head.params.list[i]->shape[0], shapes[i][0]);
    assert_int_equal(made.head.params.list[i]->shape[1], shapes[i][1]);
  }
  free_head(&made);
  assert_true(make_head(&made, "spancat", HEAD "\"sizes\": [1], " REST, WIDTH, NULL));
  assert_int_equal(made.head.params.n, 2);
  assert_int_equal(made.head.params.list[0]->shape[1], 3 * WIDTH);
  free_head(&made);
}

static void configs(void **state) {
  (void)state;
  round_trip("spancat", HEAD "\"sizes\": [3, 1, 256], \"threshold\": 0.3, \"hidden\": 4, " LABEL_LIST "}", WIDTH);
  refuses("spancat", HEAD "\"sizes\": [], " REST, 8, "0 sizes, want 1 to 32");
  refuses("spancat", HEAD REST, 8, "config.sizes");
  refuses("spancat", HEAD "\"sizes\": [0], " REST, 8, "sizes[0]: want a whole number from 1 to 256");
  refuses("spancat", HEAD "\"sizes\": [1, 257], " REST, 8, "sizes[1]: want");
  refuses("spancat", HEAD "\"sizes\": [1, 2.5], " REST, 8, "sizes[1]: want");
  refuses("spancat", HEAD "\"sizes\": [2, 1, 2], " REST, 8, "sizes[2]: 2 is there already");
  refuses("spancat", "{\"sizes\": [1], " REST, 8, "spans_key");
  refuses("spancat", HEAD "\"sizes\": [1], \"threshold\": 0, " LABEL_LIST "}", 8, "config.threshold");
  refuses("spancat", HEAD "\"sizes\": [1], \"threshold\": 1.001, " LABEL_LIST "}", 8, "config.threshold");
  refuses("spancat", HEAD "\"sizes\": [1], \"threshold\": \"0.5\", " LABEL_LIST "}", 8, "config.threshold");
  refuses("spancat", HEAD "\"sizes\": [1], " LABEL_LIST "}", 8, "config.threshold");
  takes("spancat", HEAD "\"sizes\": [1], \"threshold\": 1, " LABEL_LIST "}", 8);
  takes("spancat", HEAD "\"sizes\": [256], \"threshold\": 1e-30, \"hidden\": 4096, " LABEL_LIST "}", 8);
  refuses("spancat", HEAD "\"sizes\": [1], \"threshold\": 0.5, \"hidden\": 4097, " LABEL_LIST "}", 8, "config.hidden");
  on_buf text = {0};
  for (int most = 32; most <= 33; most++) {
    on_buf_clear(&text);
    on_buf_str(&text, ON_STR(HEAD "\"sizes\": ["));
    for (int i = 1; i <= most; i++) on_buf_format(&text, "%s%d", i > 1 ? ", " : "", i);
    on_buf_str(&text, ON_STR("], " REST));
    on_buf_char(&text, 0);
    if (most == 32) takes("spancat", text.p, 8);
    else refuses("spancat", text.p, 8, "33 sizes, want 1 to 32");
  }
  for (int units = 256; units <= 257; units++) {
    on_buf_clear(&text);
    on_buf_str(&text, ON_STR("{\"spans_key\": \""));
    for (int i = 0; i < units; i++) on_buf_str(&text, ON_STR("\xC3\xA4"));  // 256 UTF-16 units are 512 bytes
    on_buf_str(&text, ON_STR("\", \"sizes\": [1], " REST));
    on_buf_char(&text, 0);
    if (units == 256) takes("spancat", text.p, 8);
    else refuses("spancat", text.p, 8, "spans_key");
  }
  for (int labels = 16384; labels <= 16385; labels++) {
    on_buf_clear(&text);
    on_buf_str(&text, ON_STR(HEAD "\"sizes\": [1], \"threshold\": 0.5, \"labels\": ["));
    for (int i = 0; i < labels; i++) on_buf_format(&text, "%s\"L%d\"", i ? ", " : "", i);
    on_buf_str(&text, ON_STR("]}"));
    on_buf_char(&text, 0);
    if (labels == 16384) takes("spancat", text.p, 8);
    else refuses("spancat", text.p, 8, "16385 labels, want 1 to 16384");
  }
  on_buf_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_hidden_layer),
      cmocka_unit_test(with_hidden_layer),
      cmocka_unit_test(across_blocks),
      cmocka_unit_test(shorter_than_the_shortest),
      cmocka_unit_test(parameters),
      cmocka_unit_test(configs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
