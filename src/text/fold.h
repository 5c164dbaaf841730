// Comparing without case: full case folding (Unicode 15.0, CaseFolding.txt, statuses C and F).
#ifndef ON_TEXT_FOLD_H
#define ON_TEXT_FOLD_H

#include "base/slice.h"

enum { ON_FOLD_MOST = 3 };  // a code point folds to at most so many

// Writes what c folds to at `out` (room for ON_FOLD_MOST) and returns how many code points that is: U+00DF gives
// s s, U+FB01 gives f i, U+0130 gives i U+0307. One that has no folding, a lone surrogate too, gives itself.
size_t on_fold(uint32_t c, uint32_t *out);

#endif
