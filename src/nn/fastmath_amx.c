// Products of training on the matrix units of x86 processors (AMX): factors are rounded to bfloat16, sums are floats.
// Transformers train in half the time; since the weights come out otherwise than elsewhere, the build has to ask for it.
// The C library reserves this name for programs to define.
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#define _GNU_SOURCE  // syscall
#include "nn/fastmath_rows.h"

#if ON_HAVE_AMX_FASTMATH
#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TARGET __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512bf16")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum {
  SIDE = 16,              // rows and columns of a tile of C
  PAIRS = 16,             // of depth, in one tile of A or B
  STEP = 2 * PAIRS,
  TILE = SIDE * STEP,     // bfloat16s
  DEPTH = 512,
  BLOCK_COLS = 512,
  BLOCK_ROWS = 192,
  SMALLEST = 32 * 32 * 32  // below it, setting up costs more than it gives
};

typedef uint16_t bf16;

// Scratch of a thread, as on_fastmath_scratch.
typedef struct blocks {
  bf16 a[BLOCK_ROWS * DEPTH], b[BLOCK_COLS * DEPTH];
  float edge[SIDE * SIDE];
} blocks;

static _Thread_local blocks scratch __attribute__((aligned(64)));

INLINE __mmask16 first(size_t n) { return (__mmask16)(n >= SIDE ? 0xffffu : (1u << n) - 1u); }

INLINE void transpose(__m512i r[16]) {
  __m512i t[16];
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  for (int i = 0; i < 16; i += 8) {
    for (int j = 0; j < 4; j++) {
      t[i + j] = _mm512_shuffle_i32x4(r[i + j], r[i + j + 4], 0x88);
      t[i + j + 4] = _mm512_shuffle_i32x4(r[i + j], r[i + j + 4], 0xdd);
    }
  }
  for (int j = 0; j < 8; j++) {
    r[j] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0x88);
    r[j + 8] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0xdd);
  }
}

// One tile from `side` rows of `depth` values each that lie along the depth: [SIDE][STEP].
INLINE void load_along(__m512i r[16], const float *from, size_t ld, size_t side, size_t depth) {
  const __mmask16 low = first(depth), high = first(depth > PAIRS ? depth - PAIRS : 0);
  for (size_t i = 0; i < SIDE; i++) {
    const bool there = i < side;
    const __m512 a = there ? _mm512_maskz_loadu_ps(low, from + i * ld) : _mm512_setzero_ps();
    const __m512 b = there ? _mm512_maskz_loadu_ps(high, from + i * ld + PAIRS) : _mm512_setzero_ps();
    r[i] = (__m512i)_mm512_cvtne2ps_pbh(b, a);
  }
}

// One tile from `depth` rows of `side` values each: [PAIRS][SIDE][2].
INLINE void load_across(__m512i r[16], const float *from, size_t ld, size_t side, size_t depth) {
  const __mmask16 all = first(side);
  const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21,
                                         5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  for (size_t p = 0; p < PAIRS; p++) {
    const __m512 a = 2 * p < depth ? _mm512_maskz_loadu_ps(all, from + 2 * p * ld) : _mm512_setzero_ps();
    const __m512 b = 2 * p + 1 < depth ? _mm512_maskz_loadu_ps(all, from + (2 * p + 1) * ld) : _mm512_setzero_ps();
    r[p] = _mm512_permutexvar_epi16(order, (__m512i)_mm512_cvtne2ps_pbh(b, a));
  }
}

// `side` rows (or columns) and `depth` of an operand as tiles, those of one strip after one another.
INLINE void pack(const bool along, const bool turned, bf16 *out, const float *from, size_t ld, size_t side,
                 size_t depth) {
  for (size_t s = 0; s < side; s += SIDE) {
    for (size_t p = 0; p < depth; p += STEP, out += TILE) {
      __m512i r[16];
      if (along) load_along(r, from + s * ld + p, ld, side - s < SIDE ? side - s : SIDE, depth - p);
      else load_across(r, from + p * ld + s, ld, side - s < SIDE ? side - s : SIDE, depth - p);
      if (turned) transpose(r);
      for (size_t i = 0; i < 16; i++) _mm512_store_si512(out + i * STEP, r[i]);
    }
  }
}

INLINE void put_edge(float *c, size_t ldc, size_t rows, size_t cols, bool add) {
  const __mmask16 all = first(cols);
  for (size_t i = 0; i < (rows < SIDE ? rows : SIDE); i++) {
    __m512 v = _mm512_load_ps(scratch.edge + i * SIDE);
    if (add) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(all, c + i * ldc));
    _mm512_mask_storeu_ps(c + i * ldc, all, v);
  }
}

// A tile of C is added to in registers where it is whole; at the edges beside them.
#define BEGIN(t, whole, at) \
  if ((whole) && add) _tile_loadd(t, at, ldc * sizeof(float)); \
  else _tile_zero(t)
#define END(t, whole, at, rows, cols)                          \
  if (whole) {                                                 \
    _tile_stored(t, at, ldc * sizeof(float));                  \
  } else {                                                     \
    _tile_stored(t, scratch.edge, SIDE * sizeof(float));       \
    put_edge(at, ldc, rows, cols, add);                        \
  }

