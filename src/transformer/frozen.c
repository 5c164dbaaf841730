#include "transformer/frozen.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sha256.h"

enum { MAX_TOKENIZER = 1 << 28, HASH_BLOCK = 1 << 16 };  // bytes
enum { MAX_WIDTH = 1 << 20 };                              // of an engine's vectors

static bool open_file(const on_encoder *encoder, on_str name, bool beside, const char *path, on_data_source *out,
                      on_error *error) {
  if (!encoder->files) {
    return on_fail(error, ON_IO, -1, "%s needs the file '%.*s', and nobody said where its files are", path,
                   ON_SHOW(name));
  }
  return encoder->files->open(encoder->files->context, name, beside, out, error) || on_fail_context(error, "%s", path);
}

static bool load_tokenizer(on_frozen *frozen, const on_encoder *encoder, on_arena *arena, const char *path,
                           on_error *error) {
  on_data_source source;
  on_str name = frozen->settings.tokenizer;
  if (!open_file(encoder, name, false, path, &source, error)) return false;
  if (source.size > MAX_TOKENIZER) return on_fail(error, ON_LIMIT, -1, "%.*s: more than 256 MiB", ON_SHOW(name));
  char *text = on_malloc(source.size ? (size_t)source.size : 1);
  if (!text) return on_fail_memory(error);
  bool ok = on_data_read(&source, 0, text, (size_t)source.size) || on_fail(error, ON_IO, -1, "it cannot be read");
  ok = ok && on_piece_model_load(&frozen->pieces, arena, (on_str){text, (size_t)source.size}, error);
  on_free(text);
  return ok || on_fail_context(error, "%.*s", ON_SHOW(name));
}

bool on_frozen_open(on_frozen *frozen, on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path,
                    on_error *error) {
  on_transformer_settings *own = &frozen->settings;
  frozen->file = (on_onnx){.source = &frozen->source};
  return on_transformer_settings_read(own, arena, settings, path, error) &&
         on_word_layers_read(&frozen->over, settings, path, error) &&
         load_tokenizer(frozen, encoder, arena, path, error) &&
         open_file(encoder, own->model, own->beside, path, &frozen->source, error);
}

bool on_frozen_load(const on_frozen *frozen, bool weights, on_transformer *out, on_onnx_encoder *found,
                    on_arena *arena, on_arena *scratch, on_error *error) {
  on_onnx onnx;
  bool ok = on_onnx_read(&onnx, scratch, &frozen->source, error) && on_onnx_encoder_find(&onnx, scratch, found, error);
  // The search takes a constant that there was no memory for as none.
  if (scratch->failed) ok = on_fail_memory(error);
  ok = ok && (weights ? on_transformer_load(out, &onnx, found, arena, error)
                      : on_transformer_load_frame(out, &onnx, found, arena, error));
  out->table.onnx = &frozen->file;  // the graph goes
  return ok || on_fail_context(error, "%.*s", ON_SHOW(frozen->settings.model));
}

static bool load_model(on_frozen *frozen, on_arena *arena, on_error *error) {
  on_arena scratch = {0};  // the graph is not needed once the weights are there
  on_onnx_encoder found;
  bool ok = on_frozen_load(frozen, true, &frozen->transformer, &found, arena, &scratch, error);
  on_arena_free(&scratch);
  return ok;
}

// A graph that is not known here, where somebody else computes it.
static bool use_engine(on_frozen *frozen, const on_encoder *encoder, const on_error *why) {
  const on_files *files = encoder->files;
  if (why->code != ON_UNSUPPORTED || !files->engine) return false;
  uint32_t width = files->engine(files->context, frozen->settings.model, frozen->settings.beside);
  if (width == 0 || width > MAX_WIDTH) return false;
  frozen->engine = files;
  frozen->transformer = (on_transformer){.width = width, .vocabulary = UINT32_MAX};
  return true;
}

