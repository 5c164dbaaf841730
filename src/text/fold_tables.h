// Written by tools/gen-unicode.mjs out of the Unicode Character Database 15.0; not to be edited.
#ifndef ON_TEXT_FOLD_TABLES_H
#define ON_TEXT_FOLD_TABLES_H

#include <stdint.h>

enum { ON_FOLD_ROWS = 298 };

// Characters that do not fold to their simple lower case, in order: a character and what it folds to, 0 behind that.
extern const uint16_t on_fold_rows[ON_FOLD_ROWS * 4];

#endif
