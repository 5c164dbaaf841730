// 256-bit vectors. Without FMA: a fused product would round once where the definition rounds twice.
#include "nn/kernels_tables.h"

#if ON_HAVE_X86_ROWS
#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define BLOCK_ROWS 4
#define BLOCK_PANELS 4
#include "nn/kernels_lanes.h"

const on_kernels on_kernels_row_avx2 = {.name = "avx2",
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
typedef int on_kernels_avx2_empty;
#endif
