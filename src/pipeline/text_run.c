// Raw text to annotated units: paragraphs, cut where they are longer than a unit may be.
//
// A paragraph is tokenized in windows, so that memory is bounded by the window, not by the paragraph. Units
// are taken from a window as long as it has more words than a unit holds (or ends the paragraph); what is
// left is tokenized again at the start of the next window, so a window's end decides nothing unless a single
// unit of text is longer than the window.
//
// Where encoders take several units at once (transformers and LSTMs, whose weights are then read once for all of them),
// units are cut ahead, so many that memory stays small.
#include "base/alloc.h"
#include "doc/unit.h"
#include "nn/vectors.h"
#include "pipeline/pipeline.h"
#include "pipeline/text_sums.h"
#include "pipeline/tokenizer.h"
#include "text/chars.h"
#include "text/utf.h"

enum { WINDOW = 32768 };  // UTF-16 units; about 12 units of English
enum { AHEAD_UNITS = 16, AHEAD_TEXT = 2048 };  // UTF-16 units; some 350 words of English

struct on_unit_ahead {
  on_doc doc;
  size_t stop;
  bool paragraph_start;
};

void on_text_begin(on_text_run *run, const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                   on_str16 text) {
  *run = (on_text_run){.pipeline = pipeline, .workspace = workspace, .components = components, .text = text};
  // A paragraph alone has no short units to take together.
  run->looks_ahead = on_pipeline_encodes_together(pipeline, components) && text.n > 0 &&
                     on_next_paragraph(text, 0) < text.n;
}

void on_text_end(on_text_run *run) {
  on_arena_free(&run->arena);
  on_text_sums_free(&run->sums);
  for (size_t i = 0; run->units && i < AHEAD_UNITS; i++) on_doc_free(&run->units[i].doc);
  on_free(run->units);
  on_arena_free(&run->ahead_arena);
  *run = (on_text_run){0};
}

static size_t skip_space(on_str16 text, size_t at, size_t end) {
  while (at < end && on_is_space(text.p[at])) at++;  // all white space is in the BMP
  return at;
}

// Where a window that starts at `from` ends: the paragraph's end, or behind white space in the second half,
// or anywhere between two characters.
static size_t window_end(const on_text_run *run, size_t from) {
  if (run->paragraph_end - from <= WINDOW) return run->paragraph_end;
  size_t end = from + WINDOW;
  for (size_t at = end; at > from + WINDOW / 2; at--) {
    if (on_is_space(run->text.p[at - 1])) return at;
  }
  return on_is_low_surrogate(run->text.p[end]) && on_is_high_surrogate(run->text.p[end - 1]) ? end - 1 : end;
}

static bool open_window(on_text_run *run, on_error *error) {
  on_arena_reset(&run->arena);
  run->pieces = (on_pieces){0};
  run->piece = 0;
  run->sent_start = NULL;
  size_t from = skip_space(run->text, run->at, run->paragraph_end);
  run->window_end = window_end(run, from);
  if (from == run->paragraph_end) return true;
  const on_tokenizer_kind *kind = run->pipeline->tokenizer.kind;
  if (!kind->split(run->pipeline, run->workspace, &run->arena, run->text, from, run->window_end, &run->pieces, error)) {
    return false;
  }
  if (run->pieces.n <= ON_UNIT_WORDS && run->window_end == run->paragraph_end) return true;  // no cut needed
  run->sent_start = ON_NEW0(&run->arena, uint8_t, run->pieces.n);
  if (!run->sent_start) return on_fail_memory(error);
  return run->pieces.n == 0 || on_sentencize(on_pipeline_sentence_data(run->pipeline), run->text, from,
                                             run->window_end, &run->pieces, run->sent_start, error);
}

static bool starts_surface(const on_pieces *pieces, size_t i) {
  return i == 0 || pieces->list[i].surface != pieces->list[i - 1].surface;
}

// The piece before which the unit that starts at run->piece ends: all that are left when they fit and end the
// paragraph; else the last sentence start, else the last token, that keeps the unit within ON_UNIT_WORDS.
static size_t unit_end(const on_text_run *run) {
  const on_pieces *pieces = &run->pieces;
  size_t left = pieces->n - run->piece, last;
  if (left <= ON_UNIT_WORDS) {
    if (run->window_end == run->paragraph_end) return pieces->n;
    last = pieces->n - 1;  // the window's end may have cut the last token
  } else {
    last = run->piece + ON_UNIT_WORDS;
  }
  for (size_t i = last; i > run->piece; i--) {
    if (run->sent_start[i] && starts_surface(pieces, i)) return i;
  }
  for (size_t i = last; i > run->piece; i--) {
    if (starts_surface(pieces, i)) return i;
  }
  size_t end = run->piece + 1;  // one surface token with more words than a unit holds
  while (end < pieces->n && !starts_surface(pieces, end)) end++;
  return end;
}

