// Products with the vectors of an encoder: the same bits as on_linear, whether their whole numbers are kept or not.
#include "nn/vectors.h"

#include "base/random.h"
#include "nn/linear.h"
#include "test.h"

enum { N = 70, MOST_COLS = 300, MOST_ROWS = 40 };

typedef struct matrix {
  on_packed packed;
  int8_t q[(MOST_ROWS + ON_PANEL) * (MOST_COLS + ON_QUAD)];
  float data[(MOST_ROWS + ON_PANEL) * MOST_COLS], scale[MOST_ROWS + ON_PANEL], bias[MOST_ROWS];
} matrix;

static void fill(matrix *w, on_random *random, uint32_t rows, uint32_t cols, bool whole) {
  memset(w, 0, sizeof *w);
  w->packed = (on_packed){.data = w->data, .rows = rows, .cols = cols};
  if (whole) w->packed = (on_packed){.rows = rows, .cols = cols, .q = w->q, .scale = w->scale};
  for (uint32_t r = 0; r < rows; r++) {
    float row[MOST_COLS];
    uint8_t bytes[MOST_COLS];
    for (uint32_t c = 0; c < cols; c++) {
      row[c] = on_random_normal(random);
      bytes[c] = (uint8_t)on_random_u64(random);
    }
    on_pack_row(w->data, cols, r, row);
    on_pack_quantized_row(w->q, cols, r, bytes);
    w->scale[r] = on_random_normal(random);
    w->bias[r] = on_random_normal(random);
  }
}

static void check(uint32_t rows, uint32_t cols, bool whole) {
  static matrix w;
  static float h[N * MOST_COLS], want[N * MOST_ROWS], got[N * MOST_ROWS];
  on_random random;
  on_random_seed(&random, rows * 1000 + cols);
  fill(&w, &random, rows, cols, whole);
  for (size_t i = 0; i < N * cols; i++) h[i] = on_random_normal(&random);
  uint32_t which[N];
  for (uint32_t i = 0; i < N; i++) which[i] = i % 5 < 3 ? i : (uint32_t)on_random_below(&random, N);
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, NULL));
  on_vectors read = {.h = h, .n = N, .width = cols}, others = {.h = h, .n = N, .width = cols + 1};
  on_vectors *const all[] = {NULL, &read, &others};
  on_linear(workspace.kernels, want, rows, h, cols, N, &w.packed, w.bias, false);
  for (size_t a = 0; a < 3; a++) {
    workspace.vectors = all[a];
    // All rows, some in the middle, one, those that are numbered.
    const size_t parts[][2] = {{0, N}, {3, 40}, {69, 1}, {5, 0}};
    for (size_t p = 0; p < 4; p++) {
      memset(got, 0, sizeof got);
      on_vectors_linear(&workspace, got, h + parts[p][0] * cols, NULL, parts[p][1], &w.packed, w.bias);
      assert_memory_equal(got, want + parts[p][0] * rows, parts[p][1] * rows * sizeof *got);
    }
    for (uint32_t count = 0; count <= N; count += 23) {
      on_vectors_linear(&workspace, got, h, which, count, &w.packed, w.bias);
      for (size_t i = 0; i < count; i++) {
        assert_memory_equal(got + i * rows, want + which[i] * rows, rows * sizeof *got);
      }
    }
    // Numbers count from the row that is given.
    uint32_t from_seven[] = {2, 0, 1};
    on_vectors_linear(&workspace, got, h + 7 * cols, from_seven, 3, &w.packed, w.bias);
    for (size_t i = 0; i < 3; i++) {
      assert_memory_equal(got + i * rows, want + (7 + from_seven[i]) * rows, rows * sizeof *got);
    }
  }
  assert_true((read.q != NULL) == whole);
  assert_null(others.q);
  on_workspace_free(&workspace);
}

static void same_as_linear(void **state) {
  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    check(1, 96, whole);
    check(17, 33, whole);
    check(40, 300, whole);
    check(3, 1, whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
