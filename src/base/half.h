// IEEE 754 binary16 ("F16"), as matrices may be stored in a checkpoint.
#ifndef ON_BASE_HALF_H
#define ON_BASE_HALF_H

#include <stddef.h>
#include <stdint.h>

// Exact for every half, subnormals included. A NaN keeps its sign and payload.
float on_half_to_float(uint16_t half);
// Rounds to the nearest half, ties to even; what is beyond the largest half after rounding becomes
// infinite. A NaN stays a NaN with the upper bits of its payload.
uint16_t on_float_to_half(float value);

// `count` little-endian halves at any alignment.
void on_halves_read(float *out, const uint8_t *bytes, size_t count);
void on_halves_write(uint8_t *bytes, const float *values, size_t count);

#endif
