// SHA-256 (FIPS 180-4).
#ifndef ON_BASE_SHA256_H
#define ON_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct on_sha256 {
  uint32_t state[8];
  uint64_t size;      // bytes so far
  uint8_t block[64];  // those that do not fill a block yet
} on_sha256;

void on_sha256_init(on_sha256 *hash);
void on_sha256_add(on_sha256 *hash, const void *bytes, size_t n);
// The hash as 64 lower-case hexadecimal digits and a NUL. Ends the sum.
void on_sha256_hex(on_sha256 *hash, char out[65]);

#endif
