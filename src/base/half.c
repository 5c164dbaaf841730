#include "base/half.h"

#include <string.h>

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

float on_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1F;
  uint32_t fraction = half & 0x3FF;
  if (exponent == 0x1F) return float_of_bits(sign | 0x7F800000 | fraction << 13);
  if (exponent != 0) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  if (fraction == 0) return float_of_bits(sign);
  // A subnormal half is fraction * 2^-24, a normal float: shift until the leading bit is the hidden one.
  exponent = 113;
  while (!(fraction & 0x400)) {
    fraction <<= 1;
    exponent--;
  }
  return float_of_bits(sign | exponent << 23 | (fraction & 0x3FF) << 13);
}

// value >> shift, rounded to nearest, ties to even. 1 <= shift <= 31.
static uint32_t shift_round(uint32_t value, unsigned shift) {
  uint32_t kept = value >> shift;
  uint32_t rest = value & ((1u << shift) - 1);
  uint32_t half_way = 1u << (shift - 1);
  return kept + (rest > half_way || (rest == half_way && (kept & 1)));
}

uint16_t on_float_to_half(float value) {
  uint32_t bits = bits_of_float(value);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t exponent = bits >> 23 & 0xFF;
  uint32_t fraction = bits & 0x7FFFFF;
  if (exponent == 0xFF) {
    uint32_t payload = fraction >> 13;
    if (fraction != 0 && payload == 0) payload = 0x200;  // it must not turn into an infinity
    return (uint16_t)(sign | 0x7C00 | payload);
  }
  if (exponent >= 113) {
    // Exponent and fraction are rounded as one number, so that a carry moves into the exponent.
    uint32_t half = shift_round((exponent - 112) << 23 | fraction, 13);
    return (uint16_t)(sign | (half < 0x7C00 ? half : 0x7C00));
  }
  if (exponent < 102) return (uint16_t)sign;  // below half of the smallest subnormal, 2^-25
  // Steps of 2^-24. The carry of the largest subnormal yields the smallest normal half.
  return (uint16_t)(sign | shift_round(fraction | 0x800000, 126 - exponent));
}

void on_halves_read(float *out, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = on_half_to_float((uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8));
  }
}

void on_halves_write(uint8_t *bytes, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t half = on_float_to_half(values[i]);
    bytes[2 * i] = (uint8_t)(half & 0xFF);
    bytes[2 * i + 1] = (uint8_t)(half >> 8);
  }
}
