// JSON Lines (data-formats.md): one example on each line that is not blank, as a reference Doc with its
// entities, span groups (Example.Spans) and categories (Example.Cats).
#ifndef ON_FORMAT_JSONL_H
#define ON_FORMAT_JSONL_H

#include "base/buffer.h"
#include "doc/doc.h"
#include "format/json.h"

typedef enum on_misaligned {
  ON_MISALIGNED_ERROR,  // a span or entity whose edges are no token boundaries is an error
  ON_MISALIGNED_SKIP    // it is left out
} on_misaligned;

// Makes the tokens of a Doc whose source, text and unit are set (on_doc_set_tokens and the offsets, also
// form, mwts and a respelled text). Not called for an empty text. False: failed, *error filled.
typedef bool (*on_jsonl_tokenizer)(void *context, on_doc *doc, on_error *error);

typedef struct on_jsonl_options {
  size_t max_line;  // UTF-16 units; 0: 16,777,216
  on_misaligned misaligned;
  on_jsonl_tokenizer tokenizer;  // for lines without "tokens"; NULL: such lines are errors
  void *context;                 // for the tokenizer
  int64_t lines;  // of the file, before the bytes; 0: they are its beginning (and may have a byte-order mark)
} on_jsonl_options;

// A streaming reader over bytes that the caller keeps alive until the reader is closed.
typedef struct on_jsonl_reader on_jsonl_reader;
on_jsonl_reader *on_jsonl_open(on_str bytes, const on_jsonl_options *options);  // NULL: out of memory

// Reads the next example into *doc, which is reset first and owns all of it. Returns 1 for an example, 0 at
// the end, -1 on an error: ON_DATA_FORMAT with the 1-based line number, and a message that starts with
// "line N: "; or out of memory. The next call goes on with the line after it.
//
// Offsets are UTF-16 units; one that cuts a surrogate pair is an error, since no token can begin or end
// there. null is not taken for an absent property. Entities may come in any order and are sorted; spans keep
// theirs.
int on_jsonl_next(on_jsonl_reader *reader, on_doc *doc, on_error *error);
// The line that was read last, which is the example's after a 1; spans and entities left out so far (ON_MISALIGNED_SKIP).
int64_t on_jsonl_line(const on_jsonl_reader *reader);
uint64_t on_jsonl_skipped(const on_jsonl_reader *reader);
// The line itself, without its end; a slice of the bytes.
on_str on_jsonl_line_text(const on_jsonl_reader *reader);
// What the line says, after a 1: the reader's, until it reads on or is closed.
const on_json *on_jsonl_line_json(const on_jsonl_reader *reader);
// Bytes read so far.
size_t on_jsonl_offset(const on_jsonl_reader *reader);
void on_jsonl_close(on_jsonl_reader *reader);

// Appends a Doc as one line: text, tokens, and where the Doc has them entities, spans and cats. The text is the
// unit's source; but where words share a surface form that cannot be divided (their tokens would overlap) it
// is Doc.Text. False: out of memory.
bool on_jsonl_write_doc(on_buf *out, const on_doc *doc, on_error *error);

#endif