// Up to 2 x 2 tiles of C; a and b point to strips of `steps` tiles.
INLINE void tiles(const bool two_rows, const bool two_cols, float *c, size_t ldc, const bf16 *a, const bf16 *b,
                  size_t steps, size_t rows, size_t cols, bool add) {
  const bf16 *a1 = a + steps * TILE, *b1 = b + steps * TILE;
  float *right = c + SIDE, *below = c + SIDE * ldc, *corner = below + SIDE;
  const bool w0 = rows >= SIDE && cols >= SIDE, w1 = rows >= SIDE && cols >= 2 * SIDE;
  const bool w2 = rows >= 2 * SIDE && cols >= SIDE, w3 = rows >= 2 * SIDE && cols >= 2 * SIDE;
  BEGIN(0, w0, c);
  if (two_cols) {
    BEGIN(1, w1, right);
  }
  if (two_rows) {
    BEGIN(2, w2, below);
  }
  if (two_rows && two_cols) {
    BEGIN(3, w3, corner);
  }
  for (size_t p = 0; p < steps; p++) {
    _tile_loadd(4, a + p * TILE, STEP * sizeof(bf16));
    _tile_loadd(6, b + p * TILE, STEP * sizeof(bf16));
    _tile_dpbf16ps(0, 4, 6);
    if (two_cols) {
      _tile_loadd(7, b1 + p * TILE, STEP * sizeof(bf16));
      _tile_dpbf16ps(1, 4, 7);
    }
    if (two_rows) {
      _tile_loadd(5, a1 + p * TILE, STEP * sizeof(bf16));
      _tile_dpbf16ps(2, 5, 6);
    }
    if (two_rows && two_cols) {
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  END(0, w0, c, rows, cols)
  if (two_cols) {
    END(1, w1, right, rows, cols - SIDE)
  }
  if (two_rows) {
    END(2, w2, below, rows - SIDE, cols)
  }
  if (two_rows && two_cols) {
    END(3, w3, corner, rows - SIDE, cols - SIDE)
  }
}

TARGET static void multiply_block(float *c, size_t ldc, size_t m, size_t n, size_t steps, bool add) {
  const size_t strip = steps * TILE;
  for (size_t j = 0; j < n; j += 2 * SIDE) {
    for (size_t i = 0; i < m; i += 2 * SIDE) {
      const bf16 *a = scratch.a + i / SIDE * strip, *b = scratch.b + j / SIDE * strip;
      float *to = c + i * ldc + j;
      const bool two_rows = m - i > SIDE, two_cols = n - j > SIDE;
      if (two_rows && two_cols) tiles(true, true, to, ldc, a, b, steps, m - i, n - j, add);
      else if (two_rows) tiles(true, false, to, ldc, a, b, steps, m - i, n - j, add);
      else if (two_cols) tiles(false, true, to, ldc, a, b, steps, m - i, n - j, add);
      else tiles(false, false, to, ldc, a, b, steps, m - i, n - j, add);
    }
  }
}

TARGET static void configure(void) {
  struct {
    uint8_t palette, start, unused[14];
    uint16_t bytes[16];
    uint8_t rows[16];
  } config __attribute__((aligned(64))) = {.palette = 1};
  for (int t = 0; t < 8; t++) {
    config.bytes[t] = STEP * sizeof(bf16);
    config.rows[t] = SIDE;
  }
  _tile_loadconfig(&config);
}

INLINE void multiply(const bool a_transposed, const bool b_transposed, on_gemm *exact, float *c, size_t ldc,
                     const float *a, size_t lda, const float *b, size_t ldb, size_t m, size_t n, size_t k, float beta) {
  if (m < SIDE || n < SIDE || k < SIDE || m * n * k < SMALLEST) {
    exact(c, ldc, a, lda, b, ldb, m, n, k, beta);
    return;
  }
  configure();
  for (size_t j0 = 0; j0 < n; j0 += BLOCK_COLS) {
    const size_t cols = n - j0 < BLOCK_COLS ? n - j0 : BLOCK_COLS;
    for (size_t p0 = 0; p0 < k; p0 += DEPTH) {
      const size_t depth = k - p0 < DEPTH ? k - p0 : DEPTH, steps = (depth + STEP - 1) / STEP;
      if (b_transposed) pack(true, true, scratch.b, b + j0 * ldb + p0, ldb, cols, depth);
      else pack(false, false, scratch.b, b + p0 * ldb + j0, ldb, cols, depth);
      for (size_t i0 = 0; i0 < m; i0 += BLOCK_ROWS) {
        const size_t rows = m - i0 < BLOCK_ROWS ? m - i0 : BLOCK_ROWS;
        if (a_transposed) pack(false, true, scratch.a, a + p0 * lda + i0, lda, rows, depth);
        else pack(true, false, scratch.a, a + i0 * lda + p0, lda, rows, depth);
        multiply_block(c + i0 * ldc + j0, ldc, rows, cols, steps, p0 > 0 || beta != 0.0f);
      }
    }
  }
  _tile_release();
}

TARGET static void gemm_nn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(false, false, on_fastmath_row_avx512.gemm_nn, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

TARGET static void gemm_nt(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(false, true, on_fastmath_row_avx512.gemm_nt, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

TARGET static void gemm_tn(float *c, size_t ldc, const float *a, size_t lda, const float *b, size_t ldb, size_t m,
                           size_t n, size_t k, float beta) {
  multiply(true, false, on_fastmath_row_avx512.gemm_tn, c, ldc, a, lda, b, ldb, m, n, k, beta);
}

on_gemm *const on_fastmath_amx[3] = {gemm_nn, gemm_nt, gemm_tn};

// The processor has the units, and the system lets this process use them. Asked once for each thread: cpuid is slow in
// virtual machines.
bool on_fastmath_amx_works(void) {
  enum { TILES = 1 << 24, BF16 = 1 << 22, REQUEST = 0x1023, TILE_DATA = 18 };
  static _Thread_local int works;  // 0: not asked yet, else 1 or -1
  if (works == 0) {
    unsigned a, b, c, d;
    works = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & TILES) && (d & BF16) &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512bf16") &&
                    syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0
                ? 1
                : -1;
  }
  return works > 0;
}
#else
typedef int on_fastmath_amx_empty;
#endif
