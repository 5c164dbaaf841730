// CoNLL-U (data-formats.md; universaldependencies.org/format.html): reader, writer, and the way from
// sentences to Docs and back.
#ifndef ON_FORMAT_CONLLU_H
#define ON_FORMAT_CONLLU_H

#include "doc/doc.h"
#include "base/buffer.h"

typedef struct on_conllu_options {
  size_t max_line;      // UTF-16 units; 0: 1,048,576
  size_t max_words;     // word and range lines per sentence; 0: 100,000
  size_t max_comments;  // comment lines per sentence; 0: 10,000
  int64_t lines;        // of the file, before the bytes; 0: they are its beginning (and may have a byte-order mark)
  bool partial;         // the last sentence goes on behind the bytes: it is checked as far as it is there, and
                        // not returned
} on_conllu_options;

typedef struct on_conllu_word {
  on_str form, lemma, upos, xpos, feats, deprel, deps, misc;  // as written; p NULL for "_" (FORM never)
  int32_t head;  // as written; -1 for "_"
} on_conllu_word;

typedef struct on_conllu_range {
  uint32_t first, last;  // word numbers, 1-based, inclusive
  on_str form;
  on_str columns[7];     // LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS as written (p NULL for "_")
  on_str misc;
} on_conllu_range;

typedef struct on_conllu_empty {
  uint32_t after, index;  // N and M of N.M; the line stands after word N
  on_str line;            // the whole line as written
} on_conllu_empty;

// All strings are slices of the reader's bytes: they live as long as the caller keeps those.
typedef struct on_conllu_sentence {
  on_arena arena;  // owns the lists below
  int64_t line;    // 1-based number of its first line
  on_str *comments;  // with their '#', as written, without the line end
  size_t comment_count;
  on_conllu_word *words;
  size_t word_count;
  on_conllu_range *ranges;
  size_t range_count;
  on_conllu_empty *empties;
  size_t empty_count;
} on_conllu_sentence;

// A streaming reader over bytes that the caller keeps alive, for the reader and for every sentence
// read from it. Every error in the data, invalid UTF-8 and passed limits included, is ON_DATA_FORMAT
// with the 1-based line number as position, and its message starts with "line N: ". After an error
// the reader stays where it is and reports the same error again.
typedef struct on_conllu_reader on_conllu_reader;
on_conllu_reader *on_conllu_open(on_str bytes, const on_conllu_options *options);  // NULL: out of memory
// Reads the next sentence into *sentence (initialised with {0}; its former contents are freed or
// reused). Returns 1 for a sentence, 0 at the end, -1 on an error.
int on_conllu_next(on_conllu_reader *reader, on_conllu_sentence *sentence, on_error *error);
// The number of the line that was read last.
int64_t on_conllu_line(const on_conllu_reader *reader);
void on_conllu_close(on_conllu_reader *reader);
void on_conllu_sentence_free(on_conllu_sentence *sentence);
// The line on which a word stands (an index in `words`).
int64_t on_conllu_word_line(const on_conllu_sentence *sentence, size_t word);

// The value of the comment "# key = value", or p NULL. `found` (may be NULL) tells whether the comment is
// there at all, also without a value ("# newpar").
on_str on_conllu_comment(const on_conllu_sentence *sentence, const char *key, bool *found);
// The value of `key=value` in a MISC (or FEATS) column, or p NULL.
on_str on_conllu_misc(on_str misc, const char *key);

// Writes a sentence as it was read, with the blank line that ends it.
void on_conllu_write(on_buf *out, const on_conllu_sentence *sentence);

// One Doc out of consecutive sentences, by the Doc.Text rules of data-formats.md, with every column
// set as gold (entities too when `NER=`/`ner=` stand in MISC); a column that is "_" on every word stays
// NULL. Between sentences Doc.text has one blank. doc->source is the raw text of the sentences
// (on_conllu_raw_text), all of which is the unit; doc->respelled tells that Doc.text differs from it.
// Strings are copied, so the sentences and their bytes may be freed. The Doc must be empty.
bool on_doc_from_conllu(on_doc *doc, const on_conllu_sentence *const *sentences, size_t count, on_error *error);

// The raw text of a treebank (open point 15): surface forms, SpaceAfter/SpacesAfter/SpacesBefore, one
// blank between sentences (unless SpacesAfter says more), an empty line at newpar and newdoc. Appends
// UTF-8 for one sentence; `first` tells that nothing precedes it.
void on_conllu_raw_text(on_buf *out, const on_conllu_sentence *sentence, bool first);
// The text as the file describes it: SpacesBefore, form (or SpacesInToken) and SpacesAfter of each surface
// token; one blank stands for a missing SpacesAfter unless SpaceAfter=No. Over all sentences that
// on_conllu_write_doc wrote this gives the annotated text back, byte for byte. Before a "# newpar" or
// "# newdoc" of a treebank that has no line break there an empty line is put. Appends to `out`, which must
// hold the sentences before this one.
void on_conllu_rebuild_text(on_buf *out, const on_conllu_sentence *sentence);

// What a writer must remember from one Doc (annotation unit) of a text to the next.
typedef struct on_conllu_writer {
  uint64_t next_sentence;   // sent_id of the next sentence, counted from 1 (start with 1)
  bool new_paragraph;       // the next sentence starts a paragraph
  bool paragraphs;          // the Doc is a whole text: empty lines in its source part paragraphs
  size_t paragraph_end;     // of the text that is written, so far
} on_conllu_writer;

// Writes a Doc's sentences as CoNLL-U (open point 14): "# newpar" where a paragraph starts, "# sent_id",
// "# text" (on one line: line breaks become blanks), range lines, "_" for columns that nobody set,
// SpaceAfter=No, SpacesBefore/SpacesAfter/SpacesInToken with the escapes \s \t \r \n \p \\, entities as
// NER=B-X / NER=I-X in MISC. What stands before the first token is that token's SpacesBefore, what stands
// between this Doc's last token and unit_end that token's SpacesAfter (SpaceAfter=No when there is nothing).
// FORM has blanks for tabs and line breaks, and SpacesInToken then has the source; so too where a single
// word's own form is not what the source has. A Doc without tokens writes nothing.
bool on_conllu_write_doc(on_buf *out, const on_doc *doc, on_conllu_writer *state, on_error *error);

#endif
