// onenlp: text in, CoNLL-U or JSON out. The whole public C interface.
//
//   onenlp_error error;
//   onenlp_pipeline *pipeline = onenlp_load(bytes, size, ONENLP_BORROW, &error);
//   onenlp_annotator *annotator = onenlp_annotator_new(pipeline, &error);
//   if (onenlp_annotate(annotator, ONENLP_FROM_TEXT, text, length, ONENLP_TO_CONLLU, NULL, NULL, &error)) {
//     size_t n;
//     const char *conllu = onenlp_buffer_data(onenlp_output(annotator), &n);
//   }
//   onenlp_annotator_free(annotator);
//   onenlp_pipeline_free(pipeline);
//
// A pipeline never changes once it is loaded, and threads may share it. An annotator belongs to one thread at
// a time. Nothing here opens a file, prints, exits or aborts. Functions that can fail return NULL, 0 or -1 as
// said and fill *error, which may be NULL. Every `free` takes NULL. Text is UTF-8 and need not end in a NUL.
#ifndef ONENLP_H
#define ONENLP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ONENLP_VERSION_MAJOR 0
#define ONENLP_VERSION_MINOR 1
#define ONENLP_VERSION_PATCH 0

// "0.1.0", of the library that runs. Static.
const char *onenlp_version(void);

// ---- Errors ----------------------------------------------------------------------------------------------

// Stable codes; new ones go last.
typedef enum onenlp_code {
  ONENLP_OK = 0,
  ONENLP_OUT_OF_MEMORY,     // an allocation failed or passed the memory limit; everything stays usable
  ONENLP_INVALID_ARGUMENT,  // the caller asked for something that cannot be
  ONENLP_INVALID_UTF8,      // position: byte offset of the first invalid byte
  ONENLP_DATA_FORMAT,       // CoNLL-U or JSON Lines; position: 1-based line number
  ONENLP_INVALID_DATA,      // pipeline file or one of its parts; position: byte offset, or -1
  ONENLP_UNSUPPORTED,       // well-formed, but this build cannot do it (unknown kind or version)
  ONENLP_LIMIT,             // a documented limit was passed
  ONENLP_IO,                // reading or writing a file failed (never by this library)
  ONENLP_CANCELLED,         // the progress callback asked to stop
  ONENLP_CLOSED,            // the pipeline was closed already (never by this library)
  ONENLP_INTERNAL,          // the WebAssembly module or a worker stopped (never by this library)
  ONENLP_NO_WORKERS         // this place has no worker threads (never by this library)
} onenlp_code;

typedef struct onenlp_error {
  onenlp_code code;
  int64_t position;  // -1 where there is none
  char text[512];    // one sentence for the user, UTF-8, terminated
} onenlp_error;

// "OUT_OF_MEMORY", "INVALID_ARGUMENT", ... Static; "UNKNOWN" for other numbers.
const char *onenlp_code_name(onenlp_code code);

// ---- Memory ----------------------------------------------------------------------------------------------

// Memory from the library's own account, for ONENLP_TAKE and for hosts that have no allocator of their own.
// NULL on failure. Freed with onenlp_free.
void *onenlp_alloc(size_t size);
void onenlp_free(void *block);

// The most that the library may hold at once, in bytes (0: no limit, as at the start). Set it before loading.
void onenlp_set_memory_limit(size_t bytes);
size_t onenlp_memory_used(void);

// Gives the hash tables a seed of 64 bits, so that nobody can make files or texts whose strings collide in them and
// take quadratic time. Call it first of all, with random bits. 0: refused, because the library holds memory already.
int onenlp_seed_hashes(uint32_t low, uint32_t high);

// A growing buffer for results. NULL: out of memory.
typedef struct onenlp_buffer onenlp_buffer;
onenlp_buffer *onenlp_buffer_new(void);
// The contents (not terminated; never NULL), valid until the buffer is written, cleared or freed.
const char *onenlp_buffer_data(const onenlp_buffer *buffer, size_t *size);
// Empties the buffer and keeps its memory.
void onenlp_buffer_clear(onenlp_buffer *buffer);
void onenlp_buffer_free(onenlp_buffer *buffer);

