// One layer of a transformer encoder for training: forward and backward next to each other, over plain pointers.
//
// Postnorm (BERT, RoBERTa, XLM-R):  a = norm(x + attention(x)),  y = norm(a + down(gelu(up(a))))
// Prenorm (ModernBERT):             a = x + attention(norm(x)),  y = a + down(gelu(u) * g) with [u; g] = up(norm(a))
//
// Inference has its own arithmetic (transformer/run.c); the two agree but for rounding.
#ifndef ON_TRAIN_TRANSFORMER_BLOCK_H
#define ON_TRAIN_TRANSFORMER_BLOCK_H

#include "train/layers.h"

typedef struct on_train_block_shape {
  size_t width, heads, inner;  // heads divide the width
  bool prenorm;                // and gated, see above
  size_t window;               // positions that are seen on each side; 0: all
  float epsilon;               // of the normalizations
  const float *cos, *sin;      // rotary positions: [longest sequence][width / heads / 2]; NULL: none
} on_train_block_shape;

// The parameters of a layer, or their gradients. Biases may be NULL, and with prenorm attention_gain as well (the
// first layer of ModernBERT does not normalize what it reads).
typedef struct on_train_block_params {
  float *qkv, *qkv_bias;                  // [3 * width][width]: queries, keys, values
  float *out, *out_bias;                  // [width][width]
  float *up, *up_bias;                    // [inner][width]; prenorm: [2 * inner][width], activation first, then gates
  float *down, *down_bias;                // [width][inner]
  float *attention_gain, *attention_bias; // [width]
  float *feed_gain, *feed_bias;           // [width]
} on_train_block_params;

// What forward keeps for backward, in the arena given to it. x and the masks are borrowed until then.
typedef struct on_train_block on_train_block;

// y[m][width] from x[m][width]; sequence s covers the rows starts[s] .. starts[s + 1] - 1, m = starts[count]. The masks
// (dropout: 0 or 1 / (1 - rate), [m][width]) multiply what attention and feed-forward add; NULL: none. NULL: out of
// memory. Memory grows with the square of a sequence: heads * length^2 floats.
on_train_block *on_train_block_forward(const on_train_block_shape *shape, const on_train_block_params *params,
                                       on_arena *arena, float *y, const float *x, const uint32_t *starts, size_t count,
                                       const float *attention_mask, const float *feed_mask);
// dx[m][width] += (NULL: left out); gradients += where their pointer is not NULL. False: out of memory.
bool on_train_block_backward(const on_train_block *block, const on_train_block_params *params,
                             const on_train_block_params *grads, on_arena *scratch, float *dx, const float *dy);

#endif
