// A fine-tuned encoder as an ONNX model, which stands for itself: other programs run it to the same result, and this
// one reads it back as the `transformer` encoder that gives the same bits.
#ifndef ON_TRANSFORMER_EXPORT_H
#define ON_TRANSFORMER_EXPORT_H

#include "onnx/write.h"
#include "transformer/trainable.h"

// Inputs `input_ids` and `attention_mask` [batch, sequence], output `last_hidden_state`. The token table is copied from
// the model that the encoder comes from. The parameters must have data. ON_UNSUPPORTED where the activation is not
// the exact GELU.
bool on_trainable_export(const on_trainable *trainable, const on_sink *sink, on_error *error);

#endif
