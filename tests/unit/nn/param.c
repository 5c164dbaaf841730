// Parameters: declaration, rows of every storage type, packing of column ranges.
#include "test.h"

#include "base/alloc.h"
#include "nn/param.h"

static void declaration(void **state) {
  (void)state;
  on_arena arena;
  on_arena_init(&arena, 0);
  on_params params = {0};
  const on_param *matrix = on_params_add(&params, &arena, true, 7, 3, "window%u.weight", 2u);
  const on_param *vector = on_params_add(&params, &arena, false, 5, 0, "bias");
  assert_true(matrix && vector && params.n == 2 && params.list[0] == matrix && params.list[1] == vector);
  assert_string_equal(matrix->name, "window2.weight");
  assert_true(matrix->rank == 2 && matrix->shape[0] == 7 && matrix->shape[1] == 3 && matrix->table);
  assert_true(vector->rank == 1 && vector->shape[0] == 5 && vector->shape[1] == 1 && !vector->table);
  assert_int_equal(on_param_count(matrix), 21);
  assert_null(matrix->data);
  // A name that does not fit is refused, not cut.
  const char *half = "a name of 28 characters 3456";
  assert_null(on_params_add(&params, &arena, false, 1, 1, "%s%s", half, half));
  assert_int_equal(params.n, 2);
  for (int i = 0; i < 100; i++) {
    assert_non_null(on_params_add(&params, &arena, false, 1, 1, "p%u", (unsigned)i));
  }
  assert_string_equal(params.list[101]->name, "p99");
  on_alloc_fail_at(1, 1);
  bool failed = false;
  for (int i = 0; i < 10000 && !failed; i++) {
    failed = !on_params_add(&params, &arena, false, 1, 1, "q%u", (unsigned)i);
  }
  on_alloc_fail_at(0, 0);
  assert_true(failed);
  on_free(params.list);
  on_arena_free(&arena);
}

// The values 1.5, -2, 0.25, 3, -0.5, 8 as [2][3], at an odd address.
static const uint8_t f32_data[] = {0, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0x80, 0x3E, 0,
                                   0, 0x40, 0x40, 0, 0, 0, 0xBF, 0, 0, 0, 0x41};
static const uint8_t f16_data[] = {0, 0, 0x3E, 0, 0xC0, 0, 0x34, 0, 0x42, 0, 0xB8, 0, 0x48};
// 6, -8, 1 times 0.25, and 6, -1, 16 times 0.5
static const uint8_t i8_data[] = {6, 0xF8, 1, 6, 0xFF, 16};
static const uint8_t scales[] = {0, 0, 0, 0x80, 0x3E, 0, 0, 0, 0x3F};
static const float expected[] = {1.5f, -2.0f, 0.25f, 3.0f, -0.5f, 8.0f};

static on_param stored_as(on_dtype type) {
  on_param p = {.rank = 2, .shape = {2, 3}, .type = type};
  p.data = type == ON_F32 ? f32_data + 1 : type == ON_F16 ? f16_data + 1 : i8_data;
  p.scale = type == ON_I8 ? scales + 1 : NULL;
  return p;
}

static void rows(void **state) {
  (void)state;
  for (int type = ON_F32; type <= ON_I8; type++) {
    const on_param p = stored_as((on_dtype)type);
    float row[3], sum[3] = {1.0f, 2.0f, 3.0f};
    for (size_t r = 0; r < 2; r++) {
      on_param_row(&p, r, row);
      assert_memory_equal(row, expected + 3 * r, sizeof row);
      on_param_add_row(&p, r, sum);
    }
    assert_true(sum[0] == 5.5f && sum[1] == -0.5f && sum[2] == 11.25f);
  }
  const uint8_t extreme[] = {0x80, 0x7F};
  const on_param p = {.rank = 2, .shape = {1, 2}, .type = ON_I8, .data = extreme, .scale = scales + 5};
  float row[2];
  on_param_row(&p, 0, row);
  assert_true(row[0] == -64.0f && row[1] == 63.5f);
}

// Rows of any width as numbers, each of which is read alone.
static void wide_rows(void **state) {
  (void)state;
  enum { WIDEST = 70, ROWS = 2 };
  uint8_t data[ROWS * WIDEST];
  for (size_t i = 0; i < sizeof data; i++) {
    data[i] = (uint8_t)(i * 89 + 128);
  }
  for (uint32_t width = 1; width <= WIDEST; width++) {
    const on_param p = {.rank = 2, .shape = {ROWS, width}, .type = ON_I8, .data = data, .scale = scales + 1};
    for (size_t r = 0; r < ROWS; r++) {
      float row[WIDEST + 1];
      row[width] = 77.0f;
      on_param_row(&p, r, row);
      for (size_t c = 0; c < width; c++) {
        assert_true(row[c] == (float)(int8_t)data[r * width + c] * (r == 0 ? 0.25f : 0.5f));
      }
      assert_true(row[width] == 77.0f);
    }
  }
}

static void packing(void **state) {
  (void)state;
  on_arena arena;
  on_arena_init(&arena, 0);
  for (int type = ON_F32; type <= ON_I8; type++) {
    const on_param p = stored_as((on_dtype)type);
    for (uint32_t from = 0; from <= 3; from++) {
      for (uint32_t to = from; to <= 3; to++) {
        if (type == ON_I8) {
          const on_packed whole = on_param_pack(&p, &arena, from, to);
          assert_true(on_is_packed(&whole) && !whole.data && whole.rows == 2 && whole.cols == to - from);
          for (size_t r = 0; r < ON_PANEL; r++) {
            assert_true(whole.scale[r] == (r == 0 ? 0.25f : r == 1 ? 0.5f : 0.0f));
            for (size_t c = 0; c < ON_QUAD * on_quads(whole.cols); c++) {
              const int want = r < 2 && c < whole.cols ? (int8_t)i8_data[r * 3 + from + c] : 0;
              assert_int_equal(whole.q[r * ON_QUAD + c], want);
            }
          }
        }
        const on_packed w = type == ON_I8 ? on_param_pack_floats(&p, &arena, from, to)
                                          : on_param_pack(&p, &arena, from, to);
        assert_true(w.data && w.rows == 2 && w.cols == to - from && (uintptr_t)w.data % 16 == 0);
        for (size_t r = 0; r < ON_PANEL; r++) {
          for (size_t c = 0; c < w.cols; c++) {
            assert_true(w.data[c * ON_PANEL + r] == (r < 2 ? expected[r * 3 + from + c] : 0.0f));
          }
        }
      }
    }
  }
  on_param vector = stored_as(ON_F32);
  vector.rank = 1;
  vector.shape[0] = 6;
  vector.shape[1] = 1;
  const float *v = on_param_vector(&vector, &arena);
  assert_memory_equal(v, expected, sizeof expected);
  on_arena_free(&arena);
  on_alloc_fail_at(1, 1);
  const on_param p = stored_as(ON_F32);
  assert_null(on_param_pack(&p, &arena, 0, 3).data);
  const on_param stored = stored_as(ON_I8);
  const on_packed none = on_param_pack(&stored, &arena, 0, 3);
  assert_false(on_is_packed(&none));
  assert_null(on_param_vector(&vector, &arena));
  on_alloc_fail_at(0, 0);
  on_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declaration),
      cmocka_unit_test(rows), cmocka_unit_test(wide_rows),
      cmocka_unit_test(packing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