// ---- Pipelines -------------------------------------------------------------------------------------------

typedef struct onenlp_pipeline onenlp_pipeline;

typedef enum onenlp_ownership {
  ONENLP_BORROW,  // the caller keeps the bytes alive and unchanged until onenlp_pipeline_free
  ONENLP_TAKE     // the bytes came from onenlp_alloc and now belong to the library, also when loading fails
} onenlp_ownership;

// Loads a pipeline file, checking all of it; weights stay views into the bytes. NULL on failure. The caller
// frees the pipeline after its last annotator.
onenlp_pipeline *onenlp_load(const void *bytes, size_t size, onenlp_ownership ownership, onenlp_error *error);

// A file that stays where it is. `read` copies `size` bytes from `offset` on (never asked for beyond `size`); 0 on
// failure. Threads that share a pipeline may call it at the same time.
typedef struct onenlp_file {
  uint64_t size;
  void *context;
  int (*read)(void *context, uint64_t offset, void *out, size_t size);
} onenlp_file;

// Where the files are that pipelines with a `transformer` encoder name: a model and a tokenizer. `open` fills *file,
// which must stay readable until onenlp_pipeline_free, or returns 0. The name is not terminated. `beside` is 1 for a
// file in the folder of the pipeline file; else an absolute name is used as it is, and a relative one is looked up in
// whatever folder the caller keeps models.
typedef struct onenlp_files {
  void *context;
  int (*open)(void *context, const char *name, size_t name_size, int beside, onenlp_file *file);

  // Models whose graphs this library does not know can be computed by the caller. Both are NULL, or neither.
  // `engine` gives the width of the vectors, or 0 where the caller does not compute the model of that name; the
  // pipeline then does not load.
  uint32_t (*engine)(void *context, const char *name, size_t name_size, int beside);
  // Fills out[windows[count]][width]: the last hidden state of each piece. Window i has the pieces ids[windows[i]] to
  // ids[windows[i + 1] - 1], special tokens included, and is a sequence by itself. 1: done, 0: failed, -1: not yet, and
  // then onenlp_next fails with ONENLP_UNSUPPORTED, but the text goes on: the next call tries the same unit again.
  // (Other functions cannot go on.) Threads that share a pipeline may call it at the same time.
  int (*encode)(void *context, const char *name, size_t name_size, int beside, const uint32_t *ids,
                const uint32_t *windows, size_t count, float *out);
} onenlp_files;

// onenlp_load for pipelines that name files; *files must outlive the pipeline. (onenlp_load refuses them.) A missing
// file is ONENLP_IO, with its name.
onenlp_pipeline *onenlp_load_with_files(const void *bytes, size_t size, onenlp_ownership ownership,
                                        const onenlp_files *files, onenlp_error *error);
// Compares the files with the SHA-256 that the pipeline gives for them, where it does. 0: one differs, or cannot be
// read.
int onenlp_verify_files(const onenlp_pipeline *pipeline, onenlp_error *error);

void onenlp_pipeline_free(onenlp_pipeline *pipeline);

// What the pipeline is made of. Strings live as long as the pipeline and are not terminated: *size is their
// length. An index out of range gives NULL with size 0.
const char *onenlp_language(const onenlp_pipeline *pipeline, size_t *size);
size_t onenlp_component_count(const onenlp_pipeline *pipeline);
const char *onenlp_component_name(const onenlp_pipeline *pipeline, size_t component, size_t *size);
// The head's kind ("tagger", ...) or the builtin's name ("sentencizer").
const char *onenlp_component_kind(const onenlp_pipeline *pipeline, size_t component, size_t *size);
// The labels of a component, in output order; 0 where it has none.
size_t onenlp_label_count(const onenlp_pipeline *pipeline, size_t component);
const char *onenlp_label(const onenlp_pipeline *pipeline, size_t component, size_t label, size_t *size);
// The file's metadata: name, version, licence, training data, scores, ...
size_t onenlp_metadata_count(const onenlp_pipeline *pipeline);
const char *onenlp_metadata_key(const onenlp_pipeline *pipeline, size_t i, size_t *size);
const char *onenlp_metadata_value(const onenlp_pipeline *pipeline, size_t i, size_t *size);

