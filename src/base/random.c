#include "base/random.h"

#include <math.h>

#include "base/hash.h"

void on_random_seed(on_random *random, uint64_t seed) {
  for (int i = 0; i < 4; i++) random->s[i] = on_splitmix64(seed + (uint64_t)i * 0x9E3779B97F4A7C15u);
}

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t on_random_u64(on_random *random) {
  uint64_t *s = random->s;
  uint64_t result = rotate(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

uint32_t on_random_below(on_random *random, uint32_t n) {
  return (uint32_t)(((on_random_u64(random) >> 32) * (uint64_t)n) >> 32);
}

float on_random_unit(on_random *random) { return (float)(on_random_u64(random) >> 40) * 0x1p-24f; }

float on_random_normal(on_random *random) {
  float radius = sqrtf(-2.0f * logf(1.0f - on_random_unit(random)));
  return radius * cosf(6.28318530718f * on_random_unit(random));
}
