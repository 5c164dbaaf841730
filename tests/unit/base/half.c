#include "test.h"

#include <math.h>

#include "base/half.h"

// The value of a half by the definition of binary16, in doubles.
static double defined_value(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -value : value;
}

static void reads_every_half(void **state) {
  (void)state;
  for (uint32_t half = 0; half < 65536; half++) {
    float value = on_half_to_float((uint16_t)half);
    if ((half & 0x7C00) != 0x7C00) {
      assert_true((double)value == defined_value((uint16_t)half));
    } else if (half & 0x3FF) {
      assert_true(isnan(value));
    } else {
      assert_true(isinf(value));
    }
    assert_int_equal(!!signbit(value), half >> 15);
    assert_int_equal(on_float_to_half(value), half);
  }
}

// At and beside the middle of every two neighbouring halves, to the largest one and beyond.
static void rounds_to_the_nearest(void **state) {
  (void)state;
  for (uint16_t half = 0; half < 0x7C00; half++) {
    float low = on_half_to_float(half);
    float high = half == 0x7BFF ? 65536.0f : on_half_to_float((uint16_t)(half + 1));
    float middle = (low + high) / 2;
    uint16_t even = half & 1 ? (uint16_t)(half + 1) : half;
    assert_int_equal(on_float_to_half(middle), even);
    assert_int_equal(on_float_to_half(nextafterf(middle, 0)), half);
    assert_int_equal(on_float_to_half(nextafterf(middle, INFINITY)), half + 1);
    assert_int_equal(on_float_to_half(-middle), 0x8000 | even);
    assert_int_equal(on_float_to_half(nextafterf(high, 0)), half + 1);
  }
  assert_int_equal(on_float_to_half(3.4e38f), 0x7C00);
  assert_int_equal(on_float_to_half(-1e-45f), 0x8000);
  assert_int_equal(on_float_to_half(0.1f), 0x2E66);
}

static void keeps_nan(void **state) {
  (void)state;
  uint32_t bits = 0xFF800001;  // its payload is too low for a half
  float value;
  memcpy(&value, &bits, sizeof value);
  assert_int_equal(on_float_to_half(value), 0xFE00);
}

static void reads_and_writes_bytes(void **state) {
  (void)state;
  uint8_t bytes[9] = {0xAA, 0x00, 0x3C, 0x01, 0x00, 0xFF, 0xFB, 0x66, 0x2E};
  float values[4];
  on_halves_read(values, bytes + 1, 4);
  assert_true(values[0] == 1.0f && values[1] == 0x1p-24f && values[2] == -65504.0f);
  uint8_t back[9] = {0xAA};
  on_halves_write(back + 1, values, 4);
  assert_memory_equal(back, bytes, sizeof bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_half),
      cmocka_unit_test(rounds_to_the_nearest),
      cmocka_unit_test(keeps_nan),
      cmocka_unit_test(reads_and_writes_bytes),
  };
  return cmocka_run_group_tests_name("half", tests, NULL, NULL);
}
