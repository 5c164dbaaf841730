/* The rules of UAX #29 (Unicode 15.0) applied one after the other at each position, as the document
 * states them: slow, without states, and so independent of src/text/breaks.c. */
#ifndef ONENLP_TESTS_UNIT_TEXT_BREAK_RULES_H
#define ONENLP_TESTS_UNIT_TEXT_BREAK_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_CHARACTERS = 64 };

/* Fill breaks[1 .. n-1]: whether there is a boundary before character i, given the characters' classes
 * (ON_WB_*, ON_SB_*, ON_GCB_*). 0 < n <= MAX_CHARACTERS. */
void rules_of_words(const uint8_t *classes, size_t n, bool *breaks);
void rules_of_sentences(const uint8_t *classes, size_t n, bool *breaks);
void rules_of_graphemes(const uint8_t *classes, size_t n, bool *breaks);

#endif
