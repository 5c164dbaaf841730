#include "nn/fastmath_rows.h"

#if ON_HAVE_X86_FASTMATH
#include <immintrin.h>

#define LANES 16
#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define TILE_ROWS 12
#define FMA(a, b, c) ((vf)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define SQRT(v) ((vf)_mm512_sqrt_ps((__m512)(v)))
#define ROW on_fastmath_row_avx512
#include "nn/fastmath_lanes.h"
#else
typedef int on_fastmath_avx512_empty;
#endif
