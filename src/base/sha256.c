#include "base/sha256.h"

#include <string.h>

static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static void add_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64], s[8];
  for (size_t i = 0; i < 16; i++) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  }
  for (size_t i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  memcpy(s, state, sizeof s);
  for (size_t i = 0; i < 64; i++) {
    uint32_t e = s[4], a = s[0];
    uint32_t one = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + ROUNDS[i] + w[i];
    uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (size_t i = 0; i < 8; i++) state[i] += s[i];
}

void on_sha256_init(on_sha256 *hash) {
  static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, START, sizeof START);
  hash->size = 0;
}

void on_sha256_add(on_sha256 *hash, const void *bytes, size_t n) {
  const uint8_t *p = bytes;
  while (n > 0) {
    size_t held = hash->size % 64, take = n < 64 - held ? n : 64 - held;
    memcpy(hash->block + held, p, take);
    hash->size += take;
    if (held + take == 64) add_block(hash->state, hash->block);
    p += take;
    n -= take;
  }
}

void on_sha256_hex(on_sha256 *hash, char out[65]) {
  uint64_t bits = hash->size * 8;
  uint8_t length[8];
  on_sha256_add(hash, "\x80", 1);
  while (hash->size % 64 != 56) on_sha256_add(hash, "", 1);
  for (size_t i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  on_sha256_add(hash, length, 8);
  for (size_t i = 0; i < 64; i++) out[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - i % 8 * 4) & 15];
  out[64] = '\0';
}