bool on_frozen_fits(const on_frozen *frozen, const char *path, on_error *error) {
  const on_transformer *t = &frozen->transformer;
  if (on_piece_model_size(frozen->pieces) > t->vocabulary) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s: the tokenizer has %u pieces, the model %u", path,
                   on_piece_model_size(frozen->pieces), t->vocabulary);
  }
  if (t->position_count && frozen->settings.max_length > t->position_count) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.maxLength is %u, the model has %u positions", path,
                   frozen->settings.max_length, t->position_count);
  }
  size_t before, after;
  on_piece_before(frozen->pieces, &before);
  on_piece_after(frozen->pieces, &after);
  if (before + after < frozen->settings.max_length) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "%s.maxLength is %u, and %zu special tokens stand in each window", path,
                 frozen->settings.max_length, before + after);
}

static bool create(on_encoder *encoder, on_arena *arena, const on_json *settings, const char *path, on_error *error) {
  on_frozen *frozen = ON_NEW0(arena, on_frozen, 1);
  if (!frozen) return on_fail_memory(error);
  encoder->state = frozen;
  if (!on_frozen_open(frozen, encoder, arena, settings, path, error)) return false;
  on_error why = {0};
  if (!load_model(frozen, arena, &why) && !use_engine(frozen, encoder, &why)) {
    if (error) *error = why;
    return false;
  }
  encoder->width = frozen->transformer.width;
  encoder->run_many = frozen->engine ? NULL : on_frozen_run_many;
  return on_frozen_fits(frozen, path, error) &&
         on_word_layers_declare(&frozen->over, &encoder->params, arena, encoder->width, path, error);
}

static void write_settings(const on_encoder *encoder, on_buf *out) {
  const on_frozen *frozen = encoder->state;
  on_buf_char(out, '{');
  on_transformer_settings_write(&frozen->settings, out);
  on_word_layers_write(&frozen->over, out);
  on_buf_char(out, '}');
}

static bool prepare(on_encoder *encoder, on_arena *arena, on_error *error) {
  on_frozen *frozen = encoder->state;
  return on_word_layers_prepare(&frozen->over, arena) || on_fail_memory(error);
}

static bool run_engine(const on_frozen *frozen, on_workspace *workspace, const on_piece_windows *windows, float *h,
                       on_error *error) {
  const on_transformer_settings *own = &frozen->settings;
  int got = frozen->engine->encode(frozen->engine->context, own->model, own->beside, windows->ids, windows->window,
                                   windows->count, h);
  if (got > 0) return true;
  workspace->waiting = got < 0;
  return got < 0 ? on_fail(error, ON_UNSUPPORTED, -1, "%.*s: its engine has not computed the vectors yet",
                           ON_SHOW(own->model))
                 : on_fail(error, ON_INVALID_DATA, -1, "%.*s: its engine failed", ON_SHOW(own->model));
}

// Pieces of several Docs, one after another, as one packed batch.
typedef struct batch {
  uint32_t *ids;
  on_sequence *sequences;
  size_t n, sequence_count;
} batch;

static bool join(batch *b, const on_word_pieces *pieces, size_t count, on_arena *scratch) {
  *b = (batch){0};
  for (size_t i = 0; i < count; i++) {
    b->n += pieces[i].windows.id_count;
    b->sequence_count += pieces[i].windows.count;
  }
  if (count == 1) {
    b->ids = pieces->windows.ids;
    b->sequences = pieces->sequences;
    return true;
  }
  b->ids = ON_NEW(scratch, uint32_t, b->n);
  b->sequences = ON_NEW(scratch, on_sequence, b->sequence_count);
  if (!b->ids || !b->sequences) return false;
  uint32_t first = 0;
  for (size_t i = 0, at = 0; i < count; first += (uint32_t)pieces[i++].windows.id_count) {
    const on_piece_windows *windows = &pieces[i].windows;
    memcpy(b->ids + first, windows->ids, windows->id_count * sizeof *b->ids);
    for (size_t w = 0; w < windows->count; w++, at++) {
      b->sequences[at] = pieces[i].sequences[w];
      b->sequences[at].first += first;
    }
  }
  return true;
}

