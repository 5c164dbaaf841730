// A seeded generator (xoshiro256**, Blackman and Vigna 2018): the same numbers on every platform.
#ifndef ON_BASE_RANDOM_H
#define ON_BASE_RANDOM_H

#include <stdint.h>

typedef struct on_random {
  uint64_t s[4];
} on_random;

void on_random_seed(on_random *random, uint64_t seed);
uint64_t on_random_u64(on_random *random);
uint32_t on_random_below(on_random *random, uint32_t n);  // 0 .. n-1; n > 0
float on_random_unit(on_random *random);                  // [0, 1)
float on_random_normal(on_random *random);                // mean 0, variance 1

#endif
