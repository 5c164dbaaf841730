// Mutations that know how a pipeline file is built: the config, the checkpoint's header or the tensors' data change,
// and the lengths that stand before them are made to fit. Sometimes everything is left to chance.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { CONFIG_LENGTH = 16, WEIGHTS_LENGTH = 24, HEADER = 32, CHECKPOINT_HEADER = 8 };

static uint64_t get_u64(const uint8_t *p) {
  uint64_t value = 0;
  for (int i = 8; i-- > 0;) value = value << 8 | p[i];
  return value;
}

static void put_u64(uint8_t *p, uint64_t value) {
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)(value >> 8 * i);
}

// Mutates data[at, at + n), moves what lies behind it, and returns the new n.
static size_t mutate_part(uint8_t *data, size_t *size, size_t max_size, size_t at, size_t n) {
  const size_t behind = *size - at - n, room = max_size - at - behind;
  uint8_t *tail = malloc(behind ? behind : 1);
  if (!tail) abort();
  memcpy(tail, data + at + n, behind);
  const size_t now = LLVMFuzzerMutate(data + at, n, room);
  memcpy(data + at + now, tail, behind);
  free(tail);
  *size = at + now + behind;
  return now;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  on_random random;
  on_random_seed(&random, seed);
  const uint32_t choice = on_random_below(&random, 10);
  if (size < HEADER || choice == 0) return LLVMFuzzerMutate(data, size, max_size);
  const uint64_t config = get_u64(data + CONFIG_LENGTH), weights = get_u64(data + WEIGHTS_LENGTH);
  if (config > size - HEADER || weights != size - HEADER - config) return LLVMFuzzerMutate(data, size, max_size);
  const size_t at = HEADER + (size_t)config;
  if (choice < 5 || weights < CHECKPOINT_HEADER) {
    put_u64(data + CONFIG_LENGTH, mutate_part(data, &size, max_size, HEADER, (size_t)config));
    return size;
  }
  const uint64_t header = get_u64(data + at);
  if (choice == 5 || header > weights - CHECKPOINT_HEADER) {
    put_u64(data + WEIGHTS_LENGTH, mutate_part(data, &size, max_size, at, (size_t)weights));
  } else if (choice < 8) {
    const size_t now = mutate_part(data, &size, max_size, at + CHECKPOINT_HEADER, (size_t)header);
    put_u64(data + at, now);
    put_u64(data + WEIGHTS_LENGTH, weights - header + now);
  } else {  // the numbers, in their place: the size stays
    const size_t from = at + CHECKPOINT_HEADER + (size_t)header;
    LLVMFuzzerMutate(data + from, size - from, size - from);
  }
  return size;
}
