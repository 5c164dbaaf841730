// 512-bit vectors. Without FMA: a fused product would round once where the definition rounds twice.
#include "nn/kernels_tables.h"

#if ON_HAVE_X86_ROWS
#define LANES 16
#define TARGET __attribute__((target("avx512f")))
#define BLOCK_ROWS 8
#define BLOCK_PANELS 8
#include "nn/kernels_lanes.h"

const on_kernels on_kernels_row_avx512 = {.name = "avx512",
                                        .linear = linear,
                                        .add = add,
                                        .relu = relu,
                                        .gelu = gelu,
                                        .tanh = tanh_all,
                                        .sigmoid = sigmoid,
                                        .exp = exp_all,
                                        .layer_norm = on_layer_norm_lanes4,
                                        .lstm_cell = lstm_cell,
                                        .dot = on_dot_lanes4,
                                        .argmax = argmax};
#else
typedef int on_kernels_avx512_empty;
#endif