// Sees to it that `pieces` holds what the next unit needs.
static bool find_words(on_text_run *run, on_error *error) {
  run->opens_paragraph = run->at == run->paragraph_end;
  if (run->opens_paragraph) {
    run->paragraph_end = on_next_paragraph(run->text, run->at);
    run->window_end = run->at;
  }
  bool enough = run->pieces.n - run->piece > ON_UNIT_WORDS || run->window_end == run->paragraph_end;
  if ((!run->opens_paragraph && enough) || open_window(run, error)) return true;
  // Another try opens it again.
  run->pieces = (on_pieces){0};
  run->piece = 0;
  if (run->opens_paragraph) run->paragraph_end = run->at;
  else run->window_end = run->at;
  return false;
}

// Lays out the next unit in *doc, which was reset. The text goes on at *stop and with the piece *piece.
static bool cut(on_text_run *run, on_doc *doc, size_t *stop, size_t *piece, on_error *error) {
  if (!run->again && !find_words(run, error)) return false;
  run->again = true;
  const size_t first = run->piece, end = run->pieces.n ? unit_end(run) : 0;
  *stop = end < run->pieces.n ? run->pieces.list[end].start
                              : skip_space(run->text, run->window_end, run->paragraph_end);
  *piece = end;
  const on_piece *pieces = run->pieces.n ? run->pieces.list + first : NULL;
  return on_doc_from_pieces(doc, run->text, (uint32_t)run->at, (uint32_t)*stop, pieces, end - first, error);
}

static void go_on(on_text_run *run, size_t stop, size_t piece) {
  run->again = false;
  run->at = stop;
  run->piece = piece;
}

static bool annotate(on_text_run *run, on_doc *doc, on_error *error) {
  return on_pipeline_run(run->pipeline, run->workspace, run->components, doc, error) &&
         on_text_sums_add(&run->sums, run->pipeline, run->workspace, run->components, doc, error);
}

// Cuts the units that are encoded together. What fails here fails again, and is told, where its unit is asked for.
static void look_ahead(on_text_run *run) {
  const on_doc *docs[AHEAD_UNITS];
  size_t stop, piece;
  const size_t from = run->at;
  run->ahead = run->ahead_count = 0;
  if (!run->units) run->units = on_calloc(AHEAD_UNITS, sizeof *run->units);
  if (!run->units) return;
  while (run->ahead_count < AHEAD_UNITS && run->at - from < AHEAD_TEXT && run->at < run->text.n) {
    struct on_unit_ahead *unit = &run->units[run->ahead_count];
    on_doc_reset(&unit->doc);
    if (!cut(run, &unit->doc, &stop, &piece, NULL)) break;
    go_on(run, stop, piece);
    unit->stop = stop;
    unit->paragraph_start = run->opens_paragraph;
    docs[run->ahead_count++] = &unit->doc;
  }
  run->vectors = run->ahead_count < 2 ? NULL
                                      : on_pipeline_encode(run->pipeline, run->workspace, run->components, docs,
                                                           run->ahead_count, &run->ahead_arena);
}

static void exchange(on_doc *a, on_doc *b) {
  const on_doc c = *a;
  *a = *b;
  *b = c;
}

// The next of the units that were cut ahead.
static int next_ahead(on_text_run *run, on_doc *doc, on_error *error) {
  struct on_unit_ahead *unit = &run->units[run->ahead];
  exchange(doc, &unit->doc);
  run->paragraph_start = unit->paragraph_start;
  run->workspace->ahead = run->vectors ? run->vectors + run->ahead * run->pipeline->encoder_count : NULL;
  const bool ok = annotate(run, doc, error);
  run->workspace->ahead = NULL;
  if (!ok) {  // as it was
    on_doc_clear_labels(doc);
    for (size_t i = 1; i < doc->n; i++) doc->sent_start[i] = 0;
    doc->has_sents = false;
    exchange(doc, &unit->doc);
    return -1;
  }
  run->done = unit->stop;
  run->ahead++;
  return 1;
}

int on_text_next(on_text_run *run, on_doc *doc, on_error *error) {
  on_doc_reset(doc);
  if (run->text.n > UINT32_MAX) {
    on_fail(error, ON_LIMIT, -1, "the text is longer than 4,294,967,295 UTF-16 units");
    return -1;
  }
  if (run->looks_ahead && run->ahead == run->ahead_count) look_ahead(run);
  if (run->ahead < run->ahead_count) return next_ahead(run, doc, error);
  if (run->at >= run->text.n) return 0;
  size_t stop, piece;
  if (!cut(run, doc, &stop, &piece, error)) return -1;
  run->paragraph_start = run->opens_paragraph;
  if (!annotate(run, doc, error)) return -1;
  go_on(run, stop, piece);
  run->done = run->at;
  return 1;
}
