// A transformer encoder ready to run: weights packed for the kernels, the token table left in its file. Immutable.
#ifndef ON_TRANSFORMER_MODEL_H
#define ON_TRANSFORMER_MODEL_H

#include "nn/kernels.h"
#include "onnx/encoder.h"

typedef struct on_dense {
  on_packed w;     // [out][in]
  const float *b;  // [out], or NULL
} on_dense;

typedef struct on_norm {
  const float *gain, *bias;  // [width]; gain NULL: no normalization here
  float epsilon;
} on_norm;

typedef struct on_transformer_layer {
  on_dense qkv;   // queries, keys, values: [3 * width][width]
  on_dense out;   // [width][width]
  on_dense up;    // [inner][width]; ModernBERT: [2 * inner][width], activation first, then gates
  on_dense down;  // [width][inner]
  on_norm attention_norm, feed_norm;
  uint32_t window;        // tokens seen on each side; 0: all
  const float *inv_freq;  // [head size / 2]; NULL: no rotary positions
  on_activation activation;
} on_transformer_layer;

// Rows of the token table, gathered from the file.
typedef struct on_token_table {
  const on_onnx *onnx;  // its source, that is
  on_onnx_tensor tensor;
  float scale, zero;
  const float *rows;    // [vocabulary][width]
} on_token_table;

typedef struct on_transformer {
  on_transformer_family family;
  uint32_t width, heads, head_size, inner, vocabulary;
  on_token_table table;
  const float *positions;   // postnorm: [position_count][width], what is added to the token at that place
  uint32_t position_count;  // the longest sequence; 0: any (rotary positions)
  const float *added;       // added to every token (the one row of token types); NULL: nothing. Postnorm models have
                            // it in `positions`
  on_norm embedding_norm, final_norm;
  on_transformer_layer *layers;
  uint32_t layer_count;
} on_transformer;

// Loads the encoder that was found in an ONNX graph. The source must outlive it, and so must the graph, unless another
// on_onnx with that source is put in table.onnx; all memory is the arena's.
bool on_transformer_load(on_transformer *out, const on_onnx *onnx, const on_onnx_encoder *found, on_arena *arena,
                         on_error *error);
// The same without the weights of layers, normalizations and positions, which come from elsewhere: sizes, the token
// table, windows, angles and activations.
bool on_transformer_load_frame(on_transformer *out, const on_onnx *onnx, const on_onnx_encoder *found, on_arena *arena,
                               on_error *error);

// out[n][width]: rows of the token table. ids are below `vocabulary`.
bool on_transformer_tokens(const on_transformer *transformer, const uint32_t *ids, size_t n, float *out,
                           on_error *error);

// A sequence of a packed batch: pieces [first, first + count).
typedef struct on_sequence {
  uint32_t first, count;
} on_sequence;

// out[n][width]: the last hidden state of each of the n pieces. The sequences follow one another without gaps and
// together hold all n; none is longer than position_count (where that is not 0). Each is computed by itself, so it
// comes out with the same bits in every batch. Memory is taken from `scratch`.
bool on_transformer_run(const on_transformer *transformer, const on_kernels *kernels, on_arena *scratch,
                        const uint32_t *ids, size_t n, const on_sequence *sequences, size_t sequence_count, float *out,
                        on_error *error);

#endif
