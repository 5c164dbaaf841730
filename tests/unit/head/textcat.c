// The textcat head against its definition: mean, hidden layer, softmax or sigmoid; its limits.
#include "head/textcat.h"

#include <math.h>

#include "heads.h"

enum { WIDTH = 20, N = 75, LABELS = 5 };
#define LABEL_LIST "\"labels\": [\"travel\", \"food\", \"sports\", \"law\", \"music\"]"

static double dot(const float *w, const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (double)w[i] * x[i];
  return sum;
}

static void expected(const on_textcat *t, const float *h, double *scores) {
  double mean[WIDTH] = {0}, hidden[32], total = 0;
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < WIDTH; j++) mean[j] += (double)h[i * WIDTH + j] / N;
  }
  const double *x = mean;
  size_t width = WIDTH;
  if (t->hidden) {
    for (size_t r = 0; r < t->hidden; r++) {
      double y = (double)weights_of(t->hidden_bias)[r] + dot(weights_of(t->hidden_weight) + r * WIDTH, mean, WIDTH);
      hidden[r] = y > 0 ? y : 0;
    }
    x = hidden;
    width = t->hidden;
  }
  for (size_t l = 0; l < LABELS; l++) {
    double y = (double)weights_of(t->output.bias[0])[l] + dot(weights_of(t->output.weight[0]) + l * width, x, width);
    scores[l] = t->multi_label ? 1 / (1 + exp(-y)) : exp(y);
    total += scores[l];
  }
  for (size_t l = 0; l < LABELS && !t->multi_label; l++) scores[l] /= total;
}

static void check(const char *config) {
  made_head made;
  on_error error;
  if (!make_head(&made, "textcat", config, WIDTH, &error)) fail_msg("%s", error.text);
  fill_head(&made, 1, 4);
  const on_textcat *t = made.head.state;
  const on_head_kind *kind = made.head.kind;
  float h[N * WIDTH];
  on_random random;
  on_random_seed(&random, 6);
  for (int i = 0; i < N * WIDTH; i++) h[i] = on_random_normal(&random) + 0.3f;
  double want[LABELS], *sums = ON_NEW0(&made.arena, double, kind->sum_count(&made.head));
  expected(t, h, want);
  on_doc doc;
  make_doc(&doc, N);
  kind->sum_up(&made.head, h, &doc, sums);
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, on_kernels_scalar()));
  assert_true(kind->conclude(&made.head, &workspace, sums, &doc, NULL));
  assert_int_equal(doc.cat_count, LABELS);
  float first[LABELS];
  for (size_t l = 0; l < LABELS; l++) {
    assert_true(on_str_eq(doc.cats[l].label, t->labels.list[l]));
    double score = (double)doc.cats[l].score;
    if (fabs(score - want[l]) > 2e-6) fail_msg("%zu: %g, want %g", l, score, want[l]);
    first[l] = doc.cats[l].score;
  }
  // two heads fill the same Doc
  assert_true(kind->conclude(&made.head, &workspace, sums, &doc, NULL));
  assert_int_equal(doc.cat_count, 2 * LABELS);
  on_doc_free(&doc);
  for (size_t k = 1; on_kernels_at(k); k++) {
    make_doc(&doc, N);
    workspace.kernels = on_kernels_at(k);
    assert_true(kind->conclude(&made.head, &workspace, sums, &doc, NULL));
    for (size_t l = 0; l < LABELS; l++) assert_memory_equal(&doc.cats[l].score, &first[l], sizeof first[l]);
    on_doc_free(&doc);
  }
  on_workspace_free(&workspace);
  free_head(&made);
}

static void one_category(void **state) {
  (void)state;
  check("{\"multi_label\": false, \"hidden\": 0, " LABEL_LIST "}");
  check("{\"multi_label\": false, " LABEL_LIST "}");
  check("{\"multi_label\": false, \"hidden\": 24, " LABEL_LIST "}");
}

static void several_categories(void **state) {
  (void)state;
  check("{\"multi_label\": true, \"hidden\": 0, " LABEL_LIST "}");
  check("{\"multi_label\": true, \"hidden\": 24, " LABEL_LIST "}");
}

static void parameters(void **state) {
  (void)state;
  made_head made;
  assert_true(make_head(&made, "textcat", "{\"multi_label\": true, \"hidden\": 7, " LABEL_LIST "}", WIDTH, NULL));
  assert_int_equal(made.head.params.n, 4);
  static const char *const names[] = {"hidden.weight", "hidden.bias", "output.weight", "output.bias"};
  static const uint32_t shapes[][2] = {{7, WIDTH}, {7, 1}, {LABELS, 7}, {LABELS, 1}};
  for (int i = 0; i < 4; i++) {
    assert_string_equal(made.head.params.list[i]->name, names[i]);
    assert_int_equal(made.head.params.list[i]->shape[0], shapes[i][0]);
    assert_int_equal(made.head.params.list[i]->shape[1], shapes[i][1]);
  }
  free_head(&made);
  assert_true(make_head(&made, "textcat", "{\"multi_label\": true, \"hidden\": 0, " LABEL_LIST "}", WIDTH, NULL));
  assert_int_equal(made.head.params.n, 2);
  assert_int_equal(made.head.params.list[0]->shape[1], WIDTH);
  free_head(&made);
}

static char *many_labels(int count) {
  on_buf many = {0};
  on_buf_str(&many, ON_STR("{\"multi_label\": false, \"labels\": ["));
  for (int i = 0; i < count; i++) on_buf_format(&many, "%s\"L%d\"", i ? ", " : "", i);
  on_buf_str(&many, ON_STR("]}"));
  on_buf_char(&many, 0);
  return many.p;
}

static void configs(void **state) {
  (void)state;
  round_trip("textcat", "{\"multi_label\": true, \"hidden\": 3, " LABEL_LIST "}", WIDTH);
  round_trip("textcat", "{\"multi_label\": false, " LABEL_LIST "}", WIDTH);
  takes("textcat", "{\"multi_label\": false, \"hidden\": 4096, " LABEL_LIST "}", 8);
  refuses("textcat", "{\"multi_label\": false, \"hidden\": 4097, " LABEL_LIST "}", 8, "config.hidden");
  refuses("textcat", "{\"multi_label\": false, \"hidden\": -1, " LABEL_LIST "}", 8, "config.hidden");
  refuses("textcat", "{\"multi_label\": false, \"hidden\": 1.5, " LABEL_LIST "}", 8, "config.hidden");
  refuses("textcat", "{\"hidden\": 0, " LABEL_LIST "}", 8, "config.multi_label");
  refuses("textcat", "{\"multi_label\": 1, " LABEL_LIST "}", 8, "config.multi_label");
  refuses("textcat", "{\"multi_label\": false}", 8, "config.labels");
  refuses("textcat", "{\"multi_label\": false, \"labels\": [\"a\", \"a\"]}", 8, "stands at labels[0] already");
  char *most = many_labels(65536), *more = many_labels(65537);
  takes("textcat", most, 8);
  refuses("textcat", more, 8, "65537 labels, want 1 to 65536");
  on_free(most);
  on_free(more);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_category),
      cmocka_unit_test(several_categories),
      cmocka_unit_test(parameters),
      cmocka_unit_test(configs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