typedef enum onenlp_style { ONENLP_TABLE, ONENLP_JSON } onenlp_style;

// Appends a description of the pipeline: config, tensors, sizes, metadata. 0 on failure.
int onenlp_inspect(const onenlp_pipeline *pipeline, onenlp_style style, onenlp_buffer *out, onenlp_error *error);

// How a pipeline file stores its matrices: I8 is a byte a weight and a scale a row.
typedef enum onenlp_storage { ONENLP_F32, ONENLP_F16, ONENLP_I8 } onenlp_storage;

// Reads a pipeline file and appends it with its matrices stored otherwise. 0 on failure.
int onenlp_compact(const void *bytes, size_t size, onenlp_storage storage, onenlp_buffer *out, onenlp_error *error);

// ---- Annotating ------------------------------------------------------------------------------------------

typedef struct onenlp_annotator onenlp_annotator;

// Everything that changes while texts are annotated. Keeps the pipeline, which must outlive it. NULL on
// failure.
onenlp_annotator *onenlp_annotator_new(const onenlp_pipeline *pipeline, onenlp_error *error);
void onenlp_annotator_free(onenlp_annotator *annotator);

// Switches a component on (1, as at the start) or off (0), from the next text on. 0 for a wrong index.
int onenlp_set_component(onenlp_annotator *annotator, size_t component, int on);

typedef enum onenlp_input {
  ONENLP_FROM_TEXT,   // raw text
  // CoNLL-U whose tokens, sentences, comments and MISC are kept; the pipeline's columns are filled in.
  // Columns that the components that run do not set stay as they are, in all formats of output.
  ONENLP_FROM_CONLLU,
  ONENLP_FROM_CONLLU_TOKENS, // they become "_", as for an evaluation
  // JSON Lines: each line is a text of its own with offsets of its own; its tokens are kept where it gives some,
  // everything else is the pipeline's. JSON output has a line for each; CoNLL-U has "# newdoc".
  ONENLP_FROM_JSONL
} onenlp_input;

typedef enum onenlp_output_format {
  ONENLP_TO_CONLLU,
  ONENLP_TO_JSON,    // one object for the whole text on one line, at its end: JSON Lines and columns
  ONENLP_TO_JSONL,   // the same without columns: text, tokens, entities, spans, cats
  // Read each unit with onenlp_column and its like.
  ONENLP_TO_COLUMNS,         // nothing is written
  ONENLP_TO_COLUMNS_CONLLU,  // and CoNLL-U is written
  // As ONENLP_TO_COLUMNS; of a raw text onenlp_next goes on to further units until there are some thousand words, and
  // gives all of them at once.
  ONENLP_TO_COLUMN_BLOCKS
} onenlp_output_format;

// Starts a text (ending the one before) and empties the output. The bytes stay the caller's and must stay
// unchanged until the text has ended. 0 on failure: for a text ONENLP_INVALID_UTF8 with its position.
int onenlp_begin(onenlp_annotator *annotator, onenlp_input input, const void *bytes, size_t size,
                 onenlp_output_format format, onenlp_error *error);

// Annotates the next unit (a paragraph or a part of it, at most 512 words) and appends what it gives to the
// output. 1: a unit, there may be more; 0: the text has ended and the output is complete; -1: an error, which
// ends the text. To cancel, just stop calling.
int onenlp_next(onenlp_annotator *annotator, onenlp_error *error);

// How far the text is: bytes done and in all, words annotated so far.
void onenlp_progress(const onenlp_annotator *annotator, uint64_t *done, uint64_t *total, uint64_t *words);

// The output of the text, owned by the annotator and emptied by onenlp_begin. A caller that streams CoNLL-U
// may clear it between units.
onenlp_buffer *onenlp_output(onenlp_annotator *annotator);

// The text that offsets in columns refer to: for a raw text the caller's bytes; for CoNLL-U the surface text of
// the units so far, for JSON Lines the text of the unit's line, valid until the next call of onenlp_next. (When
// that returned 0: until onenlp_begin.)
const char *onenlp_text(const onenlp_annotator *annotator, size_t *size);

// Called between units; a result other than 0 cancels.
typedef int onenlp_progress_callback(void *context, uint64_t done, uint64_t total);

