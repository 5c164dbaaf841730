// What the files behind onenlp.h share. The command line uses it to spread one text over threads; the wasm
// module uses onenlp.h alone.
#ifndef ONENLP_INTERNAL_H
#define ONENLP_INTERNAL_H

#include "base/error.h"
#include "base/places.h"
#include "format/conllu.h"
#include "format/json_doc.h"
#include "onenlp.h"
#include "pipeline/examples.h"
#include "pipeline/gold.h"
#include "pipeline/pipeline.h"

struct onenlp_buffer {
  on_buf buf;
};

struct onenlp_pipeline {
  on_pipeline pipeline;
  void *taken;  // the file's bytes, where they belong to the library
  on_files files;  // those of the caller, as the core asks for them
  size_t file_size;
};

// The units of a call of onenlp_next as flat arrays (onenlp_columns.c); made anew for each call, in `arena`.
typedef struct onenlp_unit_columns {
  on_arena arena;
  uint32_t *columns[ONENLP_UNIT + 1];
  size_t counts[ONENLP_UNIT + 1], room[ONENLP_UNIT + 1];
  size_t words;
  size_t strings_kept;   // of the call before
  on_buf strings;
  uint32_t *ends;
  size_t string_count, ends_cap;
  on_place *places;      // a hash table of the strings; NULL: none yet
  uint32_t place_count;  // at least twice as many, a power of two
} onenlp_unit_columns;

struct onenlp_annotator {
  const onenlp_pipeline *pipeline;
  on_workspace workspace;
  uint8_t *wanted, *active;  // one byte a component: for the next text, for this one
  on_doc doc;
  onenlp_buffer out;
  onenlp_unit_columns unit;

  // The text that is being annotated.
  bool running;
  onenlp_input input;
  onenlp_output_format format;
  on_str bytes;
  uint64_t done, words;
  on_arena arena;            // the text as UTF-16
  on_text_run text;
  on_arena words_arena;      // between texts: the memory of text.arena
  on_gold_run gold;
  on_example_run examples;
  on_buf gold_text;          // the raw text of the gold sentences so far, or of the line of JSON Lines
  uint32_t base;             // where the unit's source starts in the whole text
  on_conllu_writer writer;
  on_json_doc json;
};

// Copies an inner error to the public one (which may be NULL); returns 0.
int onenlp_report(onenlp_error *out, const on_error *error);

// All sentences of a file.
typedef struct onenlp_sentences {
  on_conllu_sentence *list;
  size_t n, cap;
} onenlp_sentences;  // a zeroed one is empty

// Adds the sentences of `bytes`, which must outlive them. To be freed also after a failure.
bool onenlp_read_sentences(onenlp_sentences *sentences, on_str bytes, on_error *error);
void onenlp_free_sentences(onenlp_sentences *sentences);

// Adds annotator->doc to annotator->unit.
bool onenlp_make_columns(onenlp_annotator *annotator, bool paragraph_start, on_error *error);
void onenlp_clear_columns(onenlp_annotator *annotator);
// The same with the strings, which are kept from unit to unit.
void onenlp_clear_strings(onenlp_annotator *annotator);
void onenlp_free_columns(onenlp_annotator *annotator);

// A public string and its length from a slice.
static inline const char *onenlp_slice(on_str s, size_t *size) {
  if (size) *size = s.p ? s.n : 0;
  return s.p;
}

#endif