// The vectors of Docs whose pieces are there.
static bool encode(const on_encoder *encoder, on_workspace *workspace, const on_word_pieces *pieces,
                   const on_doc *const *docs, size_t count, float *const *out, on_error *error) {
  const on_frozen *frozen = encoder->state;
  on_arena *scratch = &workspace->scratch;
  const size_t width = encoder->width;
  batch b;
  if (!join(&b, pieces, count, scratch)) return on_fail_memory(error);
  float *h = b.n < SIZE_MAX / 8 / width ? ON_NEW(scratch, float, b.n * width) : NULL;
  if (!h) return on_fail_memory(error);
  if (frozen->engine ? !run_engine(frozen, workspace, &pieces->windows, h, error)
                     : !on_transformer_run(&frozen->transformer, workspace->kernels, scratch, b.ids, b.n, b.sequences,
                                           b.sequence_count, h, error)) {
    return false;
  }
  for (size_t i = 0; i < count; h += pieces[i++].windows.id_count * width) {
    on_words_pool(&pieces[i], docs[i]->n, h, width, frozen->settings.mean, out[i]);
  }
  return true;
}

// The vectors of words before the layers over them.
static bool vectors(const on_encoder *encoder, on_workspace *workspace, const on_doc *const *docs, size_t count,
                    float *const *out, on_error *error) {
  enum { ROWS = 512 };  // of a batch of more than one Doc, so that memory is bounded
  const on_frozen *frozen = encoder->state;
  on_arena *scratch = &workspace->scratch;
  on_word_pieces *pieces = ON_NEW(scratch, on_word_pieces, count);
  if (!pieces) return on_fail_memory(error);
  size_t first = 0, rows = 0;
  for (size_t i = 0; i < count; i++) {
    if (!on_word_pieces_make(frozen->pieces, docs[i], frozen->settings.max_length, scratch, &pieces[i], error)) {
      return false;
    }
    const size_t more = pieces[i].windows.id_count;
    if (i > first && rows + more > ROWS) {
      if (!encode(encoder, workspace, pieces + first, docs + first, i - first, out + first, error)) return false;
      first = i;
      rows = 0;
    }
    rows += more;
  }
  return encode(encoder, workspace, pieces + first, docs + first, count - first, out + first, error);
}

bool on_frozen_vectors(const on_encoder *encoder, on_workspace *workspace, const on_doc *doc, float *out,
                       on_error *error) {
  return vectors(encoder, workspace, &doc, 1, &out, error);
}

bool on_frozen_run_many(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *const *docs,
                        size_t count, float *const *out, on_error *error) {
  (void)cache;
  const on_frozen *frozen = encoder->state;
  if (!vectors(encoder, workspace, docs, count, out, error)) return false;
  for (size_t i = 0; i < count; i++) {
    if (!on_word_layers_run(&frozen->over, workspace->kernels, &workspace->scratch, docs[i], out[i])) {
      return on_fail_memory(error);
    }
  }
  return true;
}

bool on_frozen_run(const on_encoder *encoder, on_workspace *workspace, void **cache, const on_doc *doc, float *out,
                   on_error *error) {
  return on_frozen_run_many(encoder, workspace, cache, &doc, 1, &out, error);
}

static char lower(char c) { return c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c; }

bool on_transformer_verify(const on_transformer_settings *settings, const on_data_source *source, on_error *error) {
  if (!settings->sha256.p) return true;
  uint8_t *block = on_malloc(HASH_BLOCK);
  if (!block) return on_fail_memory(error);
  on_sha256 hash;
  on_sha256_init(&hash);
  bool ok = true;
  for (uint64_t at = 0; at < source->size && ok; at += HASH_BLOCK) {
    size_t take = source->size - at < HASH_BLOCK ? (size_t)(source->size - at) : HASH_BLOCK;
    ok = on_data_read(source, at, block, take);
    if (ok) on_sha256_add(&hash, block, take);
  }
  on_free(block);
  if (!ok) return on_fail(error, ON_IO, -1, "%.*s cannot be read", ON_SHOW(settings->model));
  char found[65];
  on_sha256_hex(&hash, found);
  for (size_t i = 0; i < 64 && ok; i++) ok = found[i] == lower(settings->sha256.p[i]);
  return ok || on_fail(error, ON_INVALID_DATA, -1, "%.*s has the SHA-256 %s, want %.*s", ON_SHOW(settings->model),
                       found, ON_SHOW(settings->sha256));
}

bool on_frozen_verify(const on_encoder *encoder, on_error *error) {
  const on_frozen *frozen = encoder->state;
  return on_transformer_verify(&frozen->settings, &frozen->source, error);
}

const on_encoder_kind on_transformer_kind = {"transformer", create, write_settings, prepare, on_frozen_run,
                                              on_frozen_verify};
