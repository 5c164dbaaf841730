#include "nn/math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static inline float float_of(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

#define ON_F float
#define ON_U uint32_t
#define ON_FN(name) scalar_##name
#define ON_INLINE static inline
#define ON_SPLAT(c) (c)
#define ON_BITS(f) bits_of(f)
#define ON_FLOAT(u) float_of(u)
#define ON_LESS(a, b) (0u - (uint32_t)((a) < (b)))
#define ON_IS_NAN(f) (0u - (uint32_t)((f) != (f)))
#define ON_AT_LEAST(f, c) ((f) < (c) ? (c) : (f))
#define ON_WITHOUT(f, mask) float_of(bits_of(f) & ~(mask))
#include "nn/math_formulas.h"

float on_exp(float x) { return scalar_exp(x); }
float on_tanh(float x) { return scalar_tanh(x); }
float on_sigmoid(float x) { return scalar_sigmoid(x); }
float on_erf(float x) { return scalar_erf(x); }
float on_gelu(float x) { return scalar_gelu(x); }
float on_sqrt(float x) { return sqrtf(x); }

// x = 2^n * f with f in [sqrt(1/2), sqrt(2)); ln f = 2 artanh(s), s = (f - 1) / (f + 1), by its series:
// |s| < 0.1716, so the first term left out is below 5e-10 of the result.
float on_log(float x) {
  const uint32_t bits = bits_of(x), offset = 0x3F3504F3u;  // sqrt(1/2)
  const int32_t n = (int32_t)(bits - offset) >> 23;
  const float f = float_of(bits - ((uint32_t)n << 23));
  const float s = (f - 1.0f) / (f + 1.0f), z = s * s;
  float p = 1.0f / 9.0f;
  p = p * z + 1.0f / 7.0f;
  p = p * z + 1.0f / 5.0f;
  p = p * z + 1.0f / 3.0f;
  p = 2.0f * s + 2.0f * s * (p * z);
  return (float)n * 0.693359375f + (p + (float)n * -2.12194440e-4f);
}
