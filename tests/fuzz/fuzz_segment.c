// The trained tokenizers over any text, with weights that are as good as random: the words lie in order, hold all
// that is not white space, and no line break.
#include <stdlib.h>

#include "pipeline/tokenizer.h"
#include "random_pipeline.h"
#include "text/chars.h"
#include "text/utf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define START "{\"format\": \"onenlp-pipeline\", \"version\": 1, \"components\": [], \"encoders\": [{\"kind\": \"fast\", "    \
  "\"settings\": {\"width\": 8, \"depth\": 0, \"plain\": 1, \"normRows\": 64, \"prefixRows\": 1, \"suffixRows\": 1, "       \
  "\"shapeRows\": 1, \"neighbourRows\": 64, \"seed\": 1}}], \"tokenizer\": "
#define END "\"encoder\": 0, \"head\": {\"column\": \"Tag\", \"labels\": [\"B\", \"I\"]}}}"

static const char *const configs[] = {
    START "{\"kind\": \"segmenter\", " END,
    START "{\"kind\": \"mwt\", \"inner\": {\"kind\": \"uax\", \"data\": \"french\"}, " END,
    START "{\"kind\": \"mwt\", \"inner\": {\"kind\": \"rule\"}, \"minCutPercent\": 60, " END,
};

static void check(const on_str16 text, const on_pieces *pieces, bool splits_surfaces) {
  size_t end = 0;
  for (size_t i = 0; i < pieces->n; i++) {
    const on_piece *piece = &pieces->list[i];
    bool same = i > 0 && piece->surface == pieces->list[i - 1].surface;
    if (piece->start >= piece->end || piece->end > text.n) abort();
    if (same && !splits_surfaces) abort();
    bool shared = same && piece->start == pieces->list[i - 1].start;
    if (!shared && piece->start < end) abort();
    for (size_t k = end; !shared && k < piece->start; k++) {
      if (!on_is_space(text.p[k])) abort();
    }
    for (size_t k = piece->start; k < piece->end; k++) {
      if (on_is_line_break(text.p[k])) abort();
    }
    end = piece->end;
  }
  for (size_t k = end; k < text.n; k++) {
    if (!on_is_space(text.p[k])) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > 4096) return 0;
  on_error error;
  on_pipeline pipeline;
  const size_t kind = data[0] % 3;
  if (!on_pipeline_from_config(&pipeline, on_str_c(configs[kind]), &error)) abort();
  random_weights(&pipeline, data[0]);
  if (!on_pipeline_prepare(&pipeline, &error)) abort();
  uint16_t units[2048];
  const on_str16 text = {units, (size - 1) / 2};
  for (size_t i = 0; i < text.n; i++) units[i] = (uint16_t)(data[1 + 2 * i] | data[2 + 2 * i] << 8);
  on_workspace workspace;
  on_arena arena = {0};
  on_pieces pieces;
  if (!on_workspace_init(&workspace, 1, NULL)) abort();
  if (!pipeline.tokenizer.kind->split(&pipeline, &workspace, &arena, text, 0, text.n, &pieces, &error)) abort();
  check(text, &pieces, kind != 0);
  on_arena_free(&arena);
  on_workspace_free(&workspace);
  on_pipeline_free(&pipeline);
  return 0;
}
