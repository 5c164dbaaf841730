// Files cut into blocks that threads annotate and that come out in order. A block is some whole paragraphs of a
// text (units never reach over a paragraph's end, so the cut changes nothing) or a whole file of CoNLL-U or JSON
// Lines.
#ifndef ON_CLI_BLOCKS_H
#define ON_CLI_BLOCKS_H

#include "onenlp_internal.h"

typedef enum on_file_kind { ON_FILE_AUTO, ON_FILE_TEXT, ON_FILE_CONLLU, ON_FILE_JSONL } on_file_kind;

// An input file while blocks of it are on their way.
typedef struct on_source {
  const char *path;
  onenlp_input input;
  on_buf bytes;
  on_arena arena;
  on_str16 text;
  size_t at;                 // blocks before this offset are handed out
  on_conllu_writer writer;   // used by the block whose turn it is
  on_json_doc json;
  on_text_sums sums;         // of the units written so far
} on_source;

typedef struct on_block {
  on_source *source;
  size_t start, end;    // of source->text
  bool last;            // of its source
  bool failed;
  on_error error;
  uint64_t bytes;       // share of the file, for progress
  // What annotating it gave: Docs of a text, or the output of a whole file.
  on_doc *docs;
  uint8_t *paragraph_start;
  size_t count, doc_cap, start_cap;
  uint64_t words;
  onenlp_annotator *annotator;  // that annotated it
} on_block;

typedef struct on_block_reader {
  char **paths;
  int count, next;
  on_file_kind kind;
  on_source *source;    // the file that blocks come from, or NULL
} on_block_reader;

// The next block of the next file: false at the end of the last one. What fails (a file, UTF-8, memory) is told
// by block->failed, and the next call goes on with the next file. block->source is freed by on_block_done of the
// source's last block, and blocks must be done in order.
bool on_block_next(on_block_reader *reader, on_block *block);
// Frees the file whose blocks were not all read.
void on_block_reader_free(on_block_reader *reader);
// Annotates the block with the components that are on in `annotator`, which must have no text of its own.
void on_block_annotate(on_block *block, onenlp_annotator *annotator, onenlp_output_format format);
// Appends what the block gives in its turn.
void on_block_write(on_block *block, onenlp_output_format format, on_buf *out);
// Empties the block for reuse.
void on_block_done(on_block *block);
// Frees the block's memory.
void on_block_free(on_block *block);

#endif