// onenlp_begin and onenlp_next until the end. `progress` may be NULL. 0 on failure.
int onenlp_annotate(onenlp_annotator *annotator, onenlp_input input, const void *bytes, size_t size,
                    onenlp_output_format format, onenlp_progress_callback *progress, void *context,
                    onenlp_error *error);

// ---- The columns of a unit ---------------------------------------------------------------------------------
//
// With ONENLP_TO_COLUMNS and its like, each unit can be read as flat arrays of 32-bit numbers
// after onenlp_next returned 1; all of it is valid until the next call of onenlp_next, onenlp_begin or
// onenlp_annotator_free. Strings are numbers: 0 is "not set", k is string k - 1 of the unit's table, which holds
// each string once. Offsets are UTF-16 units in the whole text. Word numbers count from 0 within the unit. With
// ONENLP_TO_COLUMN_BLOCKS read "the units that onenlp_next has made, one after another" for "the unit".

typedef enum onenlp_columns {
  // one number a word
  ONENLP_START,           // offset of the word's text
  ONENLP_END,
  ONENLP_SENTENCE_START,  // 1: a sentence starts here
  ONENLP_FORM,            // string; 0 where the form is the text between start and end
  ONENLP_LEMMA,           // string, as the next ones
  ONENLP_UPOS,
  ONENLP_XPOS,
  ONENLP_FEATS,
  ONENLP_HEAD,            // as in CoNLL-U: 0 for a root, else the 1-based number of a word in the sentence
  ONENLP_DEPREL,          // string
  // several numbers a row, numbered below
  ONENLP_RANGES,    // multiword tokens
  ONENLP_ENTITIES,
  ONENLP_SPANS,     // members of span groups
  ONENLP_CATS,
  ONENLP_UNIT       // one row a unit
} onenlp_columns;

// The numbers of a row. FIRST and LAST are words [FIRST, LAST), SCORE is the bits of a 32-bit float, FORM, GROUP
// and LABEL are strings.
enum {
  ONENLP_RANGE_FIRST,
  ONENLP_RANGE_LAST,
  ONENLP_RANGE_START,
  ONENLP_RANGE_END,
  ONENLP_RANGE_FORM,
  ONENLP_RANGE_ROW
};
enum { ONENLP_ENTITY_FIRST, ONENLP_ENTITY_LAST, ONENLP_ENTITY_LABEL, ONENLP_ENTITY_SCORE, ONENLP_ENTITY_ROW };
enum {
  ONENLP_SPAN_GROUP,
  ONENLP_SPAN_FIRST,
  ONENLP_SPAN_LAST,
  ONENLP_SPAN_LABEL,
  ONENLP_SPAN_SCORE,
  ONENLP_SPAN_ROW
};
enum { ONENLP_CAT_LABEL, ONENLP_CAT_SCORE, ONENLP_CAT_ROW };
// Start and end in the text, 1 where the unit starts a paragraph, how many strings at the start of the table are those
// of the call before, 1 where onenlp_next surely has no further unit, and the number of the word that would be the next
// one.
enum {
  ONENLP_UNIT_START,
  ONENLP_UNIT_END,
  ONENLP_UNIT_PARAGRAPH,
  ONENLP_UNIT_STRINGS_KEPT,
  ONENLP_UNIT_LAST,
  ONENLP_UNIT_WORDS,
  ONENLP_UNIT_ROW
};

// A column of the unit; *count is the number of 32-bit numbers. NULL: nobody set it, or there is no unit.
const uint32_t *onenlp_column(onenlp_annotator *annotator, onenlp_columns column, size_t *count);
// All of them: the result's elements and those of *counts are what onenlp_column gives for each column. The two
// arrays stay where they are as long as the annotator.
const uint32_t *const *onenlp_column_table(const onenlp_annotator *annotator, const size_t **counts);
// The unit's string table: *count strings lie one after another, UTF-8, string k ending before ends[k]. The strings of
// the text's units before stay in it, until they are some thousands or a megabyte; then it starts anew.
const char *onenlp_strings(onenlp_annotator *annotator, const uint32_t **ends, size_t *count);

