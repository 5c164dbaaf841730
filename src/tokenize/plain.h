// The way of most words: found without looking anything up.
#ifndef ON_TOKENIZE_PLAIN_H
#define ON_TOKENIZE_PLAIN_H

#include "tokenize/scan.h"

// Most words by far are ASCII letters up to the end of their chunk or to one sign before it, and of a spelling that no
// table has. Emits such a word at p, and the sign, and returns where the chunk ends; else returns p. Where p is a new
// chunk, it need not be open.
size_t on_plain_end(on_scan *scan, const on_plain_words *plain, size_t p);

#endif
