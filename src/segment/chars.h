// The characters of a text as an encoder sees them: a Doc whose tokens are code points, and the stretches
// that a long text is cut into, for the segmenter, the multiword-token splitter and their training.
#ifndef ON_SEGMENT_CHARS_H
#define ON_SEGMENT_CHARS_H

#include "doc/doc.h"

// A line is read in windows of at most ON_CHAR_WINDOW characters, each ON_CHAR_CONTEXT characters of which
// repeat what the window before it (and after it) holds: so memory is bounded, time is linear, and every
// character is decided where there is text on both sides.
enum { ON_CHAR_WINDOW = 512, ON_CHAR_CONTEXT = 64 };

// Makes *doc (reset before) the characters of text[from, to): doc->text and doc->source are that stretch alone,
// borrowed, and token i is its i-th code point (a lone surrogate counts as one). False: out of memory.
bool on_char_doc(on_doc *doc, on_str16 text, size_t from, size_t to);

// One stretch of text that is a Doc for the encoder, and the part of it that it decides.
typedef struct on_char_window {
  size_t from, to;               // UTF-16 offsets in the text
  size_t decide_from, decide_to; // within [from, to]
} on_char_window;

// The next window of text[from, to) after *window (at first all zero, and `first` true). Line breaks are in no
// window, nor are empty lines. False: there is none.
bool on_next_char_window(on_str16 text, size_t from, size_t to, bool first, on_char_window *window);

// Marks in whole[i] (i counted from `from`) the places inside text[from, to) before which there is no cut,
// whatever a model says: inside a grapheme cluster, inside a word in Latin letters, inside a number, an address or
// another token that the data set `neutral` knows and that has nothing but these and signs. `whole` has to - from
// bytes, zeroed by the caller. Scratch memory from the arena.
bool on_mark_whole(on_arena *scratch, on_str16 text, size_t from, size_t to, uint8_t *whole, on_error *error);

#endif
