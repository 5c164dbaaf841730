// 128-bit vectors, part of every x86-64 and AArch64 processor.
#include <math.h>

#define LANES 4
#define TARGET
#define TILE_ROWS 4
#if defined(__ARM_NEON)
#include <arm_neon.h>
#define FMA(a, b, c) ((vf)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#define SQRT(v) ((vf)vsqrtq_f32((float32x4_t)(v)))
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#define SQRT(v) ((vf){sqrtf((v)[0]), sqrtf((v)[1]), sqrtf((v)[2]), sqrtf((v)[3])})
#endif
#define ROW on_fastmath_row_lanes4
#include "nn/fastmath_lanes.h"
