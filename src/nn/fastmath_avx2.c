#include "nn/fastmath_rows.h"

#if ON_HAVE_X86_FASTMATH
#include <immintrin.h>

#define LANES 8
#define TARGET __attribute__((target("avx2,fma")))
#define TILE_ROWS 6
#define FMA(a, b, c) ((vf)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define SQRT(v) ((vf)_mm256_sqrt_ps((__m256)(v)))
#define ROW on_fastmath_row_avx2
#include "nn/fastmath_lanes.h"
#else
typedef int on_fastmath_avx2_empty;
#endif
