// The transformer encoder that an ONNX graph is: found by the flow of its data, since exporters rename and transpose
// weights. Two families: "postnorm" (BERT, RoBERTa, XLM-R: normalization behind each residual sum) and ModernBERT
// (normalization before, gated feed-forward, rotary positions, local attention).
#ifndef ON_ONNX_ENCODER_H
#define ON_ONNX_ENCODER_H

#include "onnx/graph.h"

typedef enum on_transformer_family { ON_POSTNORM, ON_MODERNBERT } on_transformer_family;
typedef enum on_activation { ON_GELU_ERF, ON_GELU_TANH, ON_RELU } on_activation;

// A constant as the graph uses it. Numbers are indices of tensors, or ON_ONNX_NONE.
typedef struct on_onnx_constant {
  uint32_t tensor;
  bool transposed;       // used as the transpose of what is stored
  uint32_t scale, zero;  // of quantized values: (q - zero) * scale; one number or one per column
} on_onnx_constant;

// y = x W + b, W[in][out] as used.
typedef struct on_onnx_linear {
  on_onnx_constant weight;
  uint32_t bias;
  uint32_t in, out;
} on_onnx_linear;

typedef struct on_onnx_norm {
  uint32_t gain, bias;  // gain ON_ONNX_NONE: no normalization here
  float epsilon;
} on_onnx_norm;

typedef struct on_onnx_layer {
  bool joint;                  // q holds query, key and value one after another
  on_onnx_linear q, k, v, out;
  on_onnx_linear up, down;     // ModernBERT: up gives the values of the activation, then the gates
  on_onnx_norm attention_norm, feed_norm;
  uint32_t window;             // tokens seen on each side; 0: all
  uint32_t inv_freq;           // ModernBERT: angles of a step, [head size / 2]
  on_activation activation;
} on_onnx_layer;

typedef struct on_onnx_encoder {
  on_transformer_family family;
  uint32_t width, heads, vocabulary;
  on_onnx_constant table;      // [vocabulary][width]; one scale for all
  on_onnx_constant positions;  // postnorm: [rows][width]
  uint32_t position_offset;    // row of the first token
  on_onnx_constant types;      // row 0 is added to every token; tensor ON_ONNX_NONE: none
  on_onnx_norm embedding_norm, final_norm;
  on_onnx_layer *layers;
  uint32_t layer_count;
} on_onnx_encoder;

enum { ON_MAX_LAYERS = 256 };

// False with ON_UNSUPPORTED and what to do where the graph is none of the two families.
bool on_onnx_encoder_find(const on_onnx *onnx, on_arena *arena, on_onnx_encoder *out, on_error *error);

#endif