// ---- Formats and scores, without a pipeline ------------------------------------------------------------------

typedef enum onenlp_format {
  ONENLP_CONLLU,
  ONENLP_PLAIN_TEXT,    // the text as the file describes it, nothing added: what this library wrote from a text
                        // gives that text back, byte for byte
  ONENLP_TREEBANK_TEXT, // the raw text of a treebank: a blank between sentences, an empty line between paragraphs
  ONENLP_JSONL          // JSON Lines: one sentence of CoNLL-U a line; its tokens are the words
} onenlp_format;

// Reads CoNLL-U or JSON Lines, checking it, and appends another format or the same. A line of JSON Lines becomes
// one CoNLL-U sentence with "# newdoc" (it says nothing of sentences); where it gives no tokens, the text is split
// as by `uax` with the data set `neutral`; as ONENLP_PLAIN_TEXT, each text gets a line end. As JSON Lines again it
// has its tokens, and members that are not known stay behind the others. 0 on failure.
int onenlp_convert(const void *bytes, size_t size, onenlp_format from, onenlp_format to, onenlp_buffer *out,
                   onenlp_error *error);

// The same for content that comes in pieces, sentence by sentence or line by line. Memory is bounded by the
// largest item and the limits of the formats, not by the content. Errors have line numbers of the whole.
typedef struct onenlp_converter onenlp_converter;
// `skip_misaligned`: entities and spans of JSON Lines whose edges are no token boundaries are left out instead of
// being an error. NULL on failure.
onenlp_converter *onenlp_converter_new(onenlp_format from, onenlp_format to, int skip_misaligned, onenlp_error *error);
void onenlp_converter_free(onenlp_converter *converter);
// Hands over the next piece, which is copied; it may end anywhere, within a character too. `last`: nothing follows.
// Only at the start and after onenlp_converter_next returned 0. 0 on failure.
int onenlp_converter_push(onenlp_converter *converter, const void *bytes, size_t size, int last, onenlp_error *error);
// Appends one item. 1: there may be more; 0: a further piece is needed, or after the last one all is done; -1: an
// error, the same from then on.
int onenlp_converter_next(onenlp_converter *converter, onenlp_buffer *out, onenlp_error *error);

// Aligns two documents of the same text that are tokenized differently: CoNLL-U (all of its sentences are one
// document; its words are the tokens) or one line of JSON Lines. Appends one JSON object: "to_reference" and
// "to_predicted" have for each token of one the only token of the other that it overlaps, or null; "overlaps" the
// tokens [first, last) of the reference that a predicted token overlaps, or null; "head" the reference's heads as
// predicted tokens (a root is its own head); "entities" and "spans" those of the reference whose edges are edges of
// predicted tokens, as [first, last, label]. The last three are there where the reference has them. 0 on failure;
// ONENLP_INVALID_ARGUMENT where the texts differ in more than white space and case.
int onenlp_align(const void *predicted, size_t predicted_size, onenlp_format predicted_format, const void *reference,
                 size_t reference_size, onenlp_format reference_format, onenlp_buffer *out, onenlp_error *error);

// Compares two CoNLL-U annotations of one text by the metrics of the CoNLL 2018 shared task and appends the
// scores. 0 on failure; ONENLP_DATA_FORMAT where the texts differ, with the gold line.
int onenlp_evaluate(const void *gold, size_t gold_size, const void *system, size_t system_size, onenlp_style style,
                    onenlp_buffer *out, onenlp_error *error);

// Scores of entities, categories and spans on gold JSON Lines: of a pipeline, which annotates the texts (with
// `gold_tokens`, the given tokens where there are some), or of a second file of the same texts (a JSON or JSON Lines
// output of this library will do). `progress` may be NULL. 0 on failure.
int onenlp_evaluate_jsonl(const onenlp_pipeline *pipeline, const void *gold, size_t gold_size, int gold_tokens,
                          onenlp_style style, onenlp_buffer *out, onenlp_progress_callback *progress, void *context,
                          onenlp_error *error);
int onenlp_compare_jsonl(const void *gold, size_t gold_size, const void *system, size_t system_size, onenlp_style style,
                         onenlp_buffer *out, onenlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
