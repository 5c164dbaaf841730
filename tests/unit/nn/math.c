// Our elementary functions against the C library in double precision.
#include "test.h"

#include <math.h>

#include "nn/math.h"

static float from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

// Calls f for about `count` floats of all signs and exponents.
static void sweep(void (*f)(float x, void *worst), void *worst, uint32_t count) {
  const uint32_t step = (uint32_t)(4294967296.0 / count) | 1u;
  uint32_t bits = 0;
  for (uint32_t i = 0; i < count; i++, bits += step) {
    const float x = from_bits(bits);
    if (x == x) {
      f(x, worst);
    }
  }
}

static void keep(double *worst, double error) {
  if (!(error <= *worst)) {
    *worst = error;
  }
}

static double ulp(double value) { return ldexp(1.0, ilogb(value) - 23); }

static void exp_error(float x, void *worst) {
  const float got = on_exp(x);
  if (x < -87.33f) {
    assert_true(got == 0.0f);
  } else if (x <= 88.72f) {
    const double want = exp((double)x);
    keep(worst, fabs((double)got - want) / ulp(want));
  } else {
    assert_true(got == on_exp(88.72f) && got < INFINITY);
  }
}

static void log_error(float x, void *worst) {
  if (x >= 1.17549435e-38f && x < INFINITY) {
    const double want = log((double)x);
    keep(worst, fabs((double)on_log(x) - want) / (1e-7 + fabs(want)));
  }
}

static void tanh_error(float x, void *worst) { keep(worst, fabs((double)on_tanh(x) - tanh((double)x))); }

static void sigmoid_error(float x, void *worst) {
  keep(worst, fabs((double)on_sigmoid(x) - 1.0 / (1.0 + exp(-(double)x))));
}

static void erf_error(float x, void *worst) { keep(worst, fabs((double)on_erf(x) - erf((double)x))); }

static void gelu_error(float x, void *worst) {
  if (fabsf(x) < 1e30f) {
    const double want = 0.5 * (double)x * (1.0 + erf((double)x * sqrt(0.5)));
    keep(worst, fabs((double)on_gelu(x) - want) / (1.0 + fabs(want)));
  }
}

// And densely where the function is not flat.
static void dense(void (*f)(float x, void *worst), void *worst) {
  for (int i = -1000000; i <= 1000000; i++) {
    f((float)i * 1e-5f, worst);
  }
}

static void accuracy(void **state) {
  (void)state;
  const struct {
    const char *name;
    void (*error)(float x, void *worst);
    double bound;
  } functions[] = {
      {"exp (ulp)", exp_error, 2.0},          {"log (relative)", log_error, 4e-7}, {"tanh", tanh_error, 2e-7},
      {"sigmoid", sigmoid_error, 2e-7},       {"erf", erf_error, 3e-7},            {"gelu", gelu_error, 4e-7},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    double worst = 0.0;
    sweep(functions[i].error, &worst, 3000000);
    dense(functions[i].error, &worst);
    print_message("%s: largest error %.3g, bound %.3g\n", functions[i].name, worst, functions[i].bound);
    assert_true(worst <= functions[i].bound);
  }
}

static void special_values(void **state) {
  (void)state;
  assert_true(on_exp(0.0f) == 1.0f && on_exp(-INFINITY) == 0.0f && on_exp(INFINITY) > 3.39e38f);
  assert_true(on_tanh(INFINITY) == 1.0f && on_tanh(-INFINITY) == -1.0f && on_tanh(0.0f) == 0.0f);
  assert_true(on_sigmoid(INFINITY) == 1.0f && on_sigmoid(-INFINITY) == 0.0f && on_sigmoid(0.0f) == 0.5f);
  assert_true(on_erf(INFINITY) == 1.0f && on_erf(-INFINITY) == -1.0f && on_erf(0.0f) == 0.0f);
  assert_true(on_gelu(0.0f) == 0.0f && on_gelu(100.0f) == 100.0f && on_gelu(-100.0f) == 0.0f);
  assert_true(on_log(1.0f) == 0.0f && on_sqrt(2.0f) == sqrtf(2.0f));
  assert_true(isnan(on_exp(NAN)) && isnan(on_tanh(NAN)) && isnan(on_sigmoid(NAN)) && isnan(on_erf(NAN)) &&
              isnan(on_gelu(NAN)));
}

// No denormal comes out of exp, tanh and sigmoid, whatever goes in: they are slow where there is no
// flush to zero (WebAssembly).
static void no_denormals(float x, void *worst) {
  (void)worst;
  const float values[] = {on_exp(x), on_sigmoid(x), on_tanh(x), on_erf(x)};
  for (size_t i = 0; i < 4; i++) {
    if (values[i] != 0.0f && fabsf(values[i]) < 1.17549435e-38f) {
      fail_msg("function %zu of %g is the denormal %g", i, (double)x, (double)values[i]);
    }
  }
}

static void underflow_is_zero(void **state) {
  (void)state;
  sweep(no_denormals, NULL, 3000000);
  for (float x = -90.0f; x < -86.0f; x += 1e-4f) {
    no_denormals(x, NULL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accuracy),
      cmocka_unit_test(special_values),
      cmocka_unit_test(underflow_is_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
