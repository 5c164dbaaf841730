// Maximum spanning trees of dependency parsing: one root in every sentence.
#ifndef ON_HEAD_ARBORESCENCE_H
#define ON_HEAD_ARBORESCENCE_H

#include "base/arena.h"

// score[dependent * n + head] is the score of an arc, score[i * n + i] that of word i as the root. head[i]
// becomes the head of word i in the tree of largest total score that has exactly one root (head[r] == r).
// Chu-Liu/Edmonds in the dense form of Tarjan 1977, time O(n^2) per contraction level; the single root is
// enforced by a constant that makes every further root dearer than any tree can gain (Zmigrod, Vieira and
// Cotterell 2020). Ties go to the smaller head. Scores must be finite. False: out of memory.
bool on_arborescence(const float *score, size_t n, on_arena *scratch, uint32_t *head);

#endif
