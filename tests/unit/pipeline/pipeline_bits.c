// Reads a pipeline file from standard input, runs it over a sample, and prints a hash of the token vectors of
// every encoder and of the logits of every classifying head: for comparing builds bit by bit. Encoders that take several
// units at once must give the same bits as for one by one.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "head/lemmatizer.h"
#include "head/morphologizer.h"
#include "head/tagger.h"
#include "pipeline/pipeline.h"
#include "text/utf.h"

static const char sample[] =
    "Ada Lovelace didn't visit New York in 1843, but she'd have liked it! What do you think?\n\n"
    "E-mail me@example.org or see http://example.org/a?b=c :-) The U.S. team's co-founder paid $5.50 (10%).\n\n"
    "Über 2000 naïve café-goers sang \xE2\x80\x9CΚαλημέρα\xE2\x80\x9D \xF0\x9F\x98\x80 in 日本語.\n";

typedef struct hashes {
  uint64_t vectors, logits;
  size_t tokens;
} hashes;

static uint64_t add(uint64_t hash, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (int k = 0; k < 4; k++) hash = (hash ^ (bits >> (8 * k) & 0xFF)) * 0x100000001B3u;
  }
  return hash;
}

static const on_output *output_of(const on_head *head) {
  if (head->kind == &on_tagger_kind) return &((const on_tagger *)head->state)->output;
  if (head->kind == &on_morphologizer_kind) return &((const on_morphologizer *)head->state)->output;
  if (head->kind == &on_lemmatizer_kind) return &((const on_lemmatizer *)head->state)->output;
  return NULL;
}

static bool hash_unit(const on_pipeline *pipeline, on_workspace *workspace, const on_doc *doc, hashes *out) {
  for (uint32_t e = 0; e < pipeline->encoder_count; e++) {
    const on_encoder *encoder = &pipeline->encoders[e];
    float *h = ON_NEW(&workspace->scratch, float, doc->n * encoder->width);
    if (!h || !encoder->kind->run(encoder, workspace, &workspace->encoder_cache[e], doc, h, NULL)) return false;
    out->vectors = add(out->vectors, h, doc->n * encoder->width);
    for (size_t c = 0; c < pipeline->component_count; c++) {
      const on_component *component = &pipeline->components[c];
      const on_output *output = component->type == ON_COMPONENT_HEAD ? output_of(&component->head) : NULL;
      if (!output || component->encoder != e) continue;
      float *scores = ON_NEW(&workspace->scratch, float, output->labels);
      for (size_t i = 0; i < doc->n; i++) {
        if (!scores || !on_output_scores(output, workspace, h + i * encoder->width, scores)) return false;
        out->logits = add(out->logits, scores, output->labels);
      }
    }
  }
  out->tokens += doc->n;
  return true;
}

// The same vectors for units in a batch, in any order and again, as for each alone.
static bool is_same_together(const on_pipeline *pipeline, on_workspace *workspace, const on_doc *docs, size_t count) {
  enum { TIMES = 5, MOST = 32 };
  for (uint32_t e = 0; e < pipeline->encoder_count; e++) {
    const on_encoder *encoder = &pipeline->encoders[e];
    const on_doc *list[MOST];
    float *alone[MOST], *together[MOST];
    const size_t n = TIMES * count < MOST ? TIMES * count : MOST;
    for (size_t i = 0; encoder->run_many && i < n; i++) {
      list[i] = &docs[i * i % count];
      const size_t numbers = list[i]->n * encoder->width;
      alone[i] = ON_NEW(&workspace->scratch, float, numbers);
      together[i] = ON_NEW(&workspace->scratch, float, numbers);
      if (!alone[i] || !together[i] ||
          !encoder->kind->run(encoder, workspace, &workspace->encoder_cache[e], list[i], alone[i], NULL)) {
        return false;
      }
    }
    if (!encoder->run_many) continue;
    if (!encoder->run_many(encoder, workspace, &workspace->encoder_cache[e], list, n, together, NULL)) return false;
    for (size_t i = 0; i < n; i++) {
      if (memcmp(alone[i], together[i], list[i]->n * encoder->width * sizeof(float)) != 0) return false;
    }
  }
  return true;
}

static bool hash_sample(const on_pipeline *pipeline, const on_kernels *kernels, hashes *out) {
  on_workspace workspace;
  on_arena arena = {0};
  on_str16 text;
  enum { MOST_UNITS = 8 };
  on_doc docs[MOST_UNITS];
  size_t count = 0;
  for (size_t i = 0; i < MOST_UNITS; i++) on_doc_init(&docs[i]);
  uint8_t *none = ON_NEW0(&arena, uint8_t, pipeline->component_count);
  bool ok = on_workspace_init(&workspace, pipeline->encoder_count, kernels);
  ok = ok && none && on_utf16_from_utf8(&arena, ON_STR(sample), &text, NULL);
  on_text_run run;
  if (ok) {
    on_text_begin(&run, pipeline, &workspace, none, text);
    int got;
    while (ok && count < MOST_UNITS && (got = on_text_next(&run, &docs[count], NULL)) != 0) {
      ok = got > 0 && hash_unit(pipeline, &workspace, &docs[count++], out);
    }
    on_text_end(&run);
  }
  ok = ok && count > 1 && is_same_together(pipeline, &workspace, docs, count);
  for (size_t i = 0; i < MOST_UNITS; i++) on_doc_free(&docs[i]);
  on_workspace_free(&workspace);
  on_arena_free(&arena);
  return ok;
}

int main(void) {
  on_buf file = {0};
  char piece[65536];
  for (size_t n; (n = fread(piece, 1, sizeof piece, stdin)) > 0;) on_buf_add(&file, piece, n);
  on_pipeline pipeline;
  on_error error;
  if (file.failed || !on_pipeline_load(&pipeline, on_buf_view(&file), &error)) {
    fprintf(stderr, "%s\n", file.failed ? "out of memory" : error.text);
    return 1;
  }
  bool ok = true;
  for (size_t i = 0; ok && on_kernels_at(i); i++) {
    hashes h = {0xCBF29CE484222325u, 0xCBF29CE484222325u, 0};
    ok = hash_sample(&pipeline, on_kernels_at(i), &h);
    printf("%s %zu %016" PRIx64 " %016" PRIx64 "\n", on_kernels_at(i)->name, h.tokens, h.vectors, h.logits);
  }
  on_pipeline_free(&pipeline);
  on_buf_free(&file);
  return ok ? 0 : 1;
}
