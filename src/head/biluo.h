// Entity tags: O (outside), and for each label B (begins), I (inside), L (last) and U (a token alone).
#ifndef ON_HEAD_BILUO_H
#define ON_HEAD_BILUO_H

#include "doc/doc.h"

// Tag 0 is O; label k has the tags 1 + 4k .. 4 + 4k in the order B, I, L, U.
enum { ON_BILUO_O, ON_BILUO_B = 1, ON_BILUO_I, ON_BILUO_L, ON_BILUO_U };

static inline uint32_t on_biluo_tags(uint32_t labels) { return 1 + 4 * labels; }
static inline uint32_t on_biluo_tag(uint32_t label, uint32_t which) { return 4 * label + which; }
static inline uint32_t on_biluo_label(uint32_t tag) { return (tag - 1) / 4; }               // tag > 0
static inline uint32_t on_biluo_which(uint32_t tag) { return tag ? (tag - 1) % 4 + 1 : 0; }  // ON_BILUO_*

// Whether `tag` may follow `before` inside a sentence.
bool on_biluo_follows(uint32_t before, uint32_t tag);

// tags[n]: the valid sequence with the highest sum of scores[n][1 + 4 * labels]. Valid: an entity that begins
// is continued by tags of the same label and ends, all within one sentence (sent_start[n]; [0] counts as 1).
// Among equal sums the tag that comes first in the order of tags is taken, at the last token first. Time n *
// labels. False: out of memory (in `scratch`).
bool on_biluo_decode(const float *scores, size_t n, uint32_t labels, const uint8_t *sent_start, on_arena *scratch,
                     uint32_t *tags);

#endif
