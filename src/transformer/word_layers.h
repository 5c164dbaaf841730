// What a pipeline may learn over the vectors of words that a transformer gives (own, docs/format.md): a table of the
// words' shapes, since many models see no capitals, and recurrent layers.
//
//   h_i = h_i + the rows of word i's shape
//   h   = h + lstm_out(LSTM(h))
#ifndef ON_TRANSFORMER_WORD_LAYERS_H
#define ON_TRANSFORMER_WORD_LAYERS_H

#include "doc/doc.h"
#include "encode/recurrent.h"
#include "format/json.h"

enum { ON_SHAPE_HASHES = 2 };

typedef struct on_word_layers {
  uint32_t shape_rows, recurrent_layers, recurrent_size;  // size as written: 0 means half the width
  uint64_t seed;
  uint32_t width;
  size_t first;            // their parameters are those of the encoder from here on
  const on_param *shapes;  // [shape_rows][width], or NULL
  on_recurrent recurrent;
} on_word_layers;

// Reads and checks the settings, all of them optional: without them there are no layers.
bool on_word_layers_read(on_word_layers *layers, const on_json *settings, const char *path, on_error *error);
// Appends what is not the default, each member with its comma before it.
void on_word_layers_write(const on_word_layers *layers, on_buf *out);
// Declares the parameters, behind those that are there, for vectors of `width`.
bool on_word_layers_declare(on_word_layers *layers, on_params *params, on_arena *arena, uint32_t width,
                            const char *path, on_error *error);
// Those among all of the encoder.
static inline on_params on_word_layers_params(const on_word_layers *layers, const on_params *all) {
  return (on_params){.list = all->list + layers->first, .n = all->n - layers->first};
}
bool on_word_layers_prepare(on_word_layers *layers, on_arena *arena);

// The rows of a word's shape; there are shapes. False: out of memory.
bool on_word_layers_rows(const on_word_layers *layers, on_str16 word, on_arena *scratch,
                         uint32_t rows[ON_SHAPE_HASHES]);
// h[doc->n][width], the words' vectors, becomes what heads read. False: out of memory.
bool on_word_layers_run(const on_word_layers *layers, const on_kernels *kernels, on_arena *scratch, const on_doc *doc,
                        float *h);

#endif
